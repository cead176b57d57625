"""Rounds as they stand in every shape: filters, pages, boxes, and a constant number of queries."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from jackpot import services as jackpot
from jackpot.models.sites import Site
from tables.models.tables import Table
from tests.api.floor import BATCH, EXAMPLE, ROUNDS, Json, box, example, key_client, send, settled
from tests.api.test_problems import problem
from tests.factories import bare_table, rule_set_with, table_with

UNKNOWN = "00000000-0000-7000-8000-000000000000"


@pytest.fixture
def three(acme: Client) -> list[Json]:
    """Three rounds, newest first: two settled at two tables, one that waits."""
    settled(acme, example(external_id="a"))
    settled(
        acme, example(external_id="b", table="UTH-02", started_at="2026-11-29T14:22:34Z", boxes=[box(1, player="Z")])
    )
    send(acme, ROUNDS, example(external_id="c", started_at="2026-11-29T14:22:35Z"))
    found: list[Json] = acme.get(ROUNDS).json()["results"]
    assert [rnd["external_id"] for rnd in found] == ["c", "b", "a"]
    return found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "cba"), ("table=UTH-02", "b"), ("table=UTH-99", ""), ("site=DEMO", "cba"), ("site=OTHER", ""),
        ("phase=settled", "ba"), ("phase=complete", "c"), ("day=2026-11-29", "cba"), ("day=2026-11-28", ""),
        ("player=P-17", "ca"), ("player=Z", "b"), ("hand=royal_flush", "a"), ("hand=pair", "ba"),
        ("hand=royal_flush&player=P-17", "a"), ("hand=royal_flush&player=P-18", ""), ("hand=flush", ""),
        ("external_id=b", "b"), ("game_number=UTH-01-20261129-142233-1", "a"),
        ("from=2026-11-29T14:22:34Z", "cb"), ("to=2026-11-29T14:22:34Z", "a"),
        ("from=2026-11-29T15:22:34%2B01:00&to=2026-11-29T14:22:35Z", "b"), ("page_size=1", "c"),
    ],
)  # fmt: skip
def test_filters(query: str, found: str, acme: Client, three: list[Json]) -> None:
    page = acme.get(f"{ROUNDS}?{query}").json()
    assert list(page) == ["next", "previous", "results"]
    assert "".join(rnd["external_id"] for rnd in page["results"]) == found


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("phase=open", "invalid_value"), ("day=29.11.2026", "invalid_time"), ("hand=royal", "invalid_value"),
        ("from=2026-11-29T14:22:34", "invalid_time"), ("sort=id", "unknown_field"), ("player=", "invalid_value"),
        ("player=%00", "invalid_value"), ("page_size=501", "invalid_value"), ("format=json", "unknown_field"),
        ("table=a&table=b", "repeated_field"),
    ],
)  # fmt: skip
def test_filters_that_are_none(query: str, code: str, acme: Client) -> None:
    problem(acme.get(f"{ROUNDS}?{query}"), 400, code)


def test_a_round_is_read_as_it_is_listed(acme: Client, three: list[Json]) -> None:
    for listed in three:
        assert acme.get(f"{ROUNDS}{listed['id']}/").json() == listed
    problem(acme.get(f"{ROUNDS}{UNKNOWN}/"), 404, "not_found")
    problem(acme.get(f"{ROUNDS}x/"), 404, "not_found")
    problem(acme.get(f"{ROUNDS}{three[0]['id']}/?full=1"), 400, "unknown_field")


def test_a_page_costs_the_same_queries_however_many_rounds(
    acme: Client, three: list[Json], django_assert_num_queries: Callable[..., Any]
) -> None:
    """Of what waits four; with rounds that are settled two more, and where they owe awards one more."""
    asked = {
        "?page_size=1": 4,  # key, rounds, boxes, events
        f"{three[1]['id']}/": 6,  # results, which awards there are
        f"{three[2]['id']}/": 7,  # these awards
        "?page_size=500": 7,
    }
    for address, queries in asked.items():
        with django_assert_num_queries(queries):
            acme.get(f"{ROUNDS}{address}")
    with django_assert_num_queries(5):  # key, round, boxes, results, awards
        acme.get(f"{ROUNDS}{three[1]['id']}/boxes/")


def test_a_void_round(acme: Client) -> None:
    """As sent, with more cards than a flop has; its stakes come back, its contributions only where it was locked."""
    found = settled(acme, example(
        void={"reason": "card_count", "note": "six on the board"}, locked_at=..., flop=["Qs", "Js", "Ks", "As"],
        dealer=["2d", "2d", "2d"], boxes=[box(1)],
    ))  # fmt: skip
    assert (found["phase"], found["locked_at"], found["flop"]) == ("void", None, ["Qs", "Js", "Ks", "As"])
    settlement = found["settlement"]
    assert settlement["dealer"] is None
    assert [settlement["boxes"][0][name] for name in ("hand", "best", "progressive_hand")] == [None, None, None]
    assert {wager["outcome"] for wager in settlement["boxes"][0]["wagers"]} == {"refund"}
    assert settlement["totals"] == {"staked": "11.00", "returned": "11.00", "envy": "0.00"}


def test_a_void_round_that_cancels_a_prize(acme: Client) -> None:
    found = settled(acme, example(void={"reason": "malfunction"}))
    assert (found["phase"], found["version"], found["settlement"]) == ("failed", 0, None)
    assert found["problem"]["code"] == "second_person_required"


def test_a_box_that_is_void_for_its_number_of_cards(acme: Client) -> None:
    """It is in nobody's way: the others are settled, its own cards make no hand."""
    found = settled(acme, example(boxes=[box(1, cards=["9s", "9d", "9h"], void="card_count"), box(2)]))
    assert found["boxes"][0]["cards"] == ["9s", "9d", "9h"]
    assert found["boxes"][0]["void"] == {"reason": "card_count", "note": ""}
    outcomes = [{wager["outcome"] for wager in one["wagers"]} for one in found["settlement"]["boxes"]]
    assert outcomes == [{"refund"}, {"lose"}]


