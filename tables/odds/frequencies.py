"""How often each hand is dealt: every hand of five or of seven cards, counted by enumeration."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from math import comb, prod
from types import MappingProxyType

from tables.domain.hands import HandName
from tables.odds.patterns import RANK_COUNT, SUIT_COUNT, Ranks, multisets, suited, unsuited

_OTHER_SUITS = SUIT_COUNT - 1


@cache
def hands_of(cards: int) -> Mapping[HandName, int]:
    """Of all sets of five or seven cards, how many make each hand (seven: as their best five), strong to weak."""
    counted: Counter[HandName] = Counter()
    for ranks in multisets(cards):
        counted[unsuited(ranks).name] += _without_flush(ranks)
    for length in range(5, cards + 1):
        others = comb(_OTHER_SUITS * RANK_COUNT, cards - length)
        for ranks in combinations(range(RANK_COUNT), length):
            counted[suited(ranks).name] += SUIT_COUNT * others
    return MappingProxyType({hand: counted[hand] for hand in HandName})


def _without_flush(ranks: Ranks) -> int:
    """How many sets of cards have these ranks and no five of a suit (at most one suit can have five of seven)."""
    alike = Counter(ranks).values()
    of_suit = [1]  # by how many cards of one given suit are among them: in how many ways
    for count in alike:
        without, within = comb(_OTHER_SUITS, count), comb(_OTHER_SUITS, count - 1)
        of_suit = [without * here + within * below for here, below in zip([*of_suit, 0], [0, *of_suit], strict=True)]
    return prod(comb(SUIT_COUNT, count) for count in alike) - SUIT_COUNT * sum(of_suit[5:])
