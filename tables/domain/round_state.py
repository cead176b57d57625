"""The life of a round: its phases, and every move from one to the next. Source: api.md, "Live rounds"; domain.md §1.

A live round is opened in `betting`; a whole round is received in `complete`. Whether a move has all it needs (cards,
a second person, time) is for its service to ask; whether it is in order at all is answered here.
"""

from collections.abc import Mapping
from enum import StrEnum

from jackpot.domain.errors import Refused, refuse
from tables.domain.facts import Street


class Phase(StrEnum):
    BETTING = "betting"
    LOCKED = "locked"
    PREFLOP = "preflop"
    FLOP = "flop"
    RIVER = "river"
    COMPLETE = "complete"
    SETTLED = "settled"
    VOID = "void"
    SUSPENDED = "suspended"
    FAILED = "failed"


class Move(StrEnum):
    PLACE = "place"
    """Place, change or remove bets."""
    LOCK = "lock"
    LOCK_EMPTY = "lock_empty"
    """The lock of a round without boxes."""
    DEAL = "deal"
    DECIDE = "decide"
    DEAL_FLOP = "deal_flop"
    DEAL_RIVER = "deal_river"
    """The turn and the river."""
    SHOWDOWN = "showdown"
    SUSPEND = "suspend"
    RESUME = "resume"
    VOID_BOX = "void_box"
    VOID = "void"
    SETTLE = "settle"
    FAIL = "fail"
    """Set aside with a problem to be seen: it could not be settled, or its void waits for a second person."""
    RETRY = "retry"
    CORRECT = "correct"


BEFORE = None
"""In MOVES: back to the phase from which the round was suspended or set aside."""

MOVES: Mapping[Phase, Mapping[Move, Phase | None]] = {
    Phase.BETTING: {
        Move.PLACE: Phase.BETTING,
        Move.LOCK: Phase.LOCKED,
        Move.LOCK_EMPTY: Phase.VOID,
        Move.SUSPEND: Phase.SUSPENDED,
        Move.VOID_BOX: Phase.BETTING,
        Move.VOID: Phase.VOID,
    },
    Phase.LOCKED: {
        Move.DEAL: Phase.PREFLOP,
        Move.SUSPEND: Phase.SUSPENDED,
        Move.VOID_BOX: Phase.LOCKED,
        Move.VOID: Phase.VOID,
    },
    Phase.PREFLOP: {
        Move.DECIDE: Phase.PREFLOP,
        Move.DEAL_FLOP: Phase.FLOP,
        Move.SHOWDOWN: Phase.COMPLETE,
        Move.SUSPEND: Phase.SUSPENDED,
        Move.VOID_BOX: Phase.PREFLOP,
        Move.VOID: Phase.VOID,
    },
    Phase.FLOP: {
        Move.DECIDE: Phase.FLOP,
        Move.DEAL_RIVER: Phase.RIVER,
        Move.SHOWDOWN: Phase.COMPLETE,
        Move.SUSPEND: Phase.SUSPENDED,
        Move.FAIL: Phase.FAILED,
        Move.VOID_BOX: Phase.FLOP,
        Move.VOID: Phase.VOID,
    },
    Phase.RIVER: {
        Move.DECIDE: Phase.RIVER,
        Move.SHOWDOWN: Phase.COMPLETE,
        Move.SUSPEND: Phase.SUSPENDED,
        Move.FAIL: Phase.FAILED,
        Move.VOID_BOX: Phase.RIVER,
        Move.VOID: Phase.VOID,
    },
    Phase.COMPLETE: {
        Move.SETTLE: Phase.SETTLED,
        Move.FAIL: Phase.FAILED,
        Move.VOID_BOX: Phase.COMPLETE,
        Move.VOID: Phase.VOID,
    },
    Phase.SUSPENDED: {
        Move.RESUME: BEFORE,
        Move.FAIL: Phase.FAILED,
        Move.VOID_BOX: Phase.SUSPENDED,
        Move.VOID: Phase.VOID,
    },
    Phase.FAILED: {
        Move.RETRY: Phase.COMPLETE,
        Move.RESUME: BEFORE,
        Move.FAIL: Phase.FAILED,
        Move.VOID_BOX: Phase.FAILED,
        Move.VOID: Phase.VOID,
    },
    Phase.SETTLED: {Move.CORRECT: Phase.SETTLED},
    Phase.VOID: {Move.FAIL: Phase.FAILED},
}
"""The whole life of a round: from each phase, each move that is in order, and the phase it leads to."""

OPEN = frozenset({Phase.BETTING, Phase.LOCKED, Phase.PREFLOP, Phase.FLOP, Phase.RIVER, Phase.SUSPENDED})
"""A table has at most one round in these."""

STREET_OF = {Phase.PREFLOP: Street.PREFLOP, Phase.FLOP: Street.FLOP, Phase.RIVER: Street.RIVER}
"""The street whose decisions are taken in a phase."""


_OF_THE_SERVICE = frozenset({Move.LOCK_EMPTY, Move.SETTLE, Move.FAIL, Move.RETRY, Move.CORRECT})
"""Moves that no call of a table asks for: a refusal does not offer them."""


def move(phase: Phase, step: Move, *, before: Phase | None = None) -> Phase:
    """The phase a step leads to; `before` is where a suspended round came from.

    Raises Refused with `wrong_phase`, or with `already_settled` where only a correction helps.
    """
    moves = MOVES[phase]
    if step not in moves:
        raise _out_of_order(phase, step)
    after = moves[step]
    if after is not BEFORE:
        return after
    if before is None:
        raise ValueError(f"{step} out of {phase} needs to know the phase before")
    return before


def _out_of_order(phase: Phase, step: Move) -> Refused:
    if phase is Phase.SETTLED and step in (Move.SETTLE, Move.VOID, Move.VOID_BOX):
        return refuse("already_settled", "the round is settled; only a supervisor can correct it: tell the operator")
    allowed = ", ".join(move for move in MOVES[phase] if move not in _OF_THE_SERVICE) or "nothing more"
    return refuse("wrong_phase", f"the round is in phase {phase}, where {step} is out of order; in order: {allowed}")
