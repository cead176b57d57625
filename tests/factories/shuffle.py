"""Whole rounds shuffled from a seed, as bodies of the API: most dealt at random, some dealt to hit or to go wrong.

The same seed gives the same rounds. `reported` turns any such body into what `tables.services.ingest` takes.
"""

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from jackpot import money
from tables.api.reading_rounds import whole_round
from tables.domain.facts import Reported

Json = dict[str, Any]
USD = money.currency("USD")

SUITS = "cdhs"
DECK = [rank + suit for rank in "23456789TJQKA" for suit in SUITS]
FIRST_ROUND = datetime(2026, 11, 1, 6, 0, tzinfo=UTC)
PLAYS = [("preflop", 4), ("preflop", 3), ("flop", 2), ("river", 1)]
ANTES = ["5.00", "7.50", "10.00", "12.35", "25.01", "100.00"]

HITS = {
    "royal_flush": ("Ts Js Qs", ["Ks As"]),
    "straight_flush": ("7s 8s 9s", ["Ts Js"]),
    "five_high_straight_flush": ("2s 3s 4s", ["As 5s"]),
    "royal_and_straight_flush": ("Ts Js Qs", ["8s 9s", "Ks As"]),
    "two_straight_flushes": ("7s 8s 9s", ["Ts Js", "5s 6s"]),
    "both_hits_of_one_player": ("Ts Js Qs", ["Ks As", "8s 9s"]),
    "four_of_a_kind": ("9c 9d 2h", ["9h 9s"]),
}
"""Flops with the pairs that hit on them; the suits are shuffled before they are dealt."""

ODD = ("void_round", "void_before_lock_out", "void_box", "nothing_needed", "flop_only", "no_dealer")
"""Rounds that are void, or in which cards that no live wager needs are missing."""


WITHOUT = {"nothing_needed": ("trips", "progressive"), "flop_only": ("trips",), "no_dealer": ()}
"""Side bets that would need cards which are left out: everybody has folded."""


class Shuffle:
    """Deals rounds at some tables, one after the other, everything drawn from one seed."""

    def __init__(self, seed: int, tables: Sequence[str], *, special: float = 0.1) -> None:
        self._random = random.Random(seed)
        self._tables = tables
        self._special = special
        self._dealt = 0

    def rounds(self, count: int) -> Iterator[Json]:
        """So many rounds; about `special` of them are one of HITS or ODD."""
        kinds = [*HITS, *ODD]
        for _ in range(count):
            yield self.round(self._random.choice(kinds) if self._random.random() < self._special else "plain")

    def round(self, kind: str = "plain") -> Json:
        """One round: `plain`, or one of HITS or ODD by name. Times go up from round to round."""
        deck = self._random.sample(DECK, len(DECK))
        body = self._times(kind)
        flop, pairs = self._dealt_to_hit(kind, deck)
        body["boxes"] = self._boxes(pairs, deck, kind)
        body |= {"flop": flop, "turn": deck.pop(), "river": deck.pop(), "dealer": [deck.pop(), deck.pop()]}
        _leave_out(body, kind)
        return body

    def _times(self, kind: str) -> Json:
        self._dealt += 1
        started = FIRST_ROUND + timedelta(seconds=7 * self._dealt)
        times = {"started_at": started, "completed_at": started + timedelta(seconds=60)}
        if kind not in ("plain", "void_before_lock_out") or self._random.random() < 0.7:
            times["locked_at"] = started + timedelta(seconds=20)
        named = {name: at.isoformat() for name, at in times.items()}
        return {"table": self._random.choice(self._tables), "external_id": f"r{self._dealt:06}", **named}

    def _dealt_to_hit(self, kind: str, deck: list[str]) -> tuple[list[str], list[list[str]]]:
        """The flop and the pairs that hit on it, taken out of the deck; a flop at random for other kinds."""
        if kind not in HITS:
            return [deck.pop() for _ in range(3)], []
        suits = dict(zip(SUITS, self._random.sample(SUITS, len(SUITS)), strict=True))
        text, pairs = HITS[kind]
        dealt = [[card[0] + suits[card[1]] for card in cards.split()] for cards in (text, *pairs)]
        for card in (card for cards in dealt for card in cards):
            deck.remove(card)
        return dealt[0], dealt[1:]

    def _boxes(self, pairs: list[list[str]], deck: list[str], kind: str) -> list[Json]:
        count = self._random.randint(max(1, len(pairs)), 6)
        numbers = sorted(self._random.sample(range(1, 8), count))
        hands = [*pairs, *([deck.pop(), deck.pop()] for _ in range(count - len(pairs)))]
        self._random.shuffle(hands)
        boxes = [self._box(number, hand) for number, hand in zip(numbers, hands, strict=True)]
        hitting = [box for box in boxes if box["cards"] in pairs]
        for box in hitting:
            box["progressive"] = "1.00"
        if kind == "both_hits_of_one_player":
            hitting[1]["player"] = hitting[0]["player"]
        self._random.shuffle(boxes)
        return boxes

    def _box(self, number: int, hand: list[str]) -> Json:
        chance = self._random.random
        ante = self._random.choice(ANTES)
        box: Json = {"box": number, "player": self._random.choice("ABCDEF"), "cards": hand, "ante": ante}
        if chance() < 0.2:
            box["blind"] = ante
        if chance() < 0.5:
            box["trips"] = self._random.choice(["1.00", "5.00", "7.55"])
        if chance() < 0.8:
            box["progressive"] = "1.00"
        if chance() < 0.7:
            street, multiplier = self._random.choice(PLAYS)
            box["decision"] = {"action": "play", "street": street, "multiplier": multiplier}
        elif chance() < 0.5:
            box["decision"] = {"action": "fold", "street": "river"}
        return box


def _leave_out(body: Json, kind: str) -> None:
    """Make the round void, or take the cards away that nobody needs."""
    if kind in ("void_round", "void_before_lock_out"):
        body["void"] = {"reason": "malfunction", "note": "the shoe jammed"}
        _without(body, "flop", "turn", "river", "dealer")
        _without_pairs(body["boxes"])
    if kind == "void_box":
        body["boxes"][0] |= {"void": "card_exposed_hole"}
        _without_pairs(body["boxes"][:1])
    if kind in WITHOUT:
        _fold(body["boxes"], without=WITHOUT[kind])
        _without(body, "dealer")
    if kind in ("nothing_needed", "flop_only"):
        _without(body, "turn", "river")
    if kind == "nothing_needed":
        _without(body, "flop")
        _without_pairs(body["boxes"])


def _fold(boxes: list[Json], *, without: tuple[str, ...]) -> None:
    for box in boxes:
        _without(box, "decision", *without)


def _without_pairs(boxes: list[Json]) -> None:
    for box in boxes:
        _without(box, "cards")


def _without(body: Json, *names: str) -> None:
    for name in names:
        body.pop(name, None)


def reported(body: Json) -> Reported:
    """A body as the API reads it when it comes over the wire; amounts in USD."""
    return whole_round(json.loads(json.dumps(body)), {body["table"]: USD})
