"""Whole rounds for tables of any rule set and policy: `Shuffle`'s rounds, bent to what a table and its jackpot allow.

Dealt to hit often, with voids: whole rounds before and after the lock-out, with cards on the table or without, and
single boxes, in rounds in which others hit too.
"""

import random
from collections.abc import Mapping
from typing import Any

from tests.factories.shuffle import HITS, WITHOUT, Shuffle
from tests.reference.hands import score

Json = dict[str, Any]

ANTES = ["0.01", "0.03", "5.00", "7.50", "12.35", "25.01", "100.00"]
TRIPS = ["0.01", "1.00", "5.00", "7.55"]
SIDE_BETS = ("trips", "progressive")


class RandomRounds:
    """Deals rounds at these tables (`rules` by code) of one jackpot, everything drawn from `draw`."""

    def __init__(self, draw: random.Random, rules: Mapping[str, Json], policy: Json) -> None:
        self._draw = draw
        self._rules = rules
        self._policy = policy
        self._shuffle = Shuffle(draw.getrandbits(32), list(rules))

    def round(self, *, table: str | None = None, sound: bool = False) -> Json:
        """One round at one of the tables; a `sound` one has all its cards and is not void."""
        kind = self._kind(sound)
        body = self._shuffle.round(kind)
        body["table"] = table or body["table"]
        rules = self._rules[body["table"]]
        _seat(body["boxes"], rules["boxes_per_player"])
        for box in body["boxes"]:
            self._bet(box, kind, rules)
            self._decide(box, rules)
        if rules["hand_mode"] == "shared":
            _share_a_hand(body)
        if not sound:
            self._void_some(body)
        return body

    def _kind(self, sound: bool) -> str:
        chance = self._draw.random()
        if chance < 0.4:
            return self._draw.choice(list(HITS))
        if sound or chance < 0.8:
            return "plain"
        return self._draw.choice(["void_round", "void_before_lock_out", "void_box", *WITHOUT])

    def _bet(self, box: Json, kind: str, rules: Json) -> None:
        """Stakes of this table's own; where a fold ends a side bet, a folded box may have it without its cards."""
        box["ante"] = self._draw.choice(ANTES)
        if "blind" in box:
            box["blind"] = box["ante"]
        for bet in SIDE_BETS:
            dead = kind in WITHOUT and not rules[f"{bet}_survives_fold"]
            if dead and self._draw.random() < 0.5:
                box[bet] = "1.00"
        if "trips" in box:
            box["trips"] = self._draw.choice(TRIPS)
        if not rules["progressive_offered"]:
            box.pop("progressive", None)
        if "progressive" in box:
            box["progressive"] = self._policy["stake"]

    def _decide(self, box: Json, rules: Json) -> None:
        decision = box.get("decision")
        if decision is None:
            return
        if decision["action"] == "fold":
            decision["street"] = self._draw.choice(rules["fold_streets"])
        elif decision["street"] == "preflop":
            decision["multiplier"] = self._draw.choice(rules["preflop_multipliers"])

    def _void_some(self, body: Json) -> None:
        """Now and then a box, which keeps its cards or has none any more, or the whole round with all its cards."""
        if self._draw.random() < 0.2 and "void" not in body:
            box = self._draw.choice(body["boxes"])
            box["void"] = self._draw.choice(["card_exposed_hole", "malfunction", "wrong_bet"])
            if self._draw.random() < 0.5:
                box.pop("cards", None)
        if self._draw.random() < 0.05:
            body["void"] = {"reason": self._draw.choice(["card_exposed_board", "other"]), "note": "the deck fell"}


def _seat(boxes: list[Json], most: int | None) -> None:
    """Boxes beyond a player's number of boxes belong to players of their own."""
    held: dict[str, int] = {}
    for box in boxes:
        player = box["player"]
        held[player] = held.get(player, 0) + 1
        if most is not None and held[player] > most:
            box["player"] = f"{player}{box['box']}"


def _share_a_hand(body: Json) -> None:
    """All boxes play the best of their hands; its owner's cards become the one pair on the table."""
    pairs = [box.pop("cards") for box in body["boxes"] if "cards" in box]
    if pairs:
        flop = body.get("flop", [])
        body["player_cards"] = max(pairs, key=lambda pair: score(pair + flop) if flop else ())
