"""Poker hands: what five cards are worth, alone or as the best five of seven. Source: the rule texts, "Hand rankings".

The evaluation itself is phevaluator's, which checks nothing: a repeated card can rank above a royal flush, an
unknown one can end the process. So nothing reaches it from here that is not five or seven different cards, by its own
numbers: its functions around the compiled ones look at each card again, for twice as long as the evaluation takes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from phevaluator._pheval import evaluate_5cards, evaluate_7cards  # type: ignore[import-untyped]

from tables.domain.cards import RANKS, SUITS


class HandName(StrEnum):
    """The categories, strong to weak."""

    ROYAL_FLUSH = "royal_flush"
    STRAIGHT_FLUSH = "straight_flush"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FULL_HOUSE = "full_house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three_of_a_kind"
    TWO_PAIR = "two_pair"
    PAIR = "pair"
    HIGH_CARD = "high_card"


@dataclass(frozen=True, slots=True)
class Ranked:
    """What five cards are worth: their category, and a strength of 1 (royal flush) to 7462 (7-5-4-3-2).

    Equal strength is a tie: suits, and cards beyond the best five, decide nothing.
    """

    name: HandName
    strength: int

    def beats(self, other: "Ranked") -> bool:
        return self.strength < other.strength


_WEAKEST_OF = dict(zip(HandName, (1, 10, 166, 322, 1599, 1609, 2467, 3325, 6185, 7462), strict=True))
_WEAKEST_PAIR = _WEAKEST_OF[HandName.PAIR]


def _every_hand() -> dict[int, Ranked]:
    hands: dict[int, Ranked] = {}
    for name, weakest in _WEAKEST_OF.items():
        hands |= {strength: Ranked(name, strength) for strength in range(len(hands) + 1, weakest + 1)}
    return hands


_BY_STRENGTH = _every_hand()
_EVALUATOR_ID = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate("cdhs")}
_WHEEL = frozenset("A2345")


def rank(cards: Sequence[str]) -> Ranked:
    """The worth of five cards, or of the best five of seven, whatever their order.

    Raises ValueError on a card that is not of the deck in its normal form, a repeated card, or another number of cards.
    """
    ids = _ids(cards)
    if len(ids) == 7:
        return _BY_STRENGTH[evaluate_7cards(*ids)]
    if len(ids) == 5:
        return _BY_STRENGTH[evaluate_5cards(*ids)]
    raise ValueError(f"a hand is five or seven cards, not {len(ids)}")


class Made(NamedTuple):
    """What two cards make: the best five of seven with the whole board, and the five with its flop; None where these
    are not known.
    """

    best: Ranked | None
    flop: Ranked | None


class Board:
    """Community cards in the order dealt, the flop at least: looked at once for all the pairs that play with them."""

    __slots__ = ("_cards", "_ids")

    def __init__(self, cards: Sequence[str]) -> None:
        """Raises ValueError on cards like `rank`, and where they are not three to five."""
        if not 3 <= len(cards) <= 5:
            raise ValueError(f"a board is three to five cards, not {len(cards)}")
        self._cards, self._ids = cards, _ids(cards)

    def with_pair(self, pair: Sequence[str]) -> Made:
        """What a pair makes. Raises ValueError on cards like `rank`, and where they are not two."""
        if len(pair) != 2:
            raise ValueError(f"a pair is two cards, not {len(pair)}")
        ids = self._ids
        first, second = _ids(pair)
        if first in ids or second in ids:
            raise _twice((*pair, *self._cards))
        best = _BY_STRENGTH[evaluate_7cards(first, second, *ids)] if len(ids) == 5 else None
        return Made(best, _BY_STRENGTH[evaluate_5cards(first, second, *ids[:3])])


def _ids(cards: Sequence[str]) -> list[int]:
    """Different cards by the evaluator's numbers."""
    try:
        ids = [*map(_EVALUATOR_ID.__getitem__, cards)]
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is not a card of the deck") from None
    if len(set(ids)) != len(ids):
        raise _twice(cards)
    return ids


def _twice(cards: Sequence[str]) -> ValueError:
    return ValueError(f"a card is there twice: {' '.join(cards)}")


def qualifies(dealer: Ranked) -> bool:
    """Whether the dealer's hand qualifies: a pair or better in his best five, a pair on the board included."""
    return dealer.strength <= _WEAKEST_PAIR


def best_five(cards: Sequence[str]) -> tuple[str, ...]:
    """The five cards that count out of five or seven, as they are shown.

    Groups first (four, three, two alike), then by rank, inside a group s h d c; in a five-high straight the ace comes
    last. Of several choices of equal strength, the one whose suits come first in s h d c. Made for reading, not for
    settling: seven cards are 21 evaluations. Raises ValueError like `rank`.
    """
    worth = rank(cards)
    choices = [five for five in combinations(cards, 5) if rank(five).strength == worth.strength]
    return min(map(_in_display_order, choices), key=lambda five: [SUITS.index(card[1]) for card in five])


def _in_display_order(five: Sequence[str]) -> tuple[str, ...]:
    alike = Counter(card[0] for card in five)
    aces_low = alike.keys() == _WHEEL

    def place(card: str) -> tuple[int, int, int]:
        height = -1 if aces_low and card[0] == "A" else RANKS.index(card[0])
        return -alike[card[0]], -height, SUITS.index(card[1])

    return tuple(sorted(five, key=place))
