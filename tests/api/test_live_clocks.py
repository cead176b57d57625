"""The clocks of a live round, of the server alone: 30 seconds for bets and 15 for each decision at LIVE-01's rules.

The last instant belongs to the player; a microsecond later it is too late. Sources: api.md, domain.md §1.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from tables.models.rulesets import RuleSetVersion
from tests.api.conftest import Clock
from tests.api.floor import Json, rows
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.factories import settle_all

MICROSECOND = 0.000_001
MORE = {"player": "P-1", "ante": "10.00"}
PLAY = {"box": 1, "action": "play", "multiplier": 4}


def seconds(name: str) -> int:
    found: int = RuleSetVersion.objects.get(rule_set__code="live-shared").document[name]
    return found


def shown(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


@pytest.fixture
def live(acme: Client) -> LiveRound:
    return LiveRound(acme, "LIVE-01")


def to_the_river(live: LiveRound) -> None:
    live.go("flop", {"cards": ["Qs", "Js", "9d"]})
    live.go("river", {"turn": "3c", "river": "7h"})


def late(live: LiveRound, step: str, body: Json, method: str = "post") -> None:
    before = rows()
    problem(live.call(step, body, method), 409, "time_expired")
    assert rows() == before


def test_bets_until_the_last_instant(live: LiveRound, clock: Clock) -> None:
    deadline = clock.now + timedelta(seconds=seconds("betting_seconds"))
    assert live.bet(1)["deadline"] == shown(deadline)
    clock.now = deadline
    assert live.bet(1, ante="10.00")["deadline"] == shown(deadline)
    clock.advance(MICROSECOND)
    late(live, "boxes/1", {"player": "P-1", "ante": "20.00"}, "put")
    late(live, "boxes", {"boxes": [{"box": 2, "player": "P-2", "ante": "5.00"}]}, "put")
    late(live, "boxes/1", {}, "delete")
    assert live.read()["boxes"][0]["ante"] == "10.00"


def test_betting_is_closed_late_without_a_word(live: LiveRound, clock: Clock) -> None:
    """The dealer closes betting whenever he does: a clock that has run out keeps bets away, not him."""
    live.bet(1)
    clock.advance(86_400)
    assert live.go("lock") == {"phase": "locked"}
    assert live.read()["locked_at"] == shown(clock.now)


@pytest.mark.parametrize("street", ["preflop", "flop", "river"])
def test_decisions_until_the_last_instant_of_each_street(street: str, live: LiveRound, clock: Clock) -> None:
    live.bet(1)
    live.bet(2)
    live.go("lock")
    multiplier = {"preflop": 4, "flop": 2, "river": 1}[street]
    steps: list[tuple[str, Any]] = [
        ("deal", {"player_cards": ["As", "Kd"]}), ("flop", {"cards": ["Qs", "Js", "9d"]}),
        ("river", {"turn": "3c", "river": "7h"}),
    ]  # fmt: skip
    for step, body in steps:
        clock.advance(100)
        taken = live.go(step, body)
        if taken["phase"] == street:
            break
    deadline = clock.now + timedelta(seconds=seconds("decision_seconds"))
    assert taken["deadline"] == shown(deadline)
    clock.now = deadline
    live.go("decisions", {"box": 1, "action": "play", "multiplier": multiplier})
    clock.advance(MICROSECOND)
    late(live, "decisions", {"box": 2, "action": "play", "multiplier": multiplier})
    live.go("decisions", {"box": 1, "action": "play", "multiplier": multiplier})  # a repeat is never late


def test_who_did_not_decide_has_checked_and_folded(live: LiveRound, clock: Clock) -> None:
    live.bet(1)
    live.go("lock")
    live.go("deal", {"player_cards": ["As", "Kd"]})
    clock.advance(3_600)
    late(live, "decisions", PLAY)
    to_the_river(live)
    clock.advance(3_600)
    late(live, "decisions", {"box": 1, "action": "fold"})
    live.go("showdown", {"dealer": ["2d", "2h"]})
    settle_all()
    assert live.read()["boxes"][0]["decision"] == {
        "action": "fold", "street": "river", "multiplier": None, "automatic": True,
    }  # fmt: skip


@pytest.mark.parametrize("phase", ["betting", "preflop", "flop", "river"])
def test_a_suspended_clock_has_afterwards_what_was_left_on_it(phase: str, live: LiveRound, clock: Clock) -> None:
    live.bet(1)
    if phase != "betting":
        live.go("lock")
        live.go("deal", {"player_cards": ["As", "Kd"]})
    if phase in ("flop", "river"):
        live.go("flop", {"cards": ["Qs", "Js", "9d"]})
    if phase == "river":
        live.go("river", {"turn": "3c", "river": "7h"})
    whole = seconds("betting_seconds" if phase == "betting" else "decision_seconds")
    clock.advance(1)
    assert live.go("suspend", {"note": "x"}) == {"phase": "suspended"}
    clock.advance(3_600)
    deadline = clock.now + timedelta(seconds=whole - 1)
    assert live.go("resume", {"note": "y"}) == {"phase": phase, "deadline": shown(deadline)}
    step, method = ("boxes/1", "put") if phase == "betting" else ("decisions", "post")
    body: Json = MORE if phase == "betting" else {
        "box": 1, "action": "play", "multiplier": {"preflop": 4, "flop": 2, "river": 1}[phase],
    }  # fmt: skip
    clock.now = deadline + timedelta(microseconds=1)
    late(live, step, body, method)
    clock.now = deadline
    live.go(step, body, method)


def test_a_clock_that_had_run_out_before_the_suspension_stays_so(live: LiveRound, clock: Clock) -> None:
    live.bet(1)
    clock.advance(seconds("betting_seconds") + 1)
    live.go("suspend", {"note": ""})
    clock.advance(60)
    live.go("resume", {"note": ""})
    late(live, "boxes/1", MORE, "put")


def test_a_table_without_clocks_has_no_deadlines(acme: Client, clock: Clock) -> None:
    live = LiveRound(acme)
    clock.advance(86_400)
    assert live.bet(1) == {"phase": "betting", "box": 1}
    live.go("lock")
    assert live.go("deal", {"cards": {"1": ["As", "Kd"]}}) == {"phase": "preflop"}
    clock.advance(86_400)
    live.go("decisions", PLAY)


def test_a_clients_clock_decides_nothing(live: LiveRound, clock: Clock) -> None:
    """Known failure 92: a step carries no time of its own, so none can be believed."""
    live.bet(1)
    live.go("lock")
    for step, body, method in [
        ("boxes/1", MORE | {"placed_at": "2026-11-29T14:24:00+08:00"}, "put"), ("lock", {"locked_at": "x"}, "post"),
        ("decisions", PLAY | {"at": "2026-11-29T14:24:00+08:00"}, "post"),
    ]:  # fmt: skip
        problem(live.call(step, body, method), 400, "unknown_field")
    problem(live.call("boxes/1", MORE, "put"), 409, "wrong_phase")
