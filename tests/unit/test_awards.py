"""The moves of awards: which state allows which, who may decide, what Envy does. Source: accounting.md §4."""

import pytest

from jackpot.domain import awards
from jackpot.domain.awards import MOVES, Move, Standing, State
from jackpot.domain.errors import Refused

A, D, U, R, P, W = Move.APPROVE, Move.DISPUTE, Move.UPHOLD, Move.REJECT, Move.PAY, Move.WITHDRAW


def code_of(standing: Standing, move: Move, by: str = "user:1", **settings) -> str:
    with pytest.raises(Refused) as refused:
        awards.take(standing, move, by=by, **({"approvals": 1} | settings))
    return refused.value.code


def moved(*steps: tuple[Move, str], approvals: int = 2, state: State = State.PENDING) -> Standing:
    standing = Standing(state)
    for move, by in steps:
        standing = awards.take(standing, move, by=by, approvals=approvals).after
    return standing


def test_the_moves_are_those_of_the_rule():
    assert {(state, after) for state, moves in MOVES.items() for after in moves.values()} == {
        (State.PENDING, State.APPROVED), (State.APPROVED, State.PAID), (State.PENDING, State.DISPUTED),
        (State.APPROVED, State.DISPUTED), (State.DISPUTED, State.APPROVED), (State.DISPUTED, State.REJECTED),
        (State.PENDING, State.WITHDRAWN), (State.APPROVED, State.WITHDRAWN), (State.DISPUTED, State.WITHDRAWN),
    }  # fmt: skip
    assert set(MOVES) == set(State)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("move", Move)
def test_every_other_move_is_refused(state, move):
    if move in MOVES[state]:
        assert awards.take(Standing(state), move, by="user:1", approvals=1).after.state is MOVES[state][move]
    else:
        assert code_of(Standing(state), move) == "illegal_move"


def test_a_refusal_names_the_state_and_what_is_allowed():
    with pytest.raises(Refused, match="the award is pending, which does not allow pay; allowed now: approve, dispute"):
        awards.take(Standing(State.PENDING), P, by="user:1", approvals=1)
    with pytest.raises(Refused, match="the award is paid, which does not allow dispute; allowed now: nothing"):
        awards.take(Standing(State.PAID), D, by="user:1", approvals=1)


def test_two_different_people_approve():
    first = awards.take(Standing(State.PENDING), A, by="user:1", approvals=2)
    assert (first.changes, first.approvals, first.after.state) == (False, 1, State.PENDING)
    assert code_of(first.after, A, approvals=2) == "second_person_required"
    second = awards.take(first.after, A, by="user:2", approvals=2)
    assert (second.changes, second.approvals, second.after) == (True, 2, Standing(State.APPROVED, 1))


def test_who_entered_the_round_does_not_decide():
    assert code_of(Standing(State.PENDING), A, entered_by={"user:1"}) == "second_person_required"
    assert code_of(Standing(State.DISPUTED), U, entered_by={"user:1"}) == "second_person_required"
    assert code_of(Standing(State.DISPUTED), R, entered_by={"user:1"}) == "second_person_required"
    assert awards.take(Standing(State.PENDING), D, by="user:1", approvals=1, entered_by={"user:1"}).changes


def test_upholding_and_rejecting_are_counted_apart_and_one_person_has_one_voice():
    standing = moved((D, "key:1"), (U, "user:1"), (R, "user:2"))
    assert standing.state is State.DISPUTED
    assert code_of(standing, R, by="user:1", approvals=2) == "second_person_required"
    assert awards.take(standing, U, by="user:3", approvals=2).after.state is State.APPROVED
    assert awards.take(standing, R, by="user:3", approvals=2).after.state is State.REJECTED


def test_a_dispute_begins_the_count_anew():
    standing = moved((A, "user:1"), (D, "user:1"), (U, "user:1"))
    assert (standing.state, standing.stage) == (State.DISPUTED, 1)
    approved = awards.take(standing, U, by="user:2", approvals=2)
    assert approved.after == Standing(State.APPROVED, 2)
    assert moved((A, "user:1"), (A, "user:2"), (D, "user:2"), (U, "user:2"), (U, "user:1")).state is State.APPROVED


def test_envy_is_only_paid_on_its_own():
    assert awards.take(Standing(State.APPROVED), P, by="key:1", approvals=2, envy=True).after.state is State.PAID
    for state, move in ((State.PENDING, A), (State.APPROVED, D), (State.DISPUTED, U), (State.DISPUTED, R)):
        assert code_of(Standing(state), move, envy=True) == "illegal_move"
    assert awards.allowed(State.APPROVED, envy=True) == [P]


@pytest.mark.parametrize(
    ("move", "hit", "envy", "after"),
    [
        (A, State.PENDING, State.PENDING, State.APPROVED),
        (D, State.APPROVED, State.APPROVED, State.DISPUTED),
        (D, State.APPROVED, State.PAID, None),
        (R, State.DISPUTED, State.DISPUTED, State.REJECTED),
        (R, State.DISPUTED, State.PAID, None),
        (P, State.APPROVED, State.APPROVED, None),
    ],
)
def test_envy_goes_with_its_hit_unless_it_is_paid(move, hit, envy, after):
    taken = awards.take(Standing(hit), move, by="user:1", approvals=1)
    along = awards.follow(Standing(envy), taken)
    assert (along.after.state if along else None) is after


def test_envy_waits_for_the_last_approval_of_its_hit():
    taken = awards.take(Standing(State.PENDING), A, by="user:1", approvals=2)
    assert awards.follow(Standing(State.PENDING), taken) is None
