"""A report as an XLSX workbook: what was asked, the table, its totals.

Text is written as text, never as a formula or a link. Amounts are numbers with their decimals as long as a spreadsheet
holds them exactly, which is up to 15 digits; a longer one is written as text: nothing is ever shown wrong.
"""

from io import BytesIO
from typing import Any

import xlsxwriter

from jackpot.domain.reports import Cell, Column, Kind, Line, Report
from jackpot.http.reports import cells
from jackpot.http.reports.cells import NO_ACTIVITY
from jackpot.money import EXACT_DECIMALS, Currency

MOST_DIGITS = 15
"""What a spreadsheet's numbers, IEEE doubles, hold of any decimal number."""

_WIDTHS = {Kind.TEXT: 18, Kind.NUMBER: 10, Kind.EXACT: 24, Kind.TIME: 28}
_WIDTH = 14


def xlsx_file(report: Report) -> bytes:
    """The whole file. Rows are written as they come: memory does not grow with their number."""
    made = BytesIO()
    with xlsxwriter.Workbook(made, {"constant_memory": True}) as book:
        _Sheet(book, report).write()
    return made.getvalue()


class _Sheet:
    def __init__(self, book: Any, report: Report) -> None:
        self.report = report
        self._book, self._sheet = book, book.add_worksheet(report.name)
        self._bold = book.add_format({"bold": True})
        self._formats: dict[tuple[str, bool], Any] = {}
        self._row = 0

    def write(self) -> None:
        for n, column in enumerate(self.report.columns):
            self._sheet.set_column(n, n, _WIDTHS.get(column.kind, _WIDTH))
        for name, value in cells.header(self.report):
            self._pair(name, value)
        self._row += 1
        for n, column in enumerate(self.report.columns):
            self._sheet.write_string(self._row, n, column.title, self._bold)
        self._row += 1
        self._sheet.freeze_panes(self._row, 0)
        for line in self.report.lines:
            self._line(line)
        self._foot()

    def _foot(self) -> None:
        if not self.report.lines:
            self._sheet.write_string(self._row, 0, NO_ACTIVITY)
            self._row += 1
        elif any(map(cells.has_total, self.report.columns)):
            totals = self.report.totals
            self._line(Line(totals.currency, ("Total", *totals.cells[1:])), bold=True)
        for name in self.report.checks:
            self._pair(cells.titled(name), cells.totals(self.report)[name] or "")

    def _pair(self, name: str, value: object) -> None:
        self._sheet.write_string(self._row, 0, name, self._bold)
        self._sheet.write_string(self._row, 1, str(value))
        self._row += 1

    def _line(self, line: Line, *, bold: bool = False) -> None:
        for n, (column, cell) in enumerate(zip(self.report.columns, line.cells, strict=True)):
            self._cell(n, column, cell, line.currency, bold=bold)
        self._row += 1

    def _cell(self, n: int, column: Column, cell: Cell, currency: Currency | None, *, bold: bool) -> None:
        shown = cells.shown(cell, column.kind, currency)
        if shown is None:
            return
        written = str(shown)
        if isinstance(cell, int) and sum(map(str.isdigit, written)) <= MOST_DIGITS:
            self._sheet.write_number(self._row, n, float(written), self._format(_picture(column.kind, currency), bold))
        else:
            self._sheet.write_string(self._row, n, written, self._bold if bold else None)

    def _format(self, picture: str, bold: bool) -> Any:
        key = (picture, bold)
        if key not in self._formats:
            self._formats[key] = self._book.add_format({"num_format": picture, "bold": bold})
        return self._formats[key]


def _picture(kind: Kind, currency: Currency | None) -> str:
    """The number format: as many decimals as the value has."""
    decimals = currency.exponent if currency else 0
    match kind:
        case Kind.MONEY:
            return _decimals("#,##0", decimals)
        case Kind.EXACT:
            return _decimals("#,##0", decimals + EXACT_DECIMALS)
        case Kind.PERCENT:
            return _decimals("0", 4)
        case _:
            return "0"


def _decimals(whole: str, count: int) -> str:
    return f"{whole}.{'0' * count}" if count else whole
