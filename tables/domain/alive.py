"""Which wagers are alive after the decisions, and which cards they need to be settled. Source: domain.md §1 to §3.

A void box is dead altogether. A fold ends Ante and Blind; Trips and Progressive survive it where the rule set says so.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tables.domain.facts import BoxFacts
from tables.domain.rules import RuleSet


def main_alive(box: BoxFacts) -> bool:
    """Whether Ante, Blind and Play are decided against the dealer."""
    return box.void is None and not box.folded


def trips_alive(box: BoxFacts, rules: RuleSet) -> bool:
    """Whether the box has a Trips wager that can win."""
    return bool(box.trips) and box.void is None and (rules.trips_survives_fold or not box.folded)


def progressive_alive(box: BoxFacts, rules: RuleSet) -> bool:
    """Whether the box has a Progressive wager that can win, trigger an Envy or receive one."""
    return bool(box.progressive) and box.void is None and (rules.progressive_survives_fold or not box.folded)


@dataclass(frozen=True, slots=True)
class CardsNeeded:
    """The cards without which a round cannot be settled; `pairs` are box numbers. What is not needed may be missing."""

    pairs: frozenset[int]
    flop: bool
    turn_and_river: bool
    dealer: bool


def cards_needed(boxes: Iterable[BoxFacts], rules: RuleSet) -> CardsNeeded:
    """What the live wagers of these boxes need: the main bets everything, Trips all but the dealer's cards, and the
    Progressive only the pair and the flop. With a shared hand any box in `pairs` means the shared pair.
    """
    dealer, board, pairs = False, False, set()
    for box in boxes:
        main, trips = main_alive(box), trips_alive(box, rules)
        dealer |= main
        board |= main or trips
        if main or trips or progressive_alive(box, rules):
            pairs.add(box.box)
    return CardsNeeded(pairs=frozenset(pairs), flop=bool(pairs), turn_and_river=board, dealer=dealer)
