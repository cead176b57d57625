"""The daily pack as a PDF: the day, what must agree, and every report with its totals."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from jackpot.http.pdf.paper import ALARM, GREY, Paper, Running
from jackpot.http.pdf.tables import Column, table
from jackpot.http.reports.pdf_reports import draw_lines, draw_report
from jackpot.http.reports.titles import title
from jackpot.http.showing import shown_time
from jackpot.money import show_exact
from jackpot.reports import Report
from tables.reports.checks import Check
from tables.reports.daily_pack import DailyPack, by_table

_ON_PAPER = (
    "On paper the rounds of a table are one line, and only rounds that differ are listed; the CSV and XLSX of this"
    " report have a line for every round."
)


def daily_pdf(pack: DailyPack) -> bytes:
    """The file; the same pack gives the same bytes."""
    made = f"Made at {shown_time(pack.made_at)} by {pack.made_by}"
    name = f"Daily pack of {pack.site.code}, {pack.day}"
    paper = Paper(Running(left=name, right=_state(pack), foot=made), title=name, wide=True)
    _cover(paper, pack, made)
    _checks(paper, pack)
    for n, report in enumerate(pack.reports, start=1):
        if report.name == "expected-posted":
            _expected_posted(paper, report, f"{n}.")
        else:
            draw_report(paper, report, number=f"{n}.")
    return paper.finish()


def _cover(paper: Paper, pack: DailyPack, made: str) -> None:
    paper.text("Daily pack", color=GREY)
    paper.heading(f"{pack.site.name} ({pack.site.code}) · {pack.day}", size=20)
    zone = ZoneInfo(pack.site.timezone)
    if pack.site.sandbox:
        paper.text("This is a sandbox site: everything in this pack is a test.", color=ALARM)
    first, end = pack.bounds
    paper.pairs(
        [
            ("From", _both(first, zone)),
            ("To, not included", _both(end, zone)),
            ("Hours", f"{(end - first).total_seconds() / 3600:g}"),
            ("Clock of the site", f"{pack.site.timezone}, days begin at {pack.site.day_starts_at:%H:%M}"),
            ("State of the day", _state(pack)),
            ("Made", made.removeprefix("Made ")),
            ("Checks", _checked(pack)),
        ]
    )
    paper.gap(8)
    columns = [Column("No", right=True), Column("Report"), Column("Rows", right=True)]
    rows = [[str(n), title(report.name), str(len(report.lines)) if report.lines else "No activity"]
            for n, report in enumerate(pack.reports, start=1)]  # fmt: skip
    table(paper, columns, rows, size=8.5)


def _state(pack: DailyPack) -> str:
    if pack.state.opened_at is None:
        return "never opened: nothing is entered under it"
    if pack.state.closed_at is None:
        return "open: figures may still change"
    return f"closed at {_time(pack.state.closed_at)}"


def _time(at: datetime) -> str:
    return str(shown_time(at)).replace("T", " ").replace("Z", " UTC")


def _both(at: datetime, zone: ZoneInfo) -> str:
    """An instant in UTC, and by the site's clock."""
    return f"{_time(at)} = {at.astimezone(zone):%Y-%m-%d %H:%M:%S %Z (UTC%z)}"


def _checked(pack: DailyPack) -> str:
    off = sum(not check.agrees for check in pack.checks)
    if off:
        return f"{off} of {len(pack.checks)} DIFFER"
    return f"all {len(pack.checks)} agree" if pack.checks else "nothing to check"


def _checks(paper: Paper, pack: DailyPack) -> None:
    paper.turn()
    paper.heading("Checks")
    paper.mark("Checks")
    paper.text("Figures that were added up in different ways and must be one, to the last decimal.", size=8, color=GREY)
    paper.gap(3)
    columns = [Column("What"), Column("Of"), Column("Currency"), Column("One way"), Column("Amount", right=True),
               Column("The other way"), Column("Amount", right=True), Column("Difference", right=True)]  # fmt: skip
    rows = [list(_check(check)) for check in pack.checks]
    if rows:
        off = frozenset(n for n, check in enumerate(pack.checks) if not check.agrees)
        table(paper, columns, rows, size=7, strong=off)
    else:
        paper.text("No activity")


def _check(check: Check) -> Iterator[str]:
    cur = check.currency
    yield from (check.what.capitalize(), check.place, cur.code)
    yield from (check.left_is, show_exact(check.left, cur), check.right_is, show_exact(check.right, cur))
    yield "OK" if check.agrees else show_exact(check.difference, cur)


def _expected_posted(paper: Paper, report: Report, number: str) -> None:
    tables, differing = by_table(report)
    draw_report(paper, tables, number=number, notes=[_ON_PAPER])
    if not report.lines:
        return
    paper.gap(4)
    if not differing.lines:
        paper.text(f"No difference in any of {len(report.lines)} rounds.", size=8.5)
        return
    paper.caption(f"{len(differing.lines)} of {len(report.lines)} rounds DIFFER")
    draw_lines(paper, differing)
