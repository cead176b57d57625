"""A gaming day's books: how each pot went from its opening to its closing, and where its contributions came from."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Max, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind
from jackpot.models.closings import Closing, PotClosing
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Account, Entry, Leg, StatementRow
from jackpot.selectors import books, closings

_FED = (Kind.CONTRIBUTION, Kind.VOID, Kind.AWARD, Kind.AWARD_RETURNED, Kind.CORRECTION)
"""Kinds of statement rows that come from a table."""


@dataclass(frozen=True, slots=True)
class PotDay:
    """One pot's day, in ledger units: opening, one amount a kind, and its end as statement and ledger have it.

    `stated_before` is what the statement's last row before the day says, `stored` the closing that was stored when the
    day was closed, None while it is open.
    """

    jackpot: Jackpot
    level: str
    pot: Pot
    opening: int
    by_kind: dict[str, int]
    statement: int
    ledger: int
    stated_before: int
    stored: int | None = None

    @property
    def closing(self) -> int:
        return self.opening + sum(self.by_kind.values())

    @property
    def difference(self) -> int:
        """How far statement and ledger are from the closing, together; 0 where all three agree."""
        return abs(self.statement - self.closing) + abs(self.ledger - self.closing)

    @property
    def opening_difference(self) -> int:
        """How far the opening is from the end of the day before by the statement."""
        return abs(self.opening - self.stated_before)

    @property
    def stored_difference(self) -> int:
        """How far the closing is from the one that was stored when the day was closed."""
        return 0 if self.stored is None else abs(self.closing - self.stored)


def pot_days(jackpots: Collection[Jackpot], day: date) -> list[PotDay]:
    """Every pot of some jackpots, levels in order. The opening is what the last closing before the day says and what
    was stated since; the ledger the same of the pot's account. Nothing is summed from the beginning but before a
    site's first closing.
    """
    by_site: dict[int, list[Jackpot]] = defaultdict(list)
    for jackpot in jackpots:
        by_site[jackpot.home_site_id].append(jackpot)
    found = [pot for site_id, at_home in by_site.items() for pot in _pot_days(site_id, at_home, day)]
    return sorted(found, key=lambda pot: pot.jackpot.code)


def _pot_days(site_id: int, jackpots: Collection[Jackpot], day: date) -> list[PotDay]:
    before = day - timedelta(days=1)
    last, closed = closings.last_until(site_id, before), closings.first_from(site_id, day)
    ids = {jackpot.pk: jackpot for jackpot in jackpots}
    since = summed(ids, after=last.gaming_day.day if last else date.min, until=before)
    kinds = summed(ids, after=before, until=day)
    opened, stored = _lines(last), _lines(closed if closed and closed.gaming_day.day == day else None)
    ends = {f"{pot}_{name}": last_after(pot, until=until, closed=closed)
            for pot in Pot for name, until in (("before", before), ("end", day))}  # fmt: skip
    levels = list(Level.objects.filter(jackpot__in=ids).annotate(**ends).order_by("jackpot__code", "position"))
    codes = {(level.pk, pot): accounts.pot_of(ids[level.jackpot_id].code, level.code, pot)
             for level in levels for pot in Pot}  # fmt: skip
    ledger = books.balances_at(codes.values(), day)
    return [
        PotDay(
            jackpot=ids[level.jackpot_id],
            level=level.code,
            pot=pot,
            opening=opened.get((level.pk, pot), 0) + sum(since[level.pk, pot].values()),
            by_kind=kinds[level.pk, pot],
            statement=int(getattr(level, f"{pot}_end") or 0),
            ledger=-ledger.get(codes[level.pk, pot], 0),
            stated_before=int(getattr(level, f"{pot}_before") or 0),
            stored=stored.get((level.pk, pot)),
        )
        for level in levels
        for pot in Pot
    ]


def _lines(closing: Closing | None) -> dict[tuple[int, str], int]:
    lines = PotClosing.objects.filter(closing_of=closing) if closing else PotClosing.objects.none()
    return {(level_id, pot): amount for level_id, pot, amount in lines.values_list("level_id", "pot", "closing")}


def last_after(pot: Pot, *, until: date | None = None, closed: Closing | None = None) -> Subquery:
    """Of a level what the last row of a pot (up to a day) says, None without one. `closed`: a closing of that day or a
    later one, behind whose rows nothing has to be looked for.
    """
    rows = StatementRow.objects.filter(level=OuterRef("pk"), pot=pot)
    rows = rows if until is None else rows.filter(gaming_day__lte=until)
    if closed is not None:
        lines = PotClosing.objects.filter(closing_of=closed, level=OuterRef(OuterRef("pk")), pot=pot)
        rows = rows.filter(seq__lte=Coalesce(Subquery(lines.values("seq")[:1]), 0))
    return Subquery(rows.order_by("-seq").values("after")[:1])


def rows_at(places: Mapping[tuple[int, str], int]) -> dict[tuple[int, str], StatementRow]:
    """The rows of these numbers, by level and pot, with their entries."""
    wanted = [Q(level_id=level_id, pot=pot, seq=seq) for (level_id, pot), seq in places.items()]
    if not wanted:
        return {}
    rows = StatementRow.objects.filter(reduce(or_, wanted)).select_related("entry")
    return {(row.level_id, row.pot): row for row in rows}


def seqs_within(jackpot_ids: Collection[int], *, after: date, until: date) -> dict[tuple[int, str], int]:
    """The number of the last row of each pot in the days behind `after` up to `until`, where there is one."""
    rows = StatementRow.objects.filter(level__jackpot__in=jackpot_ids, gaming_day__gt=after, gaming_day__lte=until)
    return {(level, pot): seq for level, pot, seq in rows.values_list("level_id", "pot").annotate(seq=Max("seq"))}


def summed(jackpot_ids: Collection[int], *, after: date, until: date) -> dict[tuple[int, str], dict[str, int]]:
    """Statement rows of the days behind `after` up to `until`, added up by level and pot, then by kind."""
    found: dict[tuple[int, str], dict[str, int]] = defaultdict(dict)
    if after >= until:
        return found
    rows = StatementRow.objects.filter(level__jackpot__in=jackpot_ids, gaming_day__gt=after, gaming_day__lte=until)
    for level_id, pot, kind, amount in rows.values_list("level_id", "pot", "kind").annotate(amount=Sum("amount")):
        found[level_id, pot][kind] = int(amount)
    return found


@dataclass(frozen=True, slots=True)
class Fed:
    """What a table's rounds did to a jackpot's pots in a day, of one kind, levels and pots together; ledger units."""

    jackpot_id: int
    integrator_id: int
    table_ref: str
    kind: str
    amount: int


def fed_by_tables(jackpots: Collection[Jackpot], day: date) -> list[Fed]:
    """The day's changes of some jackpots by the integrator and the table whose rounds caused them."""
    rows = StatementRow.objects.filter(gaming_day=day, kind__in=_FED, level__jackpot__in=jackpots)
    group = ("level__jackpot_id", "entry__integrator_id", "entry__table_ref", "kind")
    summed = rows.exclude(entry__table_ref="").values_list(*group).annotate(total=Sum("amount"))
    return [Fed(jackpot_id, who, ref, kind, int(total)) for jackpot_id, who, ref, kind, total in summed]


