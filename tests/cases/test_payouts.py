"""Side bets and payouts: known failures 19 to 30, every amount that comes back and where it is booked."""

import json
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from jackpot.models.ledger import Leg
from jackpot.models.sites import Site
from jackpot.money import currency, parse, show
from jackpot.webhooks import deliveries, endpoints, sending
from tests.api.floor import ROUNDS, Json, rows, send, settled
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.cases.play import FOLD, duel, round_of, seat, wagers
from tests.factories import rule_set_with, table_with
from tests.unit.builders import limits

USD = currency("USD")
PUSHED = {"ante": ("push", "5.00"), "blind": ("push", "5.00"), "play": ("push", "20.00")}


def table_of(**settings: Any) -> None:
    """A table T-25 of a house with rules of its own, without a jackpot, as the contract's limits stand or as told."""
    table_with("T-25", site=Site.objects.get(code="DEMO"), rules=rule_set_with(**settings))


def booked(found: Json, kind: str = "settlement") -> dict[str, str]:
    """What an entry of the round booked, by account: debits positive."""
    legs = Leg.objects.filter(entry__kind=kind, entry__source_ref__startswith=f"round:{found['id']}")
    return {leg.account.code: show(leg.amount, USD) for leg in legs.select_related("account")}


def webhooks_to(endpoint_id: int, now: datetime) -> dict[str, Json]:
    """What the bodies say that are sent to an endpoint, by their types."""
    found: dict[str, Json] = {}
    while (taken := deliveries.claim(endpoint_id, now=now)) is not None:
        event = json.loads(sending.body_of(taken))
        found[event["type"]] = event["data"]
        deliveries.delivered(taken.delivery_id, status=200, now=now)
    return found


class TestTheProgressiveAndTheFlop:
    def test_19_a_royal_that_the_turn_completes_is_none_for_the_progressive(self, acme: Client) -> None:
        body = round_of(seat("Kh Jh", trips="5.00", progressive="1.00"), seat("2s 7d", 2, progressive="1.00"),
                        board="Ah Qh 2c Th 3d", dealer="9s 8d")  # fmt: skip
        found = settled(acme, body)
        part = found["settlement"]["boxes"][0]
        assert (part["hand"], part["progressive_hand"]) == ("royal_flush", "high_card")
        assert wagers(part)["blind"] == ("win", "2505.00")
        assert wagers(part)["trips"] == ("win", "255.00")
        assert wagers(part)["progressive"] == ("lose", "0.00")
        assert (found["settlement"]["awards"], found["settlement"]["totals"]["envy"]) == ([], "0.00")
        assert acme.get("/api/v1/awards/").json()["results"] == []
        assert acme.get("/api/v1/jackpots/MAIN/").json()["levels"][0]["displayed"] == "10000.40"

    @pytest.mark.parametrize(
        ("cards", "board", "hand", "back"),
        [
            ("9h 9c", "9d 2s 5c 9s Kd", "three_of_a_kind", "9.00"),  # the fourth nine on the turn is too late
            ("Ah 2h", "5h 9h Kd Jh 3c", "high_card", "0.00"),
            ("5c 6d", "7h 8s Kd 9c Qh", "high_card", "0.00"),
            ("Kc Kd", "Kh 2s 3d 2c 8c", "three_of_a_kind", "9.00"),  # full only with the turn
        ],
    )
    def test_19_neither_turn_nor_river_helps_any_other_hand(
        self, cards: str, board: str, hand: str, back: str, acme: Client
    ) -> None:
        part = duel(acme, cards, "4s 4c", board, progressive="1.00")
        assert (part["progressive_hand"], wagers(part)["progressive"][1]) == (hand, back)


