"""What boxes staked and got back, bet by bet, and what each table took and paid."""

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Sum

from jackpot import services as jackpot
from tables.domain.results import WagerKind
from tables.models.rounds import Box, BoxResult, Round

# The Play follows from the decision, as in `tables.domain.facts.BoxFacts.play`: the multiplier is 0 without one.
STAKES: dict[WagerKind, Any] = {
    WagerKind.ANTE: F("ante"),
    WagerKind.BLIND: F("ante"),
    WagerKind.PLAY: F("ante") * F("multiplier"),
    WagerKind.TRIPS: F("trips"),
    WagerKind.PROGRESSIVE: F("progressive"),
}
"""What a stored box staked on each bet, for PostgreSQL to sum."""


STAKED = Sum(reduce(add, STAKES.values()))
RETURNED = Sum(reduce(add, map(F, WagerKind)))


def stakes_of(box: Box) -> dict[WagerKind, int]:
    """What a stored box staked on each bet, in ledger units; 0 on those it did not make."""
    return dict(
        zip(WagerKind, (box.ante, box.ante, box.ante * box.multiplier, box.trips, box.progressive), strict=True)
    )


def returned_to(result: BoxResult) -> dict[WagerKind, int]:
    """What came back to a box for each bet, in ledger units, stakes inside (Envy is not)."""
    return {kind: getattr(result, kind) for kind in WagerKind}


@dataclass(frozen=True, slots=True)
class BetResult:
    """One bet at one table, in ledger units: what was staked, and what came back, stakes inside (Envy is not)."""

    table: str
    currency_code: str
    bet: WagerKind
    rounds: int
    wagers: int
    handle: int
    returned: int

    @property
    def won(self) -> int:
        """What the house kept."""
        return self.handle - self.returned


def by_table(rounds: QuerySet[Round]) -> list[BetResult]:
    """Settled rounds summed by table and bet, tables by code, bets in the order of results; two queries."""
    boxes = Box.objects.filter(round__in=rounds.filter(version__gt=0))
    staked = _summed(boxes, {kind: _staked(kind) for kind in WagerKind})
    results = BoxResult.objects.filter(round__in=rounds, version=F("round__version"))
    returned = _summed(results, {kind: {f"{kind}_sum": Sum(F(kind))} for kind in WagerKind})
    return [
        BetResult(table, currency, bet, *staked[table, currency][bet], *returned[table, currency][bet])
        for table, currency in sorted(staked)
        for bet in WagerKind
    ]


def _staked(kind: WagerKind) -> dict[str, Any]:
    """In how many rounds a bet was made, how many of it, and how much."""
    made = boxes_with(kind)
    return {
        f"{kind}_rounds": Count("round", distinct=True, filter=made),
        f"{kind}_wagers": Count("box", filter=made),
        f"{kind}_sum": Sum(STAKES[kind]),
    }


def boxes_with(kind: WagerKind) -> Q:
    """The boxes that made a bet; each has an Ante and its Blind."""
    fields = {WagerKind.PLAY: "multiplier", WagerKind.TRIPS: "trips", WagerKind.PROGRESSIVE: "progressive"}
    return Q(**{f"{fields.get(kind, 'ante')}__gt": 0})


def _summed(
    rows: QuerySet[Any], sums: dict[WagerKind, dict[str, Any]]
) -> dict[tuple[str, str], dict[WagerKind, tuple[int, ...]]]:
    """Aggregates of boxes or results by (table, currency) and bet."""
    every = {name: made for named in sums.values() for name, made in named.items()}
    found = {}
    for row in rows.values("round__table__code", "round__table__currency_code").annotate(**every):
        place = (row["round__table__code"], row["round__table__currency_code"])
        found[place] = {kind: tuple(int(row[name]) for name in named) for kind, named in sums.items()}
    return found


def by_round(rounds: QuerySet[Round]) -> dict[UUID, tuple[int, int]]:
    """What was staked in each of some settled rounds and came back, in ledger units (Envy is not); two queries."""
    staked = Box.objects.filter(round__in=rounds).values_list("round_id").annotate(total=STAKED)
    results = BoxResult.objects.filter(round__in=rounds, version=F("round__version"))
    returned = dict(results.values_list("round_id").annotate(total=RETURNED))
    return {pk: (int(total), int(returned.get(pk, 0))) for pk, total in staked}


def fixed_prizes(rounds: QuerySet[Round]) -> dict[str, int]:
    """What Progressive wagers won that no meter paid, by table, in ledger units; one query."""
    results = BoxResult.objects.filter(round__in=rounds, version=F("round__version"))
    fixed = results.exclude(basis__in=("", jackpot.Basis.METER_SHARE)).values_list("round__table__code")
    return {table: int(total) for table, total in fixed.annotate(total=Sum("progressive"))}
