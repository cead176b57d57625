"""Worker processes on the real servers, a process that wakes them, and what a test asks PostgreSQL about them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from django.conf import settings
from django.db import connection

from config.processes import Child, Fleet
from jackpot.models.jackpots import Jackpot
from tests.faults.service import backend_that_waits_for_me, meters_held, wait_until

WAKER = """
import sys, django
django.setup()
from tables import tasks
for line in sys.stdin:
    tasks.wake(map(int, line.split()))
"""
"""Does what a request does after its commit, for the lanes of each line it reads."""


class Service:
    """Workers, each with a name by which PostgreSQL knows its sessions, beat, and a process that wakes workers. All end
    with the `with` block.
    """

    def __init__(self, variables: Mapping[str, str], logs: Path) -> None:
        self._variables, self._logs = variables, logs
        self._workers: dict[str, Child] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._waker = self._open.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", WAKER],
                cwd=settings.BASE_DIR, env=os.environ | self._variables, stdin=subprocess.PIPE, text=True,
            )
        )  # fmt: skip
        self._beat = self._open.enter_context(Fleet(log_dir=self._logs, environment=self._variables)).beat()
        return self

    def __exit__(self, *_: object) -> None:
        for child in (self._beat, *self._workers.values()):
            child.ask_to_stop()  # all at once: each fleet waits for its own
        self._open.close()

    def worker(self, name: str, *, pool: str = "prefork") -> None:
        named = {"DATABASE_URL": f"{self._variables['DATABASE_URL']}?application_name={name}"}
        fleet = self._open.enter_context(Fleet(log_dir=self._logs, environment={**self._variables, **named}))
        self._workers[name] = fleet.worker(name=name, pool=pool)

    def wake(self, lane_ids: Iterable[int]) -> None:
        assert self._waker.stdin is not None
        self._waker.stdin.write(" ".join(map(str, lane_ids)) + "\n")
        self._waker.stdin.flush()

    def kill(self, name: str) -> None:
        """kill -9 of a worker with all its processes, as the end of its machine would."""
        worker = self._workers[name]
        os.killpg(worker.pid, signal.SIGKILL)
        wait_until(lambda: worker.exit_code is not None, f"the end of {name}")


@contextmanager
def worker_in_a_batch(jackpot: Jackpot, wake: Callable[[], None]) -> Iterator[str]:
    """The name of the worker that, woken, has the jackpot's lane and waits for its meters until the block is left."""
    with meters_held(jackpot), connection.cursor() as cursor:
        wake()
        cursor.execute("SELECT application_name FROM pg_stat_activity WHERE pid = %s", [backend_that_waits_for_me()])
        [name] = cursor.fetchone()
        yield name