def test_a_payout_limit_that_bites_says_so(acme: Client) -> None:
    """Blind 2,500, Ante 5, Play 20, Trips 250 = 2,775.00 of wins under a cap of 277.50: a tenth of each."""
    limit = {"amount": "277.50", "scope": "round"}
    table_with("CAP-01", site=Site.objects.get(code="DEMO"), rules=rule_set_with(payout_limit=limit))
    first = {name: value for name, value in EXAMPLE["boxes"][0].items() if name != "progressive"}
    found = settled(acme, example(table="CAP-01", boxes=[first]))
    wagers = {wager["kind"]: wager for wager in found["settlement"]["boxes"][0]["wagers"]}
    assert {kind: wager["net"] for kind, wager in wagers.items()} == {
        "ante": "0.50", "blind": "250.00", "play": "2.00", "trips": "25.00",
    }  # fmt: skip
    assert all(wager["capped"] is True for wager in wagers.values())
    assert found["jackpot_policy"] is None


def test_a_sandbox_sites_round_is_a_test(acme: Client) -> None:
    site = jackpot.open_site(code="SAND", name="Sandbox", sandbox=True)
    table_with("SAND-01", site=site, rules="practice")
    client = key_client("Acme", sites=["SAND"])
    body = example(table="SAND-01", boxes=[box(1, progressive=...)])
    assert send(client, ROUNDS, body).json()["mode"] == "test"


def test_a_wide_round_has_its_boxes_on_pages_of_their_own(acme: Client) -> None:
    play = {"action": "play", "street": "river", "multiplier": 1}
    boxes = [{"box": n, "player": f"P-{n}", "ante": "5.00", "decision": play} for n in range(1, 102)]
    shared = {"table": "LIVE-01", "player_cards": ["Ac", "Kd"]}
    narrow = settled(acme, example(external_id="100", boxes=boxes[:100], **shared))
    wide = settled(acme, example(external_id="101", boxes=boxes, **shared))
    assert len(narrow["boxes"]) == len(narrow["settlement"]["boxes"]) == 100
    assert "boxes" not in wide and "boxes" not in wide["settlement"]
    assert list(wide["settlement"]) == [name for name in narrow["settlement"] if name != "boxes"]
    assert narrow["settlement"]["totals"]["staked"] == "1500.00"
    assert wide["settlement"]["totals"] == {"staked": "1515.00", "returned": wide_return(narrow), "envy": "0.00"}
    assert acme.get(ROUNDS).json()["results"] == [wide, narrow]
    small = settled(acme, example(external_id="1", boxes=boxes[:1], **shared))
    assert acme.get(ROUNDS).json()["results"] == [small, wide, narrow]  # fewer boxes together than three may have

    address, seen = f"{ROUNDS}{wide['id']}/boxes/?page_size=50", []
    pages = 0
    while address:
        page = acme.get(address).json()
        seen += page["results"]
        address, pages = page["next"], pages + 1
    assert (pages, [one["box"] for one in seen]) == (3, list(range(1, 102)))
    part = seen[0].pop("settlement")
    assert seen[0] == narrow["boxes"][0]
    assert part == narrow["settlement"]["boxes"][0]


