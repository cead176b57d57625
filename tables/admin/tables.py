"""The console's pages of tables: how each is set up and was, and the steps that set it up otherwise."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode

from jackpot import services as jackpot
from jackpot.admin.base import when
from jackpot.admin.steps import Acting, Asking, Done, Fact, Reason, Step, Stepped
from jackpot.selectors import changes, days, jackpots
from tables.admin.rulesets import asked
from tables.models.rulesets import RuleSet
from tables.models.tables import Table, TableSetup
from tables.selectors import set_up
from tables.services import table_setups

COLUMNS = ("Setup", "From", "Rule set", "Jackpot", "Asked by", "Approved by")
NO_JACKPOT = ("", "no jackpot")


def link_choices(site: jackpot.Site, currency: str | None) -> list[tuple[str, str]]:
    """The jackpots that a table of a site can be linked to, of a currency where it has one already."""
    found = [
        one for one in jackpots.on_show().order_by("code")
        if one.state != one.State.RETIRED and one.home_site.sandbox == site.sandbox
        and currency in (None, one.currency_code)
    ]  # fmt: skip
    return [NO_JACKPOT, *((one.code, f"{one.code} · {one.name} ({one.currency_code})") for one in found)]


class SetupForm(Asking):
    """What a table plays from the approval on."""

    reasons = jackpot.REASONS[jackpot.ChangeKind.TABLE]
    jackpot = forms.ChoiceField(required=False)
    rule_set = forms.ChoiceField(label="Rule set")

    def __init__(self, data: Any = None, *, record: Table, **kwargs: Any) -> None:
        super().__init__(data, record=record, **kwargs)
        links = link_choices(record.site, record.currency_code)
        stands = record.jackpot.code if record.jackpot else ""
        if stands not in dict(links):
            links.append((stands, f"{stands}, as it is"))
        self.fields["jackpot"] = forms.ChoiceField(required=False, choices=links, initial=stands)
        rules = [(one.code, f"{one.code} · {one.name}") for one in set_up.rule_sets()]
        self.fields["rule_set"] = forms.ChoiceField(label="Rule set", choices=rules, initial=record.rule_set.code)
        self.order_fields(["jackpot", "rule_set"])


def _ask(acting: Acting) -> Done:
    said = acting.said
    return asked(table_setups.ask_to_change(
        caller=acting.caller, table=acting.record, rule_set=RuleSet.objects.get(code=said["rule_set"]),
        jackpot_of=jackpots.by_code(said["jackpot"]), reason=said["reason"], note=said["note"], now=acting.now,
    ))  # fmt: skip


def _suspend(acting: Acting) -> str:
    table_setups.suspend_table(caller=acting.caller, table_id=acting.record.pk, now=acting.now)
    return f"Table {acting.record} went from open to suspended: {acting.said['note']}"


def _resume(acting: Acting) -> str:
    table_setups.resume_table(caller=acting.caller, table_id=acting.record.pk, now=acting.now)
    return f"Table {acting.record} went from suspended to open: {acting.said['note']}"


def facts(table: Table) -> list[Fact]:
    """How a table stands now."""
    version = set_up.version_in_force(table.rule_set_id, timezone.now())
    rules = reverse("admin:tables_rulesetversion_change", args=[version.pk])
    link: object = "none"
    if table.jackpot:
        link = format_html('<a href="{}">{}</a>', reverse("admin:jackpot_jackpot_change", args=[table.jackpot.pk]),
                           table.jackpot)  # fmt: skip
    site = reverse("admin:jackpot_site_change", args=[table.site_id])
    return [
        ("Table", f"{table.code} · {table.name}"), ("State", table.state),
        ("Site", format_html('<a href="{}">{}</a>', site, table.site.name)), ("Currency", table.currency_code),
        ("Rule set in force", format_html('<a href="{}">{}</a>', rules, version)), ("Jackpot", link),
        ("Lane", str(table.lane)), ("So since", when(table.set_up_at) if table.set_up_at else "it was opened"),
    ]  # fmt: skip


def _page_facts(table: Table) -> list[Fact]:
    found = facts(table)
    last = set_up.last_round(table)
    if last is not None:
        at = reverse("admin:tables_round_change", args=[last.pk])
        found.append(("Last round", format_html('<a href="{}">{}</a> ({})', at, last.game_number, last.phase)))
    if standing := table_setups.unsettled(table):
        found.append(("Rounds not settled", ", ".join(standing)))
    today = days.day_of(table.site, timezone.now())
    asked_for = urlencode({"place": f"site:{table.site.code}", "day": today.isoformat()})
    at = reverse("console:report", args=["tables"])
    found.append(("Today's figures", format_html('<a href="{}?{}">Report of tables</a>', at, asked_for)))
    links = format_html_join(
        ", ", '<a href="{}">{}</a>',
        ((reverse("admin:jackpot_changerequest_change", args=[one.pk]), one.asked_by.get_username())
         for one in changes.waiting(jackpot.ChangeKind.TABLE, table.code)),
    )  # fmt: skip
    if links:
        found.append(("Waits for a decision, asked by", links))
    return found


def _row(setup: TableSetup) -> tuple[str, ...]:
    decided = setup.change
    people = (decided.request.asked_by.get_username(), decided.by.get_username()) if decided else ("a command", "–")
    since = "the beginning" if decided is None else when(setup.in_force_at)
    return str(setup.number), since, setup.rule_set.code, setup.jackpot.code if setup.jackpot else "none", *people


STEPS = (
    Step(name="setup", label="Ask to link it or change its rules", needs="jackpot.ask_table", act=_ask, form=SetupForm,
         facts=facts, about="The table plays so from the approval on. Rounds whose betting has closed by then stay "
         "with the jackpot and the rules they have. It is approved while no round of the table is open or waits."),
    Step(name="suspend", label="Suspend", needs="tables.suspend_table", act=_suspend, form=Reason, facts=facts,
         about="No live round begins at this table from now on. A round that is open goes on.",
         offered=lambda table: table.state == Table.State.OPEN, grave=True),
    Step(name="resume", label="Resume", needs="tables.suspend_table", act=_resume, form=Reason, facts=facts,
         about="Rounds may begin again.", offered=lambda table: table.state == Table.State.SUSPENDED),
)  # fmt: skip


@admin.register(Table)
class TableAdmin(Stepped):
    list_display = ("code", "name", "site", "rule_set", "jackpot", "currency_code", "state")
    list_select_related = ("site", "rule_set", "jackpot", "lane__jackpot", "lane__site")
    list_filter = ("site", "rule_set", "jackpot", "state")
    search_fields = ("code", "name")
    ordering = ("code",)
    steps = STEPS

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A table: what it plays, what it played before, and what can be done."""
        table = self.looked_at(request, object_id)
        return self.page(
            request, table, "tables/table.html", f"Table {table}", facts=_page_facts(table), columns=COLUMNS,
            caption="How it was set up, newest first",
            rows=[_row(setup) for setup in set_up.setups_of(table)],
        )  # fmt: skip
