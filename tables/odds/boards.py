"""The 42,783 kinds of boards, and what every two cards are worth on each.

On five community cards at most one suit can make a flush, and only where three of them have it. So a board is its
ranks and, for that one suit, which of its cards have it: 2,598,960 boards are of 42,783 kinds. Likewise a card is of
26 kinds, by its rank and by whether it has that suit, and two cards are of 351. On a board without such a suit, which
are the first kinds, every card counts as being of none: 91 kinds of two cards.

Rows are kinds of boards, columns kinds of two cards. A cell whose two cards are not there any more has weight 0, and
what it says means nothing.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np
import numpy.typing as npt

from tables.domain.hands import HandName, Ranked, qualifies
from tables.odds.patterns import RANK_COUNT, SUIT_COUNT, Ranks, multisets, suited, unsuited

Ints = npt.NDArray[np.int64]
Strengths = npt.NDArray[np.int16]

KINDS_OF_BOARD = 42_783
KINDS_OF_CARD = 2 * RANK_COUNT  # the ranks without the board's suit, then those with it

SECOND, FIRST = (places.astype(np.int64) for places in np.tril_indices(KINDS_OF_CARD))
"""The two kinds of card that are in each kind of two; those without the suit come first."""

PAIR_OF: Ints = np.zeros((KINDS_OF_CARD, KINDS_OF_CARD), np.int64)
PAIR_OF[FIRST, SECOND] = PAIR_OF[SECOND, FIRST] = np.arange(len(FIRST))

PLAIN_PAIRS = RANK_COUNT * (RANK_COUNT + 1) // 2
"""So many kinds of two cards there are on a board whose suits decide nothing."""

_OF_RANK = 5 ** np.arange(RANK_COUNT, dtype=np.int64)
_OF_SUIT = 2 ** np.arange(RANK_COUNT, dtype=np.int64) << 31
KEYS: Ints = np.concatenate([_OF_RANK, _OF_SUIT])
"""What a card of each kind adds to the key of its board; the sum of five names the board's kind."""

_NEVER = 9_999  # weaker than any hand
_THREE = range(3, 6)


@dataclass(frozen=True)
class Boards:
    """Kinds of boards, by rising key: how many boards each is, how many cards of each kind are left, and the strength
    and hand of every kind of two cards on it.

    `hands` are places in `HandName`; `weakest_qualifying` is the weakest strength with which a dealer qualifies.
    """

    keys: Ints
    weights: Ints
    left: Ints
    strengths: Strengths
    hands: npt.NDArray[np.int8]
    plain: int
    weakest_qualifying: int

    def kinds_of(self, keys: Ints) -> Ints:
        """The rows of boards by the sums of their cards' `KEYS`."""
        return np.searchsorted(self.keys, keys)

    def deals(self) -> npt.NDArray[np.float64]:
        """How many deals of two cards, a flop, and turn and river come to each board and two cards."""
        return (self.weights[:, None] * pairs_of(self.left) * comb(5, 3)).astype(np.float64)


def pairs_of(left: Ints) -> Ints:
    """How many sets of two cards are of each kind, where so many cards of each kind are left."""
    first, second = left[:, FIRST], left[:, SECOND]
    return np.where(FIRST == SECOND, first * (first - 1) // 2, first * second)


def every_board() -> Boards:
    """All kinds of boards."""
    plain, flush = list(multisets(5)), _flush_boards()
    used = _counts(plain + [tuple(sorted(of_suit + others)) for of_suit, others in flush])
    of_suit = _counts([()] * len(plain) + [of_suit for of_suit, _ in flush])
    others = used - of_suit
    keys = others @ _OF_RANK + of_suit @ _OF_SUIT
    weights = np.array([*_plain_weights(plain, flush), *(_ways(others) for _, others in flush)])
    left = np.concatenate(
        [np.where(of_suit.any(axis=1, keepdims=True), SUIT_COUNT - 1, SUIT_COUNT) - others, 1 - of_suit], axis=1
    )
    left[: len(plain), RANK_COUNT:] = 0
    order = np.argsort(keys)
    strengths, worth = _strengths(used[order], of_suit[order])
    return Boards(
        keys=keys[order],
        weights=weights[order],
        left=left[order],
        strengths=strengths,
        hands=_hands(worth)[strengths],
        plain=len(plain),
        weakest_qualifying=max(strength for strength, hand in worth.items() if qualifies(hand)),
    )


def _flush_boards() -> list[tuple[Ranks, Ranks]]:
    """Boards with three or more of one suit: the ranks that have it, and the others'."""
    return [
        (of_suit, others)
        for length in _THREE
        for of_suit in combinations(range(RANK_COUNT), length)
        for others in multisets(5 - length, alike=SUIT_COUNT - 1)
    ]


def _ways(others: Ranks) -> int:
    """How many boards have one suit's cards at given ranks, whichever suit that is, and these ranks beside them."""
    return SUIT_COUNT * prod(comb(SUIT_COUNT - 1, count) for count in Counter(others).values())


def _plain_weights(plain: list[Ranks], flush: list[tuple[Ranks, Ranks]]) -> list[int]:
    """How many boards of these ranks have no three of a suit: all but those that do."""
    suited_ways: Counter[Ranks] = Counter()
    for of_suit, others in flush:
        suited_ways[tuple(sorted(of_suit + others))] += _ways(others)
    return [prod(comb(SUIT_COUNT, count) for count in Counter(ranks).values()) - suited_ways[ranks] for ranks in plain]


def _counts(boards: list[Ranks]) -> Ints:
    """How often each rank is in each."""
    counted = np.zeros((len(boards), RANK_COUNT), np.int64)
    for row, ranks in enumerate(boards):
        for rank in ranks:
            counted[row, rank] += 1
    return counted


def _strengths(used: Ints, of_suit: Ints) -> tuple[Strengths, dict[int, Ranked]]:
    """Strengths by board and two cards, and what each strength is: the better of what ranks and what the suit make."""
    worth: dict[int, Ranked] = {}
    sevens = [(ranks, unsuited(ranks)) for ranks in multisets(7)]
    of_ranks = sorted((int(_OF_RANK[list(ranks)].sum()), hand.strength) for ranks, hand in sevens)
    flushes = np.full(2**RANK_COUNT, _NEVER, np.int16)
    for length in range(5, 8):
        for ranks in combinations(range(RANK_COUNT), length):
            hand = suited(ranks)
            flushes[sum(1 << rank for rank in ranks)] = hand.strength
            worth[hand.strength] = hand
    worth |= {hand.strength: hand for _, hand in sevens}

    keys, strengths = (np.array(column) for column in zip(*of_ranks, strict=True))
    wanted = (used @ _OF_RANK)[:, None] + _OF_RANK[FIRST % RANK_COUNT] + _OF_RANK[SECOND % RANK_COUNT]
    found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    plain = strengths[found].astype(np.int16)  # five of a rank find something too: they are never dealt
    bits = _OF_SUIT >> 31
    of_pair = np.concatenate([np.zeros_like(bits), bits])
    return np.minimum(plain, flushes[(of_suit @ bits)[:, None] | of_pair[FIRST] | of_pair[SECOND]]), worth


def _hands(worth: dict[int, Ranked]) -> npt.NDArray[np.int8]:
    """The place in `HandName` of every strength."""
    places = np.zeros(max(worth) + 1, np.int8)
    for strength, hand in worth.items():
        places[strength] = list(HandName).index(hand.name)
    return places
