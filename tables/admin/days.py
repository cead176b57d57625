"""The console's gaming days: each with its state and what it came to, and the closing of one."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, register_converter, reverse
from django.utils import timezone
from django.utils.http import urlencode

from jackpot import services as jackpot
from jackpot.admin.base import is_served, moment
from jackpot.selectors import closed_days, days, sites
from jackpot.selectors.days import bounds_of, day_of
from jackpot.selectors.snapshots import snapshot
from tables.admin import closing_days, day_parts
from tables.admin.asking import staff
from tables.admin.reports import NEEDED as FOR_REPORTS
from tables.admin.reports import file, page
from tables.http import auditors_pack as packed
from tables.reports.auditors_pack import auditors_pack
from tables.selectors import unsettled

NEEDED = ("jackpot.view_gamingday",)
DAYS = 31
"""Days of a site on one page."""


class DayInPath:
    """A day in an address, "2026-11-29"."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        day = date.fromisoformat(value)
        if not is_served(day):
            raise ValueError(value)
        return day

    def to_url(self, value: date | str) -> str:
        return str(value)


register_converter(DayInPath, "day")


@page(needs=NEEDED)
def every(request: HttpRequest) -> HttpResponse:
    """The last days of a site; of the first one where none is chosen."""
    found = {site.code: site for site in sites.seen_by(staff(request.user.pk or 0)).order_by("code")}
    site = found.get(request.GET.get("site", "")) or next(iter(found.values()), None)
    before = _before(request)
    context: dict[str, Any] = {"sites": list(found.values()), "site": site}
    if site is not None:
        rows = days.opened(site, before=before, count=DAYS + 1)
        context["rows"] = day_parts.rows(site, rows[:DAYS], timezone.now())
        if len(rows) > DAYS:
            context["older"] = urlencode({"site": site.code, "before": rows[DAYS - 1].day.isoformat()})
    return _shown(request, "tables/days.html", f"Gaming days{f' · {site.code}' if site else ''}", context)


def _before(request: HttpRequest) -> date | None:
    try:
        return date.fromisoformat(request.GET.get("before", ""))
    except ValueError:
        return None


@page(needs=NEEDED)
def one(request: HttpRequest, code: str, day: date) -> HttpResponse:
    """A day: how it stands, what it came to where it is closed, and where everything of it is found."""
    site = _site(code)
    with snapshot():
        context = _day(request, site, day, timezone.now())
    return _shown(request, "tables/day.html", f"{site.code} · {day}", context)


def _day(request: HttpRequest, site: jackpot.Site, day: date, now: datetime) -> dict[str, Any]:
    row, end = days.row_of(site, day), bounds_of(site, day)[1]
    closed = closed_days.closed_day(site, day)
    open_rounds = [] if closed or row is None else unsettled.unsettled(site, end)
    documents = list(closed.record.rounds) if closed else [one.document() for one in open_rounds]
    context: dict[str, Any] = {
        "site": site, "day": day, "facts": [*bounds(site, day), *day_parts.facts(row, closed)], "closed": closed,
        "rounds": day_parts.rounds_table(documents, closed is not None), "as_of": moment(now),
        "asked": urlencode({"place": f"site:{site.code}", "day": day.isoformat()}),
        "may_read": request.user.has_perms(FOR_REPORTS), "reports": day_parts.REPORTS,
        "running": day_of(site, now) == day and closed is None,
    }  # fmt: skip
    if closed:
        return context | {"tables": day_parts.closing_tables(closed)}
    foreseen = jackpot.foresee_closing(site=site, day=day, now=now)
    if foreseen.stays is not None:
        context["stays"], context["differences"] = closing_days.why(site, foreseen.stays), foreseen.stays.differences
    may_close = foreseen.stays is None and request.user.has_perm(closing_days.NEEDED)
    return context | {"may_close": may_close, "can_be_closed": foreseen.stays is None}


def bounds(site: jackpot.Site, day: date) -> list[tuple[str, object]]:
    """When a day begins and ends, by the site's clock and in UTC."""
    zone, local = ZoneInfo(site.timezone), site.timezone != "UTC"
    return [
        (name, f"{at.astimezone(zone):%Y-%m-%d %H:%M} {site.timezone}, {moment(at)}" if local else moment(at))
        for name, at in zip(("Begins", "Ends"), bounds_of(site, day), strict=True)
    ]


def _site(code: str) -> jackpot.Site:
    site = sites.by_code(code)
    if site is None:
        raise Http404
    return site


@page(needs=(*NEEDED, *FOR_REPORTS))
def pack_of(request: HttpRequest, code: str, day: date) -> HttpResponse:
    """The auditor's pack of a day."""
    made = auditors_pack(
        site=_site(code), day=day, caller=staff(request.user.pk or 0), made_at=timezone.now(),
        made_by=request.user.get_username(),
    )  # fmt: skip
    return file(packed.auditors_zip(made), packed.MEDIA_TYPE, packed.zip_name(made))


def close(request: HttpRequest, code: str, day: date) -> HttpResponse:
    """Close a day: GET shows what would be closed, POST closes it, or shows why it stays open."""
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD, POST"})
    if not request.user.has_perms((*NEEDED, closing_days.NEEDED)):
        raise PermissionDenied
    site, now = _site(code), timezone.now()
    if days.row_of(site, day) is None:
        raise Http404
    back = reverse("console:day", args=[site.code, day])
    refusal = None
    if request.method == "POST":
        refusal = closing_days.close(request, site, day, now)
        if refusal is None:
            return redirect(back)
    with snapshot():
        context = closing_days.context(site, day, now, refusal) | {"back": back, "record": f"{site.code} {day}"}
    title = f"{closing_days.STEP.label} · {site.code} {day}"
    return _shown(request, "tables/close_day.html", title, context, status=refusal.status if refusal else 200)


def _shown(
    request: HttpRequest, template: str, title: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    return render(request, template, admin.site.each_context(request) | {"title": title} | context, status=status)


addresses = [
    path("days/", every, name="days"),
    path("days/<slug:code>/<day:day>/", one, name="day"),
    path("days/<slug:code>/<day:day>/auditors-pack.zip", pack_of, name="auditors_pack"),
    path("days/<slug:code>/<day:day>/close/", admin.site.admin_view(close), name="close_day"),
]
