"""A report as CSV (RFC 4180, UTF-8): a plain table for machines; lines that begin with # are for people.

Above the table stands what was asked, below it the totals, each under its column. Whoever reads the file back leaves
out the lines whose first cell begins with #: no row of a report does.
"""

import csv
from collections.abc import Iterator
from io import StringIO

from jackpot.domain.reports import Report
from jackpot.http.reports import cells
from jackpot.http.reports.cells import NO_ACTIVITY, Shown

_REMARK = "#"


def csv_file(report: Report) -> bytes:
    """The whole file."""
    written = StringIO(newline="")
    csv.writer(written).writerows(_rows(report))
    return written.getvalue().encode()


def _rows(report: Report) -> Iterator[list[str]]:
    for name, value in cells.header(report):
        yield [f"{_REMARK} {name}: {value}"]
    yield [column.name for column in report.columns]
    for line in report.lines:
        yield [
            _written(cell, is_text=isinstance(raw, str))
            for raw, cell in zip(line.cells, cells.shown_cells(report, line), strict=True)
        ]
    if not report.lines:
        yield [f"{_REMARK} {NO_ACTIVITY}"]
    elif any(map(cells.has_total, report.columns)):
        _, *totals = cells.shown_cells(report, report.totals)
        yield [f"{_REMARK} total", *(_written(cell, is_text=False) for cell in totals)]
    for name in report.checks:
        yield [f"{_REMARK} {name}: {_written(cells.totals(report)[name], is_text=False)}"]


def _written(cell: Shown, *, is_text: bool) -> str:
    if cell is None:
        return ""
    return cells.harmless(str(cell)) if is_text else str(cell)
