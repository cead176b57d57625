"""The states of an award and what moves it from one to the next. Pure; source: accounting.md, section 4."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from jackpot.domain.errors import refuse


class State(StrEnum):
    """Where an award stands between the hit and the player's hand."""

    PENDING = "pending"
    APPROVED = "approved"
    DISPUTED = "disputed"
    REJECTED = "rejected"
    PAID = "paid"
    WITHDRAWN = "withdrawn"


class Move(StrEnum):
    """What may be done to an award. Only a correction of its round withdraws one."""

    APPROVE = "approve"
    DISPUTE = "dispute"
    UPHOLD = "uphold"
    REJECT = "reject"
    PAY = "pay"
    WITHDRAW = "withdraw"


MOVES: Mapping[State, Mapping[Move, State]] = {
    State.PENDING: {Move.APPROVE: State.APPROVED, Move.DISPUTE: State.DISPUTED, Move.WITHDRAW: State.WITHDRAWN},
    State.APPROVED: {Move.PAY: State.PAID, Move.DISPUTE: State.DISPUTED, Move.WITHDRAW: State.WITHDRAWN},
    State.DISPUTED: {Move.UPHOLD: State.APPROVED, Move.REJECT: State.REJECTED, Move.WITHDRAW: State.WITHDRAWN},
    State.REJECTED: {},
    State.PAID: {},
    State.WITHDRAWN: {},
}
"""Every move there is; PostgreSQL knows the same (`award_moves`). What is paid is never cancelled."""

DECISIONS = frozenset({Move.APPROVE, Move.UPHOLD, Move.REJECT})
"""Moves that need the policy's number of approvals, each by another person."""

_OF_AN_ENVY = frozenset({Move.PAY, Move.WITHDRAW})


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an award stands: its state, how often that has changed (`stage`), and who decided what since then."""

    state: State
    stage: int = 0
    decided: tuple[tuple[Move, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """A move that was made: from which state, how the award stands now, and how many approvals the decision has."""

    move: Move
    before: Standing
    after: Standing
    approvals: int = 0

    @property
    def changes(self) -> bool:
        """Whether the state changed; an approval that waits for another one leaves it."""
        return self.before.state is not self.after.state


def allowed(state: State, *, envy: bool = False) -> list[Move]:
    """What a caller may do to an award in this state, in the order of `Move`."""
    moves = set(MOVES[state]) - {Move.WITHDRAW}
    return [move for move in Move if move in (moves & _OF_AN_ENVY if envy else moves)]


def take(
    standing: Standing, move: Move, *, by: str, approvals: int, entered_by: Collection[str] = (), envy: bool = False
) -> Taken:  # fmt: skip
    """Make a move. `by` names who makes it, `entered_by` who entered the round or asked for a correction of it (nobody
    where a machine sent it).

    Raises Refused: `illegal_move` where the state does not allow it, `second_person_required` where a decision is
    taken by somebody who decided already since the state last changed, or who entered the round.
    """
    after = MOVES[standing.state].get(move)
    if after is None or (envy and move not in _OF_AN_ENVY):
        raise refuse("illegal_move", _illegal(standing.state, move, envy=envy))
    if move not in DECISIONS:
        return Taken(move, standing, Standing(after, standing.stage + 1))
    if by in entered_by or any(by == earlier for _, earlier in standing.decided):
        detail = "who entered the round" if by in entered_by else "who has decided on this award already"
        raise refuse("second_person_required", f"another person must decide: not one {detail}")
    decided = (*standing.decided, (move, by))
    given = sum(1 for made, _ in decided if made is move)
    if given < approvals:
        return Taken(move, standing, Standing(standing.state, standing.stage, decided), given)
    return Taken(move, standing, Standing(after, standing.stage + 1), given)


def follow(envy: Standing, hit: Taken) -> Taken | None:
    """What the move of a hit does to an Envy under it: it goes along, but for one that was paid on its own."""
    if not hit.changes or hit.move in _OF_AN_ENVY or envy.state is not hit.before.state:
        return None
    return Taken(hit.move, envy, Standing(hit.after.state, envy.stage + 1), hit.approvals)


def _illegal(state: State, move: Move, *, envy: bool) -> str:
    may = allowed(state, envy=envy)
    said = f"the award is {state}, which does not allow {move}; allowed now: {', '.join(may) or 'nothing'}"
    return f"{said}. An Envy goes with its hit and is only paid on its own" if envy else said
