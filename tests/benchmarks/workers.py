"""Real workers on a copy of the books: at work before the clock runs, and woken through the broker as requests do."""

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from config.celery import app
from config.processes import Fleet, ProcessError
from jackpot.models.lanes import Queued
from tables import tasks
from tables.services import settlement
from tests.benchmarks import world
from tests.benchmarks.server import Database
from tests.benchmarks.service import fleet_on

_NO_LANE = 0
_LOOK_SECONDS = 1.0
_CALLS_A_BATCH = settlement.BATCH // world.BATCH


@contextmanager
def at_work(database: Database, processes: int) -> Iterator[Fleet]:
    """A Celery worker with so many processes, each of which has taken a message and reached the database."""
    app.control.purge()  # what a run before this one left would wake them too early
    with fleet_on(database) as fleet:
        fleet.worker(concurrency=processes)
        _see_at_work(database, fleet, processes)
        yield fleet


def _see_at_work(database: Database, fleet: Fleet, processes: int) -> None:
    """Let each look for a lane that is not there, and wait until all of them stand before it together."""
    with database.as_owner() as session, session.transaction():
        session.execute("LOCK TABLE jackpot_lane")
        for _ in range(processes):
            tasks.wake([_NO_LANE])
        waiting = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        while session.execute(waiting).rowcount < processes:
            _see_alive(fleet)
            time.sleep(0.02)


def seconds_to_settle(database: Database, lane_ids: Collection[int], fleet: Fleet) -> float:
    """From the first wake-up to the commit after which nothing waits.

    PostgreSQL announces each commit of a batch. At each one workers are woken again, as often as calls would do that
    bring in as many rounds: so whoever finds a lane taken does so all the time.
    """
    with database.as_owner() as session:
        session.execute("LISTEN jackpot")
        began = time.perf_counter()
        tasks.wake(lane_ids)
        while True:
            for _ in session.notifies(timeout=_LOOK_SECONDS):
                seconds = time.perf_counter() - began
                if not Queued.objects.exists():
                    return seconds
                for _ in range(_CALLS_A_BATCH):
                    tasks.wake(lane_ids)
            _see_alive(fleet)


def _see_alive(fleet: Fleet) -> None:
    for child in fleet.children:
        if child.exit_code is not None:
            raise ProcessError(child.describe_end())
