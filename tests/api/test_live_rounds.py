"""A live round step by step: every answer, every repeat, its clocks, what closes what."""

from typing import Any

from django.test import Client

from tests.api.conftest import Clock
from tests.api.floor import send
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.factories import settle_all

PLAY_4X = {"box": 1, "action": "play", "multiplier": 4}


def test_the_contracts_round_played_live(acme: Client) -> None:
    """Every step with its answer; the settlement is the one that the same round has when it is sent as a whole."""
    live = LiveRound(acme, external_id="live-1")
    assert [live.opened[name] for name in ("phase", "external_id", "rule_set", "locked_at", "boxes", "settlement")] == [
        "betting", "live-1", None, None, [], None,
    ]  # fmt: skip
    assert live.read() == live.opened
    assert live.go("boxes/1", {"player": "P-17", "ante": "5.00", "trips": "5.00", "progressive": "1.00"}, "put") == {
        "phase": "betting", "box": 1,
    }  # fmt: skip
    assert live.go("boxes/2", {"player": "P-18", "ante": "5.00", "progressive": "1.00"}, "put")["box"] == 2
    assert live.go("lock") == {"phase": "locked"}
    assert live.go("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}}) == {"phase": "preflop"}
    assert live.go("decisions", PLAY_4X) == {"phase": "preflop"}
    assert live.go("flop", {"cards": ["Qs", "Js", "Ts"]}) == {"phase": "flop"}
    assert live.go("decisions", {"box": 2, "action": "check"}) == {"phase": "flop"}
    assert live.go("river", {"turn": "3c", "river": "7h"}) == {"phase": "river"}
    assert live.go("decisions", {"decisions": [{"box": 2, "action": "fold"}]}) == {"phase": "river"}
    assert live.go("showdown", {"dealer": ["2d", "2h"]}) == {"phase": "complete"}
    settle_all()
    found = live.read()
    assert found["phase"] == "settled"
    assert [event["kind"] for event in found["events"]] == [
        "opened", "bets_placed", "bets_placed", "locked", "dealt", "decided", "flop", "decided", "river", "decided",
        "showdown",
    ]  # fmt: skip
    assert found["events"][1]["data"] == {
        "boxes": [{"box": 1, "player": "P-17", "ante": "5.00", "trips": "5.00", "progressive": "1.00"}]
    }
    assert found["events"][2]["at"] == "2026-11-29T14:24:30Z"
    assert (found["rule_set"], found["jackpot_policy"]) == ("casino-progressive@1", "MAIN@1")
    boxes = [box["returned"] for box in found["settlement"]["boxes"]]
    assert boxes == ["12810.40", "1000.00"]


def test_a_repeated_step_answers_as_it_did(acme: Client) -> None:
    live = LiveRound(acme)
    bets = {"player": "P-1", "ante": "5.00"}
    steps: list[tuple[str, Any, str]] = [
        ("boxes/1", bets, "put"), ("boxes", {"boxes": [{"box": 2, "player": "P-2", "ante": "5.00"}]}, "put"),
        ("lock", {}, "post"), ("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}}, "post"),
        ("decisions", PLAY_4X, "post"), ("decisions", {"box": 2, "action": "check"}, "post"),
        ("flop", {"cards": ["Qs", "Js", "Ts"]}, "post"), ("river", {"turn": "3c", "river": "7h"}, "post"),
        ("showdown", {"dealer": ["2d", "2h"]}, "post"),
    ]  # fmt: skip
    for step, body, method in steps:
        first = live.go(step, body, method)
        count = len(live.read()["events"])
        assert live.go(step, body, method) == first
        assert len(live.read()["events"]) == count
    assert live.go("boxes/1", bets, "put") == {"phase": "complete", "box": 1}
    assert live.go("deal", {"cards": {"2": ["2C", "7d"], "1": ["K♠", "as"]}})["phase"] == "complete"
    assert live.go("flop", {"cards": ["Js", "Ts", "Qs"]})["phase"] == "complete"
    assert live.go("showdown", {"dealer": ["2h", "2d"]})["phase"] == "complete"
    assert live.go("lock")["phase"] == "complete"


def test_bets_are_doubled_undone_and_placed_again_by_replacing_the_box(acme: Client) -> None:
    live = LiveRound(acme)
    for ante in ("5.00", "10.00", "5.00"):
        live.bet(1, ante=ante)
        assert live.read()["boxes"][0]["ante"] == ante
    assert live.go("boxes/1", {}, "delete") == {"phase": "betting", "box": 1}
    assert live.go("boxes/1", {}, "delete") == {"phase": "betting", "box": 1}
    assert live.read()["boxes"] == []
    problem(live.call("boxes/2", {}, "delete"), 422, "unknown_box")
    live.bet(1)
    assert len(live.read()["boxes"]) == 1


def test_the_next_street_closes_the_decisions_before_it(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1, trips="5.00")
    live.bet(2)
    live.to_the_flop("2c 7d", "9c 9d", flop="Kh Ks Kd")
    live.go("river", {"turn": "3c", "river": "4h"})
    live.go("decisions", {"box": 2, "action": "play", "multiplier": 1})
    live.go("showdown", {"dealer": ["Ah", "5h"]})
    settle_all()
    found = live.read()
    data = {event["kind"]: event["data"] for event in found["events"]}
    assert data["flop"] == data["river"] == {"automatic_checks": [1, 2]}
    assert data["showdown"] == {"automatic_folds": [1]}
    assert found["boxes"][0]["decision"] == {
        "action": "fold", "street": "river", "multiplier": None, "automatic": True,
    }  # fmt: skip
    trips = found["settlement"]["boxes"][0]["wagers"][2]
    assert (trips["kind"], trips["returned"]) == ("trips", "20.00")


def test_nobody_has_bet(acme: Client) -> None:
    live = LiveRound(acme)
    assert live.go("lock") == {"phase": "void"}
    assert live.go("lock") == {"phase": "void"}
    found = live.read()
    assert (found["phase"], found["boxes"], found["settlement"]) == ("void", [], None)
    LiveRound(acme)


def test_no_dealer_where_no_live_wager_needs_him(acme: Client) -> None:
    live = LiveRound(acme, "EARLY-01")
    live.bet(1)
    live.go("lock")
    live.go("deal", {"cards": {"1": ["2c", "7d"]}})
    live.go("decisions", {"box": 1, "action": "fold"})
    assert live.go("showdown") == {"phase": "complete"}
    settle_all()
    found = live.read()["settlement"]
    assert (found["dealer"], found["boxes"][0]["hand"], found["boxes"][0]["best"]) == (None, None, None)


def test_one_open_round_a_table(acme: Client, rival: Client) -> None:
    first = LiveRound(acme, external_id="x")
    opening = "/api/v1/tables/UTH-01/rounds/"
    problem(send(acme, opening, {}), 409, "round_open")
    problem(send(rival, opening, {}), 409, "round_open")
    again = send(acme, opening, {"external_id": "x"})
    assert (again.status_code, again["Idempotency-Replayed"], again.json()) == (200, "true", first.read())
    problem(send(acme, "/api/v1/tables/UTH-02/rounds/", {"external_id": "x"}), 409, "idempotency_conflict")
    problem(send(acme, "/api/v1/tables/UTH-99/rounds/", {}), 404, "not_found")
    problem(send(acme, opening, {"external_id": ""}), 400, "invalid_value")
    first.go("void", {"reason": "other", "note": "closing"})
    assert send(acme, opening, {}).status_code == 201


def test_the_clock_closes_bets_and_decisions(acme: Client, clock: Clock) -> None:
    live = LiveRound(acme, "LIVE-01")
    taken = live.bet(1)
    assert taken["deadline"].startswith("2026-11-29T14:24:4")
    clock.advance(3_600)
    problem(live.call("boxes/1", {"player": "P-1", "ante": "10.00"}, "put"), 409, "time_expired")
    problem(live.call("boxes/1", {}, "delete"), 409, "time_expired")
    assert "deadline" not in live.go("lock")
    assert "deadline" in live.go("deal", {"player_cards": ["As", "Ks"]})
    clock.advance(3_600)
    problem(live.call("decisions", PLAY_4X), 409, "time_expired")
    live.go("flop", {"cards": ["Qs", "Js", "Ts"]})
    live.go("decisions", {"box": 1, "action": "play", "multiplier": 2})
    live.go("river", {"turn": "3c", "river": "7h"})
    live.go("showdown", {"dealer": ["2d", "2h"]})
    settle_all()
    found = live.read()
    assert found["player_cards"] == ["As", "Ks"]
    assert list(found).index("player_cards") == list(found).index("boxes") + 1
    assert found["boxes"][0]["cards"] is None
    assert found["settlement"]["boxes"][0]["best"] == ["As", "Ks", "Qs", "Js", "Ts"]


def test_suspended_the_clock_stops(acme: Client, clock: Clock) -> None:
    live = LiveRound(acme, "LIVE-01")
    deadline = live.bet(1)["deadline"]
    assert live.go("suspend", {"note": "spilt drink"}) == {"phase": "suspended"}
    assert live.go("suspend", {"note": "spilt drink"}) == {"phase": "suspended"}
    problem(live.call("boxes/1", {"player": "P-1", "ante": "10.00"}, "put"), 409, "wrong_phase")
    clock.advance(3_600)
    resumed = live.go("resume", {"note": "dry"})
    assert resumed["phase"] == "betting" and resumed["deadline"][11:13] == f"{int(deadline[11:13]) + 1:02}"
    assert live.go("resume", {"note": "dry"}) == resumed
    live.bet(1, ante="10.00")
