"""What a sign showed against what was true at that instant. Pure; source: accounting.md, section 5."""

from dataclasses import dataclass

from jackpot.domain.reports import percent_of
from jackpot.money import displayed

SIGNATURES = 2
"""How many people sign a variance beyond the tolerance."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A reading held against the meter, in ledger units: `value` is what the sign should have shown."""

    shown: int
    value: int
    tolerance: int

    @property
    def variance(self) -> int:
        """How much more the sign showed than it should have."""
        return self.shown - self.value

    @property
    def percent_ppm(self) -> int | None:
        """The variance as part of the true value, in ppm; None of a meter that shows nothing."""
        return percent_of(self.variance, self.value)

    @property
    def within(self) -> bool:
        """Whether the variance lies within the tolerance, its edge included."""
        return abs(self.variance) <= self.tolerance


def compare(*, shown: int, meter: int, tolerance: int) -> Compared:
    """Hold what a sign showed against an exact meter value."""
    return Compared(shown, displayed(meter), tolerance)
