"""A live round step by step: every answer, every repeat, every step out of order."""

from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import Clock
from tests.api.floor import Json, send
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
    assert live.go("deal", {"cards": {"2": ["2C", "7d"], "1": ["as", "K♠"]}})["phase"] == "complete"
    assert live.go("lock")["phase"] == "complete"


def test_a_step_with_other_content_is_a_conflict(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.bet(2)
    live.to_the_flop("As Ks", "2c 7d")
    live.go("decisions", {"box": 1, "action": "play", "multiplier": 2})
    live.go("decisions", {"box": 2, "action": "check"})
    for step, body in [
        ("deal", {"cards": {"1": ["As", "Kd"], "2": ["2c", "7d"]}}),
        ("flop", {"cards": ["Qs", "Js", "9s"]}),
        ("decisions", PLAY_4X),
        ("decisions", {"box": 2, "action": "play", "multiplier": 2}),
        ("decisions", {"decisions": [{"box": 2, "action": "check"}, {"box": 1, "action": "check"}]}),
    ]:
        problem(live.call(step, body), 409, "step_conflict")
    live.go("river", {"turn": "3c", "river": "7h"})
    problem(live.call("river", {"turn": "7h", "river": "3c"}), 409, "step_conflict")
    live.go("showdown", {"dealer": ["2d", "2h"]})
    problem(live.call("showdown", {"dealer": ["2d", "2s"]}), 409, "step_conflict")


def test_steps_out_of_order(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)

    def refused(*steps: tuple[str, Json, str]) -> None:
        for step, body, method in steps:
            found = problem(live.call(step, body, method), 409, "wrong_phase")
            assert live.read()["phase"] in found["detail"]

    deal = ("deal", {"cards": {"1": ["As", "Ks"]}}, "post")
    flop, river = ("flop", {"cards": ["Qs", "Js", "Ts"]}, "post"), ("river", {"turn": "3c", "river": "7h"}, "post")
    show, decide = ("showdown", {"dealer": ["2d", "2h"]}, "post"), ("decisions", PLAY_4X, "post")
    more, less = ("boxes/1", {"player": "P-1", "ante": "10.00"}, "put"), ("boxes/1", {}, "delete")
    refused(deal, flop, river, show, decide, ("resume", {}, "post"))
    live.go("lock")
    refused(flop, river, show, decide, more, less)
    live.go("deal", deal[1])
    refused(river, more, less, show)
    live.go("flop", flop[1])
    refused(more, show)
    live.go("river", river[1])
    live.go("showdown", show[1])
    refused(more, decide, ("suspend", {}, "post"))
    settle_all()
    problem(live.call("void", {"reason": "other"}), 409, "already_settled")
    problem(live.call("boxes/1/void", {"reason": "other"}), 409, "already_settled")


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


def test_what_is_wrong_with_bets(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    for number, bets, status, code, pointer in [
        (1, {"player": "P-2"}, 422, "box_taken", "/player"),
        (2, {"ante": "4.00"}, 422, "bet_limit", "/ante"),
        (2, {"ante": "0"}, 422, "ante_required", "/ante"),
        (2, {"player": ""}, 422, "player_required", "/player"),
        (2, {"progressive": "5.00"}, 422, "wrong_progressive_stake", "/progressive"),
        (2, {"blind": "5.00"}, 400, "unknown_field", "/blind"),
        (2, {"trips": 5}, 400, "invalid_money", "/trips"),
        (0, {}, 422, "unknown_box", "/box"),
        (10**30, {}, 422, "unknown_box", "/box"),
    ]:
        body = {"player": "P-9", "ante": "5.00"} | bets  # type: ignore[operator]
        found = problem(live.call(f"boxes/{number}", body, "put"), status, code)
        assert found["errors"][0]["pointer"] == pointer
    two = [{"box": 3, "player": "P-3", "ante": "5.00"}, {"box": 3, "player": "P-3", "ante": "5.00"}]
    found = problem(live.call("boxes", {"boxes": two}, "put"), 422, "box_taken")
    assert found["errors"][0]["pointer"] == "/boxes/1/box"
    many = [{"box": n, "player": f"P-{n}", "ante": "5.00"} for n in range(1, 30)]
    problem(live.call("boxes", {"boxes": many}, "put"), 422, "too_many_boxes")
    problem(live.call("boxes", {"boxes": []}, "put"), 400, "invalid_value")
    assert [box["box"] for box in live.read()["boxes"]] == [1]


def test_a_player_with_one_box_more_than_his_table_allows(acme: Client) -> None:
    live = LiveRound(acme, "ONL-01")
    live.bet(1)
    found = problem(live.call("boxes/2", {"player": "P-1", "ante": "5.00"}, "put"), 422, "too_many_boxes")
    assert found["errors"][0]["pointer"] == "/player"


def test_what_is_wrong_with_a_deal(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.bet(2)
    live.go("lock")
    for body, status, code, pointer in [
        ({}, 400, "missing_field", "/cards"),
        ({"cards": {"1": ["As", "Ks"]}, "player_cards": ["2c", "2d"]}, 400, "invalid_value", "/player_cards"),
        ({"cards": {"01": ["As", "Ks"]}}, 400, "invalid_value", "/cards/01"),
        ({"cards": {"1": ["As", "XX"], "2": ["2c", "7d"]}}, 400, "invalid_card", "/cards/1/1"),
        ({"cards": {"1": ["As", "Ks"]}}, 422, "wrong_card_count", "/cards/2"),
        ({"cards": {"1": ["As", "Ks"], "2": ["2c"]}}, 422, "wrong_card_count", "/cards/2"),
        ({"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"], "3": ["3c", "8d"]}}, 422, "unknown_box", "/cards/3"),
        ({"cards": {"1": ["As", "Ks"], "2": ["As", "7d"]}}, 422, "duplicate_card", "/cards/2/0"),
        ({"player_cards": ["As", "Ks"]}, 422, "wrong_card_count", "/player_cards"),
    ]:
        found = problem(live.call("deal", body), status, code)
        assert found["errors"][0]["pointer"] == pointer
    live.go("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}})
    found = problem(live.call("flop", {"cards": ["As", "Js", "Ts"]}), 422, "duplicate_card")
    assert found["errors"][0]["pointer"] == "/cards/0"
    problem(live.call("flop", {"cards": ["Qs", "Js"]}), 422, "wrong_card_count")
    live.go("flop", {"cards": ["Qs", "Js", "Ts"]})
    found = problem(live.call("river", {"turn": "3c", "river": "Qs"}), 422, "duplicate_card")
    assert found["errors"][0]["pointer"] == "/river"
    problem(live.call("river", {"turn": "3c"}), 400, "missing_field")
    live.go("decisions", {"decisions": [{"box": n, "action": "play", "multiplier": 2} for n in (1, 2)]})
    live.go("river", {"turn": "3c", "river": "7h"})
    problem(live.call("showdown", {}), 422, "wrong_card_count")
    problem(live.call("showdown", {"dealer": ["2d", "3c"]}), 422, "duplicate_card")


def test_what_is_wrong_with_decisions(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.go("lock")
    live.go("deal", {"cards": {"1": ["As", "Ks"]}})
    for body, status, code, pointer in [
        (PLAY_4X | {"multiplier": 2}, 422, "wrong_multiple", "/multiplier"),
        ({"decisions": [PLAY_4X | {"multiplier": 2}]}, 422, "wrong_multiple", "/decisions/0/multiplier"),
        ({"box": 1, "action": "play"}, 400, "missing_field", "/multiplier"),
        ({"box": 1, "action": "fold"}, 422, "wrong_street", "/street"),
        ({"box": 1, "action": "raise"}, 400, "invalid_value", "/action"),
        (PLAY_4X | {"box": 2}, 422, "unknown_box", "/box"),
        (PLAY_4X | {"street": "flop"}, 400, "unknown_field", "/street"),
        ({"decisions": []}, 400, "invalid_value", "/decisions"),
        ({"decisions": [PLAY_4X], "box": 1}, 400, "unknown_field", "/box"),
    ]:
        found = problem(live.call("decisions", body), status, code)
        assert found["errors"][0]["pointer"] == pointer, body


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
    assert live.go("suspend", {}) == {"phase": "suspended"}
    problem(live.call("boxes/1", {"player": "P-1", "ante": "10.00"}, "put"), 409, "wrong_phase")
    clock.advance(3_600)
    resumed = live.go("resume", {"note": "dry"})
    assert resumed["phase"] == "betting" and resumed["deadline"][11:13] == f"{int(deadline[11:13]) + 1:02}"
    assert live.go("resume") == resumed
    live.bet(1, ante="10.00")


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


def test_others_do_not_see_a_live_round(acme: Client, rival: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.client = rival
    problem(rival.get(live.address), 404, "not_found")
    problem(rival.get(f"{live.address}boxes/"), 404, "not_found")
    steps: list[tuple[str, Json, str]] = [
        ("boxes/1", {"player": "P-1", "ante": "5.00"}, "put"), ("boxes/1", {}, "delete"), ("lock", {}, "post"),
        ("boxes", {"boxes": [{"box": 1, "player": "P-1", "ante": "5.00"}]}, "put"),
        ("deal", {"cards": {"1": ["As", "Ks"]}}, "post"), ("decisions", PLAY_4X, "post"),
        ("flop", {"cards": ["Qs", "Js", "Ts"]}, "post"), ("river", {"turn": "3c", "river": "7h"}, "post"),
        ("showdown", {}, "post"), ("suspend", {}, "post"), ("resume", {}, "post"),
        ("void", {"reason": "other"}, "post"), ("boxes/1/void", {"reason": "other"}, "post"),
    ]  # fmt: skip
    for step, body, method in steps:
        problem(live.call(step, body, method), 404, "not_found")
    live.client = acme
    assert live.read()["phase"] == "betting"
