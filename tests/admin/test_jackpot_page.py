"""A jackpot's pages: the statement with its balance, roll-forward, policy versions, readings and chain."""

import re
from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from jackpot.admin import jackpot_pages, statement
from jackpot.admin.policy_words import in_words, named
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Link, StatementRow
from jackpot.money import currency, displayed, parse_exact
from jackpot.selectors import ranges
from jackpot.services import readings
from tests.api.reporting import AFTER, BEFORE, DAY, NOON, report, small_day, table
from tests.factories import change_policy, close_until, low, play, reported
from tests.owner import as_owner

USD = currency("USD")


@pytest.fixture
def link(db: None) -> Jackpot:
    return small_day()


@pytest.fixture
def staff(link: Jackpot) -> Client:
    return client_with("view_jackpot", "view_round", "view_award")


def client_with(*permissions: str) -> Client:
    user = User.objects.create_user("dee", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def address(link: Jackpot, name: str) -> str:
    return reverse(f"admin:jackpot_jackpot_{name.replace('-', '_')}", args=[link.pk])


def shown(client: Client, link: Jackpot, name: str, query: str = "") -> Any:
    answer = client.get(f"{address(link, name)}?{query}")
    assert answer.status_code == 200
    return answer


def text(cell: object) -> str:
    return unescape(re.sub("<[^>]+>", "", str(cell)))


def test_the_statement_is_the_rows_with_their_running_balance(link: Jackpot, staff: Client) -> None:
    for pot in ("meter", "reserve", "overflow"):
        page = shown(staff, link, "statement", f"pot={pot}").context["page"]
        rows = StatementRow.objects.filter(level__jackpot=link, pot=pot).order_by("-seq")
        assert [(row[0], parse_exact(row[2].lstrip("+"), USD), parse_exact(row[3], USD)) for row in page.rows] == [
            (row.seq, row.amount, row.after) for row in rows
        ]
        for newer, older in zip(page.rows, page.rows[1:], strict=False):
            assert parse_exact(newer[3], USD) == parse_exact(older[3], USD) + parse_exact(newer[2].lstrip("+"), USD)


def test_each_row_leads_to_what_it_is_of(link: Jackpot, staff: Client) -> None:
    page = shown(staff, link, "statement").content.decode()
    found = set(re.findall('href="(/admin/tables/round/[^"]+)"', page))
    assert len(found) >= 3
    for one in found:
        assert staff.get(one).status_code == 200


@pytest.mark.parametrize(("query", "kinds"), [
    ("kind=award", {"award"}), (f"day={BEFORE}", {"reset"}), (f"day={DAY}&kind=contribution", {"contribution"}),
])  # fmt: skip
def test_the_statement_is_filtered_by_day_and_kind(query: str, kinds: set[str], link: Jackpot, staff: Client) -> None:
    rows = shown(staff, link, "statement", query).context["page"].rows
    assert rows and {row[1] for row in rows} == kinds


def test_pages_of_the_statement_follow_each_other(
    link: Jackpot, staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statement, "ROWS", 2)
    last = shown(staff, link, "statement").context["page"]
    found = [row[0] for row in last.rows]
    while last.older is not None:
        last = shown(staff, link, "statement", last.older).context["page"]
        found += [row[0] for row in last.rows]
    last_seq = Level.objects.get(jackpot=link).meter_seq
    assert found == list(range(last_seq, 0, -1))
    back = shown(staff, link, "statement", last.newer).context["page"]
    assert back.rows[-1][0] == last.rows[0][0] + 1
    assert shown(staff, link, "statement").context["page"].newer is None


@pytest.mark.parametrize("query", ["level=none", "pot=purse", "kind=luck", "day=soon", "before=0"])
def test_what_is_asked_wrongly_is_said(query: str, link: Jackpot, staff: Client) -> None:
    answer = staff.get(f"{address(link, 'statement')}?{query}")
    assert answer.status_code == 400 and b"<table" not in answer.content


def test_a_day_rolls_forward_as_its_report_says(link: Jackpot, staff: Client) -> None:
    context = shown(staff, link, "roll-forward", f"first={DAY}&last={DAY}").context
    said = table(report(staff, "roll-forward"), "level", "pot", "opening", "closing")
    closing = list(context["columns"]).index("Closing")
    assert [(row[0], row[1], row[2], row[closing]) for row in context["rows"]] == said
    assert context["agrees"]


def test_days_together_are_the_days_added_up_through_closings(link: Jackpot) -> None:
    days = [BEFORE, DAY, AFTER]
    for _ in range(2):
        whole = ranges.pots_over(link, BEFORE, AFTER)
        single = [{(pot.level, pot.pot): pot for pot in ranges.pots_over(link, day, day)} for day in days]
        for pot in whole:
            key = (pot.level, pot.pot)
            assert (pot.opening, pot.closing) == (single[0][key].opening, single[-1][key].closing)
            assert pot.difference == pot.opening_difference == 0
            for kind in {kind for one in single for kind in one[key].by_kind}:
                assert pot.by_kind.get(kind, 0) == sum(one[key].by_kind.get(kind, 0) for one in single)
        close_until(link.home_site, DAY)


@pytest.mark.parametrize(
    "query", [f"first={AFTER}&last={DAY}", f"first={DAY - timedelta(days=400)}&last={DAY}", "first=x"]
)
def test_a_range_runs_forward_and_not_for_ever(query: str, link: Jackpot, staff: Client) -> None:
    assert staff.get(f"{address(link, 'roll-forward')}?{query}").status_code == 400


def test_versions_stand_beside_each_other_and_say_what_differs(link: Jackpot, staff: Client) -> None:
    change_policy(link, at=NOON, base="500.00")
    context = shown(staff, link, "policies").context
    settings = {setting.name: setting for setting in context["settings"]}
    assert settings["Level main: base"].values == [("10000.00 USD", False), ("500.00 USD", True)]
    assert [name for name, setting in settings.items() if setting.differs] == ["Level main: base"]
    page = shown(staff, link, "policies").content.decode()
    assert "≠ 500.00 USD" in page and "asked by ann, approved by ben" in page
    assert [one.version for one in shown(staff, link, "policies", "version=1").context["shown"]] == [1]


def test_settings_are_in_words_and_money() -> None:
    assert in_words("levels.main.increment_ppm", "200000", USD) == "200000 ppm (20%)"
    assert in_words("levels.main.increment_ppm", "12345", USD) == "12345 ppm (1.2345%)"
    assert in_words("envy_table.royal_flush", "1000.00", USD) == "1000.00 USD"
    assert in_words("levels.main.limit", None, USD) == "–"
    assert named("progressive_table.full_house.odds") == "Pay table full house: odds for one"


def test_readings_stand_against_the_row_that_was_true(link: Jackpot, staff: Client) -> None:
    level, now = Level.objects.get(jackpot=link), timezone.now()
    ann, off = User.objects.create_superuser("ann"), displayed(level.meter) + 10**8
    readings.enter_reading(level=level, shown=off, read_at=now, by=ann, now=now)
    [row] = shown(staff, link, "readings").context["rows"]
    assert row[4] == "1.00 USD" and row[6].startswith("no: tolerance")
    assert f">{level.meter_seq}</a>" in row[5]
    assert (
        shown(staff, link, "statement", f"before={level.meter_seq + 1}").context["page"].rows[0][0] == level.meter_seq
    )


def test_the_last_link_is_recomputed_and_nothing_is_claimed_of_others(link: Jackpot, staff: Client) -> None:
    context = shown(staff, link, "chain").context
    assert context["good"] and "it is what was sealed. Earlier links: run verify" in context["verdict"]
    assert context["rows"][0][4] == bytes(Link.objects.filter(lane__jackpot=link).latest("seq").digest).hex()
    with as_owner(past_guards=True) as cursor:
        cursor.execute("UPDATE jackpot_entry SET reason = 'x' WHERE lane_id = %s", [link.lane.pk])
    context = shown(staff, link, "chain").context
    assert not context["good"] and "NOT what was sealed" in context["verdict"]


def test_a_link_that_is_too_long_is_not_claimed_to_be_recomputed(
    link: Jackpot, staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jackpot_pages, "RECOMPUTED", 0)
    assert shown(staff, link, "chain").context["verdict"].startswith("not recomputed here")


def test_pages_are_looked_at_by_those_who_may(link: Jackpot) -> None:
    client, other = client_with("view_jackpot"), Client()
    other.force_login(User.objects.create_user("eve", is_staff=True))
    for name in jackpot_pages.PAGES:
        assert client.get(address(link, name)).status_code == 200
        assert client.post(address(link, name)).status_code == 405
        assert other.get(address(link, name)).status_code == 403
        assert Client().get(address(link, name)).status_code == 302
        assert client.get(address(link, name).replace(f"/{link.pk}/", "/999999/")).status_code == 404


@pytest.mark.parametrize("name", jackpot_pages.PAGES)
def test_queries_do_not_grow(name: str, link: Jackpot, staff: Client) -> None:
    shown(staff, link, name)
    with CaptureQueriesContext(connection) as few:
        shown(staff, link, name)
    play(*(reported(low(1), table="T-01", at=timezone.now()) for _ in range(20)))
    with CaptureQueriesContext(connection) as many:
        shown(staff, link, name)
    assert len(many) == len(few) < 30


def test_the_overview_leads_to_the_pages_and_shows_states(link: Jackpot, staff: Client) -> None:
    page = staff.get(reverse("admin:jackpot_jackpot_change", args=[link.pk])).content.decode()
    for name in jackpot_pages.PAGES:
        assert f'href="{address(link, name)}"' in page
    assert "It has been active since it was opened." in page


def test_days_of_the_future_have_nothing(link: Jackpot, staff: Client) -> None:
    context = shown(staff, link, "roll-forward", f"first={date(2030, 1, 1)}&last={date(2030, 1, 2)}").context
    assert context["agrees"] and {row[2] for row in context["rows"]} == {row[-4] for row in context["rows"]}
