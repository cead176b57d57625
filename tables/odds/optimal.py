"""The main game played optimally: every deal counted by what is decided and how it ends.

A deal is a player's two cards, a flop, a turn and river, and a dealer's two cards: 27,813,810,024,000 of them. On the
river a player calls where that is better than to fold; on the flop he bets where that is better, over all turns and
rivers, than to wait; before the flop he raises where that is better, over all flops, than to wait. A choice that is
exactly as good as the more cautious one is not taken. To fold earlier than on the river is never better, since to
check costs nothing: `fold_streets` decide nothing here. Sources: domain.md, sections 1, 3 and 5.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.domain.rules import FLOP_MULTIPLIER, RIVER_MULTIPLIER
from tables.odds.boards import Ints, every_board
from tables.odds.duels import DEALERS, fight
from tables.odds.flops import ONE, OTHER, PAIRS, RANK_OF, SUIT_OF, Floats, Flop, every_flop
from tables.odds.patterns import RANK_COUNT
from tables.odds.settings import Settings
from tables.odds.tallies import Ending, Tally

Told = Callable[[int], None]
"""Hears how many steps are done."""

Flags = npt.NDArray[np.bool_]

_BET, _WAIT, _EDGE = _QUANTITIES = range(3)


class Decision(NamedTuple):
    """With which pairs beside which flops it is decided to play for a multiple of the Ante."""

    street: Street
    multiplier: int
    chosen: Flags


class Solver:
    """What no rule set changes, worked out once: boards, duels and flops."""

    def __init__(self, *, told: Told = lambda done: None) -> None:
        """`told` hears how many of `KINDS_OF_BOARD` are done."""
        self.boards = every_board()
        self.duels = fight(self.boards, told=told)
        self.flops = every_flop(self.boards)

    @property
    def steps(self) -> int:
        """How many steps a game takes: three times over all flops (what choices bring, who raises, who bets)."""
        return 3 * len(self.flops)

    def solve(self, settings: Settings, *, told: Told = lambda done: None) -> list[Tally]:
        """Every deal of the main game, played optimally. Raises OddsTooFine."""
        values, calls = self.values(settings)
        sums = np.empty((len(self.flops), PAIRS, len(_QUANTITIES)), np.int64)
        for n, flop in enumerate(self.flops):
            sums[n] = flop.summed(values)
            told(n + 1)
        del values
        tallies, done = [], len(self.flops)
        undecided = self.boards.deals()
        for street, multiplier, chosen in _decide(settings, self.flops, sums):
            reached = np.zeros_like(undecided)
            for n, flop in enumerate(self.flops):
                flop.spread(chosen[n], reached)
                done += 1
                told(done)
            tallies += self._played(street, multiplier, reached)
            undecided -= reached
        tallies += self._played(Street.RIVER, RIVER_MULTIPLIER, np.where(calls, undecided, 0))
        return tallies + self._folded(np.where(calls, 0, undecided))

    def values(self, settings: Settings) -> tuple[Floats, Flags]:
        """By board, quantity and two cards, over all dealers, in units: what a bet on the flop brings, what the better
        of call and fold on the river, and how many more dealers are beaten than beat; and where a call is better.
        """
        unit, duels = settings.unit, self.duels
        wins = [settings.blind_table.lines.get(hand) for hand in HandName]
        blind = np.array([unit * odds.numerator // odds.denominator if odds else 0 for odds in wins])
        edge = duels.won.astype(np.int64) - duels.lost
        before_play = unit * (duels.won_qualified.astype(np.int64) - duels.lost_qualified - duels.lost)
        before_play += blind[self.boards.hands] * duels.won
        call, fold = before_play + unit * RIVER_MULTIPLIER * edge, -2 * unit * DEALERS
        values = np.empty((len(edge), len(_QUANTITIES), edge.shape[1]))
        values[:, _BET] = before_play + unit * FLOP_MULTIPLIER * edge
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
        return [Tally(Street.RIVER, 0, Ending.FOLDED, hand, deals) for hand, deals in self._by_hand(reached * DEALERS)]

    def _by_hand(self, deals: Floats) -> Iterator[tuple[HandName, int]]:
        """Summed by the player's hand; exact, since all deals together are fewer than 2**53."""
        counted = np.bincount(self.boards.hands.ravel(), weights=deals.ravel(), minlength=len(HandName))
        for hand, count in zip(HandName, counted, strict=True):
            if count:
                yield hand, int(count)


def _decide(settings: Settings, flops: Sequence[Flop], sums: Ints) -> Iterator[Decision]:
    """What is played for before the river, by flop and pair, where `sums` say what every choice brings."""
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
    for multiplier in settings.preflop:
        value = bet + settings.unit * (multiplier - FLOP_MULTIPLIER) * edge
        raised_to[value > best] = multiplier
        best = np.maximum(best, value)
    raised = raised_to[holdings]
    for multiplier in np.unique(raised_to[raised_to > 0]):
        yield Decision(Street.PREFLOP, int(multiplier), raised == multiplier)
    yield Decision(Street.FLOP, FLOP_MULTIPLIER, (raised == 0) & bets)


_HOLDINGS = RANK_COUNT**2


def _holdings(flop: Flop) -> Ints:
    """Which of the 169 kinds of two cards before the flop each pair is: higher rank first where they share a suit."""
    one, other = flop.left[ONE], flop.left[OTHER]
    ranks = np.sort([RANK_OF[one], RANK_OF[other]], axis=0)
    low, high = ranks
    return np.where(SUIT_OF[one] == SUIT_OF[other], high * RANK_COUNT + low, low * RANK_COUNT + high)
