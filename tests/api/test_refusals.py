"""Whatever is wrong with a whole round has its code and pointer, and leaves no row in any table."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.api.floor import BATCH, EXAMPLE, ROUNDS, Json, box, example, rows, send
from tests.api.test_problems import problem

PLAY = {"action": "play", "street": "preflop", "multiplier": 4}


def with_box(**changes: Any) -> Json:
    """The contract's round with its second box changed."""
    return example(boxes=[EXAMPLE["boxes"][0], box(2, **changes)])


SHAPE = {
    "no table": (example(table=...), "missing_field", "/table"),
    "no external id": (example(external_id=...), "missing_field", "/external_id"),
    "null external id": (example(external_id=None), "missing_field", "/external_id"),
    "long external id": (example(external_id="x" * 101), "invalid_value", "/external_id"),
    "no boxes": (example(boxes=...), "missing_field", "/boxes"),
    "boxes that are none": (example(boxes={}), "invalid_value", "/boxes"),
    "no player": (with_box(player=...), "missing_field", "/boxes/1/player"),
    "no ante": (with_box(ante=...), "missing_field", "/boxes/1/ante"),
    "unknown field": (example(tripz="5.00"), "unknown_field", "/tripz"),
    "unknown field of a box": (with_box(tripz="5.00"), "unknown_field", "/boxes/1/tripz"),
    "a status of one's own": (example(phase="settled"), "unknown_field", "/phase"),
    "money as a number": (with_box(ante=5), "invalid_money", "/boxes/1/ante"),
    "money with an exponent": (with_box(ante="1e2"), "invalid_money", "/boxes/1/ante"),
    "too many decimals": (with_box(ante="5.001"), "invalid_money", "/boxes/1/ante"),
    "a time without offset": (example(started_at="2026-11-29T14:22:33"), "invalid_time", "/started_at"),
    "a card that is none": (example(turn="1c"), "invalid_card", "/turn"),
    "a look-alike letter": (with_box(cards=["2c", "\u0410s"]), "invalid_card", "/boxes/1/cards/1"),
    "a card that is a number": (example(flop=["Qs", 7, "Ts"]), "invalid_card", "/flop/1"),
    "cards in one string": (example(dealer="2d2h"), "invalid_card", "/dealer"),
    "an unknown action": (
        with_box(decision={"action": "call", "street": "river"}), "invalid_value", "/boxes/1/decision/action",
    ),
    "a Play without a multiplier": (
        with_box(decision={"action": "play", "street": "river"}), "missing_field", "/boxes/1/decision/multiplier",
    ),
    "a decision on no street": (with_box(decision={"action": "fold"}), "missing_field", "/boxes/1/decision/street"),
    "a multiplier in words": (
        with_box(decision={"action": "play", "street": "river", "multiplier": "1"}),
        "invalid_value", "/boxes/1/decision/multiplier",
    ),
    "a void without a reason": (example(void={"note": "x"}), "missing_field", "/void/reason"),
    "a void for no known reason": (example(void={"reason": "rain"}), "invalid_value", "/void/reason"),
    "a box that is void for no known reason": (with_box(void="rain"), "invalid_value", "/boxes/1/void"),
    "a box without a number": (with_box(box=...), "missing_field", "/boxes/1/box"),
    "a box numbered 0": (with_box(box=0), "invalid_value", "/boxes/1/box"),
}  # fmt: skip
RULES = {
    "unknown table": (example(table="UTH-99"), "unknown_table", "/table"),
    "duplicate card": (example(turn="As"), "duplicate_card", "/turn"),
    "duplicate in another spelling": (with_box(cards=["10\u2660", "7d"]), "duplicate_card", "/flop/2"),
    "four cards on the flop": (example(flop=["Qs", "Js", "Ts", "9s"]), "wrong_card_count", "/flop"),
    "no flop": (example(flop=...), "wrong_card_count", "/flop"),
    "no river": (example(river=...), "wrong_card_count", "/river"),
    "one card in a box": (with_box(cards=["2c"]), "wrong_card_count", "/boxes/1/cards"),
    "more cards than a deck": (example(dealer=["2d"] * 53), "wrong_card_count", "/dealer"),
    "five times the ante": (
        with_box(decision=PLAY | {"multiplier": 5}), "wrong_multiple", "/boxes/1/decision/multiplier",
    ),
    "nothing times the ante": (
        with_box(decision=PLAY | {"multiplier": 0}), "wrong_multiple", "/boxes/1/decision/multiplier",
    ),
    "a fold with a multiplier": (
        with_box(decision={"action": "fold", "street": "river", "multiplier": 1}),
        "wrong_multiple", "/boxes/1/decision/multiplier",
    ),
    "a fold before the flop": (
        with_box(decision={"action": "fold", "street": "preflop"}), "wrong_street", "/boxes/1/decision/street",
    ),
    "a check at the end": (
        with_box(decision={"action": "check", "street": "flop"}), "wrong_street", "/boxes/1/decision/action",
    ),
    "another Blind": (with_box(blind="10.00"), "blind_mismatch", "/boxes/1/blind"),
    "a small ante": (with_box(ante="4.99"), "bet_limit", "/boxes/1/ante"),
    "a high Trips": (with_box(trips="100.01"), "bet_limit", "/boxes/1/trips"),
    "no ante": (with_box(ante="0.00"), "ante_required", "/boxes/1/ante"),
    "nobody": (with_box(player=""), "player_required", "/boxes/1/player"),
    "no box at all": (example(boxes=[]), "ante_required", "/boxes"),
    "a box taken twice": (with_box(box=1), "box_taken", "/boxes/1/box"),
    "a box beyond all tables": (with_box(box=100_001), "unknown_box", "/boxes/1/box"),
    "another Progressive stake": (with_box(progressive="2.00"), "wrong_progressive_stake", "/boxes/1/progressive"),
    "a Progressive without a jackpot": (example(table="PRAC-01"), "no_progressive", "/boxes/0/progressive"),
    "an amount beyond all books": (with_box(ante="1000000000.00"), "amount_too_large", "/boxes/1/ante"),
    "locked before the start": (example(locked_at="2026-11-29T14:22:32Z"), "time_order", "/locked_at"),
    "complete before the lock": (example(completed_at="2026-11-29T14:22:57Z"), "time_order", "/completed_at"),
    "complete in 81 seconds": (example(completed_at="2026-11-29T14:25:31Z"), "time_order", "/completed_at"),
}  # fmt: skip


