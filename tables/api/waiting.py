"""`Prefer: wait=N`: a client that would rather wait a little than ask again."""

import logging
import re
import threading
import time
from collections import defaultdict
from uuid import UUID

from django.db import DatabaseError, InterfaceError, connection
from rest_framework.request import Request

from tables.selectors.on_show import done_among, is_done

LONGEST_SECONDS = 10
MOST_WAITERS = 32
"""Requests of one process that may wait at the same time; above it they are answered at once."""

_PAUSE = 0.05
_WAIT = re.compile(r'(?:^|[,;\s])wait\s*=\s*"?([0-9]{1,6})"?\s*(?:$|[,;])', re.IGNORECASE)
_log = logging.getLogger(__name__)
_places = threading.BoundedSemaphore(MOST_WAITERS)


def seconds_preferred(request: Request) -> int:
    """How long the client would wait, at most LONGEST_SECONDS; 0 without a preference this service understands."""
    found = _WAIT.search(request.headers.get("Prefer", ""))
    return min(int(found[1]), LONGEST_SECONDS) if found else 0


def until_done(round_id: UUID, *, seconds: float) -> None:
    """Returns once the round is settled or set aside, or the time is over, or at once where too many wait.

    While it waits it holds neither a transaction nor a connection.
    """
    if not seconds or is_done(round_id) or not _places.acquire(blocking=False):
        return
    try:
        if not connection.in_atomic_block:
            connection.close()
        lookout.wait(round_id, seconds)
    finally:
        _places.release()


class Lookout:
    """Looks for all who wait in this process together: one thread and one connection, only while somebody waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._awaited: dict[UUID, list[threading.Event]] = defaultdict(list)
        self._looks = False

    def wait(self, round_id: UUID, seconds: float) -> None:
        """Returns once the round is done or the time is over."""
        done = threading.Event()
        with self._lock:
            self._awaited[round_id].append(done)
            if not self._looks:
                self._looks = True
                threading.Thread(target=self._look, name="lookout", daemon=True).start()
        done.wait(seconds)
        with self._lock:
            self._awaited[round_id].remove(done)
            if not self._awaited[round_id]:
                del self._awaited[round_id]

    def _look(self) -> None:
        while awaited := self._still_awaited():
            try:
                for round_id in done_among(awaited):
                    with self._lock:
                        for done in self._awaited.get(round_id, ()):
                            done.set()
            except (DatabaseError, InterfaceError):
                pass  # the waiters find out by themselves, when they read the round
            except Exception:  # noqa: BLE001 - this thread must go on, or nobody is woken in this process any more
                _log.exception("rounds that are waited for cannot be looked for")
            finally:
                connection.close()
            time.sleep(_PAUSE)

    def _still_awaited(self) -> list[UUID]:
        """The rounds to look for; where there is none, the thread ends, and says so under the same lock."""
        with self._lock:
            self._looks = bool(self._awaited)
            return list(self._awaited)


lookout = Lookout()
