"""Voids of live rounds and boxes: everything comes back, and what cancels a prize waits for a second person."""

import pytest
from django.test import Client

from tests.api.floor import Json
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.factories import settle_all

PLAY_4X = {"box": 1, "action": "play", "multiplier": 4}


def outcomes(found: Json) -> list[tuple[str, str, str]]:
    return [
        (wager["kind"], wager["outcome"], wager["returned"])
        for box in found["settlement"]["boxes"]
        for wager in box["wagers"]
    ]


def test_a_round_is_void(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    live.go("lock")
    void = {"reason": "malfunction", "note": "shuffler"}
    assert live.go("void", void) == {"phase": "void"}
    assert live.go("void", void) == {"phase": "void"}
    problem(live.call("void", void | {"note": "other"}), 409, "step_conflict")
    assert live.read()["settlement"] is None
    settle_all()
    found = live.read()
    assert (found["phase"], found["version"], found["settlement"]["dealer"]) == ("void", 1, None)
    assert outcomes(found) == [
        ("ante", "refund", "5.00"), ("blind", "refund", "5.00"), ("progressive", "refund", "1.00"),
    ]  # fmt: skip
    assert found["settlement"]["totals"] == {"staked": "11.00", "returned": "11.00", "envy": "0.00"}


def test_a_box_is_void(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.bet(2)
    live.go("lock")
    live.go("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}})
    void = {"reason": "card_exposed_hole"}
    assert live.go("boxes/2/void", void) == {"phase": "preflop", "box": 2}
    assert live.go("boxes/2/void", void | {"note": ""}) == {"phase": "preflop", "box": 2}
    problem(live.call("boxes/2/void", {"reason": "other"}), 409, "step_conflict")
    problem(live.call("boxes/3/void", void), 422, "unknown_box")
    problem(live.call("decisions", {"box": 2, "action": "check"}), 422, "unknown_box")
    live.go("decisions", PLAY_4X)
    problem(live.call("flop", {"cards": ["2c", "Js", "Ts"]}), 422, "duplicate_card")
    live.go("flop", {"cards": ["Qs", "Js", "Ts"]})
    live.go("river", {"turn": "3c", "river": "7h"})
    live.go("showdown", {"dealer": ["2d", "2h"]})
    settle_all()
    found = live.read()
    assert found["boxes"][1]["void"] == {"reason": "card_exposed_hole", "note": ""}
    assert outcomes(found)[-2:] == [("ante", "refund", "5.00"), ("blind", "refund", "5.00")]
    assert found["settlement"]["boxes"][1]["hand"] is None


@pytest.mark.parametrize("what", ["void", "boxes/1/void"])
def test_a_void_that_cancels_a_prize_waits_for_a_second_person(what: str, acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    live.to_the_flop("As Ks")
    taken = live.go(what, {"reason": "malfunction"}, status=202)
    assert taken["phase"] == "failed"
    assert live.go(what, {"reason": "malfunction"}, status=202) == taken
    found = live.read()
    assert (found["phase"], found["problem"]["code"]) == ("failed", "second_person_required")
    settle_all()
    assert live.read() == found
