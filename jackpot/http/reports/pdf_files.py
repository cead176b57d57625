"""One report as a PDF of its own."""

from jackpot.domain.reports import Report
from jackpot.http.pdf.paper import Paper, Running
from jackpot.http.reports.pdf_reports import draw_report
from jackpot.http.reports.titles import title
from jackpot.http.showing import shown_time

MOST_ROWS = 2_000
"""More rows than these are for CSV and XLSX."""


def pdf_file(report: Report) -> bytes:
    """The file; the same report gives the same bytes. Raises ValueError beyond `MOST_ROWS`."""
    if len(report.lines) > MOST_ROWS:
        raise ValueError(f"{len(report.lines)} rows are more than {MOST_ROWS}")
    asked = report.filters
    name = f"{title(report.name)}, {asked.get('site') or asked['jackpot']}, {asked['day']}"
    made = f"Made at {shown_time(report.made_at)} by {report.made_by}"
    paper = Paper(Running(left=name, right=asked.get("state", ""), foot=made), title=name, wide=True)
    draw_report(paper, report)
    return paper.finish()
