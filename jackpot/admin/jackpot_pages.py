"""The console's pages under a jackpot: its statement, roll-forward, policies, readings, chain. Looked at only."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from jackpot.admin import statement
from jackpot.admin.base import DayField, age, amount, moment, plain, stamp
from jackpot.admin.policy_words import side_by_side
from jackpot.admin.sources import linked
from jackpot.admin.steps import Stepped
from jackpot.domain import chain
from jackpot.domain.meter import Kind
from jackpot.models.jackpots import Jackpot
from jackpot.selectors import ranges, readings, sealed
from jackpot.selectors.days import bounds_of, day_of
from jackpot.selectors.snapshots import snapshot

LONGEST_RANGE = timedelta(days=366)
LINKS = 20
RECOMPUTED = 2_000
"""Entries of a link that a page recomputes while somebody waits."""

Page = Callable[[HttpRequest, Jackpot], tuple[str, dict[str, Any]]]
"""Makes a page's template and context."""


class Days(forms.Form):
    """Gaming days from one to another, both inside."""

    first = DayField(label="From")
    last = DayField(label="To")

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        first, last = said.get("first"), said.get("last")
        if first and last and not timedelta(0) <= last - first <= LONGEST_RANGE:
            raise forms.ValidationError(f"From comes before To, and at most {LONGEST_RANGE.days} days before.")
        return said


