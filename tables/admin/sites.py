"""The console's pages of sites: opening one, and what is opened at one by two people, a table or a jackpot."""

import re
from datetime import time
from itertools import product
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from jackpot import services as jackpot
from jackpot.admin.base import caller_of
from jackpot.admin.steps import Acting, Asking, Done, Fact, Step, Stepped
from jackpot.domain.errors import Refused
from jackpot.money import UnknownCurrency, currency
from jackpot.selectors import jackpots
from tables.admin.policy_figures import of_form
from tables.admin.policy_form import PolicyForm
from tables.admin.rule_set_figures import Shown
from tables.admin.rulesets import asked
from tables.admin.tables import link_choices
from tables.models.rulesets import RuleSet
from tables.models.tables import Table
from tables.selectors import set_up
from tables.services import demo_data, houses, table_setups

_CODE_HELP = "Letters, digits, - and _. The books know it by this code, which never changes"
_CURRENCY_HELP = "Three letters, such as USD. It never changes"
_USUAL_CURRENCY = "USD"
_LONGEST = 120
_NEEDED = ("base", "increment_ppm", "reserve_ppm")


class TableForm(Asking):
    reasons = jackpot.REASONS[jackpot.ChangeKind.TABLE]
    code = forms.CharField(max_length=32, help_text=_CODE_HELP)
    name = forms.CharField(max_length=100, required=False)
    currency = forms.CharField(max_length=3, initial=_USUAL_CURRENCY, help_text=_CURRENCY_HELP)

    def __init__(self, data: Any = None, *, record: jackpot.Site, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        rules = [(one.code, f"{one.code} · {one.name}") for one in set_up.rule_sets()]
        self.fields["rule_set"] = forms.ChoiceField(label="Rule set", choices=rules)
        self.fields["jackpot"] = forms.ChoiceField(required=False, choices=link_choices(record, None))
        self.order_fields(["code", "name", "currency", "rule_set", "jackpot"])


class OpeningForm(PolicyForm):
    """A jackpot and its first policy, which begins as the usual one. The levels follow from their codes."""

    reasons = jackpot.REASONS[jackpot.ChangeKind.OPENING]
    version = None  # type: ignore[assignment]  # it is made of none
    code = forms.CharField(max_length=32, help_text=_CODE_HELP)
    name = forms.CharField(max_length=100)
    currency = forms.CharField(max_length=3, initial=_USUAL_CURRENCY, help_text=_CURRENCY_HELP)
    level_codes = forms.CharField(
        label="Levels", max_length=_LONGEST, initial="main",
        help_text="Their codes, such as main or mega, major, minor; then Recompute shows a row for each",
    )  # fmt: skip

    def __init__(self, data: Any = None, *, record: jackpot.Site, **kwargs: Any) -> None:
        usual = demo_data.policy_document()
        (pattern,) = usual["levels"]
        if data is not None:  # a level that was named just now begins as the usual one
            data = data.copy()
            for n, key in product(range(len(_codes(data.get("level_codes")))), _NEEDED):
                data.setdefault(f"level_{n}_{key}", str(pattern[key]))
        super(PolicyForm, self).__init__(data, record=record, **kwargs)
        levels = [pattern | {"code": code} for code in _codes(self["level_codes"].value())]
        for line in usual["progressive_table"]:
            if "level" in line:
                line["level"] = levels[0]["code"]
        try:
            counted = currency(str(self["currency"].value()).upper())
        except UnknownCurrency:
            counted = currency(_USUAL_CURRENCY)
        self.begin(usual | {"levels": levels}, counted)

    def figures(self) -> list[Shown]:
        return of_form(OpeningForm(self.data if self.is_bound else None, record=self.record))

    def figures_at(self) -> str:
        return reverse("console:opening_figures", args=[self.record.pk])

    def settings(self) -> list[forms.BoundField]:
        return [*(self[name] for name in ("code", "name", "currency", "level_codes")), *super().settings()]

    def check_made_of(self, version: int | None) -> None:
        """It is made of no version."""

    def clean_currency(self) -> str:
        return str(self.cleaned_data["currency"]).upper()


def _codes(text: object) -> list[str]:
    """The codes in a text such as "mega, minor", each once; one where there are none."""
    return list(dict.fromkeys(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", str(text or "")[:_LONGEST]))) or ["main"]


def _ask_table(acting: Acting) -> Done:
    said = acting.said
    return asked(table_setups.ask_to_open(
        caller=acting.caller, site=acting.record, code=said["code"], name=said["name"],
        currency_code=said["currency"].upper(), rule_set=RuleSet.objects.get(code=said["rule_set"]),
        jackpot_of=jackpots.by_code(said["jackpot"]), reason=said["reason"], note=said["note"], now=acting.now,
    ))  # fmt: skip


def _ask_jackpot(acting: Acting) -> Done:
    said = acting.said
    return asked(houses.ask_for_jackpot(
        caller=acting.caller, site=acting.record, code=said["code"], name=said["name"],
        currency_code=said["currency"], policy=said["document"], reason=said["reason"], note=said["note"],
        now=acting.now,
    ))  # fmt: skip


def _facts(site: jackpot.Site) -> list[Fact]:
    return [
        ("Site", f"{site.code} · {site.name}"), ("Time zone", site.timezone),
        ("A gaming day begins at", f"{site.day_starts_at:%H:%M}"),
        ("Kind", "sandbox: everything of it is a test" if site.sandbox else "live"),
        ("Tables", ", ".join(Table.objects.filter(site_id=site.pk).order_by("code").values_list("code", flat=True))
         or "none yet"),
    ]  # fmt: skip


STEPS = (
    Step(name="table", label="Ask for a table", needs="jackpot.ask_table", act=_ask_table, form=TableForm, facts=_facts,
         about="The table is open for rounds once another person has approved it."),
    Step(name="jackpot", label="Ask for a jackpot", needs="jackpot.ask_opening", act=_ask_jackpot, form=OpeningForm,
         facts=_facts, template="tables/policy_step.html",
         about="The jackpot is at home here, under this policy, once another person has approved it. The house then "
         "funds each level to its base: that money is owed to players from then on."),
)  # fmt: skip


class SiteForm(forms.Form):
    """A new site."""

    code = forms.CharField(max_length=32, help_text=_CODE_HELP)
    name = forms.CharField(max_length=100)
    timezone = forms.ChoiceField(
        label="Time zone", choices=[(zone, zone) for zone in sorted(jackpot.TIME_ZONES)], initial="UTC"
    )
    day_starts_at = forms.TimeField(
        label="A gaming day begins at", initial=time(6, 0), help_text="Local time, such as 06:00. It never changes",
        widget=forms.TimeInput(format="%H:%M"),
    )  # fmt: skip
    sandbox = forms.BooleanField(label="A sandbox: everything of it is a test", required=False)


@admin.register(jackpot.Site)
class SiteAdmin(Stepped):
    list_display = ("code", "name", "timezone", "day_starts_at", "sandbox")
    search_fields = ("code", "name")
    steps = STEPS

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """No money moves: one person opens a site."""
        return request.user.has_perm("jackpot.add_site")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Opening a site: by the service, with its lane and its cage, on the log."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form, status = SiteForm(request.POST if request.method == "POST" else None), 200
        if request.method == "POST":
            status = 400
            if form.is_valid() and (site := self._open(request, form)):
                messages.success(request, f"Site {site} is open")
                return redirect("admin:jackpot_site_change", site.pk)
        context = self.admin_site.each_context(request) | {"title": "Open a site", "opts": self.opts, "form": form}
        return render(request, "tables/site_add.html", context, status=status)

    def _open(self, request: HttpRequest, form: SiteForm) -> jackpot.Site | None:
        try:
            with transaction.atomic():
                site = jackpot.open_site_as(caller=caller_of(request), **form.cleaned_data)
                self.log_addition(request, site, f"Opened site {site}: {site.name}, {site.timezone}")
        except Refused as refused:
            for violation in refused.violations:
                form.add_error(violation.pointer.rpartition("/")[2] or None, violation.detail)
            return None
        return site

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A site and what stands there."""
        site = self.looked_at(request, object_id)
        tables = [
            (table.code, table.name, table.rule_set.code, table.jackpot.code if table.jackpot else "–", table.state)
            for table in Table.objects.filter(site_id=site.pk).select_related("rule_set", "jackpot").order_by("code")
        ]
        return self.page(
            request, site, "tables/table.html", f"Site {site}", facts=_facts(site), rows=tables,
            columns=("Table", "Name", "Rule set", "Jackpot", "State"), caption="Its tables",
        )  # fmt: skip
