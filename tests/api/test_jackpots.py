"""Jackpots, statement and awards: every figure of the contract's round, and what others may see of it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from jackpot import services as jackpot
from jackpot.domain.callers import Scope
from jackpot.models.jackpots import Jackpot
from tests.api.floor import EXAMPLE, ROUNDS, Json, example, key_client, settled
from tests.api.test_problems import problem
from tests.factories import jackpot_with, table_with

MAIN = "/api/v1/jackpots/MAIN/"
AWARDS = "/api/v1/awards/"


@pytest.fixture
def played(acme: Client) -> Json:
    return settled(acme, EXAMPLE)


def test_a_jackpot(acme: Client, played: Json) -> None:
    found = acme.get(MAIN).json()
    (level,) = found.pop("levels")
    assert found == {
        "code": "MAIN", "name": "Main progressive", "currency": "USD", "state": "active", "policy": "MAIN@1",
        "pending_hits": 1,
    }  # fmt: skip
    assert level.pop("as_of").endswith("Z")
    assert level == {
        "level": "main", "displayed": "10000.00", "exact": "10000.00000000", "base": "10000.00", "limit": None,
        "reserve": "0.00000000", "overflow": "0.00000000", "seq": 4, "last_hit": "2026-11-29T14:24:10Z",
    }  # fmt: skip


def statement(client: Client, query: str = "") -> list[Json]:
    rows: list[Json] = client.get(f"{MAIN}statement/?{query}").json()["results"]
    return rows


def test_the_statement(acme: Client, played: Json) -> None:
    rows = statement(acme)
    ref = f"round:{played['id']}"
    assert [(row["pot"], row["seq"], row["kind"], row["amount"], row["source"]) for row in rows] == [
        ("reserve", 2, "reset", "-0.04000000", f"{ref}:v1:hit1"),
        ("meter", 4, "reset", "10000.00000000", f"{ref}:v1:hit1"),
        ("meter", 3, "award", "-10000.40000000", f"{ref}:v1"),
        ("reserve", 1, "contribution", "0.04000000", ref),
        ("meter", 2, "contribution", "0.40000000", ref),
        ("meter", 1, "reset", "10000.00000000", None),
    ]
    assert {name: value for name, value in rows[2].items() if name != "posted_at"} == {
        "seq": 3, "level": "main", "pot": "meter", "kind": "award", "amount": "-10000.40000000",
        "before": "10000.40000000", "after": "0.00000000", "reason": None, "source": f"{ref}:v1", "table": "UTH-01",
        "event_at": "2026-11-29T14:24:10Z", "gaming_day": rows[2]["gaming_day"],
    }  # fmt: skip


def test_of_what_others_caused_there_are_kind_amounts_and_time(acme: Client, rival: Client, played: Json) -> None:
    mine, theirs = statement(acme), statement(rival)
    assert [row["source"] for row in theirs] == [row["table"] for row in theirs] == [None] * 6
    hidden = {"source": None, "table": None}
    assert [row | hidden for row in mine] == theirs
    assert statement(rival, "table=UTH-01") == []
    assert len(statement(acme, "table=UTH-01")) == 5


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("pot=meter", 4), ("kind=award", 1), ("level=main", 6), ("level=none", 0), ("pot=reserve&kind=reset", 1),
        # at 14:24:10 the level was funded and the royal hit: funding, award, reset of meter and of reserve
            ("from=2026-11-29T14:24:10Z", 4), ("to=2026-11-29T14:24:10Z", 2),
    ],
)  # fmt: skip
def test_filters_of_the_statement(query: str, count: int, acme: Client, played: Json) -> None:
    assert len(statement(acme, query)) == count


def test_pages_of_the_statement_hold_every_row_once(
    acme: Client, played: Json, django_assert_num_queries: Callable[..., Any]
) -> None:
    seen: list[Json] = []
    address = f"{MAIN}statement/?page_size=1"
    while address:
        with django_assert_num_queries(6):  # key, links, jackpot, levels, policies, rows
            page = acme.get(address).json()
        seen, address = seen + page["results"], page["next"]
    assert seen == statement(acme)


def test_awards(acme: Client, played: Json) -> None:
    envy, hit = acme.get(AWARDS).json()["results"]
    (shown,) = played["settlement"]["awards"]
    assert {name: hit[name] for name in shown} == shown
    assert hit == shown | {
        "jackpot": "MAIN", "round": played["id"], "table": "UTH-01", "player": "P-17", "currency": "USD", "hit": None,
        "from_box": None, "policy": "MAIN@1", "late": False, "hit_at": "2026-11-29T14:24:10Z",
        "moves": [], "difference_of": None,
    }  # fmt: skip
    assert envy == hit | {
        "id": envy["id"], "kind": "envy", "box": 2, "player": "P-18", "level": None, "amount": "1000.00",
        "meter_before": None, "meter_after": None, "reset_to": None, "seq": None, "hit": hit["id"], "from_box": 1,
    }  # fmt: skip
    assert acme.get(f"{AWARDS}{envy['id']}/").json() == envy
    assert acme.get(f"{AWARDS}?round={played['id']}").json()["results"] == [envy, hit]


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("kind=hit", ["hit"]), ("kind=envy", ["envy"]), ("state=pending", ["envy", "hit"]), ("state=paid", []),
        ("player=P-18", ["envy"]), ("hand=royal_flush", ["envy", "hit"]), ("table=UTH-02", []),
        ("site=DEMO", ["envy", "hit"]), ("site=OTHER", []), ("jackpot=MAIN", ["envy", "hit"]),
        ("from=2026-11-29T14:24:11Z", []), ("day=2026-11-29", ["envy", "hit"]), ("day=2026-11-28", []),
        ("round=00000000-0000-7000-8000-000000000000", []),
    ],
)  # fmt: skip
def test_filters_of_awards(query: str, kinds: list[str], acme: Client, played: Json) -> None:
    assert [award["kind"] for award in acme.get(f"{AWARDS}?{query}").json()["results"]] == kinds


def test_a_page_of_awards_costs_three_queries(
    acme: Client, played: Json, django_assert_num_queries: Callable[..., Any]
) -> None:
    for size in (1, 500):
        with django_assert_num_queries(3):  # key, awards, moves
            acme.get(f"{AWARDS}?page_size={size}")


def test_what_is_anothers_does_not_exist(acme: Client, rival: Client, played: Json) -> None:
    hit = acme.get(AWARDS).json()["results"][1]["id"]
    problem(rival.get(f"{AWARDS}{hit}/"), 404, "not_found")
    problem(rival.get(f"{ROUNDS}{played['id']}/"), 404, "not_found")
    problem(rival.get(f"{ROUNDS}{played['id']}/boxes/"), 404, "not_found")
    for address in (AWARDS, f"{AWARDS}?round={played['id']}", ROUNDS, f"{ROUNDS}?table=UTH-01", f"{ROUNDS}?player=P-17",
                    f"{ROUNDS}?external_id=gs-000123", f"{ROUNDS}?hand=royal_flush"):  # fmt: skip
        assert rival.get(address).json()["results"] == []


def test_a_key_of_another_site_sees_neither_rounds_nor_the_jackpot(acme: Client, played: Json) -> None:
    there, other = jackpot.open_site(code="THERE", name="There"), jackpot.open_site(code="OTHER", name="Other")
    abroad = key_client("Acme", sites=["THERE"])
    problem(abroad.get(MAIN), 404, "not_found")
    problem(abroad.get(f"{MAIN}statement/"), 404, "not_found")
    problem(abroad.get(f"{ROUNDS}{played['id']}/"), 404, "not_found")
    for address in ("/api/v1/jackpots/", AWARDS, ROUNDS, "/api/v1/tables/"):
        assert abroad.get(address).json()["results"] == []
    problem(abroad.post(ROUNDS, EXAMPLE, content_type="application/json"), 422, "unknown_table")

    table_with("THERE-01", site=there, link=Jackpot.objects.get(code="MAIN"))
    jackpot_with(code="ELSEWHERE", site=other)
    assert [found["code"] for found in abroad.get("/api/v1/jackpots/").json()["results"]] == ["MAIN"]
    assert {row["source"] for row in statement(abroad)} == {None}
    settled(abroad, example(table="THERE-01", external_id="there"))
    assert {row["table"] for row in statement(abroad)} == {None, "THERE-01"}


@pytest.mark.parametrize(
    ("scope", "address"),
    [
        (Scope.JACKPOTS_READ, "/api/v1/jackpots/"), (Scope.JACKPOTS_READ, MAIN),
        (Scope.JACKPOTS_READ, f"{MAIN}statement/"), (Scope.JACKPOTS_READ, AWARDS), (Scope.ROUNDS_READ, ROUNDS),
        (Scope.ROUNDS_READ, "/api/v1/tables/"), (Scope.ROUNDS_READ, "/api/v1/rule-sets/practice/"),
    ],
)  # fmt: skip
def test_scopes(scope: Scope, address: str, acme: Client) -> None:
    assert key_client("Only", scopes=[scope]).get(address).status_code == 200
    others = [other for other in Scope if other is not scope]
    problem(key_client("Others", scopes=others).get(address), 403, "scope_required")
    problem(Client().get(address), 401, "unauthenticated")


def test_writing_needs_its_scope(acme: Client) -> None:
    reader = key_client("Reader", scopes=[scope for scope in Scope if scope is not Scope.ROUNDS_WRITE])
    for address in (ROUNDS, f"{ROUNDS}batch/", "/api/v1/tables/UTH-01/rounds/"):
        problem(reader.post(address, {}, content_type="application/json"), 403, "scope_required")


@pytest.mark.parametrize("address", ["/api/v1/", "/api/v1/nothing/", "/api/v1/rounds", "/api/v2/rounds/"])
def test_unknown_addresses_speak_problem_json(address: str, acme: Client) -> None:
    problem(acme.get(address), 404, "not_found")


def test_wrong_methods_speak_problem_json(acme: Client) -> None:
    found = acme.delete(ROUNDS)
    problem(found, 405, "method_not_allowed")
    problem(acme.get("/api/v1/rounds/batch/"), 405, "method_not_allowed")
