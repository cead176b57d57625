"""What a gaming day of a site came to, reckoned from the closing before it, and what these figures are held against.

To be read under the day's lock: what is summed lies in days that take nothing more, so that several queries see one
state however many workers go on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, Sum

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.domain.closings import AccountLine, Evidence, PotLine, UnpaidLine
from jackpot.models.awards import Award
from jackpot.models.closings import AccountClosing, Closing, PotClosing
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Leg, StatementRow
from jackpot.models.sites import Site
from jackpot.selectors import liabilities, rolls


@dataclass(frozen=True, slots=True)
class Figures:
    """A day's lines, and the evidence they are held against."""

    pots: list[PotLine]
    accounts: list[AccountLine]
    unpaid: list[UnpaidLine]
    against: Evidence


def of_day(site: Site, day: date, last: Closing | None) -> Figures:
    """Everything of a site's day; `last` is the closing before it."""
    levels = list(Level.objects.filter(jackpot__home_site=site).select_related("jackpot").order_by("jackpot_id", "id"))
    before = list(PotClosing.objects.filter(closing_of=last)) if last else []
    began = {(line.level_id, line.pot): line for line in before}
    places = {key: line.seq for key, line in began.items() if line.seq}
    ids = {level.jackpot_id for level in levels}
    ends = rolls.rows_at(places | rolls.seqs_within(ids, after=_day_of(last), until=day))
    opened = {key: line.closing for key, line in began.items()}
    kinds = rolls.summed(ids, after=_day_of(last), until=day)
    codes = {
        (level.pk, pot.value): accounts.pot_of(level.jackpot.code, level.code, pot) for level in levels for pot in Pot
    }
    return Figures(
        pots=[_pot(level, pot, opened, kinds, ends) for level in levels for pot in Pot],
        accounts=_accounts(site, day, last),
        unpaid=_unpaid(site, day, last),
        against=Evidence(
            statement_before={codes[key]: int(row.after) for key, row in rolls.rows_at(places).items()},
            statement={codes[key]: int(row.after) for key, row in ends.items()},
            level_off=_levels_off(site),
            unbalanced=_unbalanced(site, _day_of(last), day),
        ),
    )


def _pot(
    level: Level,
    pot: Pot,
    opened: Mapping[tuple[int, str], int],
    kinds: Mapping[tuple[int, str], Mapping[str, int]],
    ends: Mapping[tuple[int, str], StatementRow],
) -> PotLine:
    key = (level.pk, pot.value)
    opening, by_kind, end = opened.get(key, 0), kinds.get(key, {}), ends.get(key)
    return PotLine(
        jackpot=level.jackpot.code,
        level=level.code,
        pot=pot,
        opening=opening,
        by_kind=by_kind,
        closing=opening + sum(by_kind.values()),
        seq=end.seq if end else 0,
        posted_at=end.entry.posted_at if end else None,
    )


def _day_of(last: Closing | None) -> date:
    return last.gaming_day.day if last else date.min


def _accounts(site: Site, day: date, last: Closing | None) -> list[AccountLine]:
    lines = AccountClosing.objects.filter(closing_of=last) if last else AccountClosing.objects.none()
    opened = dict(lines.values_list("account__code", "closing"))
    legs = Leg.objects.filter(account__site=site, gaming_day__gt=_day_of(last), gaming_day__lte=day)
    moved = {
        code: (int(debited or 0), -int(credited or 0))
        for code, debited, credited in legs.values_list("account__code").annotate(
            debits=Sum("amount", filter=Q(amount__gt=0)), credits=Sum("amount", filter=Q(amount__lt=0))
        )
    }
    return [
        AccountLine(code, opened.get(code, 0), *moved.get(code, (0, 0)))
        for code in sorted(opened.keys() | moved.keys())
    ]


def _unpaid(site: Site, day: date, last: Closing | None) -> list[UnpaidLine]:
    owed = liabilities.unpaid_of_site(site.pk, day, last)
    found = Award.objects.filter(pk__in=owed).values_list("pk", "jackpot__code", "amount")
    return [UnpaidLine(str(pk), code, amount, owed[pk]) for pk, code, amount in found]


def _levels_off(site: Site) -> dict[str, int]:
    """How far levels are from the last row of each pot, in one statement: workers go on."""
    found: dict[str, int] = {}
    for pot in Pot:
        rows = Level.objects.filter(jackpot__home_site=site).annotate(stated=rolls.last_after(pot))
        for code, level, stands, stated in rows.values_list("jackpot__code", "code", pot.value, "stated"):
            found[accounts.pot_of(code, level, pot)] = stands - int(stated or 0)
    return found


def _unbalanced(site: Site, after: date, day: date) -> dict[int, int]:
    """Entries that touch the site's accounts in these days and do not add up to zero, summed afresh."""
    touched = Leg.objects.filter(account__site=site, gaming_day__gt=after, gaming_day__lte=day).values("entry_id")
    sums = Leg.objects.filter(entry_id__in=touched).values("entry_id").annotate(total=Sum("amount"))
    return {row["entry_id"]: int(row["total"]) for row in sums.exclude(total=0)}
