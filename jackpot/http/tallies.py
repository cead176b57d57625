"""How often each caller has called in the current span of time, counted for all processes of the service together.

Counted in the Redis that `settings.TALLY_SERVER` names a function for, or in PostgreSQL where that gives none. A count
is worth nothing once its span is over, so none is durable. Where it cannot be had, nobody is refused for that.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils.module_loading import import_string

WARN_EVERY = 60.0
LEFT_ALONE = 5.0
"""Seconds for which a Redis that failed is not asked again, so that its time-out is not paid by each call."""

_PRUNE_EVERY = 3_600.0
# In memory only: a broker that syncs each write to its disk, as the embedded one does, would make every call wait for
# that. A Redis older than 7 has to be told that a script may choose; one that knows no such choice counts all the same.
_COUNT = """
pcall(function() redis.replicate_commands() end)
pcall(function() redis.set_repl(redis.REPL_NONE) end)
local calls = redis.call('INCR', KEYS[1])
if calls == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return calls
"""
_log = logging.getLogger(__name__)


class Tallies:
    """Counts of one process's calls, shared with all others. `clock` gives seconds since 1970."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._warned_at = self._failed_at = self._pruned_at = float("-inf")

    def count(self, name: str, *, seconds: int) -> tuple[int, float] | None:
        """One call more: the calls under this name in the current span of so many seconds, and what is left of it.

        None where nobody can tell at the moment.
        """
        now = self._clock()
        span = int(now // seconds)
        left = (span + 1) * seconds - now
        if now - self._failed_at < LEFT_ALONE:
            return None
        server: redis.Redis | None = import_string(settings.TALLY_SERVER)()
        name = f"{settings.TALLY_PREFIX}:{name}"
        try:
            calls = self._in_database(name, span) if server is None else _in_redis(server, name, span, 2 * seconds)
        except (redis.RedisError, OSError, DatabaseError) as error:
            self._failed(error, now)
            return None
        return calls, left

    def _in_database(self, name: str, span: int) -> int:
        now = self._clock()
        with transaction.atomic(), connection.cursor() as cursor:
            if now - self._pruned_at > _PRUNE_EVERY:
                self._pruned_at = now
                cursor.execute("DELETE FROM jackpot_tally WHERE counted_at < now() - interval '1 hour'")
            cursor.execute(
                """
                INSERT INTO jackpot_tally AS tally (name, span, calls, counted_at) VALUES (%s, %s, 1, now())
                ON CONFLICT (name) DO UPDATE SET span = excluded.span, counted_at = excluded.counted_at,
                   calls = CASE WHEN tally.span = excluded.span THEN tally.calls + 1 ELSE 1 END
                RETURNING calls
                """,
                [name, span],
            )
            return int(cursor.fetchone()[0])

    def _failed(self, error: Exception, now: float) -> None:
        self._failed_at = now
        if now - self._warned_at >= WARN_EVERY:
            self._warned_at = now
            _log.warning("calls cannot be counted, so nobody is throttled: %s", error)


def _in_redis(server: "redis.Redis", name: str, span: int, expires: int) -> int:
    counted: Any = server.eval(_COUNT, 1, f"{name}:{span}", str(expires))
    return int(counted)


tallies = Tallies()
