"""A report as a page: what its template needs, with every cell written as in its files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from jackpot.domain.reports import Kind, Line, Report
from jackpot.http.reports import cells
from jackpot.http.reports.titles import about
from jackpot.http.showing import shown_time

MOST_ROWS = 1_000
"""More rows than these are for the files; totals are of all of them in any case."""

_NUMBERS = {Kind.MONEY, Kind.EXACT, Kind.NUMBER, Kind.PERCENT}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is shown; numbers stand at the right."""

    text: str
    number: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A report to be looked at. `total` is None where nothing adds up, `held_against` what totals compare with."""

    name: str
    about: str
    header: Sequence[tuple[str, str]]
    columns: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]
    total: Sequence[Cell] | None
    held_against: Sequence[tuple[str, str]]
    count: int

    @property
    def cut(self) -> bool:
        return self.count > len(self.rows)


def page_of(report: Report, bounds: tuple[datetime, datetime]) -> Page:
    """The page of a report about the time between these bounds, the second not included."""
    first, end = (shown_time(at) for at in bounds)
    header = cells.header(report)
    header.insert(-2, ("Period", f"{first} to {end}"))
    totals = cells.totals(report)
    return Page(
        name=report.name,
        about=about(report.name),
        header=header,
        columns=[Cell(column.title, column.kind in _NUMBERS) for column in report.columns],
        rows=[_row(report, line) for line in report.lines[:MOST_ROWS]],
        total=_row(report, report.totals) if any(map(cells.has_total, report.columns)) and report.lines else None,
        held_against=[(name.capitalize(), _written(totals[name])) for name in report.checks],
        count=len(report.lines),
    )


def _row(report: Report, line: Line) -> list[Cell]:
    shown = cells.shown_cells(report, line)
    return [Cell(_written(cell), column.kind in _NUMBERS) for cell, column in zip(shown, report.columns, strict=True)]


def _written(cell: cells.Shown) -> str:
    return "" if cell is None else str(cell)
