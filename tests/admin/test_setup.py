"""Setting a house up in the console: a site by one person, a jackpot and a table by two; and what is refused."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Account
from jackpot.models.sites import Site
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet
from tables.models.tables import Table, TableSetup
from tables.services import houses, rounds
from tests.admin.people import page, staff, step, take, text
from tests.factories import NOW, House, assert_books_agree, caller, jackpot_with, low, play, reported
from tests.factories.set_up import ask_setup, set_up
from tests.unit.builders import usd

KINDS = ("opening", "table", "rule_set")
EVERY = (
    *(f"{verb}_{kind}" for verb in ("ask", "decide") for kind in KINDS), "suspend_table", "add_site", "view_site",
    "view_table", "view_rulesetversion",
)  # fmt: skip
SITE = {"code": "NORTH", "name": "Casino North", "timezone": "Europe/Malta", "day_starts_at": "06:00"}


@pytest.fixture
def ann(db: None) -> Client:
    return staff("ann", *EVERY)


@pytest.fixture
def ben(db: None) -> Client:
    return staff("ben", *EVERY)


def form_of(client: Client, record: Any, name: str, /, **said: Any) -> dict[str, Any]:
    """What a step's form sends as it is opened, with some of it filled in."""
    form = client.get(step(record, name)).context["form"]
    values = {field.html_name: field.value() for field in form}
    return {key: value for key, value in values.items() if value not in (None, False)} | said


def approve(client: Client) -> None:
    """Approve the request that waits."""
    take(client, ChangeRequest.objects.get(decided=None), "approve")


def test_a_house_from_nothing_by_two_people(ann: Client, ben: Client) -> None:
    houses.publish_rule_sets()
    opened = ann.post(reverse("admin:jackpot_site_add"), SITE, follow=True)
    site = Site.objects.get(code="NORTH")
    assert (site.timezone, site.lane.sealed) == ("Europe/Malta", 0)
    assert Account.objects.filter(code="cage:NORTH").exists()
    assert LogEntry.objects.get().action_flag == 1 and "Casino North" in text(opened)

    said = form_of(ann, site, "jackpot", code="GOLD", name="Gold", reason="new", level_0_base="500.00")
    assert ann.post(step(site, "jackpot"), said).status_code == 302
    assert not Jackpot.objects.exists()
    shown = ben.get(page(ChangeRequest.objects.get())).content.decode()
    for setting in ("People who approve", "Level main: increment rate", "Pay table flush: odds for one", "500.00"):
        assert setting in shown, "who approves sees all that comes into force, by name"
    assert "Policy." not in shown and "Stands now" not in shown
    approve(ben)
    gold = Jackpot.objects.get()
    assert (gold.code, gold.home_site, gold.levels.get().meter) == ("GOLD", site, usd("500.00"))

    take(ann, site, "table", code="N-01", currency="USD", rule_set="casino-progressive", jackpot="GOLD",
         reason="new_table")  # fmt: skip
    assert not Table.objects.exists()
    approve(ben)
    table = Table.objects.get()
    assert (table.jackpot, table.lane, table.state) == (gold, gold.lane, "open")
    assert "N-01" in text(ann.get(page(site)))
    play(reported(low(1), table="N-01"), by=caller("NORTH"))
    assert Round.objects.get().phase == "settled"
    assert_books_agree()


@pytest.mark.parametrize(
    ("wrong", "at"),
    [
        ({"code": "no code"}, "code"),
        ({"timezone": "Mars/Base"}, "timezone"),
        ({"timezone": "localtime"}, "timezone"),
        ({"day_starts_at": "noon"}, "day_starts_at"),
        ({"code": "DEMO"}, "code"),
    ],
)
def test_a_site_is_refused_at_its_fields(wrong: dict[str, str], at: str, demo: House, ann: Client) -> None:
    answer = ann.post(reverse("admin:jackpot_site_add"), SITE | wrong)
    assert answer.status_code == 400
    assert at in answer.context["form"].errors
    assert (Site.objects.count(), LogEntry.objects.count()) == (1, 0)


def test_without_the_permission_no_site_is_opened(demo: House) -> None:
    dee = staff("dee", "view_site")
    assert dee.put(reverse("admin:jackpot_site_add"), SITE).status_code == 403
    assert dee.get(reverse("admin:jackpot_site_add")).status_code == 403
    assert dee.post(reverse("admin:jackpot_site_add"), SITE).status_code == 403
    assert Site.objects.count() == 1


def test_who_asked_does_not_approve(demo: House, ann: Client) -> None:
    table = demo.table()
    take(ann, table, "setup", jackpot="", rule_set="casino-progressive", reason="unlink")
    request = ChangeRequest.objects.get()
    answer = take(ann, request, "approve", status=403)
    assert "another person must decide" in text(answer)
    assert TableSetup.objects.filter(table=table).count() == 1


def test_a_table_goes_to_another_jackpot_and_shows_what_it_was(demo: House, ann: Client, ben: Client) -> None:
    other = jackpot_with(code="OTHER", site=demo.site, tables=())
    take(ann, demo.table(), "setup", jackpot="OTHER", rule_set="casino-progressive", reason="link")
    waits = text(ann.get(page(demo.table())))
    assert "Waits for a decision" in waits
    approve(ben)
    assert demo.table().jackpot == other
    shown = text(ann.get(page(demo.table())))
    for part in ("OTHER", "MAIN", "a command", "ann", "ben", "casino-progressive@1"):
        assert part in shown, part
    assert_books_agree()


