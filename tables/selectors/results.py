"""What boxes staked and got back, bet by bet, and what each table took and paid."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet, Sum

from tables.domain.results import WagerKind
from tables.models.rounds import Box, BoxResult
from tables.models.tables import Table

# The Play follows from the decision, as in `tables.domain.facts.BoxFacts.play`: the multiplier is 0 without one.
STAKES: dict[WagerKind, Any] = {
    WagerKind.ANTE: F("ante"),
    WagerKind.BLIND: F("ante"),
    WagerKind.PLAY: F("ante") * F("multiplier"),
    WagerKind.TRIPS: F("trips"),
    WagerKind.PROGRESSIVE: F("progressive"),
}
"""What a stored box staked on each bet, for PostgreSQL to sum."""


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
    bet: WagerKind
    handle: int
    returned: int

    @property
    def won(self) -> int:
        """What the house kept."""
        return self.handle - self.returned


def by_table(tables: Collection[Table]) -> list[BetResult]:
    """Each table's settled rounds summed by bet, tables by code, bets in the order of results."""
    boxes = Box.objects.filter(round__table__in=tables, round__version__gt=0)
    staked = _summed(boxes, STAKES)
    results = BoxResult.objects.filter(round__table__in=tables, version=F("round__version"))
    returned = _summed(results, {kind: F(kind) for kind in WagerKind})
    return [
        BetResult(code, bet, staked[code][bet], returned[code][bet]) for code in sorted(staked) for bet in WagerKind
    ]


def _summed(rows: QuerySet[Any], amounts: dict[WagerKind, Any]) -> dict[str, dict[WagerKind, int]]:
    """Amounts of boxes or results summed by table and bet."""
    sums = {f"sum_of_{kind}": Sum(amount) for kind, amount in amounts.items()}
    summed = rows.values_list("round__table__code").annotate(**sums)
    return {code: dict(zip(amounts, map(int, totals), strict=True)) for code, *totals in summed}
