"""Real worker processes on the test's own database, and the ways a test holds, watches and hurts them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from config.processes import Fleet
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Entry
from jackpot.selectors import books, queue
from tables.models.rounds import BoxResult, Round
from tests.owner import application_url, as_owner

SECONDS = 60.0


@contextmanager
def processes(logs: Path) -> Iterator[Fleet]:
    """Worker and beat processes on this test's database; gone at the end."""
    with Fleet(log_dir=logs, environment={"DATABASE_URL": application_url()}) as fleet:
        yield fleet


def wait_until(happened: Callable[[], Any], what: str) -> Any:
    """What `happened` says once it is true; fails after a minute."""
    deadline = time.monotonic() + SECONDS
    while not (answer := happened()):
        assert time.monotonic() < deadline, f"{what}: not within {SECONDS:.0f} s"
        time.sleep(0.02)
    return answer


@contextmanager
def meters_held(jackpot: Jackpot) -> Iterator[None]:
    """Hold a jackpot's meters: a worker has its lane and rounds, and waits before it writes anything."""
    with transaction.atomic():
        list(Level.objects.select_for_update().filter(jackpot=jackpot))
        yield


@contextmanager
def results_held(jackpot: Jackpot) -> Iterator[None]:
    """Hold the table of results: a worker has written all its entries, statement, awards and seal, and waits."""
    with transaction.atomic():
        with as_owner() as cursor:
            cursor.execute("LOCK TABLE tables_boxresult IN SHARE MODE")
        yield


def backend_that_waits_for_me() -> int:
    """The process id of the PostgreSQL backend that waits for a lock of this connection, once there is one."""
    # Not pg_stat_activity: inside a transaction it always shows what it showed first.
    sql = "SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    return int(wait_until(lambda: _first(sql), "a worker in the middle of its batch"))


def wait_until_gone(backend: int) -> None:
    """Until a backend has ended, and its transaction with it."""
    alive = "SELECT pid FROM pg_stat_activity WHERE pid = %s"
    wait_until(lambda: _first(alive, backend) is None, "the end of the worker's transaction")


def terminate(backend: int) -> None:
    """End a backend, as a restart of PostgreSQL or a firewall would."""
    assert _first("SELECT pg_terminate_backend(%s)", backend)


def wait_until_settled(jackpot: Jackpot) -> None:
    wait_until(lambda: not queue.waits(jackpot.lane.pk), "the end of the queue")


def check_each_settled_once(jackpot: Jackpot, rounds: int) -> None:
    """So many rounds of the jackpot are settled, each posted once, and its books agree."""
    found = Round.objects.filter(table__jackpot=jackpot)
    assert list(found.values_list("phase", "version").distinct()) == [("settled", 1)]
    assert found.count() == rounds
    for kind in ("lockout", "settlement"):
        assert Entry.objects.filter(kind=kind, lane=jackpot.lane).count() == rounds
    assert BoxResult.objects.count() == sum(rnd.boxes.count() for rnd in found)
    assert all(check.agrees for check in books.check_pots(jackpot))
    assert not queue.waits(jackpot.lane.pk)


def _first(sql: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        row = cursor.fetchone()
    return row[0] if row else None
