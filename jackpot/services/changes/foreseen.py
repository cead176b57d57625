"""What a change that waits for its decision would come to, were it approved now: looked at, never written or locked."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from jackpot.domain.change_requests import ChangeKind
from jackpot.models.change_requests import ChangeRequest
from jackpot.services.changes import adjustments, policies, retiring, transfers

Foresee = Callable[[ChangeRequest, datetime], tuple[Mapping[str, Any], Mapping[str, Any]]]

_KINDS: Mapping[str, Foresee] = {
    ChangeKind.POLICY: policies.foresee,
    ChangeKind.ADJUSTMENT: adjustments.foresee,
    ChangeKind.TRANSFER: transfers.foresee,
    ChangeKind.RETIREMENT: retiring.foresee,
}


def foresee(request: ChangeRequest, *, now: datetime) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What it would change from what to what, as things stand: of every kind but a correction, of which the tables
    tell. Raises Refused with what would stand in the way of its approval.
    """
    return _KINDS[request.kind](request, now)
