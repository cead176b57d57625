"""Cents and their strings. Stakes, prizes and Envy are whole cents; a meter is an exact fraction of cents."""

from fractions import Fraction

MILLION = 1_000_000


def cents(text: str) -> int:
    """Whole cents of "5.00", "5.0" or "5"."""
    whole, _, decimals = text.partition(".")
    return int(whole) * 100 + int(decimals.ljust(2, "0"))


def text(amount: int) -> str:
    """Cents with two decimals, "-5.00" below zero."""
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def exact_text(amount: Fraction | int) -> str:
    """Cents with eight decimals of the currency, as the statement shows them."""
    millionths = Fraction(amount) * MILLION
    assert millionths.denominator == 1, "finer than a millionth of a cent"
    sign = "-" if millionths < 0 else ""
    whole, rest = divmod(abs(millionths.numerator), 100 * MILLION)
    return f"{sign}{whole}.{rest:08d}"


def exact_cents(amount: str) -> Fraction:
    """Exact cents of a decimal string of any length."""
    return Fraction(amount) * 100


def half_up(amount: Fraction) -> int:
    """The nearest whole cent, a half upwards (amounts here are never negative)."""
    return int(amount + Fraction(1, 2))
