"""The console's home: how meters, tables and the service itself stand, every figure with the way to its proof.

All of one instant, which it states; nothing is read from before today but what closings and levels already hold.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone

from jackpot.admin.base import moment
from jackpot.selectors import jackpots
from jackpot.selectors.snapshots import snapshot
from tables.admin import home_charts, home_figures, home_tiles
from tables.admin.reports import page
from tables.reports import handle

Signs = Callable[[], Mapping[str, bool]]
"""Answers which of worker, clock, webhooks and broker are seen: whoever runs the service gives it."""


def addresses(*, signs: Signs) -> list[URLPattern]:
    """The home's, in place of the list of all tables that an admin begins with."""

    @page(needs=())
    def home(request: HttpRequest) -> HttpResponse:
        seen = signs()
        with snapshot():
            context = _context(request, request.user, seen)
        context |= admin.site.each_context(request) | {"title": "Home"}
        return render(request, "tables/home.html", context)

    return [path("", home, name="home")]


def _context(request: HttpRequest, user: User | AnonymousUser, signs: Mapping[str, bool]) -> dict[str, Any]:
    now = timezone.now()
    period = request.GET.get("period", "day")
    period = period if period in home_charts.PERIODS else "day"
    running, wrong = home_tiles.running(signs, now)
    context: dict[str, Any] = {
        "now": now, "as_of": moment(now), "running": running, "waiting": home_tiles.waiting(user, now),
        "period": period, "periods": [(name, words) for name, (words, _) in home_charts.PERIODS.items()], "charts": [],
    }  # fmt: skip
    if user.has_perm("jackpot.view_jackpot"):
        found = list(jackpots.on_show().order_by("code"))
        context["meters"] = home_figures.meters(found, now)
        context["chain"], differing = home_figures.chains(now)
        wrong += differing
        context["charts"] += home_charts.meters(found, period, now)
    if home_figures.may_see_play(user):
        last = home_charts.last_days(now)
        played = handle.of_days([day for opened in last.values() for day in opened])
        context["today"] = home_figures.today(last, played, now)
        context["charts"] += [*home_charts.handle_and_hold(last, played), *home_charts.hits(now)]
    return context | {"wrong": wrong}
