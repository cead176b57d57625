"""Voids: a round or one box is dead before it is settled, and its bets go back.

Once the flop is recorded, a void that would cancel a paying Progressive line or an Envy needs a second person: the
round is set aside as `failed` until a supervisor confirms it in the console, and what would be cancelled is kept.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import refuse
from tables.domain.facts import BoxFacts, RoundFacts, VoidReason
from tables.domain.round_state import Move, Phase
from tables.domain.settlement import progressive_hand_of
from tables.models.rounds import Box, Round
from tables.selectors import loading
from tables.services import stepping
from tables.services.stepping import Step

SECOND_PERSON: dict[str, Any] = {
    "code": "second_person_required",
    "detail": "this void cancels a Progressive prize or an Envy; a supervisor confirms it in the console",
}


def cancels_a_prize(facts: RoundFacts, policy: jackpot.Policy) -> bool:
    """Whether the voids in these facts cancel a paying Progressive line, or an Envy somebody would receive."""
    dead = [box for box in facts.boxes if box.progressive and (facts.void or box.void)]
    alive = [box for box in facts.boxes if box.progressive and box not in dead]
    if any(policy.line(progressive_hand_of(facts, box)) for box in dead):
        return True
    return any(_envies(box, hit, facts, policy) for box in dead for hit in alive)


def _envies(box: BoxFacts, hit: BoxFacts, facts: RoundFacts, policy: jackpot.Policy) -> bool:
    return (
        box.player != hit.player
        and facts.player_cards is None
        and (progressive_hand_of(facts, hit) or "") in policy.envy
    )


def waits_for_second_person(rnd: Round) -> bool:
    """Whether the round is set aside until a supervisor has confirmed its void, or that of one of its boxes."""
    return rnd.phase == Phase.FAILED and (rnd.problem or {}).get("code") == SECOND_PERSON["code"]


@transaction.atomic
def void_round(*, caller: jackpot.Caller, round_id: UUID, reason: VoidReason, note: str, now: datetime) -> Step:
    """Void a whole round. Repeated with equal content it stays as it is; with other content it is a `step_conflict`."""
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if rnd.void_reason:
        if (rnd.void_reason, rnd.void_note) != (reason, note):
            raise stepping.conflict("the void")
        return step
    waits = _needs_second_person(step, loading.facts_of(rnd, step.boxes()), voided=None, reason=reason)
    step.move(Move.FAIL if waits else Move.VOID)
    rnd.void_reason, rnd.void_note, rnd.problem = reason, note, SECOND_PERSON if waits else None
    rnd.completed_at, rnd.deadline = rnd.completed_at or now, None
    if not waits:
        jackpot.enqueue([(rnd.lane_id, "completion", rnd.id)])
    fields = ("void_reason", "void_note", "problem", "completed_at")
    return step.save("voided", *fields, reason=reason, note=note, second_person=waits)


@transaction.atomic
def void_box(*, caller: jackpot.Caller, round_id: UUID, box: int, reason: VoidReason, note: str, now: datetime) -> Step:
    """Void one box: its hand is dead, its cards stay out of the deck. Repeats as for a round.

    Raises Refused with `unknown_box` where the round has no such box.
    """
    step = stepping.take(round_id, caller=caller, now=now)
    held = Box.objects.filter(round_id=round_id, box=box).first()
    if held is None:
        raise refuse("unknown_box", f"box {box} is not in this round")
    if held.void_reason:
        if (held.void_reason, held.void_note) != (reason, note):
            raise stepping.conflict("the void of this box")
        return step
    waits = _needs_second_person(step, loading.facts_of(step.round, step.boxes()), voided=box, reason=reason)
    before = step.round.phase
    step.move(Move.FAIL if waits else Move.VOID_BOX)
    held.void_reason, held.void_note = reason, note
    Box.objects.filter(round_id=round_id, box=box).update(void_reason=reason, void_note=note)
    if waits:
        step.round.problem, step.round.resumes_to = SECOND_PERSON | {"box": box}, before
    fields = ("problem", "resumes_to") if waits else ()
    return step.save("box_voided", *fields, box=box, reason=reason, note=note, second_person=waits)


def _needs_second_person(step: Step, facts: RoundFacts, *, voided: int | None, reason: VoidReason) -> bool:
    policy = step.policy()
    if policy is None or facts.flop is None:
        return False
    return cancels_a_prize(_with_void(facts, voided, reason), policy)


def _with_void(facts: RoundFacts, voided: int | None, reason: VoidReason) -> RoundFacts:
    if voided is None:
        return replace(facts, void=reason)
    boxes = (replace(box, void=reason) if box.box == voided else box for box in facts.boxes)
    return replace(facts, boxes=tuple(boxes))
