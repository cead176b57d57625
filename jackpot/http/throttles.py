"""How often somebody may call: a key, a member of staff, and an address from which nobody is recognised."""

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from jackpot.domain.callers import Caller
from jackpot.http.addresses import address_of
from jackpot.http.tallies import tallies

SECONDS = 10
"""The span over which calls are counted: long enough for bursts, short enough to wait for its end."""


def check_caller(caller: Caller) -> None:
    """Raises Throttled (429) where this key, or this member of staff, has called too often."""
    if caller.is_person:
        _check("staff", caller.user_id)
    else:
        _check("key", caller.key_id)


def check_stranger(request: Request) -> None:
    """Raises Throttled where this address has failed to authenticate too often. Good keys behind it still pass."""
    _check("failed", address_of(request))


def _check(kind: str, who: object) -> None:
    rate: int = settings.THROTTLES[kind]
    counted = tallies.count(f"{kind}:{who}", seconds=SECONDS) if rate else None
    if counted is None:
        return
    calls, left = counted
    if calls > rate * SECONDS:
        raise Throttled(wait=left, detail=f"more than {rate * SECONDS} calls in {SECONDS} seconds; slow down")
