"""Workers of their own, as on machines of their own: over RabbitMQ and over Redis, against one PostgreSQL."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from django.conf import settings

from config.presence import SESSION_NAME
from config.processes import Fleet, ProcessError
from jackpot.selectors import queue
from tests.benchmarks import service, world
from tests.benchmarks.books import Books
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, Stopwatch, interleaved
from tests.benchmarks.server import Database
from tests.real import servers

_LOOK_SECONDS = 0.05
_NO_LANE = 0
_SERVER = {"DATABASE_URL": f"{servers.APPLICATION}/postgres", "DATABASE_OWNER_URL": f"{servers.POSTGRES}/postgres"}
_WAKER = """
import sys, django
django.setup()
from tables import tasks
for line in sys.stdin:
    tasks.wake(map(int, line.split()))
    print(flush=True)
"""
"""Does what a request does after its commit, for the lanes of each line it reads, and answers with an empty line."""


def brokers(scale: Scale, books: Books, told: Progress) -> Measured:
    """two full lanes by Celery workers of their own, over each broker, on the real servers of this machine"""
    away = [why for server in ("PostgreSQL", *servers.BROKERS) if (why := servers.trouble(server))]
    there = [broker for broker in servers.BROKERS if not servers.trouble(broker)]
    notes = [f"passed over: {why}" for why in away]
    if servers.trouble("PostgreSQL") or not there:
        return Measured([], [], notes)
    told("preparing", 0)
    with books.elsewhere(_SERVER) as real:
        full = real.queued("bench_brokers", dict.fromkeys(world.JACKPOTS, scale.rounds // len(world.JACKPOTS)))

        def rate(broker: str, workers: int) -> float:
            with servers.new_queue(broker) as variables, real.copy(full) as database:
                return scale.rounds / _seconds(database, variables, workers)

        ways = interleaved(
            {_name(broker, workers): partial(rate, broker, workers) for workers in scale.workers for broker in there},
            scale.runs,
            told,
        )
    first, *more = scale.workers
    goals = [
        Goal(
            f"{broker}: {workers} workers / {first}",
            ways[_name(broker, workers)].against(ways[_name(broker, first)]),
            None,
        )
        for broker in there
        for workers in more
    ]
    return Measured(list(ways.values()), goals, notes)


def _name(broker: str, workers: int) -> str:
    return f"{broker}, {workers} {'worker' if workers == 1 else 'workers'}"


def _seconds(database: Database, variables: Mapping[str, str], workers: int) -> float:
    """From the wake-ups until nothing waits."""
    watch = Stopwatch()
    lanes = [world.lane_of(code) for code in world.JACKPOTS]
    with service.fleet_on(database, variables) as fleet, _waker(database, variables) as wake:
        for number in range(workers):
            fleet.worker(name=f"worker-{number + 1}")
        _wait(fleet, lambda: _at_work(database) == workers)
        wake([_NO_LANE])
        with watch.running():
            for _ in range(workers):
                wake(lanes)
            _wait(fleet, lambda: not queue.lanes_waiting())
    return watch.seconds


@contextmanager
def _waker(database: Database, variables: Mapping[str, str]) -> Iterator[Callable[[Iterable[int]], None]]:
    """Wakes a worker for each of some lanes; returns when the broker has the messages."""
    with subprocess.Popen(
        [sys.executable, "-c", _WAKER],
        cwd=settings.BASE_DIR, env=service.environment(database, variables), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip

        def wake(lane_ids: Iterable[int]) -> None:
            assert process.stdin and process.stdout
            process.stdin.write(" ".join(map(str, lane_ids)) + "\n")
            process.stdin.flush()
            process.stdout.readline()

        yield wake


def _at_work(database: Database) -> int:
    """How many workers hold the session by which they are seen."""
    with database.as_owner() as session:
        asked = "SELECT FROM pg_stat_activity WHERE datname = %s AND application_name = %s"
        return session.execute(asked, [database.name, SESSION_NAME]).rowcount


def _wait(fleet: Fleet, happened: Callable[[], bool]) -> None:
    while not happened():
        for child in fleet.children:
            if child.exit_code is not None:
                raise ProcessError(child.describe_end())
        time.sleep(_LOOK_SECONDS)