class TestSideBetsStandAlone:
    def test_21_a_dealer_who_does_not_qualify_takes_no_side_bet_away(self, acme: Client) -> None:
        part = duel(acme, "7c 6d", "Kd Qs", "9c Th 8s 2h 3c", trips="5.00")
        assert part["dealer"]["qualifies"] is False
        assert wagers(part) == {
            "ante": ("push", "5.00"), "blind": ("win", "10.00"), "play": ("win", "40.00"), "trips": ("win", "25.00"),
        }  # fmt: skip

    def test_21_nor_does_a_tie_or_a_better_dealer(self, acme: Client) -> None:
        tied = duel(acme, "2c 3d", "2h 3h", "9c Th 8s Jd Qc", trips="5.00")
        assert wagers(tied) == PUSHED | {"trips": ("win", "25.00")}
        beaten = round_of(seat("7c 6d", trips="5.00"), board="9c Th 8s 2h 3c", dealer="Jd Qs", external_id="beaten")
        part = settled(acme, beaten)["settlement"]["boxes"][0]
        assert wagers(part)["play"] == ("lose", "0.00")
        assert wagers(part)["trips"] == ("win", "25.00")

    @pytest.mark.parametrize(
        ("settings", "trips"),
        [({}, ("win", "20.00")), ({"trips_survives_fold": False}, ("lose", "0.00"))],
        ids=["lives", "dies"],
    )
    def test_22_after_a_fold_trips_follows_its_tables_rules(
        self, settings: Json, trips: tuple[str, str], acme: Client
    ) -> None:
        table_of(**settings)
        body = round_of(seat("2c 7d", trips="5.00", decision=FOLD), board="Kh Ks Kd 9c 5h", dealer="3s 3d")
        part = settled(acme, body | {"table": "T-25"})["settlement"]["boxes"][0]
        assert wagers(part) == {"ante": ("lose", "0.00"), "blind": ("lose", "0.00"), "trips": trips}

    @pytest.mark.parametrize(("survives", "prize"), [(True, ("win", "9.00")), (False, ("lose", "0.00"))])
    def test_22_and_so_does_the_progressive(self, survives: bool, prize: tuple[str, str], acme: Client) -> None:
        rules = rule_set_with(progressive_survives_fold=survives)
        site = Site.objects.get(code="DEMO")
        table_with("T-22", site=site, link=site.jackpots.get(), rules=rules)
        body = round_of(seat("2c 7d", progressive="1.00", decision=FOLD), board="Kh Ks Kd 9c 5h", dealer="3s 3d")
        part = settled(acme, body | {"table": "T-22"})["settlement"]["boxes"][0]
        assert wagers(part)["progressive"] == prize

    def test_23_three_boxes_settle_and_envy_goes_by_player(self, acme: Client) -> None:
        """The winner's other box receives nothing; the other player one Envy, whatever his own box did."""
        body = round_of(
            seat("As Ks", 1, player="A", progressive="1.00"), seat("2c 7d", 2, player="B", progressive="1.00"),
            seat("4c 8d", 3, player="A", progressive="1.00"), board="Qs Js Ts 3c 7h",
        )  # fmt: skip
        parts = settled(acme, body)["settlement"]["boxes"]
        assert [wagers(part)["progressive"] for part in parts] == [
            ("win", "10000.60"), ("lose", "0.00"), ("lose", "0.00"),
        ]  # fmt: skip
        envy = {"from_box": 1, "hand": "royal_flush", "amount": "1000.00"}
        assert [part["envy"] for part in parts] == [[], [envy], []]

    def test_23_every_one_of_many_winning_boxes_is_paid(self, acme: Client) -> None:
        """One player on six boxes; each has three queens with the board, and each Trips pays."""
        pairs = ["2c 3c", "2d 3d", "2h 3h", "4c 5c", "4d 5d", "4h 5h"]
        seats = [seat(pair, n, player="A", trips="5.00") for n, pair in enumerate(pairs, start=1)]
        found = settled(acme, round_of(*seats, board="Qs Qh Qd 8c 9s", dealer="7s 6h"))
        assert [wagers(part)["trips"] for part in found["settlement"]["boxes"]] == [("win", "20.00")] * 6


