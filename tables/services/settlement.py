"""Settling: a lane's queue is drained in order, in batches, each in one transaction with all it posts.

The broker only wakes; what waits is in the database. The same drain serves one live round and a thousand imported
ones, and the result does not depend on the size of the batch. Source: accounting.md §2, architecture.md §2.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import DataError, Error, IntegrityError, transaction

from jackpot import services as jackpot
from jackpot.domain.errors import refuse
from jackpot.selectors import books
from jackpot.services import EventType
from tables.domain import round_state
from tables.domain.round_state import Move, Phase
from tables.models.rounds import Round
from tables.selectors import loading
from tables.services import batch, telling, writing
from tables.services.batch import Work

logger = logging.getLogger(__name__)

NOT_SETTLED = "not_settled"
"""The problem's code of a round that was set aside because it could not be settled."""

BATCH = 1_000
"""Rounds settled in one transaction at most."""

MOST_BOXES = 25_000
"""Boxes settled in one transaction at most; a wider round is settled alone."""


class Drained(Enum):
    """What draining a lane came to."""

    BUSY = "another worker has the lane"
    EMPTY = "nothing waits"
    SOME = "a batch was settled; more may wait"


@dataclass(frozen=True, slots=True)
class _Step:
    """One thing to do for one round: its lock-out, or its settlement."""

    round_id: UUID
    lock_out: bool


def drain(lane_id: int, *, limit: int = BATCH) -> Drained:
    """Settle up to `limit` places of a lane in one transaction.

    A batch that fails is halved until the bad round stands alone: it is set aside as `failed` with its problem and
    keeps its accrual, the others go on. Trouble that is no round's (with the database, its connection, memory) is
    raised: nothing of the batch was written, and the queue still holds it.
    """
    with transaction.atomic():
        lane = jackpot.take(lane_id)
        if lane is None:
            return Drained.BUSY
        places = _as_many_as_fit(jackpot.next_places(lane, limit))
        if not places:
            return Drained.EMPTY
        rounds = batch.load({place.source_ref for place in places})
        told = _settle(lane, _steps(places, rounds), rounds)
        jackpot.leave(places)
        telling.publish(told)
    return Drained.SOME


@transaction.atomic
def retry(round_id: UUID, *, caller: jackpot.Caller | None = None) -> None:
    """Give a round that could not be settled its place back: it is settled from its facts, its lock-out only once.

    `caller` is who asks for it in the console; none is the operator's command. Raises Refused: `wrong_phase` where it
    did not fail, or waits for a second person instead; `person_required` and `forbidden` of a caller who may not.
    """
    if caller is not None:
        jackpot.person_who_may(caller, "tables.change_round")
    rnd = Round.objects.select_for_update(no_key=True, of=("self",)).get(pk=round_id)
    if not may_be_retried(rnd):
        raise refuse("wrong_phase", f"the round is in phase {rnd.phase}; only one that could not be settled is retried")
    rnd.phase = round_state.move(Phase.FAILED, Move.VOID if rnd.void_reason else Move.RETRY)
    rnd.problem = None
    rnd.save(update_fields=["phase", "problem"])
    writing.store_events([(rnd.id, "retried", batch.clock(), {})])
    jackpot.enqueue([(rnd.lane_id, "completion", rnd.id)])


def may_be_retried(rnd: Round) -> bool:
    """Whether a round failed because it could not be settled, not because a void of it waits."""
    return rnd.phase == Phase.FAILED and (rnd.problem or {}).get("code") == NOT_SETTLED


def _as_many_as_fit(places: Sequence[Any]) -> list[Any]:
    """The first of these places, as many as have MOST_BOXES boxes together, and one in any case."""
    if len(places) < 2:
        return list(places)
    counted = loading.boxes_counted({place.source_ref for place in places})
    boxes = 0
    fitting: list[Any] = []
    for place in places:
        boxes += counted.get(place.source_ref, 0)
        if fitting and boxes > MOST_BOXES:
            break
        fitting.append(place)
    return fitting


