"""Poker hands the slow way: every choice of five, each judged by counting.

A card is a two-character string such as "As" or "Th". A score is a tuple that compares like the hand it stands for.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "shdc"
CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
Score = tuple[int, tuple[int, ...]]

_SYMBOLS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


def card(text: str) -> str:
    """The plain form of a card: "10H", "th" and "T♥" are all "Th". Raises ValueError."""
    body = text.removesuffix("\N{VARIATION SELECTOR-16}")
    if len(body) not in (2, 3):
        raise ValueError(f"not a card: {text!r}")
    rank, suit = body[:-1], body[-1]
    suit = _SYMBOLS.get(suit, suit.lower())
    rank = "T" if rank == "10" else rank.upper()
    if rank not in tuple(RANKS) or suit not in tuple(SUITS):
        raise ValueError(f"not a card: {text!r}")
    return rank + suit


def score_five(five: Sequence[str]) -> Score:
    """(category, tie-break): the category's place in CATEGORIES, then ranks in the order in which they decide."""
    return _score_five(tuple(five))


@lru_cache(maxsize=10_000)
def _score_five(five: tuple[str, ...]) -> Score:
    heights = _heights(five)
    one_suit = len({one[1] for one in five}) == 1
    top = _straight_top(heights)
    if one_suit and top == 14:
        return CATEGORIES.index("royal_flush"), (14,)
    if one_suit and top:
        return CATEGORIES.index("straight_flush"), (top,)
    # Largest group first, then the higher rank: 3-3-3-T-T gives groups (3, 3), (2, 10).
    groups = sorted(((count, height) for height, count in Counter(heights).items()), reverse=True)
    shape = tuple(count for count, _ in groups)
    order = tuple(height for _, height in groups)
    if shape == (4, 1):
        return CATEGORIES.index("four_of_a_kind"), order
    if shape == (3, 2):
        return CATEGORIES.index("full_house"), order
    if one_suit:
        return CATEGORIES.index("flush"), tuple(heights)
    if top:
        return CATEGORIES.index("straight"), (top,)
    names = {(3, 1, 1): "three_of_a_kind", (2, 2, 1): "two_pair", (2, 1, 1, 1): "pair", (1, 1, 1, 1, 1): "high_card"}
    return CATEGORIES.index(names[shape]), order


def _heights(five: Sequence[str]) -> list[int]:
    """Ranks as numbers from 2 to 14, highest first."""
    return sorted((RANKS.index(one[0]) + 2 for one in five), reverse=True)


def _straight_top(heights: list[int]) -> int:
    """The highest card of a straight, 0 if it is none; the ace counts low in A-2-3-4-5 only."""
    if heights == [14, 5, 4, 3, 2]:
        return 5
    return heights[0] if heights == list(range(heights[0], heights[0] - 5, -1)) else 0


def score(cards: Sequence[str]) -> Score:
    """The best score of any five of these cards (five or seven of them)."""
    return max(score_five(five) for five in combinations(cards, 5))


def category(cards: Sequence[str]) -> str:
    """The name of the best hand in these cards."""
    return CATEGORIES[score(cards)[0]]


def best_five(cards: Sequence[str]) -> list[str]:
    """The five cards that make the best hand, in the order they are shown.

    Larger groups first, then higher ranks, inside a group spades, hearts, diamonds, clubs; the ace of a
    five-high straight last. Where several choices are equally strong, the one whose suits come first in that order.
    """
    best = score(cards)
    shown = [_shown(five) for five in combinations(cards, 5) if score_five(five) == best]
    return min(shown, key=lambda five: [SUITS.index(one[1]) for one in five])


def _shown(five: Sequence[str]) -> list[str]:
    counts = Counter(one[0] for one in five)
    wheel = _straight_top(_heights(five)) == 5

    def place(one: str) -> tuple[int, int, int]:
        height = -1 if wheel and one[0] == "A" else RANKS.index(one[0])
        return -counts[one[0]], -height, SUITS.index(one[1])

    return sorted(five, key=place)
