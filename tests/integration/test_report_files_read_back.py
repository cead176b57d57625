"""Reports of a day at random, written as CSV and XLSX and read back: the same numbers, and nothing that is run."""

import csv
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any

from openpyxl import load_workbook

from jackpot.domain.reports import Kind, Report
from jackpot.http.reports import cells
from jackpot.http.reports.csv_files import csv_file
from jackpot.http.reports.documents import document
from jackpot.http.reports.xlsx_files import MOST_DIGITS, xlsx_file
from jackpot.models.sites import Site
from tables.reports.daily_pack import daily_pack
from tests.api.reporting import DAY, NOON, small_day
from tests.factories import caller, low, play, reported, royal
from tests.integration.test_reports_random import AUDITOR, random_link
from tests.integration.test_reports_random import DAY as AT_RANDOM

NUMBERS = {Kind.MONEY, Kind.EXACT, Kind.NUMBER, Kind.PERCENT}
HOSTILE = ["=1+1", "@SUM(A1)", "+49", "-5", "\t=1", "＝1", "P;=1"]


def reports_of(day: date) -> list[Report]:
    pack = daily_pack(site=Site.objects.get(code="HOME"), day=day, caller=AUDITOR, made_at=NOON, made_by="=dee")
    return list(pack.reports)


def read_csv(report: Report) -> list[list[str]]:
    rows = list(csv.reader(StringIO(csv_file(report).decode(), newline="")))
    return [row for row in rows if not row[0].startswith("#")]


def test_files_of_a_day_at_random_read_back_to_the_same_numbers(db: None) -> None:
    random_link(2)
    reports = reports_of(AT_RANDOM)
    assert sum(len(report.lines) for report in reports) > 50
    _read_back(reports)
    _add_up(reports)


def test_names_that_a_spreadsheet_would_run_are_text_and_amounts_beside_them_numbers(db: None) -> None:
    small_day()
    for n, player in enumerate(HOSTILE):
        hit = reported(royal(1, player=player), low(2, pair="4c 9d"), table="T-01", at=NOON + timedelta(minutes=9 + n))
        play(hit, by=caller("HOME", integrator="Acme"))
    reports = reports_of(DAY)
    _read_back(reports)
    _run_nothing(reports)


def _read_back(reports: list[Report]) -> None:
    for report in reports:
        names, *rows = read_csv(report)
        found: Any = document(report)
        assert names == found["columns"]
        assert len(rows) == len(found["rows"]) == len(report.lines)
        sheet = load_workbook(BytesIO(xlsx_file(report))).active
        assert sheet is not None
        above = len(cells.header(report)) + 2
        for n, (row, shown) in enumerate(zip(rows, found["rows"], strict=True)):
            for m, (column, written) in enumerate(zip(report.columns, row, strict=True)):
                _same(column.kind, written, shown[column.name], sheet.cell(above + 1 + n, m + 1))


def _same(kind: Kind, written: str, shown: Any, cell: Any) -> None:
    """A cell in CSV, JSON and XLSX."""
    if shown is None:
        assert (written, cell.value) == ("", None)
    elif kind in NUMBERS:
        assert Decimal(written) == Decimal(str(shown))
        if sum(map(str.isdigit, written)) <= MOST_DIGITS:
            assert (cell.data_type, Decimal(str(cell.value))) == ("n", Decimal(written))
    else:
        assert written == cells.harmless(str(shown))
        assert cell.data_type == "s" or (shown == "" and cell.value is None)


def _add_up(reports: list[Report]) -> None:
    for report in reports:
        _, *rows = read_csv(report)
        total = cells.shown_cells(report, report.totals)
        for m, column in enumerate(report.columns):
            if column.summed and rows:
                assert sum(Decimal(row[m] or 0) for row in rows) == Decimal(str(total[m])), (report.name, column.name)


def _run_nothing(reports: list[Report]) -> None:
    written = {cell for report in reports for row in read_csv(report) for cell in row}
    assert {"'" + player for player in HOSTILE[:3]} <= written
    begins = {cell for cell in written if cell[:1] in set("=@+") or (cell[:1] == "-" and not _is_number(cell))}
    assert begins == set()


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).lstrip("-").isdigit()
