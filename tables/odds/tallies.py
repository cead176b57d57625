"""Deals of the main game counted by what was decided and how they ended, and the exact figures that follow.

A deal is two cards of a player, a board in its order of flop and later cards, and two cards of the dealer; each is as
likely as any other. Amounts are multiples of the Ante. What each bet then brings is domain.md, section 3.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.domain.paytables import PayTable
from tables.odds.figures import Figures


class Ending(StrEnum):
    WON_QUALIFIED = "won_qualified"
    WON_UNQUALIFIED = "won_unqualified"
    TIED = "tied"
    LOST_QUALIFIED = "lost_qualified"
    LOST_UNQUALIFIED = "lost_unqualified"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Tally:
    """So many deals were played for a multiple of the Ante (0 = folded) decided on a street, and ended in one way with
    the player's hand.
    """

    street: Street
    multiplier: int
    ending: Ending
    hand: HandName
    deals: int


@dataclass(frozen=True)
class MainOdds:
    """The main game, in Antes: what Ante, Blind and Play bring (net), each and together, and what is wagered.

    `actions` are how often a box plays for each multiple on each street, and folds: ("flop", 2).
    """

    ante: Figures
    blind: Figures
    play: Figures
    together: Figures
    wagered: Fraction
    actions: Mapping[tuple[Street, int], Fraction]

    @property
    def element_of_risk(self) -> Fraction:
        """What is lost of all that is wagered."""
        return -self.together.mean / self.wagered

    @property
    def return_on_wagered(self) -> Fraction:
        return 1 - self.element_of_risk


def ante_of(tally: Tally) -> Fraction:
    """What an Ante brings, net."""
    won = {Ending.WON_QUALIFIED: 1, Ending.LOST_QUALIFIED: -1, Ending.FOLDED: -1}
    return Fraction(won.get(tally.ending, 0))


def blind_of(tally: Tally, table: PayTable) -> Fraction:
    """What a Blind brings, net."""
    if tally.ending is Ending.TIED:
        return Fraction(0)
    if tally.ending not in (Ending.WON_QUALIFIED, Ending.WON_UNQUALIFIED):
        return Fraction(-1)
    odds = table.lines.get(tally.hand)
    return Fraction(odds.numerator, odds.denominator) if odds else Fraction(0)


def play_of(tally: Tally) -> Fraction:
    """What a Play brings, net."""
    won = tally.ending in (Ending.WON_QUALIFIED, Ending.WON_UNQUALIFIED)
    lost = tally.ending in (Ending.LOST_QUALIFIED, Ending.LOST_UNQUALIFIED)
    return Fraction(tally.multiplier * (won - lost))


def odds_of(tallies: Iterable[Tally], table: PayTable) -> MainOdds:
    """The exact figures of all deals."""
    every = list(tallies)
    deals = sum(tally.deals for tally in every)

    def figures(net: Callable[[Tally], Fraction]) -> Figures:
        return Figures.of((net(tally), Fraction(tally.deals, deals)) for tally in every)

    actions: dict[tuple[Street, int], Fraction] = {}
    for tally in every:
        action = (tally.street, tally.multiplier)
        actions[action] = actions.get(action, Fraction(0)) + Fraction(tally.deals, deals)
    return MainOdds(
        ante=figures(ante_of),
        blind=figures(lambda tally: blind_of(tally, table)),
        play=figures(play_of),
        together=figures(lambda tally: ante_of(tally) + blind_of(tally, table) + play_of(tally)),
        wagered=sum((multiplier * share for (_, multiplier), share in actions.items()), Fraction(2)),
        actions=actions,
    )
