"""The files in which a report can be had, by media type; JSON is made by `documents`."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

from jackpot.domain.reports import Report
from jackpot.http.reports.csv_files import csv_file
from jackpot.http.reports.xlsx_files import xlsx_file

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class ReportFile(BaseRenderer):
    """A file to be kept, made of a `Report`."""

    format: str


class ReportCSV(ReportFile):
    """A file with the table."""

    media_type = "text/csv"
    format = "csv"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return csv_file(data)


class ReportXLSX(ReportFile):
    """A workbook with the table."""

    media_type = XLSX
    format = "xlsx"
    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return xlsx_file(data)


def file_name(report: Report, extension: str) -> str:
    """What the file is called: report, place and day; letters, digits and hyphens only, as codes are."""
    asked = report.filters
    return f"{report.name}_{asked.get('site') or asked['jackpot']}_{asked['day']}.{extension}"
