"""What a bet brings: mean and variance, exact."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True, slots=True)
class Figures:
    """Mean and variance of what one unit staked brings, net."""

    mean: Fraction
    variance: Fraction

    @classmethod
    def of(cls, outcomes: Iterable[tuple[Fraction, Fraction]]) -> "Figures":
        """Of outcomes, each with its probability."""
        mean = second = Fraction(0)
        for net, share in outcomes:
            mean += net * share
            second += net * net * share
        return cls(mean, second - mean * mean)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    @property
    def returned(self) -> Fraction:
        """What comes back of one staked, on average."""
        return 1 + self.mean
