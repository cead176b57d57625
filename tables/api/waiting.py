"""`Prefer: wait=N`: a client that would rather wait a little than ask again."""

import re
import threading
import time
from uuid import UUID

from django.db import connection
from rest_framework.request import Request

from tables.selectors.on_show import is_done

LONGEST_SECONDS = 10
MOST_WAITERS = 32
"""Requests of one process that may wait at the same time; above it they are answered at once."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.25
_WAIT = re.compile(r'(?:^|[,;\s])wait\s*=\s*"?([0-9]{1,6})"?\s*(?:$|[,;])', re.IGNORECASE)
_places = threading.BoundedSemaphore(MOST_WAITERS)


def seconds_preferred(request: Request) -> int:
    """How long the client would wait, at most LONGEST_SECONDS; 0 without a preference this service understands."""
    found = _WAIT.search(request.headers.get("Prefer", ""))
    return min(int(found[1]), LONGEST_SECONDS) if found else 0


def until_done(round_id: UUID, *, seconds: float) -> None:
    """Returns once the round is settled or set aside, or the time is over, or at once where too many wait.

    Between looks it holds neither a transaction nor a connection.
    """
    if not seconds or not _places.acquire(blocking=False):
        return
    try:
        until, pause = time.monotonic() + seconds, _FIRST_PAUSE
        while not is_done(round_id) and (left := until - time.monotonic()) > 0:
            if not connection.in_atomic_block:
                connection.close()
            time.sleep(min(pause, left))
            pause = min(2 * pause, _LONGEST_PAUSE)
    finally:
        _places.release()
