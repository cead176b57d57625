"""A step that was taken answers 200 again however late it is repeated, and never takes effect twice.

With other content it is a conflict. Source: api.md, "Repeats".
"""

import pytest
from django.test import Client

from tests.api.conftest import Clock
from tests.api.floor import Json, rows
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.factories import settle_all

Taken = tuple[str, Json, str]
BET = {"player": "P-1", "ante": "5.00"}
STEPS: list[Taken] = [
    ("boxes", {"boxes": [{"box": 1} | BET, {"box": 2, "player": "P-2", "ante": "5.00"}]}, "put"),
    ("boxes/3", {"player": "P-3", "ante": "5.00", "trips": "1.00", "progressive": "1.00"}, "put"),
    ("boxes/4", {"player": "P-4", "ante": "5.00"}, "put"),
    ("boxes/4", {}, "delete"),
    ("suspend", {"note": "a chip on the floor"}, "post"),
    ("resume", {"note": "found"}, "post"),
    ("lock", {}, "post"),
    ("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"], "3": ["4c", "8d"]}}, "post"),
    ("boxes/3/void", {"reason": "card_exposed_hole", "note": "flipped"}, "post"),
    ("decisions", {"box": 1, "action": "play", "multiplier": 4}, "post"),
    ("flop", {"cards": ["Qh", "Jd", "3s"]}, "post"),
    ("decisions", {"decisions": [{"box": 2, "action": "check"}]}, "post"),
    ("river", {"turn": "3c", "river": "7h"}, "post"),
    ("decisions", {"box": 2, "action": "fold"}, "post"),
    ("showdown", {"dealer": ["2d", "2h"]}, "post"),
]
TAKEN_BACK = STEPS[2]
OTHERWISE: list[tuple[Taken, str]] = [
    (("boxes", {"boxes": [{"box": 1, "player": "P-1", "ante": "10.00"}]}, "put"), "wrong_phase"),
    (("boxes/3", {"player": "P-3", "ante": "5.00"}, "put"), "wrong_phase"),
    (("suspend", {"note": "another"}, "post"), "step_conflict"),
    (("resume", {}, "post"), "step_conflict"),
    (("deal", {"cards": {"1": ["As", "Kd"], "2": ["2c", "7d"], "3": ["4c", "8d"]}}, "post"), "step_conflict"),
    (("boxes/3/void", {"reason": "card_exposed_hole"}, "post"), "step_conflict"),
    (("decisions", {"box": 1, "action": "play", "multiplier": 3}, "post"), "wrong_phase"),
    (("flop", {"cards": ["Jd", "Qh", "4s"]}, "post"), "step_conflict"),
    (("river", {"turn": "7h", "river": "3c"}, "post"), "step_conflict"),
    (("showdown", {}, "post"), "step_conflict"),
]  # fmt: skip
"""What is no longer open cannot be asked for otherwise; what was recorded once is named a conflict."""


@pytest.fixture
def played(acme: Client) -> LiveRound:
    """Every step taken, and twice at once."""
    live = LiveRound(acme)
    for step, body, method in STEPS:
        assert live.go(step, body, method) == live.go(step, body, method)
    return live


def repeat_all(live: LiveRound, phase: str) -> None:
    before, read = rows(), live.read()
    for taken in STEPS:
        step, body, method = taken
        if taken == TAKEN_BACK:  # what was undone does not stand, and betting is over
            problem(live.call(step, body, method), 409, "wrong_phase")
            continue
        assert live.go(step, body, method)["phase"] == phase, step
    assert (rows(), live.read()) == (before, read)


def test_all_steps_again_when_the_round_is_complete_and_when_it_is_settled(played: LiveRound) -> None:
    assert len(played.read()["events"]) == len(STEPS) + 1
    repeat_all(played, "complete")
    settle_all()
    repeat_all(played, "settled")


def test_all_steps_again_when_the_round_is_void(played: LiveRound) -> None:
    played.go("void", {"reason": "malfunction", "note": ""})
    repeat_all(played, "void")
    settle_all()
    repeat_all(played, "void")


@pytest.mark.parametrize("end", [None, "settle", "void"])
def test_no_step_is_taken_otherwise_at_the_end(played: LiveRound, end: str | None) -> None:
    if end == "void":
        played.go("void", {"reason": "malfunction", "note": ""})
    if end:
        settle_all()
    before = rows()
    for (step, body, method), code in OTHERWISE:
        problem(played.call(step, body, method), 409, code)
    assert rows() == before


def test_while_suspended_what_was_taken_is_repeated_and_nothing_new_is(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.to_the_flop("As Kd")
    live.go("suspend", {"note": "x"})
    assert live.go("flop", {"cards": ["Qs", "Js", "Ts"]})["phase"] == "suspended"
    assert live.go("boxes/1", BET, "put") == {"phase": "suspended", "box": 1}
    for step, body in [
        ("river", {"turn": "3c", "river": "7h"}), ("decisions", {"box": 1, "action": "check"}),
        ("showdown", {"dealer": ["2d", "2h"]}),
    ]:  # fmt: skip
        problem(live.call(step, body), 409, "wrong_phase")
    problem(live.call("suspend", {"note": "y"}), 409, "step_conflict")


def test_suspended_a_second_time(acme: Client) -> None:
    """Each suspension has its note; the last one is what a repeat is held against."""
    live = LiveRound(acme)
    for note in ("one", "two"):
        live.go("suspend", {"note": note})
        live.go("resume", {"note": f"after {note}"})
    problem(live.call("resume", {"note": "after one"}), 409, "step_conflict")
    assert live.go("resume", {"note": "after two"}) == {"phase": "betting"}


def test_a_bet_that_stands_is_repeated_after_the_time_for_bets(acme: Client, clock: Clock) -> None:
    live = LiveRound(acme, "LIVE-01")
    taken = live.bet(1)
    clock.advance(3_600)
    assert live.bet(1) == taken
    problem(live.call("boxes/1", BET | {"trips": "1.00"}, "put"), 409, "time_expired")


def test_a_void_box_is_not_removed_and_bet_on_again(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.go("boxes/1/void", {"reason": "wrong_bet"})
    problem(live.call("boxes/1", {}, "delete"), 422, "unknown_box")
    assert [box["void"]["reason"] for box in live.read()["boxes"]] == ["wrong_bet"]


def test_a_round_whose_boxes_are_all_void_is_played_out_and_gives_everything_back(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    live.go("boxes/1/void", {"reason": "wrong_bet"})
    live.go("lock")
    live.go("deal", {"cards": {}})
    live.go("showdown")
    settle_all()
    found = live.read()
    assert (found["phase"], found["settlement"]["totals"]["returned"]) == ("settled", "11.00")
