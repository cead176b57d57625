"""A report as the contract's JSON document."""

from jackpot.domain.reports import Report
from jackpot.http.reports import cells
from jackpot.http.showing import shown_time


def document(report: Report) -> dict[str, object]:
    """`{report, filters, made_at, columns, rows, totals}`; each row names its cells by column."""
    names = [column.name for column in report.columns]
    return {
        "report": report.name,
        "filters": dict(report.filters),
        "made_at": shown_time(report.made_at),
        "columns": names,
        "rows": [dict(zip(names, cells.shown_cells(report, line), strict=True)) for line in report.lines],
        "totals": cells.totals(report),
    }
