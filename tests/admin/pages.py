"""Every address of the console, read off the resolver, and what opening it takes.

A page of a model needs no row here; a page of its own does, in `NEEDS`: without it `test_pages_walked.py` fails.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import URLPattern, URLResolver, get_resolver

from jackpot.admin.steps import Step, Stepped
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site
from tables.admin.closing_days import NEEDED as TO_CLOSE
from tables.admin.days import NEEDED as FOR_DAYS
from tables.admin.evidence import NEEDED as FOR_EVIDENCE
from tables.admin.reports import NEEDED as FOR_REPORTS
from tables.admin.reports import PAGES as REPORTS
from tables.models.rulesets import RuleSetVersion
from tests.admin.world import a_record_of
from tests.factories import NOW

ANY_STAFF: tuple[str, ...] = ()
FRAME = ("app_list", "autocomplete", "view_on_site")
"""Parts of Django's frame that look at permissions for themselves, and show nothing without more in the address."""
NEEDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("index", "search", "jsi18n", *FRAME), ANY_STAFF),
    **dict.fromkeys(("password_change", "password_change_done", "my_second_factor"), ANY_STAFF),
    **dict.fromkeys(("second_factor", "second_factor_set_up", "set_password"), ANY_STAFF),
    **dict.fromkeys(("login", "logout"), ANY_STAFF),
    **dict.fromkeys(("reports", "report", "daily_pack"), FOR_REPORTS),
    **dict.fromkeys(("evidence_pdf", "evidence_json"), FOR_EVIDENCE),
    "home": ANY_STAFF,
    **dict.fromkeys(("days", "day"), FOR_DAYS),
    "auditors_pack": (*FOR_DAYS, *FOR_REPORTS),
    "close_day": (*FOR_DAYS, TO_CLOSE),
    "rule_set_figures": ("tables.view_rulesetversion",),
    "policy_figures": ("jackpot.view_jackpot",),
    "opening_figures": ("jackpot.view_site",),
}
"""Pages that belong to no model, by the name of their address, and the permissions they take."""

RECORDS: dict[str, type[Any]] = {
    "rule_set_figures": RuleSetVersion, "policy_figures": Jackpot, "opening_figures": Site,
}  # fmt: skip
"""Those of them whose address names a record."""

ADDS: dict[type[Any], str] = {User: "auth.add_user", Site: "jackpot.add_site"}
"""Kinds of which there is a page to add one, and what it takes."""

_PLACE = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


@dataclass(frozen=True, slots=True)
class Page:
    """`needs`: the permissions it takes; `never`: nobody opens it."""

    address: str
    needs: tuple[str, ...] = ()
    never: bool = False
    of_frame: bool = False

    def __str__(self) -> str:
        return self.address


def everywhere() -> list[Page]:
    """Each page once, with a record that is there wherever one belongs into its address."""
    return [*of_models(), *of_their_own()]


def of_models() -> Iterator[Page]:
    for model, page in admin.site._registry.items():
        app, name = model._meta.app_label, model._meta.model_name
        root, record = f"/admin/{app}/{name}/", a_record_of(model)
        one, look = f"{root}{record.pk}/", f"{app}.view_{name}"
        yield Page(root, (look,))
        yield Page(f"{one}change/", (look,))
        yield Page(f"{one}history/", (look,))
        yield Page(f"{one}delete/", never=True)
        yield Page(f"{root}add/", (ADDS.get(model, look),), never=model not in ADDS)
        for step in page.steps if isinstance(page, Stepped) else ():
            yield Page(f"{one}step/{step.name}/", (look, needed_for(model, step, record)))


def needed_for(model: type, step: Step, record: Any) -> str:
    """The permission a step takes: for decisions on changes that of the kind."""
    if model.__name__ != "ChangeRequest":
        return step.needs
    return f"jackpot.{'ask' if step.name == 'withdraw' else 'decide'}_{record.kind}"


def of_their_own() -> Iterator[Page]:
    """Pages beside those that Django makes: of a model they take looking at it, others what `NEEDS` says."""
    for name, route in sorted(_routes(get_resolver().url_patterns, "")):
        if not route.startswith("admin/") or _is_of_a_model(name, route):
            continue
        model = RECORDS.get(name) or next(
            (kind for label, kind in _labels().items() if name.startswith(f"{label}_")), None
        )
        look = (f"{model._meta.app_label}.view_{model._meta.model_name}",) if model else None
        needs = NEEDS.get(name, look)
        assert needs is not None, f"tests.admin.pages.NEEDS has no row for the page {name!r} at {route}"
        for address in _filled(name, route, a_record_of(model).pk if model else 1):
            yield Page(f"/{address}", needs, of_frame=name in FRAME)


def _labels() -> dict[str, type[Any]]:
    return {f"{model._meta.app_label}_{model._meta.model_name}": model for model in admin.site._registry}


def _routes(patterns: list[Any], before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield pattern.name or "", route


def _is_of_a_model(name: str, route: str) -> bool:
    """One of those that `of_models` has, Django's redirect to one, or what is found nowhere else."""
    ends = ("changelist", "add", "history", "delete", "change", "step")
    label, _, end = name.rpartition("_")
    return (label in _labels() and end in ends) or not name or "(?P<url>" in route


def _filled(name: str, route: str, pk: object) -> list[str]:
    """The route with something that is there in each of its places."""
    hit, site = Award.objects.filter(kind="hit").first(), Site.objects.order_by("pk").first()
    assert hit is not None and site is not None
    values = {
        "award_id": hit.pk, "name": next(iter(REPORTS)), "uidb64": "MQ", "token": "wrong", "app_label": "jackpot",
        "content_type_id": 1, "object_id": pk, "pk": pk, "code": site.code, "day": NOW.date().isoformat(),
    }  # fmt: skip
    places = [one or other for one, other in _PLACE.findall(route)]
    missing = [place for place in places if place not in values]
    assert not missing, f"tests.admin.pages can't fill {missing} of {route}"
    address = _PLACE.sub(lambda found: str(values[found[1] or found[2]]), route).replace("^", "").replace("$", "")
    asked = f"?place=site:{site.code}&day={NOW.date().isoformat()}" if name in ("report", "daily_pack") else ""
    return [address.replace("\\Z", "") + asked]