class TestTiesAndRounding:
    def test_24_a_tie_gives_all_three_stakes_back_and_is_neither_win_nor_loss(self, acme: Client) -> None:
        found = settled(acme, round_of(seat("2c 3d"), board="9c Th 8s Jd Qc", dealer="2h 3h"))
        part = found["settlement"]["boxes"][0]
        assert wagers(part) == PUSHED
        assert {wager["net"] for wager in part["wagers"]} == {"0.00"}
        assert (part["staked"], part["returned"], part["net"]) == ("30.00", "30.00", "0.00")
        assert booked(found) == {}

    @pytest.mark.parametrize(
        ("ante", "rounding", "blind"),
        [
            ("5.00", "half_up", "12.50"), ("5.00", "down", "12.50"),
            ("0.25", "half_up", "0.63"), ("0.25", "down", "0.62"),
            ("7.35", "half_up", "18.38"), ("7.35", "down", "18.37"),
            ("0.01", "half_up", "0.03"), ("0.01", "down", "0.02"),
        ],
    )  # fmt: skip
    def test_25_three_to_two_is_rounded_once_as_the_rules_say(
        self, ante: str, rounding: str, blind: str, acme: Client
    ) -> None:
        """And what is rounded away stays with the house: its books hold the very cents that were not paid."""
        table_of(odds_rounding=rounding, bet_limits=limits())
        body = round_of(seat("4h 3h", ante=ante), board="2h 5h 9h Jh Kh", dealer="Ac As") | {"table": "T-25"}
        found = settled(acme, body)
        part = found["settlement"]["boxes"][0]
        assert wagers(part)["blind"] == ("win", blind)
        net = sum(parse(wager["returned"], USD) - parse(wager["stake"], USD) for wager in part["wagers"])
        assert booked(found) == {"float:T-25": show(-net, USD), "win:T-25:main": show(net, USD)}

    def test_26_every_winning_bet_is_credited_and_the_receipt_is_their_sum(self, acme: Client) -> None:
        """A straight flush to the nine: 50 to 1, 40 to 1, a tenth of the meter of 10,000.20."""
        body = round_of(seat("8h 9h", trips="5.00", progressive="1.00"), board="5h 6h 7h Kc 2d", dealer="Kd Ks")
        found = settled(acme, body)
        settlement, part = found["settlement"], found["settlement"]["boxes"][0]
        assert wagers(part) == {
            "ante": ("win", "10.00"), "play": ("win", "40.00"), "blind": ("win", "255.00"), "trips": ("win", "205.00"),
            "progressive": ("win", "1000.02"),
        }  # fmt: skip
        assert part["returned"] == settlement["totals"]["returned"] == "1510.02"
        # staked 36.00 of which 35.00 before the Progressive: 475.00 of wins out of the float, 1,000.02 owed by the pot
        assert booked(found) == {
            "float:UTH-01": "-475.00", "win:UTH-01:main": "275.00", "win:UTH-01:trips": "200.00",
            "meter:MAIN:main": "1000.02", "awards:MAIN": "-1000.02",
        }  # fmt: skip


