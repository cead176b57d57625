"""Trips: what a pay table brings, from how often the best five of seven cards make each hand. Source: domain.md §3."""

from dataclasses import dataclass
from fractions import Fraction

from tables.domain.paytables import PayTable
from tables.odds.figures import Figures
from tables.odds.frequencies import hands_of


@dataclass(frozen=True, slots=True)
class TripsOdds:
    """What one staked on Trips brings (net), and how often it wins."""

    net: Figures
    hit: Fraction


def trips_odds(table: PayTable) -> TripsOdds:
    """The exact figures of a pay table, where Trips lives whatever becomes of the main bets.

    Odds such as 3 to 2 are taken as they are: how a win on an odd stake is rounded is left out.
    """
    counted = hands_of(7)
    shares = {hand: Fraction(count, sum(counted.values())) for hand, count in counted.items()}
    lost = Fraction(-1)
    wins = {hand: Fraction(odds.numerator, odds.denominator) for hand, odds in table.lines.items()}
    return TripsOdds(
        net=Figures.of((wins.get(hand, lost), share) for hand, share in shares.items()),
        hit=Fraction(sum(shares[hand] for hand in wins)),
    )
