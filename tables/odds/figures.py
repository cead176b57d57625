"""What a bet brings: mean and variance, exact."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

_PLACES = 12
_FEWER = 6


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


def decimal(value: Fraction, places: int = _PLACES) -> str:
    """A fraction as a decimal, rounded half away from zero."""
    scaled = (2 * abs(value) * 10**places + 1) // 2
    digits = f"{scaled:0{places + 1}}"
    sign = "-" if value < 0 and scaled else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def percent(value: Fraction) -> str:
    """A share of one as per cent, to the sixth decimal."""
    return decimal(value * 100, _FEWER) + "%"
