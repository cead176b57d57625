"""Reading the ledger: whether it balances, and whether meters, statements and accounts agree."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import F, OuterRef, Subquery, Sum

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.models.awards import Award
from jackpot.models.closings import AccountClosing
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Account, Entry, Leg, StatementRow
from jackpot.models.sites import Site
from jackpot.selectors import closings


@dataclass(frozen=True, slots=True)
class PotCheck:
    """One pot as three places say it stands, in ledger units: the level's row, its statement, the ledger."""

    level: str
    pot: str
    stored: int
    statement: int
    ledger: int

    @property
    def agrees(self) -> bool:
        return self.stored == self.statement == self.ledger


@dataclass(frozen=True, slots=True)
class RollForward:
    """A pot's statement summed by kind: opening, one amount a kind, closing; ledger units."""

    level: str
    pot: str
    opening: int
    by_kind: dict[str, int]
    closing: int

    @property
    def foots(self) -> bool:
        return self.opening + sum(self.by_kind.values()) == self.closing


def account_balances(codes: Iterable[str], *, until: date | None = None) -> dict[str, int]:
    """Balances of accounts, summed from their legs (debits positive); 0 for an account without legs. With `until`, as
    they stood at the end of that gaming day.
    """
    legs = Leg.objects.filter(account=OuterRef("pk"))
    legs = legs if until is None else legs.filter(gaming_day__lte=until)
    total = legs.values("account").annotate(sum=Sum("amount")).values("sum")
    rows = Account.objects.filter(code__in=list(codes)).annotate(balance=Subquery(total))
    return {code: int(balance or 0) for code, balance in rows.values_list("code", "balance")}


def balances_at(codes: Iterable[str], day: date) -> dict[str, int]:
    """Balances of accounts at the end of a gaming day, from the last closing of their site and what was booked since:
    what `account_balances` with `until` sums from the beginning.
    """
    found = dict(Account.objects.filter(code__in=list(codes)).values_list("code", "site_id"))
    last = closings.last_of_each(set(found.values()), day)
    balances: dict[str, int] = {}
    for site_id in set(found.values()):
        here = Account.objects.filter(code__in=[code for code, at in found.items() if at == site_id])
        legs = Leg.objects.filter(account=OuterRef("pk"), gaming_day__lte=day)
        closed = AccountClosing.objects.none()
        if site_id in last:
            legs = legs.filter(gaming_day__gt=last[site_id].gaming_day.day)
            closed = AccountClosing.objects.filter(closing_of=last[site_id], account=OuterRef("pk"))
        rows = here.annotate(
            opening=Subquery(closed.values("closing")[:1]),
            moved=Subquery(legs.values("account").annotate(sum=Sum("amount")).values("sum")),
        )
        for code, opening, moved in rows.values_list("code", "opening", "moved"):
            balances[code] = int(opening or 0) + int(moved or 0)
    return balances


def trial_balance(site: Site) -> dict[str, int]:
    """Every account of a site with its balance, summed from its legs (debits positive), by code.

    It adds up to zero where every entry that touches these accounts lies within them.
    """
    return account_balances(Account.objects.filter(site=site).order_by("code").values_list("code", flat=True))


def unbalanced_entries(accounts_of: Iterable[str]) -> list[int]:
    """Entries touching any of these accounts whose legs do not add up to zero, summed afresh."""
    touched = Leg.objects.filter(account__code__in=list(accounts_of)).values("entry_id")
    sums = Leg.objects.filter(entry_id__in=touched).values("entry_id").annotate(total=Sum("amount"))
    return [row["entry_id"] for row in sums if row["total"]]


def check_pots(jackpot: Jackpot) -> list[PotCheck]:
    """Every pot of a jackpot: the meter as stored, its statement summed, and its ledger account."""
    codes = {
        (level.code, pot): accounts.pot_of(jackpot.code, level.code, pot)
        for level in jackpot.levels.all()
        for pot in Pot
    }
    ledger = account_balances(codes.values())
    summed = {
        (row["level__code"], row["pot"]): int(row["total"])
        for row in StatementRow.objects.filter(level__jackpot=jackpot)
        .values("level__code", "pot")
        .annotate(total=Sum("amount"))
    }
    return [
        PotCheck(level.code, pot, getattr(level, pot), summed.get((level.code, pot), 0),
                 -ledger[codes[level.code, pot]])
        for level in jackpot.levels.all()
        for pot in Pot
    ]  # fmt: skip


def roll_forward(jackpot: Jackpot, *, after_entry: int = 0) -> list[RollForward]:
    """Every pot's statement since an entry (all of it by default), by kind."""
    found = []
    for level in jackpot.levels.all():
        for pot in Pot:
            rows = StatementRow.objects.filter(level=level, pot=pot, entry_id__gt=after_entry)
            first = rows.order_by("seq").first()
            by_kind = {r["kind"]: int(r["total"]) for r in rows.values("kind").annotate(total=Sum("amount"))}
            stored: int = getattr(level, pot)
            found.append(RollForward(level.code, pot, first.before if first else stored, by_kind, stored))
    return found


def unpaid_awards(jackpot: Jackpot) -> tuple[int, int]:
    """What the awards account owes and what the unpaid awards add up to; the two must be equal."""
    owed = -account_balances([accounts.awards_of(jackpot.code)])[accounts.awards_of(jackpot.code)]
    unpaid = Award.objects.filter(jackpot=jackpot).exclude(state__in=["paid", "rejected", "withdrawn"])
    return owed, int(unpaid.aggregate(total=Sum(F("amount")))["total"] or 0)


def locked_out(source_refs: Iterable[UUID]) -> set[UUID]:
    """The rounds among these whose lock-out has been posted; one without a Progressive stake never is."""
    by_ref = {f"round:{ref}": ref for ref in source_refs}
    posted = Entry.objects.filter(kind="lockout", source_ref__in=list(by_ref)) if by_ref else Entry.objects.none()
    return {by_ref[ref] for ref in posted.values_list("source_ref", flat=True)}
