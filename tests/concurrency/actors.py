"""Threads with database connections of their own, brought into one exact order by events and PostgreSQL's own locks.

    first = Actor(lambda: lock(...), hold=True)   # has done its work and has not committed
    second = Actor(lambda: place(...))
    second.wait_until_blocked()                   # PostgreSQL says that it waits for a lock
    first.commit()
    assert second.result() ...

Nothing here waits for a time to pass: every wait is for something that must happen, and fails after a minute.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from django.db import connection, transaction

SECONDS = 60.0


class Actor:
    """Runs one call in a thread. With `hold` it stays in an open transaction until `commit`.

    `pause_after`: a piece of SQL; the first statement with it runs, and the actor waits before it goes on. Either is
    waited for, but with `wait` false it is left to `wait_until_paused`.
    """

    def __init__(
        self, call: Callable[[], Any], *, hold: bool = False, pause_after: str = "", wait: bool = True
    ) -> None:
        self._call = call
        self._hold = hold
        self._pause_after = pause_after
        self._paused, self._go, self._done, self._connected = (threading.Event() for _ in range(4))
        self._outcome: Any = None
        self._error: BaseException | None = None
        self._backend = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        _must(self._connected.wait(SECONDS), "it never got its connection")
        if wait and (hold or pause_after):
            self.wait_until_paused()

    def wait_until_paused(self) -> None:
        """Until it holds its transaction open, or has come to the statement after which it pauses."""
        _must(self._paused.wait(SECONDS), "it never came to the point where it was to wait")

    def go_on(self) -> None:
        """Let it go on, and do not wait for it."""
        self._go.set()

    def commit(self) -> Any:
        """Let it go on, and answer what it came to."""
        self.go_on()
        return self.result()

    def result(self) -> Any:
        """What the call returned; raises what it raised."""
        _must(self._done.wait(SECONDS), "it never ended")
        self._thread.join(SECONDS)
        if self._error is not None:
            raise self._error
        return self._outcome

    def wait_until_blocked(self) -> None:
        """Until PostgreSQL says that it waits for a lock of somebody else."""
        deadline = time.monotonic() + SECONDS
        with connection.cursor() as cursor:
            while not _is_blocked(cursor, self._backend):
                _must(not self._done.is_set() and time.monotonic() < deadline, "it did not wait for any lock")
                time.sleep(0.005)

    def _run(self) -> None:
        try:
            with ExitStack() as stack:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_backend_pid()")
                    self._backend = cursor.fetchone()[0]
                if self._pause_after:
                    stack.enter_context(connection.execute_wrapper(self._pausing))
                if self._hold:
                    stack.enter_context(transaction.atomic())
                self._connected.set()
                self._outcome = self._call()
                if self._hold:
                    self._wait()
        except BaseException as error:  # noqa: BLE001 - it is raised again where the result is asked for
            self._error = error
        finally:
            connection.close()
            for event in (self._done, self._paused, self._connected):
                event.set()

    def _pausing(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        if self._pause_after in sql and not self._paused.is_set():
            self._wait()
        return answer

    def _wait(self) -> None:
        self._paused.set()
        _must(self._go.wait(SECONDS), "nobody let it go on")


def all_at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all calls at the same moment, each in a thread; what they returned, in order. Raises what one raised."""
    barrier = threading.Barrier(len(calls), timeout=SECONDS)

    def after_the_others(call: Callable[[], Any]) -> Any:
        barrier.wait()
        return call()

    actors = [Actor(lambda call=call: after_the_others(call)) for call in calls]  # type: ignore[misc]
    return [actor.result() for actor in actors]


def _is_blocked(cursor: Any, backend: int) -> bool:
    cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [backend])
    return bool(cursor.fetchone()[0])


def _must(happened: bool, otherwise: str) -> None:
    if not happened:
        raise AssertionError(otherwise)
