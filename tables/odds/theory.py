"""What the bets of a rule set bring in theory: the value that is stored once a version, and its document."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.odds.figures import Figures
from tables.odds.settings import Settings
from tables.odds.tallies import Ending, MainOdds, Tally, odds_of
from tables.odds.trips import TripsOdds, trips_odds

METHOD = 1
"""Which way of reckoning: goes up by one whenever the same rule set would come out otherwise."""


@dataclass(frozen=True)
class Theory:
    """The main game under optimal play, and Trips; `trips` is None where a fold ends Trips, since what it returns
    depends then on how the main game is played. Left out: how odd stakes are rounded, and a payout limit.

    `deals` are what was counted; `main` follows from them and the Blind's pay table.
    """

    deals: tuple[Tally, ...]
    main: MainOdds
    trips: TripsOdds | None

    @classmethod
    def of(cls, settings: Settings, deals: Iterable[Tally]) -> "Theory":
        counted = tuple(deals)
        trips = trips_odds(settings.trips_table) if settings.trips_survives_fold else None
        return cls(counted, odds_of(counted, settings.blind_table), trips)

    def to_document(self) -> dict[str, Any]:
        """What is stored: the deals as they were counted, and the figures of Trips as exact fractions."""
        deals = [[str(t.street), t.multiplier, str(t.ending), str(t.hand), t.deals] for t in self.deals]
        trips = self.trips and {
            "mean": str(self.trips.net.mean),
            "variance": str(self.trips.net.variance),
            "hit": str(self.trips.hit),
        }
        return {"deals": deals, "trips": trips}

    @classmethod
    def from_document(cls, document: Mapping[str, Any], settings: Settings) -> "Theory":
        """The value of a stored document, of a rule set with these settings."""
        deals = tuple(
            Tally(Street(street), multiplier, Ending(ending), HandName(hand), count)
            for street, multiplier, ending, hand, count in document["deals"]
        )
        trips = None
        if document["trips"] is not None:
            mean, variance, hit = (Fraction(document["trips"][name]) for name in ("mean", "variance", "hit"))
            trips = TripsOdds(Figures(mean, variance), hit)
        return cls(deals, odds_of(deals, settings.blind_table), trips)
