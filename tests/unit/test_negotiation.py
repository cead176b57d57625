"""Which format a client gets, by the q-values of its Accept header."""

import pytest
from rest_framework.exceptions import NotAcceptable
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from jackpot.http.negotiation import ByQuality
from jackpot.http.reports.renderers import XLSX, ReportCSV, ReportXLSX

OFFERED = [JSONRenderer(), ReportCSV(), ReportXLSX()]


def chosen(accept: str | None) -> str:
    request = Request(APIRequestFactory().get("/", headers={} if accept is None else {"accept": accept}))
    return ByQuality().select_renderer(request, OFFERED)[1]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"), ("*/*", "application/json"), ("text/csv", "text/csv"), (XLSX, XLSX),
        ("text/csv;q=0.5, application/json", "application/json"), ("text/csv, application/json;q=0.9", "text/csv"),
        ("application/json;q=0, */*", "text/csv"), ("text/*;q=0.8, */*;q=0.1", "text/csv"),
        ("text/csv;q=0.3, text/*;q=0.9, application/json;q=0.5", "application/json"),
        ("text/csv; charset=utf-8; q=1", "text/csv"), ("TEXT/CSV", "text/csv"),
        ("text/html, */*;q=0.8", "application/json"),
        ("application/*;q=0.2, text/csv;q=0.1", "application/json"),
        ("text/csv;q=abc, application/json;q=0.1", "application/json"),
        (f"{XLSX};q=1.000, application/json;q=0.999", XLSX),
    ],
)  # fmt: skip
def test_what_is_liked_best(accept: str | None, media_type: str) -> None:
    assert chosen(accept) == media_type


@pytest.mark.parametrize(
    "accept", ["text/html", "", "application/json;q=0", "*/*;q=0", ";;,", "text/csv;q=2", "image/*"]
)
def test_what_is_not_offered(accept: str) -> None:
    with pytest.raises(NotAcceptable):
        chosen(accept)
