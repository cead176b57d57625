"""How the cells of a report are written, whatever the format: nothing is ever rounded or guessed."""

import re
import unicodedata
from datetime import datetime

from jackpot.domain.reports import Cell, Column, Kind, Line, Report
from jackpot.http.showing import shown_day, shown_time
from jackpot.money import Currency, show_exact, show_stored

Shown = str | int | None

PPM_A_PERCENT = 10_000
_MONEY, _EXACT, _PERCENT = Kind.MONEY, Kind.EXACT, Kind.PERCENT
_BEGINS_A_FORMULA = "=+-@"
_SPLITS_A_CELL = "\t\r\n"
_AFTER_AN_END = re.compile(r"(?<=[;\t\r\n])(?=[^;\t\r\n])")


def shown(cell: Cell, kind: Kind, currency: Currency | None) -> Shown:
    """A cell as JSON has it: amounts and percentages as decimal strings, counts as numbers; None stays None."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return _number(cell, kind, currency)
    return shown_time(cell) if isinstance(cell, datetime) else shown_day(cell)


def _number(cell: int, kind: Kind, currency: Currency | None) -> str | int:
    if kind is _MONEY or kind is _EXACT:
        if currency is None:
            raise ValueError("an amount without a currency")
        return show_stored(cell, currency) if kind is _MONEY else show_exact(cell, currency)
    return percent(cell) if kind is _PERCENT else cell


def percent(ppm: int) -> str:
    """Per cent with four decimals: 123456 is "12.3456"."""
    whole, fraction = divmod(abs(ppm), PPM_A_PERCENT)
    return f"{'-' if ppm < 0 else ''}{whole}.{fraction:04}"


def shown_cells(report: Report, line: Line) -> list[Shown]:
    """All cells of a line."""
    pairs = zip(report.columns, line.cells, strict=True)
    return [shown(cell, column.kind, line.currency) for column, cell in pairs]


def totals(report: Report) -> dict[str, Shown]:
    """What is under the line, by name: the currency, the total of each column that has one, and the checks."""
    foot = report.totals
    cells = zip(report.columns, shown_cells(report, foot), strict=True)
    found: dict[str, Shown] = {"currency": foot.currency.code if foot.currency else None}
    found |= {column.name: cell for column, cell in cells if has_total(column)}
    checks = report.checks if foot.currency else dict.fromkeys(report.checks)
    return found | {name: shown(amount, report.checks_kind, foot.currency) for name, amount in checks.items()}


def has_total(column: Column) -> bool:
    return column.summed or column.of is not None


def harmless(written: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe before what begins one, also after blanks, in full
    width or as another look-alike, and inside the text after what some spreadsheets take for the end of a cell.
    """
    return "".join(map(_harmless, _AFTER_AN_END.split(written)))


def _harmless(written: str) -> str:
    first = written.lstrip()[:1] or written[:1]
    begins = unicodedata.normalize("NFKC", first)[:1]
    if written and ((begins in _BEGINS_A_FORMULA and begins) or written[0] in _SPLITS_A_CELL):
        return "'" + written
    return written


def header(report: Report) -> list[tuple[str, str]]:
    """What stands above the table, as (name, value)."""
    return [
        ("Report", report.name),
        *((titled(name), value) for name, value in report.filters.items()),
        ("Made at", shown_time(report.made_at)),
        ("Made by", report.made_by),
    ]


def titled(name: str) -> str:
    """A name of a filter or a check as people read it."""
    return name.replace("_", " ").capitalize()


NO_ACTIVITY = "No activity"
