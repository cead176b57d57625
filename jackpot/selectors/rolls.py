"""A gaming day's books: how each pot went from its opening to its closing, and where its contributions came from."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import OuterRef, Subquery, Sum

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Account, Entry, Leg, StatementRow
from jackpot.selectors import books

_FED = (Kind.CONTRIBUTION, Kind.VOID, Kind.AWARD, Kind.AWARD_RETURNED)
"""Kinds of statement rows that come from a table."""


@dataclass(frozen=True, slots=True)
class PotDay:
    """One pot's day, in ledger units: opening, one amount a kind, and its end as statement and ledger have it."""

    jackpot: Jackpot
    level: str
    pot: Pot
    opening: int
    by_kind: dict[str, int]
    statement: int
    ledger: int

    @property
    def closing(self) -> int:
        return self.opening + sum(self.by_kind.values())

    @property
    def difference(self) -> int:
        """How far statement and ledger are from the closing, together; 0 where all three agree."""
        return abs(self.statement - self.closing) + abs(self.ledger - self.closing)


def pot_days(jackpots: Collection[Jackpot], day: date) -> list[PotDay]:
    """Every pot of some jackpots, levels in order. Openings and ends are read from the statement's last rows before
    and on the day, kinds summed from the day's rows, the ledger from all legs to the end of the day.
    """
    summed = _summed(jackpots, day)
    ends = {f"{pot}_{name}": _last(pot, **until) for pot in Pot for name, until in _ends(day).items()}
    levels = list(Level.objects.filter(jackpot__in=jackpots).annotate(**ends).order_by("jackpot__code", "position"))
    by_id = {jackpot.pk: jackpot for jackpot in jackpots}
    codes = {(level.pk, pot): accounts.pot_of(by_id[level.jackpot_id].code, level.code, pot)
             for level in levels for pot in Pot}  # fmt: skip
    ledger = books.account_balances(codes.values(), until=day)
    return [
        PotDay(
            jackpot=by_id[level.jackpot_id],
            level=level.code,
            pot=pot,
            opening=int(getattr(level, f"{pot}_before") or 0),
            by_kind=summed[level.pk, pot],
            statement=int(getattr(level, f"{pot}_end") or 0),
            ledger=-ledger.get(codes[level.pk, pot], 0),
        )
        for level in levels
        for pot in Pot
    ]


def _ends(day: date) -> dict[str, dict[str, date]]:
    return {"before": {"gaming_day__lt": day}, "end": {"gaming_day__lte": day}}


def _last(pot: Pot, **until: date) -> Subquery:
    rows = StatementRow.objects.filter(level=OuterRef("pk"), pot=pot, **until)
    return Subquery(rows.order_by("-seq").values("after")[:1])


def _summed(jackpots: Collection[Jackpot], day: date) -> dict[tuple[int, str], dict[str, int]]:
    rows = StatementRow.objects.filter(level__jackpot__in=jackpots, gaming_day=day)
    found: dict[tuple[int, str], dict[str, int]] = defaultdict(dict)
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
