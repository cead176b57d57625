"""Who may read which report, what a key sees of it, and what may be asked."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from jackpot.domain.callers import Scope
from jackpot.http.reports.renderers import XLSX
from jackpot.models.jackpots import Jackpot
from tests.api.floor import key_client, rows
from tests.api.reporting import ALL, DAY, NOON, report, site_with_days, small_day, table
from tests.api.test_problems import problem
from tests.factories import caller, jackpot_with, low, play, reported

Keys = Callable[..., Client]


@pytest.fixture
def link(db: None) -> Jackpot:
    return small_day()


@pytest.fixture
def staff(db: None) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("auditor", is_staff=True))
    return client


@pytest.fixture
def acme(link: Jackpot) -> Client:
    """Plays at T-01, at home of the jackpot."""
    return key_client("Acme", ["HOME"])


@pytest.fixture
def rival(link: Jackpot) -> Client:
    """Plays at T-02, at the other site."""
    return key_client("Rival", ["AWAY"])


@pytest.mark.parametrize("name", ["expected-posted", "tables"])
def test_of_rounds_a_key_reads_its_own(name: str, acme: Client, rival: Client) -> None:
    assert {row["table"] for row in report(acme, name)["rows"]} == {"T-01"}
    assert {row["table"] for row in report(rival, name)["rows"]} == {"T-02"}
    stranger = key_client("Stranger", ["HOME", "AWAY"])
    assert report(stranger, name)["rows"] == []


def test_what_a_bet_came_to_by_accrual_is_of_own_rounds(acme: Client, staff: Client) -> None:
    """Another integrator plays at the same table."""
    before = report(acme, "tables")["rows"]
    play(reported(low(1), table="T-01", at=NOON + timedelta(minutes=9)), by=caller("HOME", integrator="Third"))
    assert report(acme, "tables")["rows"] == before
    (progressive,) = [row for row in report(staff, "tables", "site=HOME")["rows"] if row["bet"] == "progressive"]
    assert (progressive["wagers"], progressive["accrual_result"]) == (3, "-997.66000000")


@pytest.mark.parametrize("name", ["awards", "liabilities"])
def test_of_awards_a_key_reads_its_own_and_nothing_of_the_ledger(name: str, acme: Client, rival: Client) -> None:
    found = report(acme, name)
    assert len(found["rows"]) == 2
    assert found["totals"] == {"currency": "USD", "amount": "11000.40"}
    assert report(rival, name)["rows"] == []
    assert report(rival, name)["totals"]["amount"] == "0.00"


def test_duplicates_of_two_integrators_are_none_of_either(staff: Client, acme: Client) -> None:
    for integrator in ("Acme", "Third"):
        play(reported(low(7), table="T-01", at=NOON + timedelta(hours=3)), by=caller("HOME", integrator=integrator))
    assert len(report(staff, "duplicates")["rows"]) == 1
    assert report(acme, "duplicates")["rows"] == report(key_client("Third", ["HOME"]), "duplicates")["rows"] == []


def test_the_roll_forward_is_whole_for_all_who_see_the_jackpot(staff: Client, acme: Client, rival: Client) -> None:
    found = [report(client, "roll-forward")["rows"] for client in (staff, acme, rival)]
    assert found[0] == found[1] == found[2]


def test_by_site_names_own_sites_and_puts_the_others_together(acme: Client, rival: Client, staff: Client) -> None:
    columns = ("site", "contributed", "hits")
    home, away = ("HOME", "0.44000000", 1), ("AWAY", "0.44000000", 0)
    assert table(report(staff, "by-site"), *columns) == [away, home]
    assert table(report(acme, "by-site"), *columns) == [home, ("all others", *away[1:])]
    assert table(report(rival, "by-site"), *columns) == [away, ("all others", *home[1:])]
    assert table(report(acme, "by-site", "site=HOME"), *columns) == [home]
    third = key_client("Third", ["HOME"])
    assert table(report(third, "by-site"), *columns) == [("all others", "0.88000000", 1)]
    assert table(report(third, "by-site", "site=HOME"), *columns) == []


def test_changes_of_what_a_key_plays(acme: Client, link: Jackpot) -> None:
    jackpot_with(code="OTHER", site=site_with_days("THERE", DAY), tables=("X-01",))
    first = report(acme, "changes", "site=HOME", day="2019-12-31")
    assert {row["subject"] for row in first["rows"]} == {"LINK@1", "casino-progressive@1"}
    for place in ("jackpot=OTHER", "site=THERE"):
        problem(acme.get(f"/api/v1/reports/changes/?day=2019-12-31&{place}"), 404, "not_found")


@pytest.mark.parametrize("name", ALL)
def test_who_may_read(name: str, link: Jackpot, staff: Client) -> None:
    address = f"/api/v1/reports/{name}/?day={DAY}&jackpot=LINK"
    others = [scope for scope in Scope if scope is not Scope.REPORTS_READ]
    problem(Client().get(address), 401, "unauthenticated")
    problem(key_client("Acme", ["HOME"], others).get(address), 403, "scope_required")
    assert key_client("Acme", ["HOME"], [Scope.REPORTS_READ]).get(address).status_code == 200
    assert staff.get(address).status_code == 200
    assert staff.get(address.replace("jackpot=LINK", "site=AWAY")).status_code == 200


def test_what_a_key_does_not_see_does_not_exist(acme: Client, staff: Client) -> None:
    for client, place in ((acme, "site=AWAY"), (acme, "jackpot=NONE"), (staff, "site=NONE"), (staff, "jackpot=NONE")):
        problem(client.get(f"/api/v1/reports/tables/?day={DAY}&{place}"), 404, "not_found")
    problem(key_client("Acme", [site_with_days("FAR").code]).get(
        f"/api/v1/reports/roll-forward/?day={DAY}&jackpot=LINK"), 404, "not_found")  # fmt: skip


@pytest.mark.parametrize(
    ("query", "code", "pointer"),
    [
        ("", "missing_field", "/day"), ("day=2026-11-29", "missing_field", "/site"),
        ("site=HOME", "missing_field", "/day"), ("day=29.11.2026&site=HOME", "invalid_time", "/day"),
        ("day=2026-11-31&site=HOME", "invalid_time", "/day"),
        ("day=2026-11-29&site=HOME&jackpot=LINK", "invalid_value", "/jackpot"),
        ("day=2026-11-29&site=", "invalid_value", "/site"), ("day=2026-11-29&jackpot=%00", "invalid_value", "/jackpot"),
        ("day=2026-11-29&site=HOME&site=AWAY", "repeated_field", "/site"),
        ("day=2026-11-29&site=HOME&format=csv", "unknown_field", "/format"),
        ("day=2026-11-29&site=HOME&table=T-01", "unknown_field", "/table"),
    ],
)  # fmt: skip
def test_what_may_be_asked(query: str, code: str, pointer: str, acme: Client) -> None:
    before = rows()
    problem(acme.get(f"/api/v1/reports/tables/?{query}"), 400, code, pointer)
    assert rows() == before


def test_unknown_reports_formats_and_methods(acme: Client) -> None:
    query = f"?day={DAY}&site=HOME"
    for name in ("nothing", "Tables", "roll_forward"):
        problem(acme.get(f"/api/v1/reports/{name}/{query}"), 404, "not_found")
    problem(acme.get(f"/api/v1/reports/tables/{query}", headers={"accept": "application/pdf"}), 406, "not_acceptable")
    problem(acme.post("/api/v1/reports/tables/"), 405, "method_not_allowed")


@pytest.mark.parametrize(("accept", "kind"), [("text/csv", "csv"), (XLSX, "xlsx")])
def test_files_have_a_name(accept: str, kind: str, acme: Client) -> None:
    answer: Any = acme.get(f"/api/v1/reports/roll-forward/?day={DAY}&jackpot=LINK", headers={"accept": accept})
    assert answer["Content-Disposition"] == f'attachment; filename="roll-forward_LINK_2026-11-29.{kind}"'
    assert answer["Content-Type"].startswith(accept)
    assert "Accept" in answer["Vary"]
    assert answer.content[:2] == (b"PK" if kind == "xlsx" else b"# ")


def test_json_is_no_file(acme: Client) -> None:
    assert "Content-Disposition" not in acme.get(f"/api/v1/reports/tables/?day={DAY}&site=HOME")


def test_staff_in_a_browser_get_a_page(staff: Client, link: Jackpot) -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    answer = staff.get(f"/api/v1/reports/tables/?day={DAY}&jackpot=LINK", headers={"accept": browser})
    assert answer["Content-Type"].startswith("text/html")
    assert "hold_percent" in answer.content.decode()


def test_who_takes_problems_only_gets_json(acme: Client) -> None:
    accept = {"accept": "application/problem+json"}
    answer = acme.get(f"/api/v1/reports/tables/?day={DAY}&site=HOME", headers=accept)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