def test_a_round_that_is_not_settled_stands_in_the_way(demo: House, ben: Client) -> None:
    request_id = ask_setup(demo.table(), link=None)
    rounds.open_round(caller=caller(), table_code="UTH-01", external_id=None, now=NOW)
    request = ChangeRequest.objects.get(pk=request_id)
    number = Round.objects.get().game_number
    assert number in text(ben.get(page(request)))
    answer = take(ben, request, "approve", status=409)
    assert f"not settled: {number}" in text(answer)
    assert demo.table().jackpot == demo.jackpot


def test_a_table_is_suspended_and_resumed_on_record(demo: House, ann: Client) -> None:
    table = demo.table()
    assert "offered" not in text(take(ann, table, "suspend", status=400))
    take(ann, table, "suspend", note="cards are changed")
    assert demo.table().state == "suspended"
    assert "open to suspended: cards are changed" in LogEntry.objects.get().get_change_message()
    take(ann, table, "suspend", status=409, note="again")
    take(ann, table, "resume", note="done")
    assert demo.table().state == "open"


@pytest.mark.parametrize(
    ("name", "said", "at"),
    [
        ("table", {"code": "UTH-01"}, "code"),
        ("table", {"code": "a b"}, "code"),
        ("table", {"currency": "XXX"}, "currency"),
        ("table", {"currency": "JPY", "jackpot": ""}, "rule_set"),
        ("table", {"currency": "EUR"}, "jackpot"),
        ("table", {"reason": "other"}, "note"),
        ("jackpot", {"code": "MAIN"}, "code"),
        ("jackpot", {"currency": "XXX"}, "currency"),
        ("jackpot", {"level_0_base": "1.001"}, "level_0_base"),
        ("jackpot", {"flush_value": "many"}, "flush_value"),
    ],
)
def test_what_is_asked_is_refused_at_its_field(
    name: str, said: dict[str, str], at: str, demo: House, ann: Client
) -> None:  # fmt: skip
    well = {"code": "NEW-1", "name": "New", "reason": "new" if name == "jackpot" else "new_table", "jackpot": "MAIN",
            "rule_set": "casino-progressive"}  # fmt: skip
    answer = ann.post(step(demo.site, name), form_of(ann, demo.site, name) | well | said)
    assert answer.status_code in (400, 422), answer.status_code
    assert at in answer.context["form"].errors, answer.context["form"].errors
    assert not ChangeRequest.objects.exists()


def test_levels_follow_from_their_codes_and_nothing_is_asked_meanwhile(demo: House, ann: Client) -> None:
    said = form_of(ann, demo.site, "jackpot", level_codes="mega, minor", preview="1")
    shown = ann.post(step(demo.site, "jackpot"), said)
    assert shown.status_code == 200
    form = shown.context["form"]
    assert {"level_0_base", "level_1_base"} <= form.fields.keys() and not form.errors.get("code")
    assert not ChangeRequest.objects.exists()


def test_a_policy_shows_what_it_returns(demo: House, ann: Client) -> None:
    """numbers.md: 53.056915% and 2.924247 points per 10,000 of the meter; break-even 160,530.53."""
    shown = text(ann.get(step(demo.site, "jackpot")))
    for part in ("55.981162%", "160530.53 USD", "2.871456%", "0.569459%", "1 in 34.8255"):
        assert part in shown, part
    figures = reverse("console:opening_figures", args=[demo.site.pk])
    said = form_of(ann, demo.site, "jackpot", level_0_limit="20000.00", royal_flush_value="100%")
    assert "58.905408%" in text(ann.get(figures, said))  # at the limit
    assert "Put right" in text(ann.get(figures, said | {"flush_value": "many"}))
    policy = staff("pia", "ask_policy").get(step(demo.jackpot, "policy"))
    assert "160530.53 USD" in text(policy)
    said = form_of(ann, demo.site, "jackpot", level_codes="main, other", preview="1")
    assert "Put right" not in text(ann.post(step(demo.site, "jackpot"), said))


def test_figures_are_for_who_may_look(demo: House, ann: Client) -> None:
    dee = staff("dee")
    at = reverse("console:opening_figures", args=[demo.site.pk])
    assert dee.get(at).status_code == 403
    assert Client().get(at).status_code == 302
    assert ann.post(at).status_code == 405
    assert ann.get(reverse("console:opening_figures", args=[0])).status_code == 404


def test_no_step_is_offered_to_who_may_not(demo: House) -> None:
    dee = staff("dee", "view_site", "view_table", "view_rulesetversion")
    version = RuleSet.objects.get(code="casino-progressive").versions.get()
    for record, names in (
        (demo.site, ("table", "jackpot")),
        (demo.table(), ("setup", "suspend")),
        (version, ("next",)),
    ):
        assert "console-steps" not in text(dee.get(page(record)))
        for name in names:
            assert dee.get(step(record, name)).status_code == 403
            assert dee.post(step(record, name), {"note": "n"}).status_code == 403


def test_a_list_of_tables_shows_each(demo: House, ann: Client) -> None:
    set_up(demo.table(), link=None, at=NOW + timedelta(hours=1))
    shown = text(ann.get(reverse("admin:tables_table_changelist")))
    assert shown.count("UTH-0") >= 4 and "LIVE-01" in shown
