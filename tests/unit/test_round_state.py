"""The life of a round (api.md, "Live rounds"): moves in order, and everything else refused."""

from itertools import product

import pytest

from jackpot.domain.errors import Refused
from tables.domain.round_state import BEFORE, MOVES, OPEN, Move, Phase, move


def walk(phase, *steps):
    for step in steps:
        phase = move(phase, step)
    return phase


def test_a_round_from_bet_to_settlement():
    steps = [Move.PLACE, Move.PLACE, Move.LOCK, Move.DEAL, Move.DECIDE, Move.DEAL_FLOP, Move.DECIDE, Move.DEAL_RIVER]
    assert walk(Phase.BETTING, *steps, Move.DECIDE, Move.SHOWDOWN, Move.SETTLE) is Phase.SETTLED


def test_a_round_without_boxes_is_void_at_the_lock():
    assert move(Phase.BETTING, Move.LOCK_EMPTY) is Phase.VOID


@pytest.mark.parametrize("phase", [Phase.PREFLOP, Phase.FLOP, Phase.RIVER])
def test_the_showdown_may_come_on_any_street(phase):
    assert move(phase, Move.SHOWDOWN) is Phase.COMPLETE


@pytest.mark.parametrize("phase", sorted(OPEN - {Phase.SUSPENDED}))
def test_an_open_round_is_suspended_and_goes_on_where_it_was(phase):
    assert move(phase, Move.SUSPEND) is Phase.SUSPENDED
    assert move(Phase.SUSPENDED, Move.RESUME, before=phase) is phase


def test_a_resumed_round_must_know_where_it_was():
    with pytest.raises(ValueError, match="phase before"):
        move(Phase.SUSPENDED, Move.RESUME)


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (Phase.SETTLED, Phase.VOID)])
def test_a_round_or_a_box_can_be_voided_until_it_is_settled(phase):
    assert move(phase, Move.VOID) is Phase.VOID
    assert move(phase, Move.VOID_BOX) is phase


@pytest.mark.parametrize("step", [Move.VOID, Move.VOID_BOX, Move.SETTLE])
def test_a_settled_round_is_only_corrected(step):
    with pytest.raises(Refused) as refusal:
        move(Phase.SETTLED, step)
    assert refusal.value.code == "already_settled"
    assert move(Phase.SETTLED, Move.CORRECT) is Phase.SETTLED


def test_what_failed_is_tried_again_or_voided():
    assert walk(Phase.COMPLETE, Move.FAIL, Move.RETRY, Move.SETTLE) is Phase.SETTLED
    assert walk(Phase.COMPLETE, Move.FAIL, Move.VOID) is Phase.VOID


@pytest.mark.parametrize("phase", [Phase.FLOP, Phase.RIVER, Phase.SUSPENDED, Phase.COMPLETE])
def test_a_void_that_waits_for_a_second_person_may_be_refused(phase):
    assert move(phase, Move.FAIL) is Phase.FAILED
    assert move(Phase.FAILED, Move.RESUME, before=phase) is phase


@pytest.mark.parametrize(
    ("phase", "step"),
    [
        (Phase.LOCKED, Move.PLACE),
        (Phase.BETTING, Move.DEAL),
        (Phase.LOCKED, Move.DECIDE),
        (Phase.LOCKED, Move.SHOWDOWN),
        (Phase.LOCKED, Move.LOCK),
        (Phase.PREFLOP, Move.DEAL_RIVER),
        (Phase.FLOP, Move.DEAL_FLOP),
        (Phase.COMPLETE, Move.DECIDE),
        (Phase.SUSPENDED, Move.DECIDE),
        (Phase.SUSPENDED, Move.SUSPEND),
        (Phase.COMPLETE, Move.SUSPEND),
        (Phase.SETTLED, Move.DEAL),
        (Phase.VOID, Move.SETTLE),
        (Phase.VOID, Move.VOID),
    ],
)
def test_a_step_out_of_order_is_refused_with_the_phase(phase, step):
    with pytest.raises(Refused, match=phase) as refusal:
        move(phase, step)
    assert refusal.value.code == "wrong_phase"


def test_every_pair_of_phase_and_move_is_answered():
    for phase, step in product(Phase, Move):
        if step in MOVES[phase]:
            after = move(phase, step, before=Phase.FLOP)
            assert after is (Phase.FLOP if MOVES[phase][step] is BEFORE else MOVES[phase][step])
        else:
            with pytest.raises(Refused):
                move(phase, step)


def test_every_phase_can_be_reached_and_left():
    reached = {after for moves in MOVES.values() for after in moves.values() if after is not BEFORE}
    assert reached | {Phase.BETTING} == set(Phase)
    assert all(MOVES[phase] for phase in Phase)


def test_a_void_is_final_but_may_fail_to_be_posted():
    assert MOVES[Phase.VOID].keys() == {Move.FAIL}
    assert walk(Phase.VOID, Move.FAIL, Move.VOID) is Phase.VOID
