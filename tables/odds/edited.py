"""What pay tables bring while they are edited: exact, and at once, from how often each hand is dealt."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tables.domain.hands import HandName
from tables.domain.paytables import Odds, PayTable
from tables.odds.frequencies import hands_of
from tables.odds.tallies import Tally, odds_of
from tables.odds.trips import TripsOdds, trips_odds


@dataclass(frozen=True, slots=True)
class PaidHand:
    """How many of all sets of seven cards make a hand (as their best five), what share that is, and what it pays."""

    hand: HandName
    count: int
    share: Fraction
    odds: Odds | None


def paid_hands(table: PayTable) -> list[PaidHand]:
    """Each hand from the strongest to the weakest."""
    counted = hands_of(7)
    dealt = sum(counted.values())
    return [PaidHand(hand, count, Fraction(count, dealt), table.lines.get(hand)) for hand, count in counted.items()]


@dataclass(frozen=True, slots=True)
class BlindOdds:
    """What a Blind brings (net, of one staked) and how often the table pays it, where deals end as they were counted;
    and what Ante, Blind and Play then return of an Ante.
    """

    mean: Fraction
    paid: Fraction
    together: Fraction


def blind_odds(table: PayTable, deals: Iterable[Tally]) -> BlindOdds:
    """The exact figures of a Blind table over these deals."""
    every = list(deals)
    odds = odds_of(every, table)
    won = sum(tally.deals for tally in every if tally.ending.startswith("won") and tally.hand in table.lines)
    return BlindOdds(odds.blind.mean, Fraction(won, sum(tally.deals for tally in every)), odds.together.returned)


__all__ = ["BlindOdds", "PaidHand", "TripsOdds", "blind_odds", "paid_hands", "trips_odds"]
