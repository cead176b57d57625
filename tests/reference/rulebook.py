"""The five rule texts and the default jackpot policy as plain settings, typed in from the texts and the design."""

from typing import Any

Settings = dict[str, Any]

TABLE_RULES = {
    "UTH-01": "casino-progressive",
    "LIVE-01": "live-shared",
    "ONL-01": "live-online",
    "EARLY-01": "casino-fold-early",
    "PRAC-01": "practice",
}

BLIND_A = {
    "royal_flush": "500:1",
    "straight_flush": "50:1",
    "four_of_a_kind": "10:1",
    "full_house": "3:1",
    "flush": "3:2",
    "straight": "1:1",
}
BLIND_B = {hand: odds for hand, odds in BLIND_A.items() if hand != "straight"}


def trips_table(quads: int, full_house: int, flush: int, straight: int) -> dict[str, str]:
    """A Trips table: royal 50, straight flush 40 and three of a kind 3 are common to all four."""
    return {
        "royal_flush": "50:1",
        "straight_flush": "40:1",
        "four_of_a_kind": f"{quads}:1",
        "full_house": f"{full_house}:1",
        "flush": f"{flush}:1",
        "straight": f"{straight}:1",
        "three_of_a_kind": "3:1",
    }


DEFAULTS: Settings = {
    "blind_table": BLIND_A,
    "trips_table": trips_table(30, 8, 7, 4),
    "progressive_offered": True,
    "fold_streets": ["river"],
    "preflop_multipliers": [4, 3],
    "boxes_per_player": 1,
    "hand_mode": "per_box",
    "trips_survives_fold": True,
    "progressive_survives_fold": True,
    "odds_rounding": "half_up",
    "payout_limit": None,
}

RULES: dict[str, Settings] = {
    "live-shared": {**DEFAULTS, "progressive_offered": False, "hand_mode": "shared"},
    "live-online": {**DEFAULTS, "progressive_offered": False},
    "casino-fold-early": {**DEFAULTS, "progressive_offered": False, "fold_streets": ["preflop", "flop", "river"]},
    "practice": {**DEFAULTS, "progressive_offered": False, "trips_table": trips_table(30, 8, 6, 5)},
    "casino-progressive": {**DEFAULTS, "boxes_per_player": None},
}

PROGRESSIVE_TABLE: Settings = {
    "royal_flush": {"basis": "meter_share", "level": "main", "ppm": 1_000_000},
    "straight_flush": {"basis": "meter_share", "level": "main", "ppm": 100_000},
    "four_of_a_kind": {"basis": "for_one", "odds": 300},
    "full_house": {"basis": "for_one", "odds": 50},
    "flush": {"basis": "for_one", "odds": 40},
    "straight": {"basis": "for_one", "odds": 30},
    "three_of_a_kind": {"basis": "for_one", "odds": 9},
}

POLICY: Settings = {
    "stake": "1.00",
    "progressive_table": PROGRESSIVE_TABLE,
    "envy_table": {"royal_flush": "1000.00", "straight_flush": "300.00"},
    "levels": [
        {"level": "main", "base": "10000.00", "increment_ppm": 200_000, "reserve_ppm": 20_000, "limit": None},
    ],
    "hit_order": "low_first",
    "equal_rank": "in_turn",
    "after_share": "leave",
    "overflow_to": "next_reset",
    "void_contributions": "keep",
    "envy_per": "hit",
    "verify_from": "0.00",
}
