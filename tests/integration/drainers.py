"""Processes that settle one lane between them, and that a test kills in the middle of their work.

Many ways of settling one and the same queue start from clones of the database in which it waits.
"""

import multiprocessing
import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection as waiting
from multiprocessing.process import BaseProcess

import django
from django.apps import apps
from django.conf import settings
from django.db import connection

if not apps.ready:
    # In the server that the workers are forked from: there no test runner has set Django up.
    django.setup()

from jackpot.selectors import queue
from tables.services import settlement
from tables.services.settlement import Drained
from tests.owner import as_owner

APPLICATION = "drainer"
_AGAIN_SECONDS = 0.2


def work(database: str, lane_id: int, limit: int) -> None:
    """Drain the lane, `limit` places at a time, until nothing waits in it."""
    connection.settings_dict["NAME"] = database
    connection.settings_dict["OPTIONS"] |= {
        "application_name": f"{APPLICATION} {os.getpid()}",
        "assume_role": settings.DATABASE_ROLE,
    }
    while True:
        drained = settlement.drain(lane_id, limit=limit)
        if drained is Drained.BUSY:
            time.sleep(_AGAIN_SECONDS)
        elif drained is Drained.EMPTY and not queue.waits(lane_id):
            return


@contextmanager
def clones(names: Sequence[str]) -> Iterator[list[str]]:
    """Copies of the test's database as it stands, one for each name; they are dropped in the end.

    They do not wait for the disk at a commit: it is workers that are killed here, not the server.
    """
    source = str(connection.settings_dict["NAME"])
    made = [f"{source}_{name}" for name in names]
    connection.close()  # PostgreSQL copies only what nobody is connected to.
    try:
        with connection._nodb_cursor() as cursor:
            cursor.execute("SET ROLE NONE")
            for name in made:
                cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
                cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{source}"')
                cursor.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
        yield made
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute("SET ROLE NONE")
            for name in made:
                cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def connected_to(database: str) -> Iterator[None]:
    """Django's connection leads to another database meanwhile."""
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own


class Crew:
    """Workers of one lane. `kills` of them die by SIGKILL while they hold the lane, and are replaced."""

    def __init__(self, database: str, lane_id: int, limit: int, *, workers: int, kills: int = 0) -> None:
        self.killed = 0
        self._kills = kills
        self._random = random.Random(kills)
        self._database = database
        self._job = (database, lane_id, limit)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([__name__])
        self._workers = [self._start() for _ in range(workers)]
        self._next_kill = self._soon()

    def step(self) -> bool:
        """Kill a worker when it is time to; False once all have found the lane empty."""
        self._workers = [worker for worker in self._workers if not _has_ended(worker)]
        if self.killed < self._kills and time.monotonic() >= self._next_kill and (victim := self._at_work()):
            victim.kill()
            victim.join()
            self.killed += 1
            self._workers.remove(victim)
            self._workers.append(self._start())
            self._next_kill = self._soon()
        return bool(self._workers)

    def stop(self) -> None:
        for worker in self._workers:
            worker.kill()
            worker.join()

    def _start(self) -> BaseProcess:
        worker = self._context.Process(target=work, args=self._job, daemon=True)
        worker.start()
        return worker

    def _soon(self) -> float:
        return time.monotonic() + self._random.uniform(0.1, 0.6)

    def _at_work(self) -> BaseProcess | None:
        """The worker that has written something it has not committed yet: only the one that has the lane."""
        with as_owner() as cursor:
            cursor.execute(
                "SELECT application_name FROM pg_stat_activity WHERE datname = %s"
                " AND application_name LIKE %s AND backend_xid IS NOT NULL",
                [self._database, f"{APPLICATION} %"],
            )
            busy = {name for (name,) in cursor.fetchall()}
        return next((worker for worker in self._workers if f"{APPLICATION} {worker.pid}" in busy), None)


def run(*crews: Crew) -> None:
    """Let the crews work side by side until every lane is empty."""
    try:
        while [crew for crew in crews if crew.step()]:
            waiting.wait([worker.sentinel for crew in crews for worker in crew._workers], timeout=0.01)
    finally:
        for crew in crews:
            crew.stop()


def _has_ended(worker: BaseProcess) -> bool:
    if worker.is_alive():
        return False
    assert worker.exitcode == 0, f"a worker ended with {worker.exitcode}"
    return True
