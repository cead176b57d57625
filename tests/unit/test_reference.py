"""The reference against every golden round, and sums that must hold whatever comes."""

import random
from fractions import Fraction
from typing import Any

import pytest

from tests.golden.load import load, names, policy, settings
from tests.reference.amounts import cents, exact_text
from tests.reference.compare import chain_breaks, differences, settlement_core, statement_core
from tests.reference.dealing import random_round
from tests.reference.refusals import refusals
from tests.reference.replay import Floor, replay
from tests.reference.rounds import settle_round
from tests.reference.rulebook import POLICY, RULES, TABLE_RULES

Json = dict[str, Any]
LINKED = settings({"rule_set": "casino-progressive"})


def play_golden(golden: Json) -> Floor:
    floor = Floor({golden["request"]["table"]: settings(golden)}, policy(golden), golden.get("opening"))
    floor.play(golden["request"])
    return floor


@pytest.mark.parametrize("name", names())
def test_golden_round(name: str) -> None:
    golden = load(name)
    refused = refusals(golden["request"], settings(golden))
    if "problem" in golden:
        assert refused[0] == (golden["problem"]["code"], golden["problem"]["pointer"])
        return
    assert refused == [] or golden["request"].get("void")
    floor = play_golden(golden)
    settlement = floor.settlements[golden["request"]["external_id"]]
    assert differences(settlement_core(golden["settlement"]), settlement_core(settlement)) == []
    assert floor.jackpot
    if "meters" in golden:
        assert differences(golden["meters"], floor.jackpot.meters) == []
    if "statement" in golden:
        assert differences(statement_core(golden["statement"]), statement_core(floor.jackpot.statement)) == []


@pytest.mark.parametrize("name", names())
def test_golden_file_is_complete_and_adds_up(name: str) -> None:
    golden = load(name)
    assert golden["source"]
    assert golden["sum"]
    assert golden["via"] in ("api", "policy")
    assert (golden["via"] == "policy") == any(key in golden for key in ("rules", "policy", "opening"))
    assert TABLE_RULES[golden["request"]["table"]] == golden["rule_set"]
    assert name.startswith(golden["rule_set"])
    if "settlement" in golden:
        assert_adds_up(golden["settlement"])


def test_every_rule_text_has_a_golden_round_that_goes_through_the_api() -> None:
    assert {load(name)["rule_set"] for name in names() if load(name)["via"] == "api"} == set(RULES)


def assert_adds_up(settlement: Json) -> None:
    """Wagers + Envy = box, boxes = round."""
    for box in settlement["boxes"]:
        staked = sum(cents(wager["stake"]) for wager in box["wagers"])
        envy = sum(cents(row["amount"]) for row in box["envy"])
        returned = sum(cents(wager["returned"]) for wager in box["wagers"]) + envy
        assert (cents(box["staked"]), cents(box["returned"])) == (staked, returned)
        assert signed(box["net"]) == returned - staked
        assert all(signed(w["net"]) == cents(w["returned"]) - cents(w["stake"]) for w in box["wagers"])
    for key in ("staked", "returned"):
        assert cents(settlement["totals"][key]) == sum(cents(box[key]) for box in settlement["boxes"])
    envy = sum(cents(row["amount"]) for box in settlement["boxes"] for row in box["envy"])
    assert cents(settlement["totals"]["envy"]) == envy


def signed(amount: str) -> int:
    return -cents(amount[1:]) if amount.startswith("-") else cents(amount)


def one_box(**changes: Any) -> Json:
    box = {"box": 1, "player": "P", "cards": ["4h", "3h"], "ante": "5.00", **changes}
    return {"boxes": [box], "flop": ["2h", "5h", "9h"], "turn": "Jh", "river": "Kh", "dealer": ["Ac", "As"]}


def test_payout_limit_gives_left_over_cents_by_remainder_then_box_then_bet() -> None:
    """Flush: Ante 5.00, Blind 7.50, Play 5.00 a box; two boxes 35.00 scaled to 10.01."""
    play = {"action": "play", "street": "river", "multiplier": 1}
    round_ = one_box(decision=play)
    round_["boxes"].append({**round_["boxes"][0], "box": 2, "cards": ["8h", "7h"]})
    rules = {**LINKED, "payout_limit": {"amount": "10.01", "scope": "round"}}
    boxes = settle_round(round_, rules)["boxes"]
    nets = [wager["returned"] - wager["stake"] for box in boxes for wager in box["wagers"]]
    # 500 * 1001 / 3500 = 143, 750 * 1001 / 3500 = 214.5: the one cent left over goes to the Blind of box 1
    assert nets == [143, 215, 143, 143, 214, 143]
    assert all(wager["capped"] for box in boxes for wager in box["wagers"])


def test_payout_limit_is_not_offset_by_losses_and_is_silent_when_it_does_not_bite() -> None:
    play = {"action": "play", "street": "river", "multiplier": 1}
    round_ = one_box(decision=play)
    round_["boxes"].append({"box": 2, "player": "P", "cards": ["Qd", "Qc"], "ante": "5.00", "decision": play})
    exactly = settle_round(round_, {**LINKED, "payout_limit": {"amount": "17.50", "scope": "player"}})
    assert not any("capped" in wager for box in exactly["boxes"] for wager in box["wagers"])
    below = settle_round(round_, {**LINKED, "payout_limit": {"amount": "17.49", "scope": "player"}})
    assert sum(max(w["returned"] - w["stake"], 0) for box in below["boxes"] for w in box["wagers"]) == 1749


def test_a_live_bet_without_its_cards_is_an_error_of_the_caller() -> None:
    round_ = one_box(trips="5.00")
    del round_["river"]
    with pytest.raises(ValueError, match="Trips"):
        settle_round(round_, LINKED)


@pytest.mark.parametrize("changes", [{}, {"hit_order": "high_first", "equal_rank": "split"}])
def test_many_rounds_keep_every_sum(changes: Json) -> None:
    dealer = random.Random(20261129)
    rounds = [random_round(dealer, number) for number in range(150)]
    special = [load(name) for name in names() if name.startswith("casino-progressive") and "rules" not in load(name)]
    rounds += [golden["request"] for golden in special if "settlement" in golden]
    out = replay(rounds, {"UTH-01": LINKED}, {**POLICY, **changes})
    assert chain_breaks(out["statement"]) == []
    for settlement in out["settlements"].values():
        assert_adds_up(settlement)
    awarded = sum(cents(hit["amount"]) for hit in out["awards"])
    rows = [row for row in out["statement"] if row["kind"] == "award"]
    assert exact_text(-awarded) == exact_text(sum(Fraction(row["amount"]) * 100 for row in rows))
    balances = out["meters"]["main"]
    contributed = sum(Fraction(row["amount"]) for row in out["statement"] if row["kind"] == "contribution")
    held = sum(Fraction(balances[pot]) for pot in ("meter", "reserve", "overflow"))
    kept_dead = sum(Fraction("0.22") for golden in special for box in dead_stakes(golden))
    assert held == contributed + Fraction(balances["house"]) - kept_dead - Fraction(awarded, 100)


def dead_stakes(golden: Json) -> list[Json]:
    """Progressive bets that were locked out and then void: their contribution stays, the house bears it."""
    request = golden["request"]
    locked = "settlement" in golden and "locked_at" in request
    dead = [box for box in request["boxes"] if box.get("void") or request.get("void")]
    return [box for box in dead if locked and box.get("progressive")]
