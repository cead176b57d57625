"""Hands by their ranks alone: what cards of some ranks make where no five share a suit, and where all do.

Suits matter to a hand only through a flush, so every hand of five or seven cards is one of these two. The evaluation
is that of settlement (`tables.domain.hands.rank`); ranks are places in `tables.domain.cards.RANKS`, lowest first.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement

from tables.domain.cards import RANKS, SUITS
from tables.domain.hands import Ranked, rank

RANK_COUNT = len(RANKS)
SUIT_COUNT = len(SUITS)

Ranks = tuple[int, ...]


def multisets(cards: int, *, alike: int = SUIT_COUNT) -> Iterator[Ranks]:
    """Every choice of ranks for some cards, in rising order, none more often than `alike`."""
    for ranks in combinations_with_replacement(range(RANK_COUNT), cards):
        if max(Counter(ranks).values(), default=0) <= alike:
            yield ranks


def unsuited(ranks: Ranks) -> Ranked:
    """What five or seven cards of these ranks (in rising order) are worth where no five of them share a suit."""
    return rank([RANKS[each] + SUITS[place % SUIT_COUNT] for place, each in enumerate(ranks)])


def suited(ranks: Sequence[int]) -> Ranked:
    """What five or more cards of one suit are worth: the best five of them."""
    cards = [RANKS[each] + SUITS[0] for each in ranks]
    return min((rank(five) for five in combinations(cards, 5)), key=lambda hand: hand.strength)
