"""Every two cards against every dealer: how many of the dealer's 990 pairs they beat and lose to, on each board.

The cards are ranked once a board and counted by inclusion and exclusion: all pairs that are weaker, less those weaker
ones that hold one of the two cards. (The pair itself is as strong as itself, so it is among neither.)
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from tables.odds.boards import FIRST, KINDS_OF_CARD, PAIR_OF, SECOND, Boards, Ints, pairs_of

DEALERS = comb(45, 2)
"""So many pairs a dealer can have against two cards and a board."""

_AT_ONCE = 1_000

Counts = npt.NDArray[np.int16]


@dataclass(frozen=True)
class Duels:
    """Of the dealer's pairs, by kind of board and of two cards: how many are beaten and beat, and of both how many
    qualify. The rest tie.
    """

    won_qualified: Counts
    won_unqualified: Counts
    lost_qualified: Counts
    lost_unqualified: Counts

    @property
    def won(self) -> Counts:
        return self.won_qualified + self.won_unqualified

    @property
    def lost(self) -> Counts:
        return self.lost_qualified + self.lost_unqualified


def fight(boards: Boards, *, told: Callable[[int], None] = lambda boards: None) -> Duels:
    """All duels; `told` hears how many kinds of boards are done."""
    parts = []
    for start in range(0, len(boards.keys), _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        parts.append([counts.astype(np.int16) for counts in _fight(boards, rows)])
        told(min(start + _AT_ONCE, len(boards.keys)))
    return Duels(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _fight(boards: Boards, rows: slice) -> tuple[Ints, Ints, Ints, Ints]:
    strengths, left = boards.strengths[rows], boards.left[rows]
    pairs = pairs_of(left)
    of_card = strengths[:, PAIR_OF]  # with one card of a kind, by the kind of the other
    others = np.maximum(left[:, None, :] - np.eye(KINDS_OF_CARD, dtype=np.int64), 0)
    stronger, weaker = _around(strengths, pairs)
    stronger_with, weaker_with = _around(of_card, others)
    won = weaker - weaker_with[:, FIRST, SECOND] - weaker_with[:, SECOND, FIRST]
    lost = stronger - stronger_with[:, FIRST, SECOND] - stronger_with[:, SECOND, FIRST]

    fails, fails_with = strengths > boards.weakest_qualifying, of_card > boards.weakest_qualifying
    failing_with = (others * fails_with).sum(axis=2)
    failing = (pairs * fails).sum(axis=1, keepdims=True) - failing_with[:, FIRST] - failing_with[:, SECOND] + fails
    # Who would qualify himself beats every dealer who does not; who would not loses to every dealer who does.
    won_unqualified = np.where(fails, won, failing)
    lost_qualified = np.where(fails, DEALERS - failing, lost)
    return won - won_unqualified, won_unqualified, lost_qualified, lost - lost_qualified


def _around(strengths: npt.NDArray[np.int16], weights: Ints) -> tuple[Ints, Ints]:
    """Along the last axis: the weight of what is stronger than each, and of what is weaker."""
    order = np.argsort(strengths, axis=-1)
    ranked = np.take_along_axis(strengths, order, axis=-1)
    sums = np.cumsum(np.take_along_axis(weights, order, axis=-1), axis=-1)
    before = np.concatenate([np.zeros_like(sums[..., :1]), sums[..., :-1]], axis=-1)
    edges = ranked[..., 1:] != ranked[..., :-1]
    edge = np.ones_like(edges[..., :1])
    # Equals share what lies before the first of them and after the last.
    stronger = np.maximum.accumulate(np.where(np.concatenate([edge, edges], axis=-1), before, 0), axis=-1)
    after = np.where(np.concatenate([edges, edge], axis=-1), sums[..., -1:] - sums, 0)
    weaker = np.maximum.accumulate(after[..., ::-1], axis=-1)[..., ::-1]
    return _back(stronger, order), _back(weaker, order)


def _back(values: Ints, order: Ints) -> Ints:
    found = np.empty_like(values)
    np.put_along_axis(found, order, values, axis=-1)
    return found
