"""A report on paper: what was asked, the table with its totals, what they are held against."""

from collections.abc import Sequence

from jackpot.domain.reports import Kind, Line, Report
from jackpot.http.pdf.paper import GREY, Paper
from jackpot.http.pdf.tables import Column, table
from jackpot.http.reports import cells
from jackpot.http.reports.cells import NO_ACTIVITY
from jackpot.http.reports.titles import about, title

_SIZE, _SMALLEST = 6.5, 5.5
_KEYS = 4
"""How many leading columns of text are repeated where a report is wider than the paper."""
_AT_THE_RIGHT = {Kind.MONEY, Kind.EXACT, Kind.NUMBER, Kind.PERCENT}


def draw_report(paper: Paper, report: Report, *, number: str = "", notes: Sequence[str] = ()) -> None:
    """One report, with its heading; `notes` say what of it is shown."""
    name = f"{number} {title(report.name)}".strip()
    paper.heading(name, then=90)
    paper.mark(name)
    asked = " · ".join(f"{name} {value}" for name, value in report.filters.items())
    paper.text(" ".join(filter(None, [about(report.name), *notes])), size=8, color=GREY)
    paper.text(f"{asked} · {_counted(report)}", size=8, color=GREY)
    paper.gap(3)
    draw_lines(paper, report)
    for check, amount in cells.totals(report).items():
        if check in report.checks:
            paper.text(f"{check.capitalize()}: {amount if amount is not None else 'in several currencies'}", size=8)


def draw_lines(paper: Paper, report: Report) -> None:
    """The table of a report; "No activity" where it has no lines."""
    if not report.lines:
        paper.text(NO_ACTIVITY, size=9)
        return
    columns = [Column(column.title, right=column.kind in _AT_THE_RIGHT) for column in report.columns]
    total = _row(report, report.totals) if any(map(cells.has_total, report.columns)) else None
    if total is not None and not total[0]:
        total[0] = "Total"
    keys = next((n for n, column in enumerate(report.columns) if column.kind is not Kind.TEXT), len(columns))
    table(paper, columns, [_row(report, line) for line in report.lines], total=total, size=_SIZE,
          smallest=_SMALLEST, keys=max(1, min(keys, _KEYS)))  # fmt: skip


def _counted(report: Report) -> str:
    return "1 row" if len(report.lines) == 1 else f"{len(report.lines)} rows"


def _row(report: Report, line: Line) -> list[str]:
    shown = cells.shown_cells(report, line)
    return [_written(cell, column.kind) for cell, column in zip(shown, report.columns, strict=True)]


def _written(cell: cells.Shown, kind: Kind) -> str:
    if cell is None:
        return ""
    if kind is Kind.TIME:
        return str(cell).replace("T", " ").removesuffix("Z")
    return str(cell)
