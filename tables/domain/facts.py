"""The facts of a round as plain values: what was bet, dealt and decided. Money in ledger units.

Facts are what comes in and what stays: results are always recomputed from these and a rule set.
Cards are normalised two-character strings ("As", "Th"); None stands for cards that were not dealt or not given.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple


class Street(StrEnum):
    PREFLOP = "preflop"
    FLOP = "flop"
    RIVER = "river"


class Action(StrEnum):
    PLAY = "play"
    CHECK = "check"
    FOLD = "fold"


class VoidReason(StrEnum):
    CARD_COUNT = "card_count"
    CARD_EXPOSED_HOLE = "card_exposed_hole"
    CARD_EXPOSED_DEALER = "card_exposed_dealer"
    CARD_EXPOSED_BOARD = "card_exposed_board"
    MALFUNCTION = "malfunction"
    WRONG_BET = "wrong_bet"
    UNRESOLVED = "unresolved"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Decision:
    """The one decision that ended a box's choices: a Play of `multiplier` times the Ante, or a fold.

    A box that checked to the end and never played has an automatic fold at the river.
    """

    action: Action
    street: Street
    multiplier: int | None = None
    automatic: bool = False


AUTOMATIC_FOLD = Decision(Action.FOLD, Street.RIVER, automatic=True)


class BoxFacts(NamedTuple):
    """One betting position. The Blind always equals the Ante; `play` follows from the decision.

    `cards` is the box's own pair; None where the hand is shared or the pair was not given.
    `void` is the reason for which this box alone is dead, or None.
    """

    box: int
    player: str
    ante: int
    trips: int = 0
    progressive: int = 0
    cards: tuple[str, ...] | None = None
    decision: Decision = AUTOMATIC_FOLD
    void: VoidReason | None = None

    @property
    def folded(self) -> bool:
        """Whether the box ended without a Play bet; to check to the end is to fold."""
        return self.decision.action is not Action.PLAY

    @property
    def play(self) -> int:
        """The Play stake in ledger units; 0 after a fold."""
        return 0 if self.folded else self.ante * (self.decision.multiplier or 0)

    @property
    def staked(self) -> int:
        """Ante, Blind, Play, Trips and Progressive together."""
        return 2 * self.ante + self.play + self.trips + self.progressive


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round that is complete, or void as a whole (`void`)."""

    boxes: tuple[BoxFacts, ...]
    flop: tuple[str, ...] | None = None
    turn: str | None = None
    river: str | None = None
    dealer: tuple[str, ...] | None = None
    player_cards: tuple[str, ...] | None = None
    void: VoidReason | None = None

    @property
    def board(self) -> tuple[str, ...]:
        """The community cards in the order dealt, as far as they are known."""
        return (self.flop or ()) + tuple(card for card in (self.turn, self.river) if card)

    def pair_of(self, box: BoxFacts) -> tuple[str, ...] | None:
        """The two cards a box plays: its own, or the shared pair."""
        return self.player_cards or box.cards


@dataclass(frozen=True, slots=True)
class Reported:
    """A whole round as an integrator reports it. `locked_at` is None where it was not given.

    `external_id` identifies the round for ever within its integrator.
    """

    table_code: str
    external_id: str
    started_at: datetime
    locked_at: datetime | None
    completed_at: datetime
    facts: RoundFacts
    void_note: str = ""

    @property
    def lock_out_at(self) -> datetime:
        """When betting closed: the start where nothing else was said."""
        return self.locked_at or self.started_at
