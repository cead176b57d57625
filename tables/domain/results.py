"""What settlement says of a round, as plain values in ledger units; the prize of a Progressive is not in here."""

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from tables.domain.hands import HandName, Ranked


class WagerKind(StrEnum):
    """The wagers of a box, in the order in which results list them."""

    ANTE = "ante"
    BLIND = "blind"
    PLAY = "play"
    TRIPS = "trips"
    PROGRESSIVE = "progressive"


class Outcome(StrEnum):
    """How a wager ended: a push gives the stake back in a hand that was played, a refund in one that is void."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    REFUND = "refund"


class WagerResult(NamedTuple):
    """One wager's end. `returned` is all that is owed back for it, the stake included where it comes back.

    `capped` says that a payout limit took something from the win.
    """

    kind: WagerKind
    stake: int
    outcome: Outcome
    returned: int
    capped: bool = False

    @property
    def net(self) -> int:
        return self.returned - self.stake


_alike = lru_cache(maxsize=4_096)
"""Stakes of a house are few, so that most ends are like many others: these are made once."""


@_alike
def won(kind: WagerKind, stake: int, win: int) -> WagerResult:
    """The stake comes back, and `win` with it."""
    return WagerResult(kind, stake, Outcome.WIN, stake + win)


@_alike
def pushed(kind: WagerKind, stake: int) -> WagerResult:
    return WagerResult(kind, stake, Outcome.PUSH, stake)


@_alike
def lost(kind: WagerKind, stake: int) -> WagerResult:
    return WagerResult(kind, stake, Outcome.LOSE, 0)


@_alike
def refunded(kind: WagerKind, stake: int) -> WagerResult:
    return WagerResult(kind, stake, Outcome.REFUND, stake)


class BoxResult(NamedTuple):
    """One box's end. `wagers` are those staked of Ante, Blind, Play and Trips, in that order.

    `hand` is the best five of seven, `progressive_hand` the pair with the flop; each None while its cards are not all
    known, or where the box is void. `progressive_alive`: the box has a Progressive that can win, trigger and receive.
    """

    box: int
    player: str
    hand: HandName | None
    progressive_hand: HandName | None
    wagers: tuple[WagerResult, ...]
    progressive_alive: bool

    @property
    def staked(self) -> int:
        """Of the wagers listed: without the Progressive."""
        return sum(wager.stake for wager in self.wagers)

    @property
    def returned(self) -> int:
        """For the wagers listed: without Progressive and Envy."""
        return sum(wager.returned for wager in self.wagers)


class RoundResult(NamedTuple):
    """A round's end, its boxes in the order of the facts.

    `dealer` and `qualifies` are None where the dealer's seven cards are not known, or the round is void.
    """

    dealer: Ranked | None
    qualifies: bool | None
    boxes: tuple[BoxResult, ...]
