"""The console's pages of rule sets: their versions as people read them, side by side, and the next one made of one."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from jackpot import services as jackpot
from jackpot.admin.base import ReadOnly, when, words
from jackpot.admin.steps import Acting, Done, Fact, Step, Stepped
from jackpot.selectors import changes
from tables.admin import rule_set_figures, rule_set_words
from tables.admin.rule_set_form import RuleSetForm
from tables.domain.hands import HandName
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.selectors import set_up
from tables.services import rule_sets


def _ask(acting: Acting) -> Done:
    said = acting.said
    request = rule_sets.ask_for_version(
        caller=acting.caller, rule_set=acting.record.rule_set, document=said["document"],
        in_force_at=said["in_force_at"], reason=said["reason"], note=said["note"], now=acting.now,
    )  # fmt: skip
    return asked(request)


def asked(request: jackpot.ChangeRequest) -> Done:
    """Where asking leads: to the request, which says what it would change."""
    to = reverse("admin:jackpot_changerequest_change", args=[request.pk])
    return Done(message=f"Asked for: {words(request.kind)} {request.subject}. Another person decides on it", to=to)


def standing(version: RuleSetVersion) -> str:
    """Whether a version is in force now."""
    last = set_up.version_in_force(version.rule_set_id, timezone.now())
    if last == version:
        return "in force"
    return "waits" if version.in_force_at > timezone.now() else "replaced"


def facts(version: RuleSetVersion) -> list[Fact]:
    decided = version.change
    by = "a command" if decided is None else f"{decided.request.asked_by.get_username()} asked, "
    by += f"{decided.by.get_username()} approved" if decided else ""
    return [
        ("Rule set", version.rule_set.name), ("Version", str(version)), ("In force from", when(version.in_force_at)),
        ("State", standing(version)), ("Made by", by),
    ]  # fmt: skip


ASK = Step(
    name="next", label="New version from this one", needs="jackpot.ask_rule_set", act=_ask, form=RuleSetForm,
    facts=facts,
    about="A complete version, which is in force once another person has approved it, or from an instant after that. "
    "Rounds whose betting has closed by then keep the version they have.",
    template="tables/rule_set_step.html",
)  # fmt: skip


@admin.register(RuleSet)
class RuleSetAdmin(ReadOnly):
    list_display = ("code", "name")
    search_fields = ("code", "name")


@admin.register(RuleSetVersion)
class RuleSetVersionAdmin(Stepped):
    list_display = ("__str__", "in_force_at", "state", "tables_that_play_it", "compare")
    list_select_related = ("rule_set",)
    list_filter = ("rule_set",)
    ordering = ("rule_set__code", "-version")
    steps = (ASK,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[RuleSetVersion]:
        found: QuerySet[RuleSetVersion] = super().get_queryset(request)
        return found.select_related("rule_set", "change__by", "change__request__asked_by")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("compare/", view(self.compare_view), name="tables_rulesetversion_compare"),
            *super().get_urls(),
        ]

    @admin.display(description="state")
    def state(self, version: RuleSetVersion) -> str:
        return standing(version)

    @admin.display(description="tables")
    def tables_that_play_it(self, version: RuleSetVersion) -> str:
        return ", ".join(set_up.tables_of(version.rule_set_id)) or "–"

    @admin.display(description="compare")
    def compare(self, version: RuleSetVersion) -> SafeString | str:
        """With the version before it."""
        before = set_up.version_before(version)
        if before is None:
            return "–"
        return format_html('<a href="{}" class="underline">with {}</a>', compare_address(before, version), before)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A version as a layout prints it, with what it returns."""
        version = self.looked_at(request, object_id)
        before = set_up.version_before(version)
        return self.page(
            request, version, "tables/rule_set.html", f"Rule set {version}", facts=_all_facts(version),
            figures=rule_set_figures.of_document(version.document), settings=rule_set_words.settings(version.document),
            names=_names(version), compare=compare_address(before or version, version),
        )  # fmt: skip

    def compare_view(self, request: HttpRequest) -> HttpResponse:
        """Two versions side by side, of one rule set or of two."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        every = list(self.get_queryset(request).order_by("rule_set__code", "version"))
        named = {str(version): version for version in every}
        if not every:
            raise Http404
        chosen = [named.get(request.GET.get(name, ""), every[0]) for name in ("a", "b")]
        context = self.admin_site.each_context(request) | {
            "title": "Rule sets side by side", "opts": self.opts, "names": list(named),
            "chosen": [("a", str(chosen[0])), ("b", str(chosen[1]))], "rows": side_by_side(*chosen),
        }  # fmt: skip
        return render(request, "tables/rule_sets_compared.html", context)


def compare_address(before: RuleSetVersion, after: RuleSetVersion) -> str:
    return f"{reverse('admin:tables_rulesetversion_compare')}?a={before}&b={after}"


def side_by_side(before: RuleSetVersion, after: RuleSetVersion) -> list[tuple[str, str, str, bool]]:
    """Every setting and pay line of two versions as (name, before, after, whether they differ)."""
    rows = [("In force from", when(before.in_force_at), when(after.in_force_at))]
    for name in ("Blind", "Trips"):
        tables = [version.document[f"{name.lower()}_table"] for version in (before, after)]
        rows.append((f"{name} table", tables[0]["name"], tables[1]["name"]))
        was, becomes = (rule_set_words.lines(table) for table in tables)
        rows += [
            (f"{name}: {words(hand)}", was.get(hand, "–"), becomes.get(hand, "–"))
            for hand in HandName
            if hand in was or hand in becomes
        ]
    pairs = zip(rule_set_words.settings(before.document), rule_set_words.settings(after.document), strict=True)
    rows += [(old.name, old.value, new.value) for old, new in pairs]
    return [(name, old, new, old != new) for name, old, new in rows]


def _names(version: RuleSetVersion) -> list[Fact]:
    return [(f"{name} table", version.document[f"{name.lower()}_table"]["name"]) for name in ("Blind", "Trips")]


def _all_facts(version: RuleSetVersion) -> list[Fact]:
    links = format_html_join(
        ", ", '<a href="{}">{}</a>',
        ((reverse("admin:jackpot_changerequest_change", args=[one.pk]), one.asked_by.get_username())
         for one in changes.waiting(jackpot.ChangeKind.RULE_SET, version.rule_set.code)),
    )  # fmt: skip
    found = facts(version)
    found.append(("Tables", ", ".join(set_up.tables_of(version.rule_set_id)) or "–"))
    if links:
        found.append(("Waits for a decision, asked by", links))
    return found
