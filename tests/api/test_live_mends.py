"""Live rounds that go wrong at the table, and go on."""

from django.test import Client

from jackpot.services.changes import jackpot_states
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet
from tests.api.conftest import Clock
from tests.api.floor import ROUNDS, example, send
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.factories import House, change_policy, person, settle_all
from tests.factories.set_up import change_rules


def test_bets_are_held_against_the_rule_set_they_will_stand_under(acme: Client, clock: Clock) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    one = RuleSet.objects.get(code="casino-progressive").versions.get(version=1)
    limits = one.document["bet_limits"] | {"ante": {"min": "50.00", "max": "500.00"}}
    change_rules(one.rule_set, at=clock.now, bet_limits=limits)
    clock.advance(1)
    problem(live.call("lock"), 422, "bet_limit", "/boxes/1/ante")
    assert Round.objects.get().phase == "betting"
    live.bet(1, ante="50.00", progressive="1.00")
    assert live.go("lock") == {"phase": "locked"}
    assert live.read()["rule_set"] == "casino-progressive@2"


def test_bets_are_held_against_the_policy_they_will_stand_under(acme: Client, demo: House, clock: Clock) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    change_policy(demo.jackpot, at=clock.now, stake="5.00")
    clock.advance(1)
    problem(live.call("lock"), 422, "wrong_progressive_stake", "/boxes/1/progressive")
    live.bet(1, progressive="5.00")
    live.go("lock")
    assert live.read()["jackpot_policy"] == "MAIN@2"


def test_a_jackpot_suspended_before_the_lock_takes_no_progressive(acme: Client, demo: House, clock: Clock) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=demo.jackpot.pk, now=clock.now)
    problem(live.call("lock"), 422, "no_progressive", "/boxes/1/progressive")
    live.bet(1)
    live.go("lock")


def test_a_void_box_takes_no_new_bet(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.go("boxes/1/void", {"reason": "wrong_bet"})
    problem(live.call("boxes/1", {"player": "P-1", "ante": "10.00"}, "put"), 422, "unknown_box")


def test_a_void_box_is_dealt_two_cards_or_none(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    live.bet(2)
    live.go("boxes/2/void", {"reason": "wrong_bet"})
    live.go("lock")
    problem(live.call("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c"]}}), 422, "wrong_card_count", "/cards/2")
    sent = {"cards": {"1": ["As", "Ks"], "2": []}}
    assert live.go("deal", sent) == {"phase": "preflop"}
    assert live.go("deal", sent) == {"phase": "preflop"}
    problem(live.call("deal", {"cards": {"1": ["As", "Kd"]}}), 409, "step_conflict")


def test_a_box_decides_once(acme: Client) -> None:
    """Known failure 28: a second Play on a later street is against the rules; another one on its street, a conflict."""
    live = LiveRound(acme)
    live.bet(1)
    live.to_the_flop("As Kd")
    live.go("decisions", {"box": 1, "action": "play", "multiplier": 2})
    problem(live.call("decisions", {"box": 1, "action": "fold"}), 409, "step_conflict")
    live.go("river", {"turn": "3c", "river": "7h"})
    problem(live.call("decisions", {"box": 1, "action": "play", "multiplier": 1}), 422, "wrong_street")


def test_a_void_while_suspended_remembers_where_the_round_was(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    live.to_the_flop("As Ks")
    live.go("suspend", {"note": ""})
    live.go("boxes/1/void", {"reason": "malfunction"}, status=202)
    rnd = Round.objects.get()
    assert (rnd.phase, rnd.resumes_to) == ("failed", "flop")


def test_a_void_before_the_flop_does_not_make_a_later_one_wait(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    live.bet(2, progressive="1.00")
    live.bet(3)
    live.go("lock")
    live.go("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"], "3": ["4d", "9d"]}})
    live.go("boxes/1/void", {"reason": "card_exposed_hole"})
    live.go("flop", {"cards": ["Qs", "Js", "Ts"]})
    assert live.go("boxes/3/void", {"reason": "card_exposed_hole"}) == {"phase": "flop", "box": 3}


def test_a_refusal_offers_only_what_a_table_can_do(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    answer = problem(live.call("river", {"turn": "3c", "river": "7h"}), 409, "wrong_phase")
    assert "lock_empty" not in answer["detail"]
    assert "lock" in answer["detail"]


def test_a_round_within_the_clocks_tolerance_is_not_late(acme: Client, clock: Clock) -> None:
    """Half a minute before a gaming day begins, a round comes in whose clock is already in it."""
    clock.now = clock.now.replace(day=25, hour=5, minute=59, second=30)
    starts = {name: f"2026-11-25T05:5{minute}:00Z" for name, minute in (("started_at", 7), ("locked_at", 8))}
    body = example(**starts, completed_at="2026-11-25T06:00:20Z")
    answer = send(acme, ROUNDS, body)
    assert answer.status_code == 202, answer.content
    assert (answer.json()["gaming_day"], answer.json()["late"]) == ("2026-11-24", False)
    settle_all()


def test_a_settled_round_is_not_voided_whatever_it_paid(acme: Client) -> None:
    answer = send(acme, ROUNDS, example())
    settle_all()
    for address in (f"{ROUNDS}{answer.json()['id']}/void/", f"{ROUNDS}{answer.json()['id']}/boxes/1/void/"):
        problem(send(acme, address, {"reason": "other", "note": "x"}), 409, "already_settled")


def test_a_box_of_a_void_round_is_void_already_whatever_it_would_have_won(acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1, progressive="1.00")
    live.bet(2)
    live.go("lock")
    live.go("deal", {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}})
    live.go("void", {"reason": "malfunction", "note": ""})
    problem(live.call("boxes/1/void", {"reason": "other"}), 409, "wrong_phase")
    settle_all()
    problem(live.call("boxes/1/void", {"reason": "other"}), 409, "wrong_phase")
