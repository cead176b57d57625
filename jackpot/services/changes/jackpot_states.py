"""A jackpot's state: suspended and resumed by one person, since no money moves; retired by `retiring`.

Suspended, it takes no new Progressive bets; rounds in play settle. Source: accounting.md, section 6.
"""

from datetime import datetime

from django.db import transaction

from jackpot.domain.callers import Caller
from jackpot.domain.errors import refuse
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpot_states import JackpotStateChange
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.services import lanes
from jackpot.services.staff import person_who_may

PERMISSION = "jackpot.suspend_jackpot"
State = Jackpot.State


def suspend_jackpot(*, caller: Caller, jackpot_id: int, note: str = "", now: datetime) -> JackpotStateChange:
    """Stop new Progressive bets.

    Raises Refused: `person_required`, `forbidden`, `illegal_move` where it is not active.
    """
    return _move(caller, jackpot_id, State.ACTIVE, State.SUSPENDED, note, now)


def resume_jackpot(*, caller: Caller, jackpot_id: int, note: str = "", now: datetime) -> JackpotStateChange:
    """Take Progressive bets again.

    Raises Refused: `person_required`, `forbidden`, `illegal_move` where it is not suspended.
    """
    return _move(caller, jackpot_id, State.SUSPENDED, State.ACTIVE, note, now)


def jackpot_of(lane: Lane) -> Jackpot:
    """The jackpot of a lane that is held, in the state it is in by now: read after the lock, not with it."""
    if lane.jackpot is None:
        raise ValueError("a site's lane has no jackpot")
    lane.jackpot.refresh_from_db(fields=["state", "state_since"])
    return lane.jackpot


def change_state(
    jackpot: Jackpot, after: State, *, by_id: int, note: str, now: datetime, request: ChangeRequest | None = None
) -> JackpotStateChange:
    """Put a jackpot whose lane is held into another state, on record. Never before its last change."""
    at = now if jackpot.state_since is None else max(now, jackpot.state_since)
    made = JackpotStateChange.objects.create(
        jackpot=jackpot, before=jackpot.state, after=after, at=at, by_id=by_id, note=note, request=request
    )
    jackpot.state, jackpot.state_since = after, at
    jackpot.save(update_fields=["state", "state_since"])
    return made


def _move(caller: Caller, jackpot_id: int, before: State, after: State, note: str, now: datetime) -> JackpotStateChange:
    by_id = person_who_may(caller, PERMISSION)
    with transaction.atomic():
        jackpot = jackpot_of(lanes.hold(jackpot_id))
        if jackpot.state != before:
            raise refuse("illegal_move", f"jackpot {jackpot} is {jackpot.state}, not {before}")
        return change_state(jackpot, after, by_id=by_id, note=note, now=now)
