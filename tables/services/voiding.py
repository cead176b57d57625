"""Voids: a round or one box is dead before it is settled, and its bets go back.

Once the flop is recorded, a void that would cancel a paying Progressive line or an Envy needs a second person: the
round is set aside as `failed` until a supervisor confirms it in the console, and what would be cancelled is kept.
"""

from collections.abc import Iterable, Set
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import refuse
from tables.domain.alive import progressive_alive
from tables.domain.facts import RoundFacts, VoidReason
from tables.domain.round_state import Move, Phase
from tables.domain.rules import RuleSet
from tables.domain.settlement import progressive_hand_of
from tables.models.rounds import Box, Round
from tables.models.voids import WaitingVoid
from tables.services import stepping
from tables.services.stepping import Step

SECOND_PERSON: dict[str, Any] = {
    "code": "second_person_required",
    "detail": "this void cancels a Progressive prize or an Envy; a supervisor has to confirm it: tell the operator",
}


def cancels_a_prize(facts: RoundFacts, voided: Set[int], rules: RuleSet, policy: jackpot.Policy) -> bool:
    """Whether voiding these boxes (by number) cancels a paying Progressive line, or an Envy somebody would receive.

    `facts` are those before the void: what is dead already, by an earlier void or by its fold, has nothing to lose.
    """
    alive = [(box, progressive_hand_of(facts, box)) for box in facts.boxes if progressive_alive(box, rules)]
    dead = [(box, hand) for box, hand in alive if box.box in voided]
    if any(policy.line(hand) for _, hand in dead):
        return True
    envied = {box.player for box, hand in alive if box.box not in voided and hand in policy.envy}
    return not rules.shared_hand and any(envied - {box.player} for box, _ in dead)


def cancelling(facts: RoundFacts, rules: RuleSet, policy: jackpot.Policy) -> list[int | None]:
    """The voids, of a whole round reported with them, that cancel a prize: None is the round's, others the boxes'."""
    voids: dict[int | None, set[int]] = {box.box: {box.box} for box in facts.boxes if box.void}
    if facts.void:
        voids[None] = {box.box for box in facts.boxes}
    if not voids:
        return []
    before = replace(facts, boxes=tuple(box._replace(void=None) for box in facts.boxes), void=None)
    return [one for one, dead in voids.items() if cancels_a_prize(before, dead, rules, policy)]


def hands_given_up(facts: RoundFacts, voided: Set[int], policy: jackpot.Policy) -> list[tuple[int, str]]:
    """The boxes among these whose Progressive would pay, or give Envy, were they not void; each with its hand."""
    hands = [(box.box, progressive_hand_of(facts, box)) for box in facts.boxes if box.progressive and box.box in voided]
    return [(box, hand) for box, hand in hands if hand and (policy.line(hand) or hand in policy.envy)]


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
    before = step.round.phase
    waits = _move(step, Move.VOID, box=None)
    if waits:
        keep_waiting(rnd, box=None, asked_by=caller.actor, before=_goes_back_to(rnd, before), now=now)
    rnd.void_reason, rnd.void_note, rnd.problem = reason, note, SECOND_PERSON if waits else None
    rnd.completed_at, rnd.deadline = rnd.completed_at or now, None
    if not waits:
        jackpot.enqueue([(rnd.lane_id, "completion", rnd.id)])
    fields = ("void_reason", "void_note", "problem", "completed_at")
    step.save("voided", *fields, reason=reason, note=note, second_person=waits)
    return step.tell(jackpot.EventType.ROUND_FAILED) if waits else step


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
    before = step.round.resumes_to or step.round.phase
    waits = _move(step, Move.VOID_BOX, box=box)
    held.void_reason, held.void_note = reason, note
    Box.objects.filter(round_id=round_id, box=box).update(void_reason=reason, void_note=note)
    if waits:
        step.round.problem, step.round.resumes_to = SECOND_PERSON | {"box": box}, before
        keep_waiting(step.round, box=box, asked_by=caller.actor, before=before, now=now)
    fields = ("problem", "resumes_to") if waits else ()
    step.save("box_voided", *fields, box=box, reason=reason, note=note, second_person=waits)
    return step.tell(jackpot.EventType.ROUND_FAILED) if waits else step


def keep_waiting(rnd: Round, *, box: int | None, asked_by: str, before: str, now: datetime) -> WaitingVoid:
    """Write down that a void waits, who asked for it, and where the round goes back to if it falls."""
    return WaitingVoid.objects.create(round=rnd, box=box, asked_by=asked_by, before=before, asked_at=now)


def keep_reported(waits: Iterable[tuple[Round, int | None]], *, asked_by: str, now: datetime) -> None:
    """The same of whole rounds and the voids that `cancelling` found: if these fall, the rounds are complete."""
    WaitingVoid.objects.bulk_create(
        WaitingVoid(round=rnd, box=box, asked_by=asked_by, before=Phase.COMPLETE, asked_at=now) for rnd, box in waits
    )


def _goes_back_to(rnd: Round, before: str) -> str:
    """Where a round goes on if its void falls: out of a suspension or an earlier wait, where that had come from."""
    return rnd.resumes_to or before


def _move(step: Step, void: Move, *, box: int | None) -> bool:
    """Void the round or the box, or set the round aside where that waits for a second person; says whether it waits.

    A round in which a box waits goes on waiting when it is void as a whole: the prize of that box is not given up yet.

    Raises Refused where the void itself is out of order, whatever it would cancel.
    """
    before = step.round.phase
    waited = waits_for_second_person(step.round)
    step.move(void)
    waits = (waited and void is Move.VOID) or _needs_second_person(step, box=box)
    if waits:
        step.round.phase = before
        step.move(Move.FAIL)
    return waits


def _needs_second_person(step: Step, *, box: int | None) -> bool:
    """Whether voiding this box, or all of them, waits: nothing is lost before the flop is recorded."""
    policy, facts = step.policy(), step.facts()
    if policy is None or facts.flop is None:
        return False
    voided = {held.box for held in facts.boxes} if box is None else {box}
    return cancels_a_prize(facts, voided, step.rules, policy)