class Taken(NamedTuple):
    """What rounds at a table came to on the Progressive by accrual, in ledger units: what the pots got of their stakes
    (less what voids took back), and what the house kept or lost.
    """

    contributed: int
    won: int


class Timing(NamedTuple):
    """Why what a day's rounds contributed is not what the day's statement took in, in ledger units (less what voids
    took back): what of those rounds was entered under other days, and what was entered under the day of other rounds.
    """

    under_other_days: int
    of_other_rounds: int


def timing_of(jackpot: Jackpot, sources: Any, day: date) -> Timing:
    """`sources`: the source references of the day's rounds of a jackpot, as a query."""
    entries = Entry.objects.filter(source_ref__in=sources).values("pk")
    rows = StatementRow.objects.filter(kind__in=(Kind.CONTRIBUTION, Kind.VOID), level__jackpot=jackpot)
    elsewhere = rows.filter(entry__in=entries).exclude(gaming_day=day)
    others = rows.filter(gaming_day=day).exclude(entry__in=entries)
    return Timing(*(int(found.aggregate(total=Sum("amount"))["total"] or 0) for found in (elsewhere, others)))


def taken_back(sources: Any) -> int:
    """What voids among the entries with these source references took back from the pots, in ledger units."""
    rows = StatementRow.objects.filter(kind=Kind.VOID, entry__in=Entry.objects.filter(source_ref__in=sources))
    return -int(rows.aggregate(total=Sum("amount"))["total"] or 0)


def taken_at(sources: Any) -> dict[str, Taken]:
    """By table, of the entries with these source references (values, or a query of them)."""
    entries = Entry.objects.filter(source_ref__in=sources)
    rows = StatementRow.objects.filter(entry__in=entries, kind__in=(Kind.CONTRIBUTION, Kind.VOID))
    contributed = dict(rows.values_list("entry__table_ref").annotate(amount=Sum("amount")))
    progressive = Account.objects.filter(code__startswith="win:", code__endswith=f":{accounts.Bet.PROGRESSIVE}")
    legs = Leg.objects.filter(entry__in=entries, account__in=progressive)
    won = dict(legs.values_list("entry__table_ref").annotate(amount=Sum("amount")))
    return {
        table: Taken(int(contributed.get(table, 0)), -int(won.get(table, 0)))
        for table in contributed.keys() | won.keys()
    }


class Corrected(NamedTuple):
    """A correction: its request, and the settlements that it replaced and put in force, by their references."""

    change: str
    was: str
    becomes: str


def taken_by(corrections: Sequence[Corrected]) -> dict[str, Taken]:
    """By table, what corrections changed of what rounds came to by accrual."""
    if not corrections:
        return {}
    changes = Q(source_ref__in=[one.becomes for one in corrections])
    for one in corrections:
        changes |= Q(source_ref=f"change:{one.change}") | Q(source_ref__startswith=f"change:{one.change}:")
    entries = Entry.objects.filter(changes)
    contributed: dict[str, int] = defaultdict(int)
    stakes = [f"change:{one.change}:stakes" for one in corrections]
    for refs, kind, sign in (
        (stakes, Kind.CORRECTION, 1),
        ([one.becomes for one in corrections], Kind.VOID, 1),
        ([one.was for one in corrections], Kind.VOID, -1),
    ):
        rows = StatementRow.objects.filter(entry__source_ref__in=refs, kind=kind).values_list("entry__table_ref")
        for table, amount in rows.annotate(amount=Sum("amount")):
            contributed[table] += sign * int(amount)
    progressive = Account.objects.filter(code__startswith="win:", code__endswith=f":{accounts.Bet.PROGRESSIVE}")
    legs = Leg.objects.filter(entry__in=entries, account__in=progressive)
    won = dict(legs.values_list("entry__table_ref").annotate(amount=Sum("amount")))
    return {
        table: Taken(contributed.get(table, 0), -int(won.get(table, 0))) for table in contributed.keys() | won.keys()
    }
