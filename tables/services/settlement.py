"""Settling: a lane's queue is drained in order, in batches, each in one transaction with all it posts.

The broker only wakes; what waits is in the database. The same drain serves one live round and a thousand imported
ones, and the result does not depend on the size of the batch. Source: accounting.md §2, architecture.md §2.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import OperationalError, transaction

from jackpot import services as jackpot
from jackpot.domain.errors import refuse
from jackpot.selectors import books
from tables.domain.round_state import Phase
from tables.models.rounds import Round
from tables.services import settling, writing
from tables.services.settling import Work

logger = logging.getLogger(__name__)

NOT_SETTLED = "not_settled"
"""The problem's code of a round that was set aside because it could not be settled."""

BATCH = 1_000
"""Rounds settled in one transaction at most."""


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
    keeps its accrual, the others go on. Trouble with the database itself (OperationalError) is raised: nothing of
    the batch was written, and the queue still holds it.
    """
    with transaction.atomic():
        lane = jackpot.take(lane_id)
        if lane is None:
            return Drained.BUSY
        places = jackpot.next_places(lane, limit)
        if not places:
            return Drained.EMPTY
        steps = [step for place in places for step in _steps(place.kind, place.source_ref)]
        rounds = settling.load({step.round_id for step in steps})
        _settle(lane, steps, rounds)
        jackpot.leave(places)
    return Drained.SOME


@transaction.atomic
def retry(round_id: UUID) -> None:
    """Give a round that could not be settled its place back: it is settled from its facts, its lock-out only once.

    Raises Refused (`wrong_phase`) where it did not fail, or waits for a second person instead.
    """
    rnd = Round.objects.select_for_update(no_key=True, of=("self",)).get(pk=round_id)
    if rnd.phase != Phase.FAILED or (rnd.problem or {}).get("code") != NOT_SETTLED:
        raise refuse("wrong_phase", f"the round is in phase {rnd.phase}; only one that could not be settled is retried")
    rnd.phase, rnd.problem = Phase.VOID if rnd.void_reason else Phase.COMPLETE, None
    rnd.save(update_fields=["phase", "problem"])
    writing.store_events([(rnd.id, "retried", settling.clock(), {})])
    kind = "completion" if rnd.locked_at is None or books.has_lockout(str(rnd.id)) else "whole"
    jackpot.enqueue([(rnd.lane_id, kind, rnd.id)])


def _steps(kind: str, round_id: UUID) -> list[_Step]:
    lock_outs = [_Step(round_id, lock_out=True)] if kind in ("lockout", "whole") else []
    return lock_outs + ([_Step(round_id, lock_out=False)] if kind in ("completion", "whole") else [])


def _settle(lane: Any, steps: Sequence[_Step], rounds: dict[UUID, Work]) -> None:
    try:
        with transaction.atomic():
            _post(lane, steps, rounds)
    except OperationalError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever it is, it is shown with its round
        lane.refresh_from_db(fields=["sealed", "head", "posted_at"])
        if len(steps) == 1:
            _set_aside(rounds[steps[0].round_id], error)
            return
        half = len(steps) // 2
        _settle(lane, steps[:half], rounds)
        _settle(lane, steps[half:], rounds)


def _post(lane: Any, steps: Sequence[_Step], rounds: dict[UUID, Work]) -> None:
    """Compute and post these steps; write results and phases.

    What was done before, or stands twice in the queue, is passed over; so are rounds that were set aside.
    """
    once = dict.fromkeys(step for step in steps if step.round_id in rounds)
    due = [step for step in once if _is_due(rounds[step.round_id], step)]
    if not due:
        return
    postings: list[jackpot.LockOut | jackpot.Settlement] = []
    for step in due:
        work = rounds[step.round_id]
        postings.append(settling.lock_out(work) if step.lock_out else settling.settle(work))
    answers = jackpot.post(lane=lane, batch=postings)
    settled = [(rounds[step.round_id], posted) for step, posted in zip(due, answers, strict=True) if not step.lock_out]
    writing.store_results(row for work, posted in settled for row in settling.results(work, posted.prizes))
    settling.store_phases(settled, at=lane.posted_at)
    settling.check_deferred()


def _is_due(work: Work, step: _Step) -> bool:
    rnd = work.round
    if step.lock_out:
        return rnd.locked_at is not None and rnd.version == 0
    return rnd.version == 0 and rnd.phase in (Phase.COMPLETE, Phase.VOID)


def _set_aside(work: Work, error: Exception) -> None:
    """Show what is wrong with a round that can't be settled, and let the others go on."""
    logger.error("round %s can't be settled", work.round.game_number, exc_info=error)
    rnd = work.round
    rnd.phase = Phase.FAILED
    rnd.problem = {"code": NOT_SETTLED, "detail": f"{type(error).__name__}: {error}"[:500]}
    rnd.save(update_fields=["phase", "problem"])
    writing.store_events([(rnd.id, "failed", settling.clock(), rnd.problem)])