def test_what_has_just_come_in_is_answered_as_it_is_read(acme: Client) -> None:
    """It is shown as it was stored, and not read back: the same, whatever is in it."""
    royal, pair = EXAMPLE["boxes"]
    many = [box(n, player=f"P-{n}", cards=..., progressive=...) for n in range(1, 102)]
    sent = [
        example(external_id="plain", completed_at="2026-11-29T15:24:10.123456+01:00"),
        example(external_id="in another order", boxes=[pair, royal]),
        example(external_id="wide", table="LIVE-01", player_cards=["Ac", "Kd"], boxes=many),
        example(external_id="void", void={"reason": "card_count", "note": "six"}, locked_at=..., flop=["Qs"] * 6),
        example(external_id="box void", boxes=[royal, pair | {"void": "other"}]),
        example(external_id="second person", boxes=[royal | {"void": "other"}, pair]),
        example(
            external_id="late", started_at="2020-01-01T10:00:00Z", locked_at=..., completed_at="2020-01-01T10:01:00Z"
        ),
    ]  # fmt: skip
    items = send(acme, BATCH, {"rounds": sent}).json()["results"]
    alone = [send(acme, ROUNDS, body | {"external_id": f"{n}"}).json() for n, body in enumerate(sent)]
    phases = []
    for answered in [*(item["round"] for item in items), *alone]:
        assert json.dumps(acme.get(f"{ROUNDS}{answered['id']}/").json()) == json.dumps(answered)
        phases.append((answered["phase"], answered["late"], "boxes" in answered))
    assert {("complete", False, False), ("complete", True, True), ("void", False, True), ("failed", False, True)} < {
        *phases
    }


def wide_return(narrow: Json) -> str:
    """What 101 equal boxes get back, from what 100 of them did."""
    cents = int(narrow["settlement"]["totals"]["returned"].replace(".", ""))
    return f"{cents * 101 // 100 / 100:.2f}"


def test_best_hands_as_they_are_shown(acme: Client) -> None:
    """In a five-high straight the ace comes last; groups come first."""
    found = settled(acme, example(
        boxes=[box(1, cards=["Ah", "2c"], progressive=...)], flop=["3d", "4s", "5h"], turn="Kd", river="Qc",
        dealer=["9s", "9c"],
    ))["settlement"]  # fmt: skip
    assert found["boxes"][0]["best"] == ["5h", "4s", "3d", "2c", "Ah"]
    assert found["dealer"] == {"hand": "pair", "best": ["9s", "9c", "Kd", "Qc", "5h"], "qualifies": True}


def test_tables(acme: Client, rival: Client, django_assert_num_queries: Callable[..., Any]) -> None:
    opened = send(acme, "/api/v1/tables/UTH-02/rounds/", {}).json()["id"]
    with django_assert_num_queries(4):  # key, tables, versions, open rounds
        listed = acme.get("/api/v1/tables/").json()["results"]
    tables = {table["code"]: table for table in listed}
    assert sorted(tables) == [
        "EARLY-01", "LIVE-01", "ONL-01", "PRAC-01", "UTH-01", "UTH-02", "UTH-03", "UTH-04",
    ]  # fmt: skip
    assert tables["UTH-02"] == {
        "code": "UTH-02", "name": "UTH-02", "site": "DEMO", "state": "open", "rule_set": "casino-progressive@1",
        "jackpot": "MAIN", "open_round": opened,
    }  # fmt: skip
    assert (tables["LIVE-01"]["jackpot"], tables["LIVE-01"]["open_round"]) == (None, None)
    assert rival.get("/api/v1/tables/?table=UTH-02").json()["results"][0]["open_round"] is None


def test_a_rule_set(acme: Client) -> None:
    found = acme.get("/api/v1/rule-sets/casino-fold-early/").json()
    assert list(found) == ["code", "name", "version", "in_force_at", "document", "versions"]
    assert found["document"]["fold_streets"] == ["preflop", "flop", "river"]
    assert found["versions"] == [{"version": 1, "in_force_at": "2020-01-01T00:00:00Z"}]
    problem(acme.get("/api/v1/rule-sets/none/"), 404, "not_found")


def test_a_round_that_could_not_be_settled(acme: Client) -> None:
    """What is wrong inside the service (here: a table without its accounts) is not for its clients to read."""
    bare_table("BARE-01", like=Table.objects.get(code="UTH-01"))
    found = settled(acme, example(table="BARE-01", boxes=[box(1, progressive=...)]))
    assert (found["phase"], found["settlement"]) == ("failed", None)
    assert found["problem"]["code"] == "not_settled"
    assert "float" not in found["problem"]["detail"]
    assert found["events"][-1] == {"kind": "failed", "at": found["events"][-1]["at"], "data": found["problem"]}
