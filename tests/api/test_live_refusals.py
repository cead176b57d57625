"""What a live round refuses: steps out of order, other content, wrong bets, cards and decisions, other integrators."""

from django.test import Client

from tests.api.floor import Json
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.factories import settle_all

PLAY_4X = {"box": 1, "action": "play", "multiplier": 4}


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
    more: tuple[str, Json, str] = ("boxes/1", {"player": "P-1", "ante": "10.00"}, "put")
    less: tuple[str, Json, str] = ("boxes/1", {}, "delete")
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