class TestLimits:
    def test_28_no_play_beyond_its_street_and_no_second_one(self, acme: Client) -> None:
        live = LiveRound(acme)
        live.bet(1, ante="10.00")
        live.to_the_flop("As Kd", flop="Qs Js 2d")
        before = rows()
        for multiplier in (1, 3, 4, 0, 100):
            body = {"box": 1, "action": "play", "multiplier": multiplier}
            problem(live.call("decisions", body), 422, "wrong_multiple")
        assert rows() == before
        live.go("decisions", {"box": 1, "action": "play", "multiplier": 2})
        live.go("river", {"turn": "3c", "river": "7h"})
        problem(live.call("decisions", {"box": 1, "action": "play", "multiplier": 1}), 422, "wrong_street")
        live.go("showdown", {"dealer": ["2h", "4h"]})
        assert live.read()["boxes"][0]["decision"]["multiplier"] == 2

    @pytest.mark.parametrize(("street", "allowed"), [("preflop", {3, 4}), ("flop", {2}), ("river", {1})], ids=str)
    def test_28_a_whole_round_has_the_same_multiples(self, street: str, allowed: set[int], acme: Client) -> None:
        for multiplier in range(6):
            decision = {"action": "play", "street": street, "multiplier": multiplier}
            body = round_of(seat("As Kd", decision=decision), board="Qs Js 9d 3c 7h", external_id=f"x{multiplier}")
            answer = send(acme, ROUNDS, body)
            if multiplier in allowed:
                assert answer.status_code == 202
            else:
                problem(answer, 422, "wrong_multiple")

    @pytest.mark.parametrize(
        ("limit", "each"),
        [(None, "40000.00"), ({"amount": "50000.00", "scope": "round"}, "25000.00")],
        ids=["none", "of the round"],
    )
    def test_29_an_aggregate_limit_is_shared_in_proportion_and_said(
        self, limit: Json | None, each: str, acme: Client
    ) -> None:
        """Two straight flushes on one flop, 800.00 on each Blind: 40,000.00 each, or half of what the limit leaves."""
        table_of(payout_limit=limit, bet_limits=limits())
        body = round_of(seat("8h 9h", ante="800.00"), seat("3h 4h", 2, ante="800.00"),
                        board="5h 6h 7h Kc 2d", dealer="Qd Js")  # fmt: skip
        parts = settled(acme, body | {"table": "T-25"})["settlement"]["boxes"]
        wins = [parse(wager["net"], USD) for part in parts for wager in part["wagers"] if wager["net"][0] != "-"]
        if limit is None:
            assert [wager["net"] for part in parts for wager in part["wagers"] if wager["kind"] == "blind"] == [
                each
            ] * 2
            assert not any("capped" in wager for part in parts for wager in part["wagers"])
        else:
            assert [part["net"] for part in parts] == [each] * 2
            assert sum(wins) == parse("50000.00", USD)
            assert all(wager.get("capped") for part in parts for wager in part["wagers"] if parse(wager["net"], USD))

    @pytest.mark.parametrize("cents", [1, 2, 5, 7, 10_001])
    def test_29_what_is_shared_adds_up_to_the_limit_whatever_it_is(self, cents: int, acme: Client) -> None:
        amount = f"{cents // 100}.{cents % 100:02}"
        table_of(payout_limit={"amount": amount, "scope": "round"}, bet_limits=limits())
        seats = [seat("8h 9h", ante="7.35"), seat("3h 4h", 2, ante="0.01"), seat("Kh 2h", 3, ante="3.33")]
        found = settled(acme, round_of(*seats, board="5h 6h 7h Kc 2d", dealer="Qd Js") | {"table": "T-25"})
        nets = [parse(w["net"], USD) for part in found["settlement"]["boxes"] for w in part["wagers"]]
        assert sum(net for net in nets if net > 0) == parse(amount, USD)
        assert all(net >= 0 for net in nets)


def test_30_every_place_that_tells_of_a_win_tells_what_was_posted(acme: Client) -> None:
    """The answer to who waited, the round, the award, the list, statement, webhook and ledger: one amount."""
    now = timezone.now()
    hook = endpoints.add(integrator="Acme", url="https://hooks.example.com/", types=(), private=False, now=now)
    body = round_of(seat("As Ks", progressive="1.00"), board="Qs Js Ts 3c 7h")
    found = settled(acme, body)
    answers = [found, send(acme, ROUNDS, body, Prefer="wait=1").json(), acme.get(f"{ROUNDS}{found['id']}/").json()]
    told = [answer["settlement"]["boxes"][0]["wagers"][-1]["returned"] for answer in answers]
    told += [answer["settlement"]["awards"][0]["amount"] for answer in answers]
    award_id = found["settlement"]["awards"][0]["id"]
    told += [acme.get(f"/api/v1/awards/{award_id}/").json()["amount"]]
    told += [award["amount"] for award in acme.get("/api/v1/awards/").json()["results"]]
    told += [booked(found)["meter:MAIN:main"]]
    sent = webhooks_to(hook.endpoint_id, now)
    assert sent["round.settled"]["totals"] == found["settlement"]["totals"]
    told += [sent["jackpot.hit"]["amount"], sent["jackpot.hit"]["meter_before"]]
    assert set(told) == {"10000.20"}
    rows_told = acme.get("/api/v1/jackpots/MAIN/statement/?kind=award").json()["results"]
    assert [(row["amount"], row["after"]) for row in rows_told] == [("-10000.20000000", "0.00000000")]
    meter = acme.get("/api/v1/jackpots/MAIN/statement/?pot=meter").json()["results"][::-1]
    assert all(before["after"] == after["before"] for before, after in pairwise(meter))
