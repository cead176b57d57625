"""The 1,755 flops that differ by more than the names of suits, and what can be dealt with each.

Beside a flop 49 cards are left: 1,176 pairs, each of which a player may hold or the turn and river may be. A sum over
all turns and rivers for every player's pair at once goes by inclusion and exclusion: all of them, less those that hold
one of the player's cards, and the one that was taken away twice is added again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np
import numpy.typing as npt

from tables.odds.boards import KEYS, PAIR_OF, PLAIN_PAIRS, Boards, Ints
from tables.odds.patterns import RANK_COUNT, SUIT_COUNT

Floats = npt.NDArray[np.float64]

DECK = RANK_COUNT * SUIT_COUNT
LEFT = DECK - 3
ONE, OTHER = (places.astype(np.int64) for places in np.triu_indices(LEFT, 1))
"""Which of the 49 cards left are in each pair."""

PAIRS = len(ONE)
RANK_OF = np.arange(DECK) // SUIT_COUNT
SUIT_OF = np.arange(DECK) % SUIT_COUNT
_NO_SUIT = -1


@dataclass(frozen=True)
class Runouts:
    """Those turns and rivers beside a flop that leave one suit (or none) for a flush: their pairs, the kind of board
    each makes, and of what kind each of the 1,176 pairs is on these boards, of `width` kinds.
    """

    pairs: Ints
    boards: Ints
    kinds: Ints
    width: int


@dataclass(frozen=True)
class Flop:
    """A flop (three cards as numbers, rank × 4 + suit) and how many flops are like it."""

    cards: tuple[int, ...]
    alike: int
    boards: Boards

    @cached_property
    def left(self) -> Ints:
        """The cards left, in order."""
        return np.setdiff1d(np.arange(DECK), self.cards)

    def runouts(self) -> Iterator[Runouts]:
        """All turns and rivers, by the suit that may make a flush."""
        suits = np.bincount(SUIT_OF[list(self.cards)], minlength=SUIT_COUNT)
        ours = SUIT_OF[self.left]
        flushing = np.full(PAIRS, _NO_SUIT)
        for suit in range(SUIT_COUNT):
            flushing[suits[suit] + (ours[ONE] == suit) + (ours[OTHER] == suit) >= 3] = suit
        for suit in range(_NO_SUIT, SUIT_COUNT):
            pairs = np.flatnonzero(flushing == suit)
            if len(pairs):
                yield self._runouts(suit, pairs)

    def _runouts(self, suit: int, pairs: Ints) -> Runouts:
        kinds = RANK_OF + RANK_COUNT * (suit == SUIT_OF)
        keys, left = KEYS[kinds], self.left
        board_keys = keys[list(self.cards)].sum() + keys[left][ONE[pairs]] + keys[left][OTHER[pairs]]
        width = PLAIN_PAIRS if suit == _NO_SUIT else len(PAIR_OF) * (len(PAIR_OF) + 1) // 2
        return Runouts(pairs, self.boards.kinds_of(board_keys), PAIR_OF[kinds[left][ONE], kinds[left][OTHER]], width)

    def summed(self, values: Floats) -> Floats:
        """For every pair a player may hold: what `values` (board, quantity, kind of two cards) come to, summed over
        all turns and rivers. Exact as long as the sums are whole numbers below 2**53.
        """
        quantities = values.shape[1]
        total = np.zeros((PAIRS, quantities))
        for runouts in self.runouts():
            found = values[runouts.boards, :, : runouts.width]
            sums = _by_card(runouts.pairs, found.reshape(len(found), -1)).reshape(-1, quantities, runouts.width)
            for quantity in range(quantities):
                of_kind = sums[:, quantity]
                total[:, quantity] += of_kind[0, runouts.kinds]
                total[:, quantity] -= of_kind[1 + ONE, runouts.kinds] + of_kind[1 + OTHER, runouts.kinds]
            own = runouts.kinds[runouts.pairs]
            total[runouts.pairs] += found[np.arange(len(own)), :, own]
        return total

    def spread(self, chosen: npt.NDArray[np.bool_], reached: Floats) -> None:
        """The other way round: adds to `reached` (board, kind of two cards) how many deals with this flop, and those
        like it, come to each, of players who hold one of the pairs that are `chosen`.
        """
        held = chosen.astype(np.float64) * self.alike
        for runouts in self.runouts():
            kinds, width, pairs = runouts.kinds, runouts.width, runouts.pairs
            holding = np.concatenate([kinds, (1 + ONE) * width + kinds, (1 + OTHER) * width + kinds])
            counted = np.bincount(holding, weights=np.tile(held, 3), minlength=(1 + LEFT) * width)
            of_kind = counted.reshape(-1, width)
            ways = of_kind[0] - of_kind[1 + ONE[pairs]] - of_kind[1 + OTHER[pairs]]
            ways[np.arange(len(ways)), kinds[pairs]] += held[pairs]
            boards, sums = _grouped(runouts.boards, ways)
            reached[boards, :width] += sums


def _by_card(pairs: Ints, rows: Floats) -> Floats:
    """Row 0: the sum of all rows, one a pair; row 1 + c: of those whose pairs hold card c of those left."""
    sums = np.zeros((1 + LEFT, rows.shape[1]))
    sums[0] = rows.sum(axis=0)
    for cards in (ONE[pairs], OTHER[pairs]):
        held, of_card = _grouped(cards, rows)
        sums[1 + held] += of_card
    return sums


def _grouped(keys: Ints, rows: Floats) -> tuple[Ints, Floats]:
    """The different keys, and the sum of each one's rows."""
    order = np.argsort(keys, kind="stable")
    found, starts = np.unique(keys[order], return_index=True)
    return found, np.add.reduceat(rows[order], starts, axis=0)


def every_flop(boards: Boards) -> list[Flop]:
    """One of each kind of flop."""
    cards = np.stack(np.meshgrid(*[np.arange(DECK)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    cards = cards[(cards[:, 0] < cards[:, 1]) & (cards[:, 1] < cards[:, 2])]
    renamed = [
        np.sort(RANK_OF[cards] * SUIT_COUNT + np.array(names)[SUIT_OF[cards]], axis=1)
        for names in permutations(range(SUIT_COUNT))
    ]
    lowest = np.min([three @ (DECK ** np.arange(3)[::-1]) for three in renamed], axis=0)
    kinds, alike = np.unique(lowest, return_counts=True)
    return [
        Flop((int(key) // DECK**2, int(key) // DECK % DECK, int(key) % DECK), int(count), boards)
        for key, count in zip(kinds, alike, strict=True)
    ]
