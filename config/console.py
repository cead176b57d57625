"""The frame of the console: its title, its look, and the way around in it."""

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy


def _allowed(*permissions: str) -> Callable[[HttpRequest], bool]:
    def allowed(request: HttpRequest) -> bool:
        return request.user.has_perms(permissions)

    return allowed


def _link(title: str, icon: str, name: str, *permissions: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(name), "permission": _allowed(*permissions)}


def _list(title: str, icon: str, model: str) -> dict[str, Any]:
    """A link to the list of a model, written as `app.model`, for those who may look at it."""
    app, name = model.split(".")
    return _link(title, icon, f"admin:{app}_{name}_changelist", f"{app}.view_{name}")


_AWARDS = re.compile(r"/admin/jackpot/award/(?!waiting/)")

_FLOOR = [
    _link("Home", "home", "admin:index"),
    _list("Rounds", "playing_cards", "tables.round"),
    _list("Tables", "table_restaurant", "tables.table"),
]
_JACKPOTS = [
    _list("Jackpots", "trending_up", "jackpot.jackpot"),
    _link("Awards that wait", "pending_actions", "admin:jackpot_award_waiting", "jackpot.view_award"),
    _list("Awards", "trophy", "jackpot.award") | {"active": lambda request: _AWARDS.match(request.path) is not None},
    _list("Changes", "published_with_changes", "jackpot.changerequest"),
    _list("Readings", "visibility", "jackpot.reading"),
    _list("Policies", "rule", "jackpot.policyversion"),
]
_BOOKS = [
    _link("Gaming days", "calendar_month", "console:days", "jackpot.view_gamingday"),
    _link(
        "Reports", "lab_profile", "console:reports", "jackpot.view_jackpot", "jackpot.view_award", "tables.view_round"
    ),
]
_HOUSE = [
    _list("Rule sets", "gavel", "tables.rulesetversion"),
]
_PEOPLE = [
    _list("People", "group", "auth.user"),
    _list("Roles", "badge", "auth.group"),
    _list("Log", "history", "admin.logentry"),
    _list("Sign-ins", "login", "axes.accesslog"),
    _list("Failed sign-ins", "lock", "axes.accessattempt"),
    _list("API keys", "key", "jackpot.apikey"),
    _list("Webhooks", "webhook", "jackpot.endpoint"),
]

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Jackpot accounting",
    "SITE_HEADER": "Jackpot accounting",
    "SITE_SYMBOL": "casino",
    "SITE_URL": None,
    "SHOW_HISTORY": True,
    "STYLES": [lambda request: static("jackpot/console.css")],
    "ACCOUNT": {
        "navigation": [
            {"title": "Change password", "link": reverse_lazy("admin:password_change")},
            {"title": "Second factor", "link": reverse_lazy("console:my_second_factor")},
        ],
    },
    "COLORS": {
        "primary": {
            "50": "#eff6ff", "100": "#dbeafe", "200": "#bfdbfe", "300": "#93c5fd", "400": "#60a5fa", "500": "#60a5fa",
            "600": "#1d4ed8", "700": "#1e40af", "800": "#1e3a8a", "900": "#172554", "950": "#0f172a",
        },
    },
    "SIDEBAR": {
        "show_search": False,
        "navigation": [
            {"title": "Floor", "items": _FLOOR},
            {"title": "Jackpots", "separator": True, "items": _JACKPOTS},
            {"title": "Books", "separator": True, "items": _BOOKS},
            {"title": "House", "separator": True, "items": _HOUSE},
            {"title": "People and keys", "separator": True, "items": _PEOPLE},
        ],
    },
}  # fmt: skip
