"""Voids that would cancel a prize are confirmed or declined by another person than who asked for them.

Confirmed, the void stands and its bets go back; declined, the round goes on as if nobody had asked (domain.md §1).
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, refuse
from tables.domain import checks
from tables.domain.round_state import Phase
from tables.models.rounds import Box
from tables.models.voids import VoidDecision, WaitingVoid
from tables.services import stepping, voiding
from tables.services.stepping import Step

Decide = Callable[..., Step]
"""`confirm` or `decline`."""

CONFIRMED, DECLINED = VoidDecision.Decision.CONFIRMED, VoidDecision.Decision.DECLINED


@transaction.atomic
def confirm(*, caller: jackpot.Caller, round_id: UUID, note: str, now: datetime) -> Step:
    """The void stands: the round is void, or goes on without its dead boxes.

    Raises Refused: `person_required`, `forbidden` without the permission, `not_found`, `wrong_phase` where nothing
    waits, `second_person_required`.
    """
    step, waits = _take(caller, round_id, now)
    _decide(waits, CONFIRMED, caller, note, now)
    rnd = step.round
    rnd.phase = Phase.VOID if rnd.void_reason else Phase(waits[0].before)
    return _go_on(step, "void_confirmed", note)


@transaction.atomic
def decline(*, caller: jackpot.Caller, round_id: UUID, note: str, now: datetime) -> Step:
    """The void falls: the round goes on where it was. One that was reported as void is settled from its cards. Voids of
    other boxes, which did not wait, stand.

    Raises Refused as `confirm` does, and with what is wrong with a reported round that is not void.
    """
    step, waits = _take(caller, round_id, now)
    _decide(waits, DECLINED, caller, note, now)
    rnd = step.round
    fallen = [one.box for one in waits if one.box is not None]
    Box.objects.filter(round_id=rnd.id, box__in=fallen).update(void_reason="", void_note="")
    rnd.void_reason, rnd.void_note, rnd.phase = "", "", Phase(waits[0].before)
    if not rnd.live:
        rnd.locked_at = rnd.locked_at or rnd.started_at
        _check_reported(step)
    elif not step.was_taken("showdown"):
        rnd.completed_at = None
    return _go_on(step, "void_declined", note)


@transaction.atomic
def take_up(*, caller: jackpot.Caller, round_id: UUID, now: datetime) -> None:
    """Ask for the voids of a round that waits since before it was written down who asked: another person decides then.

    Raises Refused: `person_required`, `forbidden`, `not_found`, `wrong_phase` where nothing waits or who asked is on
    record.
    """
    step = _waiting(caller, round_id, now)
    if WaitingVoid.objects.filter(round_id=round_id, decided=None).exists():
        raise refuse("wrong_phase", "who asked for this void is on record; another person decides on it")
    rnd, policy, box = step.round, step.policy(), (step.round.problem or {}).get("box")
    found = [box] if rnd.live or policy is None else voiding.cancelling(step.facts(), step.rules, policy)
    for one in found:
        voiding.keep_waiting(rnd, box=one, asked_by=caller.actor, before=_before(step), now=now)


def _take(caller: jackpot.Caller, round_id: UUID, now: datetime) -> tuple[Step, list[WaitingVoid]]:
    """The round under its lock, with what waits in it, for somebody else than who asked."""
    step = _waiting(caller, round_id, now)
    waits = list(WaitingVoid.objects.filter(round_id=round_id, decided=None).order_by("id"))
    if not waits:
        raise refuse("second_person_required", "who asked for this void is not on record: one person takes it up"
                     " (`tables.services.void_decisions.take_up`), another decides")  # fmt: skip
    if caller.actor in {one.asked_by for one in waits}:
        raise refuse("second_person_required", "another person must decide: not the one who asked for the void")
    return step, waits


def _waiting(caller: jackpot.Caller, round_id: UUID, now: datetime) -> Step:
    """The round under its lock, for a person who may decide, with a void that waits."""
    jackpot.person_who_may(caller, "tables.decide_void")
    step = stepping.take(round_id, caller=caller, now=now)
    if not voiding.waits_for_second_person(step.round):
        raise refuse("wrong_phase", f"the round is in phase {step.phase}, and no void of it waits")
    return step


def _before(step: Step) -> str:
    """The phase of a round whose void waits since before that was written down."""
    rnd = step.round
    if not rnd.live or step.was_taken("showdown"):
        return Phase.COMPLETE
    return rnd.resumes_to or (Phase.RIVER if rnd.river else Phase.FLOP)


def _decide(
    waits: Sequence[WaitingVoid], decision: VoidDecision.Decision, caller: jackpot.Caller, note: str, now: datetime
) -> None:  # fmt: skip
    by: Any = caller.user_id
    VoidDecision.objects.bulk_create(
        VoidDecision(waiting=one, decision=decision, by_id=by, at=now, note=note) for one in waits
    )


def _check_reported(step: Step) -> None:
    policy = step.round.policy.read() if step.round.policy else None
    if wrong := checks.check(step.facts(), step.rules, progressive_stake=policy.stake if policy else None):
        raise Refused(wrong)


def _go_on(step: Step, event: str, note: str) -> Step:
    rnd = step.round
    rnd.problem, rnd.resumes_to, rnd.deadline = None, "", None
    if rnd.phase in (Phase.COMPLETE, Phase.VOID):
        jackpot.enqueue([(rnd.lane_id, "completion", rnd.id)])
    fields = ("problem", "resumes_to", "void_reason", "void_note", "locked_at", "completed_at")
    return step.save(event, *fields, note=note)