@pytest.fixture
def unchanged(acme: Client) -> Callable[[], None]:
    before = rows()

    def check() -> None:
        assert rows() == before

    return check


@pytest.mark.parametrize("name", SHAPE)
def test_malformed(name: str, acme: Client, unchanged: Callable[[], None]) -> None:
    body, code, pointer = SHAPE[name]
    found = problem(send(acme, ROUNDS, body), 400, code)
    assert found["errors"][0]["pointer"] == pointer
    unchanged()


@pytest.mark.parametrize("name", RULES)
def test_against_the_rules(name: str, acme: Client, unchanged: Callable[[], None]) -> None:
    body, code, pointer = RULES[name]
    found = problem(send(acme, ROUNDS, body), 422, code)
    assert found["errors"][0]["pointer"] == pointer
    unchanged()


def test_a_minute_ahead_is_a_clock_and_no_error(acme: Client) -> None:
    assert send(acme, ROUNDS, example(completed_at="2026-11-29T14:25:30Z")).status_code == 202


def test_what_is_malformed_is_said_before_the_table_is_looked_for(acme: Client) -> None:
    found = problem(send(acme, ROUNDS, example(table="UTH-99", turn="1c")), 400, "invalid_card")
    assert [error["code"] for error in found["errors"]] == ["invalid_card"]


def test_everything_that_is_wrong_is_said_at_once(acme: Client) -> None:
    body = with_box(ante=5, cards=["2c", "x"], blind="1.00") | {"turn": 3}
    found = problem(send(acme, ROUNDS, body), 400, "invalid_money")
    assert {(error["code"], error["pointer"]) for error in found["errors"]} == {
        ("invalid_money", "/boxes/1/ante"), ("invalid_card", "/boxes/1/cards/1"), ("invalid_card", "/turn"),
    }  # fmt: skip


def test_a_repeated_key_spoils_the_whole_body(acme: Client, unchanged: Callable[[], None]) -> None:
    body = b'{"rounds": [{"table": "UTH-01"}, {"table": "UTH-01", "table": "UTH-02"}]}'
    found = problem(acme.post(BATCH, body, content_type="application/json"), 400, "repeated_field")
    assert found["errors"][0]["pointer"] == "/rounds/1/table"
    unchanged()


@pytest.mark.parametrize(
    ("body", "code"),
    [({}, "missing_field"), ({"rounds": {}}, "invalid_value"), ({"rounds": [{}] * 1_001}, "invalid_value"),
     ({"rounds": [], "more": 1}, "unknown_field")],
)  # fmt: skip
def test_a_batch_that_is_none(body: Json, code: str, acme: Client) -> None:
    problem(send(acme, BATCH, body), 400, code)


def test_bad_items_spoil_no_good_one(acme: Client) -> None:
    items: list[Any] = [
        example(external_id="a"), example(external_id="b", turn="As"), 7, example(external_id="c", table="UTH-99"),
        example(external_id="d", turn=3), example(external_id="e", table="UTH-02"),
    ]  # fmt: skip
    answer = send(acme, BATCH, {"rounds": items})
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result["index"] for result in results] == list(range(6))
    assert [result["status"] for result in results] == [202, 422, 400, 422, 400, 202]
    assert [list(results[0]), list(results[1])] == [["index", "status", "round"], ["index", "status", "problem"]]
    assert [r["problem"]["code"] for r in results if "problem" in r] == [
        "duplicate_card", "invalid_value", "unknown_table", "invalid_card",
    ]  # fmt: skip
    assert results[1]["problem"]["errors"][0]["pointer"] == "/turn"
    assert results[1]["problem"]["instance"] == f"{BATCH}#/rounds/1"
    assert [result["round"]["external_id"] for result in results if "round" in result] == ["a", "e"]
    assert rows()["tables.Round"] == 2


def test_a_batch_costs_the_same_queries_however_long(
    acme: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    send(acme, BATCH, {"rounds": [example()]})  # opens the gaming day
    for size in (1, 40):
        items = [example(external_id=f"{size}-{n}", table=f"UTH-0{1 + n % 4}") for n in range(size)]
        with django_assert_max_num_queries(22):
            assert {r["status"] for r in send(acme, BATCH, {"rounds": items}).json()["results"]} == {202}
