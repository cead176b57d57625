"""Money: whole ledger units inside, decimal strings outside; the only place where the two meet.

A ledger unit is one millionth of a currency's minor unit: 1.00 USD = 100 cents = 100,000,000 units.
A stake is a whole number of minor units, so `stake * ppm / PPM` is always a whole number of units:
accrual never rounds. Only payouts round, once, to the minor unit.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

UNITS_PER_MINOR = 1_000_000
PPM = 1_000_000
EXACT_DECIMALS = 6
MAX_DIGITS_BEFORE_POINT = 9

_EXPONENTS = {
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(), 0),
    **dict.fromkeys(
        "AED ARS AUD BAM BGN BRL BZD CAD CHF CNY COP CRC CZK DKK DOP EGP EUR FJD GBP GEL GHS GTQ HKD HNL HUF IDR"
        " ILS INR JMD KES KHR KZT LKR MAD MDL MKD MOP MUR MXN MYR NAD NGN NIO NOK NPR NZD PAB PEN PHP PKR PLN QAR"
        " RON RSD SAR SEK SGD THB TRY TTD TWD TZS UAH USD UYU UZS ZAR ZMW".split(),
        2,
    ),
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3),
}
_SHAPE = re.compile(r"([0-9]+)(?:\.([0-9]+))?", re.ASCII)
_SIGNED = re.compile(r"(-?)([0-9]+(?:\.[0-9]+)?)", re.ASCII)


class InvalidMoney(ValueError):
    """The text is not an amount of this currency."""


class AmountTooLarge(ValueError):
    """The text is an amount, but has more than nine digits before the point."""


class UnknownCurrency(ValueError):
    """The code is not a currency this service keeps books in."""


@dataclass(frozen=True, slots=True)
class Currency:
    """An ISO 4217 currency: its code and how many decimals its minor unit has (0, 2 or 3)."""

    code: str
    exponent: int


@cache
def currency(code: str) -> Currency:
    """The currency of an ISO 4217 code. Raises UnknownCurrency."""
    try:
        return Currency(code, _EXPONENTS[code])
    except KeyError:
        raise UnknownCurrency(f"{code!r} is not a currency this service keeps books in") from None


def parse(text: object, cur: Currency) -> int:
    """Ledger units of a decimal string such as "5.00".

    ASCII digits with at most the currency's decimals; no sign, exponent, blank or other script.
    Raises InvalidMoney; AmountTooLarge beyond nine digits before the point.
    """
    return _scaled(text, cur, decimals=cur.exponent) * UNITS_PER_MINOR


def parse_exact(text: object, cur: Currency) -> int:
    """Ledger units of an exact decimal string, as `show_exact` writes it: a sign, and six decimals more, are allowed.

    Raises InvalidMoney and AmountTooLarge as `parse` does.
    """
    signed = _SIGNED.fullmatch(text) if isinstance(text, str) else None
    if signed is None:
        raise InvalidMoney('an exact amount is a string such as "-5.00" or "0.00750000"')
    units = _scaled(signed[2], cur, decimals=cur.exponent + EXACT_DECIMALS)
    return -units if signed[1] else units


def _scaled(text: object, cur: Currency, *, decimals: int) -> int:
    """A decimal string times 10 to the number of its decimals."""
    shape = _SHAPE.fullmatch(text) if isinstance(text, str) else None
    if shape is None:
        raise InvalidMoney('an amount is a string of digits such as "5.00"')
    whole, fraction = shape[1], shape[2] or ""
    if len(fraction) > decimals:
        raise InvalidMoney(f"{cur.code} amounts have at most {decimals} decimals")
    if len(whole) > MAX_DIGITS_BEFORE_POINT:
        raise AmountTooLarge(f"at most {MAX_DIGITS_BEFORE_POINT} digits before the point")
    scale: int = 10**decimals
    return int(whole) * scale + int(fraction.ljust(decimals, "0") or "0")


def show(units: int, cur: Currency) -> str:
    """Decimal string with exactly the currency's decimals. Raises ValueError on a fraction of a minor unit."""
    minor, rest = divmod(abs(units), UNITS_PER_MINOR)
    if rest:
        raise ValueError(f"{units} units are not a whole number of minor units")
    return _decimal(minor, cur.exponent, negative=units < 0)


def show_exact(units: int, cur: Currency) -> str:
    """Decimal string with six decimals more than the currency, for statement and meter values."""
    return _decimal(abs(units), cur.exponent + EXACT_DECIMALS, negative=units < 0)


def show_stored(units: int, cur: Currency) -> str:
    """As `show`; exactly, where a stored amount is no whole number of minor units: what was falsified is seen then."""
    return show_exact(units, cur) if units % UNITS_PER_MINOR else show(units, cur)


def displayed(units: int) -> int:
    """What a sign shows of a meter: its whole minor units, in ledger units, rounded down."""
    return units - units % UNITS_PER_MINOR


def half_up(numerator: int, denominator: int) -> int:
    """`numerator / denominator` ledger units rounded half up to the minor unit (both positive)."""
    step = denominator * UNITS_PER_MINOR
    return (2 * numerator + step) // (2 * step) * UNITS_PER_MINOR


def round_down(numerator: int, denominator: int) -> int:
    """`numerator / denominator` ledger units rounded down to the minor unit (both positive)."""
    return numerator // (denominator * UNITS_PER_MINOR) * UNITS_PER_MINOR


def split(amount: int, parts: int) -> list[int]:
    """`amount` in equal whole minor units; what is left over goes one minor unit each to the first parts."""
    each, left = divmod(amount // UNITS_PER_MINOR, parts)
    return [(each + (n < left)) * UNITS_PER_MINOR for n in range(parts)]


def share(amount: int, weights: Sequence[int]) -> list[int]:
    """`amount` in whole minor units, pro rata: floors first, then one each by largest remainder, then order."""
    total = sum(weights)
    minor = amount // UNITS_PER_MINOR
    parts = [divmod(minor * weight, total) for weight in weights]
    shares = [whole for whole, _ in parts]
    by_remainder = sorted(range(len(parts)), key=lambda n: (-parts[n][1], n))
    for n in by_remainder[: minor - sum(shares)]:
        shares[n] += 1
    return [whole * UNITS_PER_MINOR for whole in shares]


def _decimal(value: int, exponent: int, *, negative: bool) -> str:
    sign = "-" if negative and value else ""
    if not exponent:
        return f"{sign}{value}"
    digits = str(value).zfill(exponent + 1)
    return f"{sign}{digits[:-exponent]}.{digits[-exponent:]}"
