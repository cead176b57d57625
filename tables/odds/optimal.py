"""The main game played optimally: every deal counted by what is decided and how it ends.

A deal is a player's two cards, a flop, a turn and river, and a dealer's two cards: 27,813,810,024,000 of them. On the
river a player calls where that is better than to fold; on the flop he bets where that is better, over all turns and
rivers, than to wait; before the flop he raises where that is better, over all flops, than to wait. A choice that is
exactly as good as the more cautious one is not taken. To fold earlier than on the river is never better, since to
check costs nothing: `fold_streets` decide nothing here. Sources: domain.md, sections 1, 3 and 5.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.domain.paytables import PayTable
from tables.domain.rules import RuleSet
from tables.odds.boards import Ints, every_board
from tables.odds.duels import DEALERS, fight
from tables.odds.flops import ONE, OTHER, PAIRS, RANK_OF, SUIT_OF, Flop, Floats, every_flop
from tables.odds.patterns import RANK_COUNT
from tables.odds.tallies import Ending, Tally

MOST_SCALED = 36_000_000
"""The highest win × the odds' common denominator with which every sum stays exact in 64 bits."""

Told = Callable[[int, int], None]
"""Hears how many of how many steps are done."""

Flags = npt.NDArray[np.bool_]

_BET, _WAIT, _EDGE = _QUANTITIES = range(3)
_PASSES = 3  # over all flops: what choices bring, who raises, who bets


class OddsTooFine(ValueError):
    """A Blind table whose odds have so high a common denominator that sums would not be exact."""


