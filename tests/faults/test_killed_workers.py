"""Workers that die: in the middle of a batch, or after its commit without acknowledging it (known failure 71)."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.db import connection

from config.processes import Fleet
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Queued
from jackpot.models.ledger import Entry
from tables import tasks
from tables.models.rounds import Round
from tests.concurrency.actors import Actor
from tests.factories import house, low, receive, reported, royal
from tests.faults import service
from tests.owner import as_owner

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 20


@pytest.fixture
def fleet(transactional_db: None, tmp_path: Path) -> Iterator[Fleet]:
    with service.processes(tmp_path) as started:
        yield started


@pytest.fixture
def jackpot(transactional_db: None) -> Jackpot:
    """MAIN, with rounds waiting in its lane of which no worker has been told."""
    main = house().jackpot
    tables = [f"UTH-0{n % 4 + 1}" for n in range(ROUNDS)]
    receive(*(reported(royal() if n == ROUNDS // 2 else low(), table=table) for n, table in enumerate(tables)))
    return main


def _nothing_is_settled() -> bool:
    waiting = Queued.objects.count() == ROUNDS == Round.objects.filter(phase="complete", version=0).count()
    return waiting and not Entry.objects.exclude(kind="reset").exists()


@pytest.mark.parametrize("held", [service.meters_held, service.results_held])
def test_a_worker_killed_in_the_middle_of_its_batch_loses_and_doubles_nothing(
    fleet: Fleet, jackpot: Jackpot, held: Callable[[Jackpot], AbstractContextManager[None]]
) -> None:
    victim = fleet.worker(name="victim", pool="solo")
    with held(jackpot):
        tasks.wake([jackpot.lane.pk])
        backend = service.backend_that_waits_for_me()
        victim.kill()
    service.wait_until_gone(backend)
    assert _nothing_is_settled()

    fleet.worker(name="heir", pool="solo")
    fleet.beat()
    service.wait_until_settled(jackpot)
    service.check_each_settled_once(jackpot, ROUNDS)


def test_the_message_of_a_killed_pool_process_is_given_out_again(fleet: Fleet, jackpot: Jackpot) -> None:
    """Here the worker itself lives, and nobody sweeps."""
    worker = fleet.worker(pool="prefork")
    with service.meters_held(jackpot):
        tasks.wake([jackpot.lane.pk])
        backend = service.backend_that_waits_for_me()
        os.kill(_only_child(worker.pid), signal.SIGKILL)
    service.wait_until_gone(backend)
    service.wait_until_settled(jackpot)
    service.check_each_settled_once(jackpot, ROUNDS)


def test_a_worker_killed_between_its_commit_and_its_acknowledgement_posts_once(fleet: Fleet, jackpot: Jackpot) -> None:
    """The worker is held by the meter until a lock of the queue waits behind it: so its first batch is committed, and
    it can't look for the next. Its message comes again, and with it two more that say the same.
    """
    victim = fleet.worker(name="victim", pool="solo")
    with service.meters_held(jackpot):
        tasks.wake([jackpot.lane.pk])
        backend = service.backend_that_waits_for_me()
        closing = Actor(_close_the_queue, pause_after="LOCK TABLE", wait=False)
        closing.wait_until_blocked()
    closing.wait_until_paused()
    service.wait_until(lambda: _is_blocked(backend), "the worker's look for more")
    victim.kill()
    closing.commit()
    service.wait_until_gone(backend)
    service.check_each_settled_once(jackpot, ROUNDS)

    for _ in range(3):
        tasks.wake([jackpot.lane.pk])
    fleet.worker(name="heir", pool="solo")
    fleet.beat()
    [more] = receive(reported(low()))
    service.wait_until_settled(jackpot)
    service.check_each_settled_once(jackpot, ROUNDS + 1)
    assert Round.objects.get(pk=more).phase == "settled"


def _close_the_queue() -> None:
    with as_owner() as cursor:
        cursor.execute("LOCK TABLE jackpot_queued IN ACCESS EXCLUSIVE MODE")


def _is_blocked(backend: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [backend])
        return bool(cursor.fetchone()[0])


def _only_child(pid: int) -> int:
    [child] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)
