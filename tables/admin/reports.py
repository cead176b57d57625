"""The console's reports: on screen, as files, and the daily pack. They are read with GET, and change nothing."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from jackpot.http.reports.csv_files import csv_file
from jackpot.http.reports.pages import Page, page_of
from jackpot.http.reports.pdf_files import MOST_ROWS, pdf_file
from jackpot.http.reports.renderers import XLSX, file_name
from jackpot.http.reports.titles import about, title
from jackpot.http.reports.xlsx_files import xlsx_file
from jackpot.reports import Asked, Report
from jackpot.selectors.snapshots import snapshot
from tables.admin.asking import Question, staff
from tables.http import packs
from tables.http.daily_pdf import daily_pdf
from tables.reports.daily_pack import EVERY, checks_report, daily_pack

NEEDED = ("jackpot.view_jackpot", "jackpot.view_award", "tables.view_round")
"""Who reads reports sees jackpots, awards and rounds in them."""

PAGES = {**EVERY, "checks": checks_report}
_FILES: Mapping[str, tuple[str, Callable[[Report], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", csv_file),
    "xlsx": (XLSX, xlsx_file),
    "pdf": (packs.MEDIA_TYPES["pdf"], pdf_file),
}

View = Callable[..., HttpResponse]


def page(*, needs: tuple[str, ...]) -> Callable[[View], View]:
    """A page of the console that is only looked at, by members of staff with these permissions."""

    def made(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not all(request.user.has_perm(need) for need in needs):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return admin.site.admin_view(require_safe(checked))

    return made


@page(needs=NEEDED)
def every(request: HttpRequest) -> HttpResponse:
    """Which reports there are, of the place and day that were chosen."""
    question = _question(request)
    asked = _asked(request, question) if request.GET else None
    named = [(name, title(name), about(name)) for name in PAGES]
    context = {"question": question, "reports": named, "asked": asked, "query": request.GET.urlencode()}
    return _shown(request, "tables/reports.html", "Reports", context, wrong=bool(request.GET) and asked is None)


@page(needs=NEEDED)
def one(request: HttpRequest, name: str) -> HttpResponse:
    """One report as a page, or with `format` as a file."""
    build = PAGES.get(name)
    if build is None:
        raise Http404
    question = _question(request)
    asked = _asked(request, question)
    if asked is None:
        return _shown(request, "tables/report.html", title(name), {"question": question, "name": name}, wrong=True)
    with snapshot():
        report = build(asked)
    wanted = request.GET.get("format", "")
    if wanted == "pdf" and len(report.lines) > MOST_ROWS:
        raise Http404
    if wanted in _FILES:
        kind, write = _FILES[wanted]
        return file(write(report), kind, file_name(report, wanted))
    shown: Page = page_of(report, asked.bounds)
    query = request.GET.copy()
    query.pop("format", None)
    context = {"question": question, "page": shown, "name": name, "asked": asked, "query": query.urlencode(),
               "on_paper": len(report.lines) <= MOST_ROWS}  # fmt: skip
    return _shown(request, "tables/report.html", title(name), context)


@page(needs=NEEDED)
def daily(request: HttpRequest) -> HttpResponse:
    """The daily pack of a site."""
    asked = _asked(request, _question(request))
    if asked is None or asked.site is None:
        raise Http404
    pack = daily_pack(site=asked.site, day=asked.day, caller=asked.caller, made_at=asked.made_at, made_by=asked.made_by)
    return file(daily_pdf(pack), packs.MEDIA_TYPES["pdf"], packs.daily_name(pack))


def file(made: bytes, media_type: str, name: str) -> HttpResponse:
    """A file to be kept; it is nobody else's, and is not stored on the way."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(made, content_type=media_type, headers=headers)


def _question(request: HttpRequest) -> Question:
    return Question(request.GET, caller=staff(request.user.pk or 0))


def _asked(request: HttpRequest, question: Question) -> Asked | None:
    return question.asked(made_by=request.user.get_username()) if question.is_valid() else None


def _shown(
    request: HttpRequest, template: str, name: str, context: dict[str, Any], *, wrong: bool = False
) -> HttpResponse:
    every_page = admin.site.each_context(request) | {"title": name}
    return render(request, template, every_page | context, status=400 if wrong else 200)


addresses = [
    path("reports/", every, name="reports"),
    path("reports/daily.pdf", daily, name="daily_pack"),
    path("reports/<slug:name>/", one, name="report"),
]
