"""What of a rule set decides its odds. Source: domain.md §5."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any

from tables.domain.paytables import PayTable, TableKind

MOST_SCALED = 36_000_000
"""The highest win × the odds' common denominator with which every sum over all deals stays exact in 64 bits."""


class OddsTooFine(ValueError):
    """A Blind table whose odds have so high a common denominator that sums would not be exact."""


@dataclass(frozen=True)
class Settings:
    """The settings that matter; `preflop` are the multiples of the Ante for a Play before the flop, in rising order."""

    blind_table: PayTable
    trips_table: PayTable
    preflop: tuple[int, ...]
    trips_survives_fold: bool

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Settings":
        """Of a rule set's document, in whatever currency its amounts are."""
        return cls(
            blind_table=PayTable.from_document(document["blind_table"], kind=TableKind.BLIND),
            trips_table=PayTable.from_document(document["trips_table"], kind=TableKind.TRIPS),
            preflop=tuple(sorted(document["preflop_multipliers"])),
            trips_survives_fold=document["trips_survives_fold"],
        )

    @property
    def game(self) -> Hashable:
        """What the main game's odds depend on: equal games are played alike."""
        return tuple(self.blind_table.lines.items()), self.preflop

    @property
    def unit(self) -> int:
        """As how much an Ante is counted, so that every win of the Blind is whole. Raises OddsTooFine."""
        every = self.blind_table.lines.values()
        unit = lcm(*(odds.denominator for odds in every))
        highest = max(odds.numerator // odds.denominator for odds in every)
        if unit * (highest + 3 * max(*self.preflop, 2)) > MOST_SCALED:
            raise OddsTooFine(f"{self.blind_table.name}: a common denominator of {unit} is too fine to be exact")
        return unit
