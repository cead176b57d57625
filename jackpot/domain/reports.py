"""A report as a plain value: columns, lines, totals. Pure, without formats. Source: accounting.md, section 5.

Cells are what the books hold: ledger units, days, instants, text. How they are written is `jackpot.http.reports`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from jackpot.money import PPM, Currency

Cell = str | int | date | datetime | None


class Kind(StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    NUMBER = "number"  # a whole number: a count, a box, a seq
    MONEY = "money"  # ledger units, shown with the currency's decimals
    EXACT = "exact"  # ledger units, shown with six decimals more
    PERCENT = "percent"  # ppm, shown as per cent with four decimals
    TIME = "time"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `summed`: it has a total. `of`: a percentage, whose total is that of two other columns' totals."""

    name: str
    kind: Kind = Kind.TEXT
    summed: bool = False
    of: tuple[str, str] | None = None

    @property
    def title(self) -> str:
        """The name as people read it."""
        return self.name.replace("_", " ").capitalize()


def text(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name) for name in names)


def money(*names: str, summed: bool = True) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.MONEY, summed) for name in names)


def exact(*names: str, summed: bool = True) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.EXACT, summed) for name in names)


def counts(*names: str) -> tuple[Column, ...]:
    """Numbers that add up."""
    return tuple(Column(name, Kind.NUMBER, summed=True) for name in names)


def numbers(*names: str) -> tuple[Column, ...]:
    """Numbers that name something, and do not add up."""
    return tuple(Column(name, Kind.NUMBER) for name in names)


def times(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.TIME) for name in names)


def days(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.DAY) for name in names)


@dataclass(frozen=True, slots=True)
class Line:
    """One row: its cells in the order of the columns; amounts are of `currency`."""

    currency: Currency | None
    cells: tuple[Cell, ...]


def line(currency: Currency | None, *cells: Cell) -> Line:
    """A line of these cells."""
    return Line(currency, cells)


@dataclass(frozen=True, slots=True)
class Report:
    """A report as made. `currency` is that of an amount which no line has (the totals of no lines).

    `checks` are amounts beside the totals, such as what the ledger says; each compares with a column's total.
    """

    name: str
    columns: tuple[Column, ...]
    lines: Sequence[Line]
    filters: Mapping[str, str]
    made_at: datetime
    made_by: str
    currency: Currency | None = None
    checks: Mapping[str, int] = field(default_factory=dict)
    checks_kind: Kind = Kind.MONEY

    @property
    def totals(self) -> Line:
        """The footing: the sum of every summed column. Amounts of several currencies are never added: None."""
        currency = self._one_currency()
        sums: dict[str, Any] = {}
        for n, column in enumerate(self.columns):
            is_amount = column.kind in (Kind.MONEY, Kind.EXACT)
            if column.summed and (currency or not is_amount):
                sums[column.name] = sum(_whole(line.cells[n]) for line in self.lines)
        for column in self.columns:
            if column.of and set(column.of) <= sums.keys():
                part, whole = column.of
                sums[column.name] = percent_of(sums[part], sums[whole])
        return Line(currency, tuple(sums.get(column.name) for column in self.columns))

    def _one_currency(self) -> Currency | None:
        found = {line.currency for line in self.lines if line.currency}
        return found.pop() if len(found) == 1 else (None if found else self.currency)


def percent_of(part: int, whole: int) -> int | None:
    """`part / whole` in ppm, rounded half away from zero; None of nothing."""
    if not whole:
        return None
    ppm = (2 * abs(part) * PPM + abs(whole)) // (2 * abs(whole))
    return ppm if (part < 0) == (whole < 0) else -ppm


def _whole(cell: Cell) -> int:
    return cell if isinstance(cell, int) else 0