@dataclass(frozen=True)
class Game:
    """What of a rule set decides how the main game is played best; multipliers by street, in rising order."""

    blind_table: PayTable
    preflop: tuple[int, ...]
    flop: int
    river: int

    @classmethod
    def of(cls, rules: RuleSet) -> "Game":
        (flop,), (river,) = rules.multipliers(Street.FLOP), rules.multipliers(Street.RIVER)
        return cls(rules.blind_table, tuple(sorted(rules.preflop_multipliers)), flop, river)

    @property
    def unit(self) -> int:
        """As how much an Ante is counted, so that every win of the Blind is whole. Raises OddsTooFine."""
        every = self.blind_table.lines.values()
        unit = lcm(*(odds.denominator for odds in every))
        highest = max(odds.numerator // odds.denominator for odds in every)
        if unit * (highest + 3 * max(*self.preflop, self.flop, self.river)) > MOST_SCALED:
            raise OddsTooFine(f"{self.blind_table.name}: a common denominator of {unit} is too fine to be exact")
        return unit


class Decision(NamedTuple):
    """With which pairs beside which flops it is decided to play for a multiple of the Ante."""

    street: Street
    multiplier: int
    chosen: Flags


class Solver:
    """What no rule set changes, worked out once: boards, duels and flops."""

    def __init__(self, *, told: Told = lambda done, total: None) -> None:
        self.boards = every_board()
        self.duels = fight(self.boards, told=lambda done: told(done, len(self.boards.keys)))
        self.flops = every_flop(self.boards)

    def solve(self, game: Game, *, told: Told = lambda done, total: None) -> list[Tally]:
        """Every deal of a game that is played optimally. Raises OddsTooFine."""
        values, calls = self.values(game)
        sums = np.empty((len(self.flops), PAIRS, len(_QUANTITIES)), np.int64)
        for n, flop in enumerate(self.flops):
            sums[n] = flop.summed(values)
            told(n + 1, _PASSES * len(self.flops))
        del values
        tallies, done = [], len(self.flops)
        undecided = self.boards.deals()
        for street, multiplier, chosen in _decide(game, self.flops, sums):
            reached = np.zeros_like(undecided)
            for n, flop in enumerate(self.flops):
                flop.spread(chosen[n], reached)
                done += 1
                told(done, _PASSES * len(self.flops))
            tallies += self._played(street, multiplier, reached)
            undecided -= reached
        tallies += self._played(Street.RIVER, game.river, np.where(calls, undecided, 0))
        return tallies + self._folded(np.where(calls, 0, undecided))

    def values(self, game: Game) -> tuple[Floats, Flags]:
        """By board, quantity and two cards, over all dealers, in units: what a bet on the flop brings, what the better
        of call and fold on the river, and how many more dealers are beaten than beat; and where a call is better.
        """
        unit, duels = game.unit, self.duels
        wins = [game.blind_table.lines.get(hand) for hand in HandName]
        blind = np.array([unit * odds.numerator // odds.denominator if odds else 0 for odds in wins])
        edge = duels.won.astype(np.int64) - duels.lost
        before_play = unit * (duels.won_qualified.astype(np.int64) - duels.lost_qualified - duels.lost)
        before_play += blind[self.boards.hands] * duels.won
        call, fold = before_play + unit * game.river * edge, -2 * unit * DEALERS
        values = np.empty((len(edge), len(_QUANTITIES), edge.shape[1]))
        values[:, _BET] = before_play + unit * game.flop * edge
        values[:, _WAIT] = np.maximum(call, fold)
        values[:, _EDGE] = edge
        return values, call > fold

    def _played(self, street: Street, multiplier: int, reached: Floats) -> list[Tally]:
        duels = self.duels
        endings = {
            Ending.WON_QUALIFIED: duels.won_qualified,
            Ending.WON_UNQUALIFIED: duels.won_unqualified,
            Ending.TIED: DEALERS - duels.won - duels.lost,
            Ending.LOST_QUALIFIED: duels.lost_qualified,
            Ending.LOST_UNQUALIFIED: duels.lost_unqualified,
        }
        return [
            Tally(street, multiplier, ending, hand, deals)
            for ending, dealers in endings.items()
            for hand, deals in self._by_hand(reached * dealers)
        ]

    def _folded(self, reached: Floats) -> list[Tally]:
        return [
            Tally(Street.RIVER, 0, Ending.FOLDED, hand, deals) for hand, deals in self._by_hand(reached * DEALERS)
        ]

    def _by_hand(self, deals: Floats) -> Iterator[tuple[HandName, int]]:
        """Summed by the player's hand; exact, since all deals together are fewer than 2**53."""
        counted = np.bincount(self.boards.hands.ravel(), weights=deals.ravel(), minlength=len(HandName))
        for hand, count in zip(HandName, counted, strict=True):
            if count:
                yield hand, int(count)


def _decide(game: Game, flops: Sequence[Flop], sums: Ints) -> Iterator[Decision]:
    """What is played for before the river with each pair beside each flop, where `sums` say what every choice brings."""
    bets = sums[..., _BET] > sums[..., _WAIT]
    holdings = np.stack([_holdings(flop) for flop in flops])
    alike = np.array([flop.alike for flop in flops])[:, None]

    def over_all_flops(values: Ints) -> Ints:
        total = np.zeros(_HOLDINGS, np.int64)
        np.add.at(total, holdings, values * alike)
        return total

    best = over_all_flops(np.maximum(sums[..., _BET], sums[..., _WAIT]))
    bet, edge = over_all_flops(sums[..., _BET]), over_all_flops(sums[..., _EDGE])
    raised_to = np.zeros(_HOLDINGS, np.int64)
    for multiplier in game.preflop:
        value = bet + game.unit * (multiplier - game.flop) * edge
        raised_to[value > best] = multiplier
        best = np.maximum(best, value)
    raised = raised_to[holdings]
    for multiplier in np.unique(raised_to[raised_to > 0]):
        yield Decision(Street.PREFLOP, int(multiplier), raised == multiplier)
    yield Decision(Street.FLOP, game.flop, (raised == 0) & bets)


_HOLDINGS = RANK_COUNT**2


def _holdings(flop: Flop) -> Ints:
    """Which of the 169 kinds of two cards before the flop each pair is: higher rank first where they share a suit."""
    one, other = flop.left[ONE], flop.left[OTHER]
    ranks = np.sort([RANK_OF[one], RANK_OF[other]], axis=0)
    low, high = ranks
    return np.where(SUIT_OF[one] == SUIT_OF[other], high * RANK_COUNT + low, low * RANK_COUNT + high)
