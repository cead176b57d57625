"""Jackpot policies and rule sets drawn at random, in the reference's shape, over everything a house may set.

Hits are frequent: weak hands take shares of a meter too, limits are narrow, and bases may be next to nothing.
"""

import random
from typing import Any

from tests.reference.rulebook import BLIND_A, BLIND_B, DEFAULTS, trips_table

Json = dict[str, Any]

MILLION = 1_000_000
HANDS = [
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind", "two_pair",
    "pair", "high_card",
]  # fmt: skip
"""From strong to weak."""

_CHOICES = {
    "hit_order": ("low_first", "high_first"),
    "equal_rank": ("in_turn", "split"),
    "after_share": ("leave", "restore_base"),
    "overflow_to": ("next_reset", "next_reset", "house"),
    "void_contributions": ("keep", "reverse", "reverse"),
    "envy_per": ("hit", "round"),
    "verify_from": ("0.00", "0.01", "25.00", "1000.00"),
    "stake": ("1.00", "1.00", "0.05", "2.50", "5.00"),
}
_BASES = ["0.00", "0.01", "1.00", "33.33", "1000.00", "10000.00"]
_SHARES = [MILLION, MILLION, MILLION, 500_000, 333_333, 100_000, 1]
_RATES = [0, 1, 7_500, 50_000, 200_000, 200_000, 333_333, 700_001]
_ODDS = ["1:1", "3:2", "1:3", "7:4", "25:1", "500:1"]


def random_policy(draw: random.Random) -> Json:
    """One to three levels; the two strongest hands and some others take shares of them."""
    levels = _levels(draw)
    lines = {hand: line for hand in HANDS if (line := _line(draw, hand, [level["level"] for level in levels]))}
    shares = [hand for hand, line in lines.items() if line["basis"] == "meter_share"]
    envied = [hand for hand in shares if draw.random() < 0.6]
    return {
        **{key: draw.choice(values) for key, values in _CHOICES.items()},
        "progressive_table": lines,
        "envy_table": {hand: draw.choice(["1000.00", "300.00", "300.00", "0.10"]) for hand in envied},
        "levels": levels,
    }


def _levels(draw: random.Random) -> list[Json]:
    names = ["mega", "major", "minor"][: draw.randint(1, 3)]
    left = MILLION
    levels = []
    for name in names:
        increment = draw.choice([rate for rate in _RATES if rate <= left])
        reserve = draw.choice([rate for rate in _RATES if rate <= min(left - increment, 200_000)])
        left -= increment + reserve
        base = draw.choice(_BASES)
        limit = None if draw.random() < 0.25 else _plus(base, draw.choice([1, 30, 100, 777, 50_000]))
        levels.append({"level": name, "base": base, "increment_ppm": increment, "reserve_ppm": reserve, "limit": limit})
    return levels


def _plus(amount: str, cents: int) -> str:
    whole = int(amount.replace(".", "")) + cents
    return f"{whole // 100}.{whole % 100:02d}"


def _line(draw: random.Random, hand: str, levels: list[str]) -> Json | None:
    strength = HANDS.index(hand)
    share = draw.random() < (1.0, 0.9, 0.5, 0.4, 0.4, 0.4, 0.4, 0.3, 0.15, 0.05)[strength]
    if share:
        return {"basis": "meter_share", "level": draw.choice(levels), "ppm": draw.choice(_SHARES)}
    if strength > HANDS.index("two_pair") or draw.random() < 0.2:
        return None
    if draw.random() < 0.5:
        return {"basis": "for_one", "odds": draw.choice([1, 9, 50, 300])}
    return {"basis": "fixed", "amount": draw.choice(["0.50", "9.00", "777.77"])}


def random_rules(draw: random.Random, *, shared: bool | None = None) -> Json:
    """A rule set with every setting drawn; limits of bets lie so wide that `random_rounds` stays within them."""
    if shared is None:
        shared = draw.random() < 0.3
    streets = [street for street in ("preflop", "flop") if draw.random() < 0.4]
    return {
        **DEFAULTS,
        "blind_table": draw.choice([BLIND_A, BLIND_B, _odds_table(draw)]),
        "trips_table": draw.choice([trips_table(30, 9, 7, 4), trips_table(20, 7, 6, 5), _odds_table(draw)]),
        "progressive_offered": draw.random() < 0.9,
        "fold_streets": [*streets, "river"],
        "preflop_multipliers": draw.choice([[4, 3], [3], [10, 1, 7]]),
        "boxes_per_player": draw.choice([None, None, 1, 2]),
        "max_boxes": None if shared and draw.random() < 0.5 else draw.choice([6, 22]),
        "hand_mode": "shared" if shared else "per_box",
        "trips_survives_fold": draw.random() < 0.6,
        "progressive_survives_fold": draw.random() < 0.6,
        "odds_rounding": draw.choice(["half_up", "down"]),
        "payout_limit": _payout_limit(draw),
        "bet_limits": {
            "ante": {"min": "0.01", "max": "1000.00"},
            "trips": {"min": "0.01", "max": "1000.00"},
            "box": draw.choice([None, "4000.00"]),
        },
    }


def _payout_limit(draw: random.Random) -> Json | None:
    if draw.random() < 0.4:
        return None
    amount = draw.choice(["0.01", "10.00", "33.33", "100.01", "5000.00"])
    return {"amount": amount, "scope": draw.choice(["player", "round"])}


def _odds_table(draw: random.Random) -> dict[str, str]:
    """Odds of its own, on weak hands too."""
    lines = {hand: draw.choice(_ODDS) for hand in HANDS if draw.random() < 0.7}
    return lines or {"royal_flush": "500:1"}
