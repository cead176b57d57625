"""Rounds dealt and decided at random from a seed, for comparing many of them."""

import random
from typing import Any

from tests.reference.hands import RANKS, SUITS

Json = dict[str, Any]
DECK = [rank + suit for rank in RANKS for suit in SUITS]


def random_round(dealer: random.Random, number: int) -> Json:
    """A whole round of one to six boxes at a Progressive table, decisions and side bets at random."""
    deck = dealer.sample(DECK, 52)
    boxes = []
    for box in range(1, dealer.randint(1, 6) + 1):
        made = {"box": box, "player": dealer.choice("ABCD"), "cards": [deck.pop(), deck.pop()], "ante": "5.00"}
        if dealer.random() < 0.5:
            made["trips"] = "5.00"
        if dealer.random() < 0.8:
            made["progressive"] = "1.00"
        if dealer.random() < 0.7:
            street, multiple = dealer.choice([("preflop", 4), ("preflop", 3), ("flop", 2), ("river", 1)])
            made["decision"] = {"action": "play", "street": street, "multiplier": multiple}
        boxes.append(made)
    return {
        "table": "UTH-01",
        "external_id": f"r{number}",
        "locked_at": "2026-11-29T14:22:58Z",
        "boxes": boxes,
        "flop": [deck.pop(), deck.pop(), deck.pop()],
        "turn": deck.pop(),
        "river": deck.pop(),
        "dealer": [deck.pop(), deck.pop()],
    }