class JackpotPages(Stepped):
    """A jackpot's page, with the way to those below it."""

    change_form_before_template = "jackpot/console/jackpot_pages.html"
    change_form_outer_after_template = "jackpot/console/jackpot_states.html"

    def get_urls(self) -> list[URLPattern]:
        below = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(self._view(title, page)),
                 name=f"jackpot_jackpot_{name.replace('-', '_')}")
            for name, (title, page) in PAGES.items()
        ]  # fmt: skip
        return [*below, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        jackpot = self.get_object(request, object_id)
        context = {} if jackpot is None else {"pages": pages_of(jackpot), "here": "Overview", "states": states(jackpot)}
        answer: HttpResponse = super().change_view(request, object_id, form_url, context | (extra_context or {}))
        return answer

    def _view(self, title: str, page: Page) -> Callable[..., HttpResponse]:
        @require_safe
        def view(request: HttpRequest, pk: int) -> HttpResponse:
            jackpot = self.get_object(request, str(pk))
            if jackpot is None:
                raise Http404
            if not self.has_view_permission(request, jackpot):
                raise PermissionDenied
            with snapshot():
                template, context = page(request, jackpot)
            context |= self.admin_site.each_context(request) | {
                "title": f"{title} · {jackpot.code}", "here": title, "jackpot": jackpot, "opts": self.opts,
                "pages": pages_of(jackpot), "as_of": moment(timezone.now()),
            }  # fmt: skip
            wrong = any(isinstance(value, forms.Form) and value.errors for value in context.values())
            return render(request, template, context, status=400 if wrong else 200)

        return view


def pages_of(jackpot: Jackpot) -> list[tuple[str, str]]:
    """The addresses of a jackpot's pages, with their titles."""
    found = [("Overview", reverse("admin:jackpot_jackpot_change", args=[jackpot.pk]))]
    for name, (title, _) in PAGES.items():
        found.append((title, reverse(f"admin:jackpot_jackpot_{name.replace('-', '_')}", args=[jackpot.pk])))
    return [*found, ("Sign", reverse("sign", args=[jackpot.code]))]


def states(jackpot: Jackpot) -> list[Sequence[object]]:
    """When it was suspended, resumed or retired, and by whom; newest first."""
    changes = jackpot.state_changes.select_related("by", "request__asked_by").order_by("-at", "-pk")
    return [
        (moment(one.at), one.before, one.after, one.by.get_username(), one.request.note if one.request else one.note,
         linked(f"change:{one.request_id}") if one.request_id else "")
        for one in changes
    ]  # fmt: skip


def _statement(request: HttpRequest, jackpot: Jackpot) -> tuple[str, dict[str, Any]]:
    form = statement.Asked(request.GET, jackpot=jackpot)
    context: dict[str, Any] = {"form": form, "columns": statement.COLUMNS, "numbers": statement.NUMBERS}
    if form.is_valid():
        said = form.cleaned_data
        page = statement.page_of(jackpot, said)
        of = f"{jackpot.code}, {said['level']}, {said['pot']}"
        context |= {"page": page, "caption": f"Statement of {of}; in {jackpot.currency_code}, newest first"}
    return "jackpot/console/statement.html", context


def _roll_forward(request: HttpRequest, jackpot: Jackpot) -> tuple[str, dict[str, Any]]:
    form = _days(request, jackpot, back=0)
    context: dict[str, Any] = {"form": form, "numbers": range(2, 3 + len(Kind) + 4)}
    if form.is_valid():
        pots = ranges.pots_over(jackpot, form.cleaned_data["first"], form.cleaned_data["last"])
        kinds = [kind for kind in Kind if any(pot.by_kind.get(kind.value) for pot in pots)]
        cur = jackpot.currency
        context["columns"] = ("Level", "Pot", "Opening", *(kind.value.replace("_", " ").capitalize() for kind in kinds),
                              "Closing", "Statement", "Ledger", "Difference")  # fmt: skip
        context["rows"] = [
            (pot.level, pot.pot.value, plain(pot.opening, cur),
             *(statement.signed(pot.by_kind.get(kind.value, 0), jackpot) for kind in kinds), plain(pot.closing, cur),
             plain(pot.statement, cur), plain(pot.ledger, cur), plain(pot.difference + pot.opening_difference, cur))
            for pot in pots
        ]  # fmt: skip
        context["caption"] = f"Each pot from its opening by every kind of change to its closing, in {cur.code}"
        context["agrees"] = not any(pot.difference or pot.opening_difference for pot in pots)
        context["report"] = f"place=jackpot:{jackpot.code}&day={form.cleaned_data['last']}"
    return "jackpot/console/roll_forward.html", context


def _policies(request: HttpRequest, jackpot: Jackpot) -> tuple[str, dict[str, Any]]:
    versions = list(jackpot.policies.select_related("change__by", "change__request__asked_by").order_by("version"))
    wanted = {value for value in request.GET.getlist("version") if value.isdecimal()}
    shown = [version for version in versions if str(version.version) in wanted] or versions[-_VERSIONS:]
    runs: dict[int, list[str]] = {}
    for level in jackpot.levels.all():
        runs.setdefault(level.policy_id, []).append(level.code)
    heads = [
        {"version": version, "in_force": moment(version.in_force_at), "people": _people(version),
         "runs": ", ".join(runs.get(version.pk, ())) or "no level now"}
        for version in shown
    ]  # fmt: skip
    context = {"versions": versions, "shown": shown, "heads": heads, "settings": side_by_side(shown, jackpot.currency)}
    return "jackpot/console/policies.html", context


_VERSIONS = 4
"""Versions that stand beside each other where none is chosen: the last ones."""


def _people(version: Any) -> str:
    if version.change is None:
        return "with the jackpot"
    asked = version.change.request
    return f"asked by {asked.asked_by.get_username()}, approved by {version.change.by.get_username()}"


def _readings(request: HttpRequest, jackpot: Jackpot) -> tuple[str, dict[str, Any]]:
    form = _days(request, jackpot, back=30)
    context: dict[str, Any] = {"form": form, "numbers": {2, 3, 4, 5}, "columns": _READING}
    if form.is_valid():
        begin = bounds_of(jackpot.home_site, form.cleaned_data["first"])[0]
        end = bounds_of(jackpot.home_site, form.cleaned_data["last"])[1]
        found = readings.readings_of([jackpot]).filter(read_at__gte=begin, read_at__lt=end)
        context["rows"] = [_reading(placed, jackpot) for placed in reversed(readings.placed(found))]
    return "jackpot/console/readings.html", context


_READING = (
    "Level",
    "Read at (UTC)",
    "Shown",
    "True then",
    "Variance",
    "Row",
    "Within tolerance",
    "Signed",
    "Entered by",
    "Note",
)


def _reading(placed: readings.Placed, jackpot: Jackpot) -> list[object]:
    reading, compared, cur = placed.reading, placed.compared, jackpot.currency
    at = reverse("admin:jackpot_jackpot_statement", args=[jackpot.pk])
    row = format_html(
        '<a href="{}?level={}&amp;pot=meter&amp;before={}">{}</a>', at, reading.level.code, placed.seq + 1, placed.seq
    )
    signers = ", ".join(one.signed_by.get_username() for one in placed.signatures)
    within = "yes" if compared.within else f"no: tolerance {amount(compared.tolerance, cur)}"
    return [
        reading.level.code, stamp(reading.read_at), amount(compared.shown, cur), amount(compared.value, cur),
        amount(compared.variance, cur), row, within, f"{placed.signed} {signers}".strip(),
        reading.entered_by.get_username(), reading.note,
    ]  # fmt: skip


def _chain(request: HttpRequest, jackpot: Jackpot) -> tuple[str, dict[str, Any]]:
    lane = jackpot.lane
    head = chain.head(lane.pk, lane.sealed, bytes(lane.head))
    links = sealed.link_sizes(lane, LINKS)
    verdict, good = "no link is sealed yet", True
    if links:
        verdict, good = _recomputed(jackpot, links[0].entries)
    rows = [(one.seq, stamp(one.posted_at), age(one.posted_at, timezone.now()), one.entries, one.digest.hex())
            for one in links]  # fmt: skip
    return "jackpot/console/chain.html", {"head": head, "verdict": verdict, "good": good, "rows": rows,
                                          "columns": _LINK, "numbers": {0, 3}}  # fmt: skip


_LINK = ("Link", "Sealed (UTC)", "Age", "Entries", "Digest")


def _recomputed(jackpot: Jackpot, entries: int) -> tuple[str, bool]:
    """What the last link's rows say of its digest now, and whether that is well."""
    lane = jackpot.lane
    if entries > RECOMPUTED:
        return f"not recomputed here: it seals {entries} entries; verify recomputes every link", True
    last = sealed.last_links(lane, 1)[0]
    digest = chain.link_digest(lane.pk, last.seq, last.previous or b"", last.lines())
    if digest == last.digest == bytes(lane.head):
        return "recomputed just now from its stored rows: it is what was sealed. Earlier links: run verify", True
    return "recomputed just now: it is NOT what was sealed. Run verify, and call whoever keeps the heads", False


def _days(request: HttpRequest, jackpot: Jackpot, *, back: int) -> Days:
    today: date = day_of(jackpot.home_site, timezone.now())
    asked = {"first": today - timedelta(days=back), "last": today}
    return Days(asked | {name: request.GET[name] for name in asked if name in request.GET})


PAGES: dict[str, tuple[str, Page]] = {
    "statement": ("Statement", _statement),
    "roll-forward": ("Roll-forward", _roll_forward),
    "policies": ("Policy versions", _policies),
    "readings": ("Readings", _readings),
    "chain": ("Chain", _chain),
}
"""By the end of their address: their title, and what makes them."""