def _steps(places: Sequence[Any], rounds: dict[UUID, Work]) -> list[_Step]:
    """What these places come to, in order, each step once: a settlement comes after its lock-out in any case."""
    posted = books.locked_out(rounds)
    steps: dict[_Step, None] = {}
    for place in places:
        work = rounds.get(place.source_ref)
        if work is not None and work.round.locked_at is not None and work.round.id not in posted:
            steps[_Step(place.source_ref, lock_out=True)] = None
        if work is not None and place.kind != "lockout":
            steps[_Step(place.source_ref, lock_out=False)] = None
    return list(steps)


def _settle(lane: Any, steps: Sequence[_Step], rounds: dict[UUID, Work]) -> list[jackpot.Event]:
    """Post these steps; what is to be told of them, in order. What was undone is not told of."""
    try:
        with transaction.atomic():
            return _post(lane, steps, rounds)
    except Exception as error:
        if not _is_a_rounds_own(error):
            raise
        lane.refresh_from_db(fields=["sealed", "head", "posted_at"])
        if len(steps) == 1:
            return _set_aside(rounds[steps[0].round_id], error)
        half = len(steps) // 2
        return _settle(lane, steps[:half], rounds) + _settle(lane, steps[half:], rounds)


def _post(lane: Any, steps: Sequence[_Step], rounds: dict[UUID, Work]) -> list[jackpot.Event]:
    """Compute and post these steps; write results and phases. What is settled, set aside or done is passed over."""
    due = [step for step in steps if _is_due(rounds[step.round_id].round, step)]
    if not due:
        return []
    postings: list[jackpot.LockOut | jackpot.Settlement] = []
    for step in due:
        work = rounds[step.round_id]
        postings.append(batch.lock_out(work) if step.lock_out else batch.settle(work))
    answers = jackpot.post(lane=lane, batch=postings)
    settled = [(rounds[step.round_id], posted) for step, posted in zip(due, answers, strict=True) if not step.lock_out]
    batch.store_phases(settled, at=lane.posted_at)
    writing.store_results(row for work, posted in settled for row in batch.results(work, posted.prizes))
    batch.check_deferred()
    told = [event for work, posted in settled for event in _told(work, posted, lane.posted_at)]
    # Only now nothing can be undone any more: what is tried again after a failure must still count as unsettled.
    for work, _ in settled:
        work.round.version = batch.FIRST_VERSION
    return told


def _told(work: Work, posted: jackpot.Posted, at: datetime) -> list[jackpot.Event]:
    """A round's end, followed by what it did to its jackpot."""
    ended = batch.ended(work, posted)
    kind = EventType.ROUND_VOIDED if ended.phase == Phase.VOID else EventType.ROUND_SETTLED
    return [telling.of_round(kind, work.round, at=at, ended=ended), *posted.events]


def _is_a_rounds_own(error: Exception) -> bool:
    """Whether an error can come from the round that is settled; a lost connection or a deadlock is nobody's fault."""
    if isinstance(error, Error):
        return isinstance(error, IntegrityError | DataError)
    return not isinstance(error, OSError | MemoryError)


def _is_due(rnd: Round, step: _Step) -> bool:
    return rnd.version == 0 and (step.lock_out or rnd.phase in (Phase.COMPLETE, Phase.VOID))


def _set_aside(work: Work, error: Exception) -> list[jackpot.Event]:
    """Show what is wrong with a round that can't be settled, and let the others go on.

    One that is still played, or waits for a second person, stays as it is: its lock-out is tried again before its
    settlement.
    """
    rnd = work.round
    logger.error("round %s can't be settled", rnd.game_number, exc_info=error)
    problem = {"code": NOT_SETTLED, "detail": f"{type(error).__name__}: {error}"[:500]}
    now = batch.clock()
    writing.store_events([(rnd.id, "failed", now, problem)])
    if rnd.phase not in (Phase.COMPLETE, Phase.VOID):
        return []
    rnd.phase, rnd.problem = round_state.move(Phase(rnd.phase), Move.FAIL), problem
    rnd.save(update_fields=["phase", "problem"])
    return [telling.of_round(EventType.ROUND_FAILED, rnd, at=now)]
