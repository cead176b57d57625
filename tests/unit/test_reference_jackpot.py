"""The reference's jackpot: meters, hits, Envy, voids."""

from typing import Any

import pytest

from tests.reference.jackpot import Replay
from tests.reference.rulebook import POLICY

Json = dict[str, Any]


def policy_with(**changes: Any) -> Json:
    return {**POLICY, **changes}


def level(**changes: Any) -> Json:
    return {"level": "main", "base": "10000.00", "increment_ppm": 200_000, "reserve_ppm": 20_000, **changes}


def royal(box: int = 1, player: str = "A") -> Json:
    return {"box": box, "player": player, "stake": 100, "hand": "royal_flush", "alive": True}


def test_a_thousand_bets_at_three_quarters_of_a_percent_add_exactly_seven_fifty() -> None:
    """Known failure 32."""
    jackpot = Replay(policy_with(levels=[level(increment_ppm=7_500, reserve_ppm=0)]))
    for n in range(1_000):
        jackpot.lockout(str(n), {1: 100})
    assert jackpot.meters["main"]["meter"] == "10007.50000000"


def test_ten_thousand_contributions_of_seven_cents_add_exactly_700() -> None:
    """Known failure 41."""
    jackpot = Replay(policy_with(levels=[level(increment_ppm=10_000, reserve_ppm=0)]))
    for n in range(10_000):
        jackpot.lockout(str(n), {1: 700})
    assert jackpot.meters["main"]["meter"] == "10700.00000000"


def test_two_royals_minutes_apart_at_two_sites() -> None:
    """Known failure 37: 86,000.00, then the base 20,000.00 and 35.00 of contributions."""
    jackpot = Replay(policy_with(levels=[level(base="20000.00", reserve_ppm=0)]), {"main": "85999.80"})
    jackpot.lockout("site 1", {1: 100})
    jackpot.settle("site 1", [royal()])
    for n in range(174):
        jackpot.lockout(f"between {n}", {1: 100})
    jackpot.lockout("site 2", {1: 100})
    jackpot.settle("site 2", [royal()])
    assert [hit["amount"] for hit in jackpot.awards] == ["86000.00", "20035.00"]


def test_a_round_locked_out_after_the_hit_is_not_in_it_though_its_cards_came_first() -> None:
    jackpot = Replay(POLICY)
    jackpot.lockout("hit", {1: 100})
    jackpot.settle("hit", [royal()])
    jackpot.lockout("later", {1: 100})
    assert jackpot.awards[0]["amount"] == "10000.20"
    assert jackpot.meters["main"]["meter"] == "10000.20000000"


def test_void_after_a_reset_takes_nothing_from_the_new_meter() -> None:
    jackpot = Replay(policy_with(void_contributions="reverse"))
    jackpot.lockout("dead", {1: 100})
    jackpot.lockout("hit", {1: 100})
    jackpot.settle("hit", [royal()])
    jackpot.lockout("more", {1: 100})
    jackpot.void("dead", [1])
    meters = jackpot.meters["main"]
    assert (meters["meter"], meters["reserve"]) == ("10000.20000000", "0.00000000")
    assert jackpot.flags == [{"source": "dead", "level": "main", "house": "0.20000000"}]


def test_void_takes_the_meter_down_to_its_base_only() -> None:
    jackpot = Replay(policy_with(void_contributions="reverse"))
    jackpot.lockout("dead", {1: 100})
    hit = {"box": 1, "player": "B", "stake": 100, "hand": "straight_flush", "alive": True}
    jackpot.settle("hit", [hit])
    jackpot.void("dead", [1])
    assert jackpot.meters["main"]["meter"] == "9000.18000000"
    assert jackpot.flags == [{"source": "dead", "level": "main", "house": "0.20000000"}]


def test_overflow_waits_over_a_reset_as_far_as_it_does_not_fit() -> None:
    jackpot = Replay(policy_with(levels=[level(limit="10000.10")]))
    for n in range(3):
        jackpot.lockout(str(n), {1: 100})
    assert jackpot.meters["main"]["overflow"] == "0.50000000"
    jackpot.settle("hit", [royal()])
    assert (jackpot.meters["main"]["meter"], jackpot.meters["main"]["overflow"]) == ("10000.10000000", "0.40000000")
    assert jackpot.awards[0]["reset_to"] == "10000.10"


def test_hits_below_the_verification_amount_start_paid() -> None:
    jackpot = Replay(policy_with(verify_from="10000.01"))
    jackpot.settle("at the base", [royal()])
    jackpot.lockout("x", {1: 100})
    jackpot.settle("above it", [royal()])
    assert [hit["state"] for hit in jackpot.awards] == ["paid", "pending"]


@pytest.mark.parametrize(
    ("owner_of_hit", "receivers"),
    [("A", {2: ["1000.00"], 4: ["1000.00"]}), ("B", {1: ["1000.00"], 3: ["1000.00"], 4: ["1000.00"]})],
)
def test_envy_goes_by_player(owner_of_hit: str, receivers: dict[int, list[str]]) -> None:
    """A on boxes 1 and 3, B on 2, C on 4."""
    hit_box = {"A": 1, "B": 2}[owner_of_hit]
    players = {1: "A", 2: "B", 3: "A", 4: "C"}
    bets = [{**royal(box, player), "hand": "pair"} for box, player in players.items()]
    bets[hit_box - 1]["hand"] = "royal_flush"
    prices = Replay(POLICY).settle("x", bets)
    assert {box: [row["amount"] for row in rows] for box, rows in prices.envy.items()} == receivers
