"""Several workers over a real broker against one real PostgreSQL, and one of them killed inside a batch."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry
from jackpot.selectors import queue
from tables.models.rounds import BoxResult, Round
from tables.services import audit
from tests.factories import assert_books_agree, caller, jackpot_with, low, receive, reported, royal, straight_flush
from tests.factories.clients import SiteFactory
from tests.real.workers import Service, wait_until, worker_in_a_batch

TABLES = {"ONE": ("A-1", "A-2"), "TWO": ("B-1", "B-2")}
BEFORE, AFTER, TOGETHER = 80, 240, 20
SETTLED_BY_ANOTHER = 15.0
"""Seconds: a sweep every 2, and room for a busy machine."""


@pytest.fixture
def jackpots(books: None) -> list[Jackpot]:
    """Two jackpots of two sites, each with a lane and two tables."""
    return [jackpot_with(code=code, site=SiteFactory.create(), tables=tables) for code, tables in TABLES.items()]


@pytest.fixture
def started(service: dict[str, str], jackpots: list[Jackpot], tmp_path: Path) -> Iterator[Service]:
    with Service(service, tmp_path) as running:
        yield running


def play(jackpots: list[Jackpot], rounds: int) -> None:
    """Report rounds at all tables in turn, every eighth with a hit and an Envy; nobody is woken."""
    tables = [table for linked in zip(*(TABLES[jackpot.code] for jackpot in jackpots), strict=True) for table in linked]
    hits = {3: royal(), 7: straight_flush()}
    receive(
        *(reported(hits.get(n % 16, low(1, "9h 4h")), low(2), table=tables[n % len(tables)]) for n in range(rounds)),
        by=caller(),
    )


def wait_until_settled(jackpots: list[Jackpot]) -> None:
    for jackpot in jackpots:
        wait_until(lambda lane=jackpot.lane.pk: not queue.waits(lane), f"the end of {jackpot.code}'s queue")


def check_all_settled_once(jackpots: list[Jackpot], rounds: int) -> None:
    assert list(Round.objects.values_list("phase", "version").distinct()) == [("settled", 1)]
    assert Round.objects.count() == rounds
    for kind in ("lockout", "settlement"):
        assert Entry.objects.filter(kind=kind).count() == rounds
    assert BoxResult.objects.count() == 2 * rounds
    assert_books_agree()
    audited = audit.audit(audit.lanes_of(jackpots=jackpots))
    assert (audited.settlements, audited.findings.differences) == (rounds, [])


def test_three_workers_settle_two_lanes_though_one_is_killed(started: Service, jackpots: list[Jackpot]) -> None:
    one, two = jackpots
    lanes = [jackpot.lane.pk for jackpot in jackpots]
    for name in ("first", "second", "third"):
        started.worker(name)
    play(jackpots, BEFORE)
    with worker_in_a_batch(one, lambda: started.wake(lanes)) as victim:
        wait_until_settled([two])
        assert queue.waits(one.lane.pk)
        started.kill(victim)
    for _ in range(AFTER // TOGETHER):
        play(jackpots, TOGETHER)
        started.wake(lanes)
    wait_until_settled(jackpots)
    check_all_settled_once(jackpots, BEFORE + AFTER)


@pytest.mark.parametrize("broker", ["RabbitMQ"], indirect=True)
def test_the_batch_of_a_killed_worker_is_settled_by_another_in_seconds(
    started: Service, jackpots: list[Jackpot]
) -> None:
    one, _ = jackpots
    for name in ("victim", "heir"):
        started.worker(name, pool="solo")
    play([one], BEFORE)
    with worker_in_a_batch(one, lambda: started.wake([one.lane.pk])) as victim:
        started.kill(victim)
        killed_at = time.monotonic()
        assert queue.waits(one.lane.pk)
        assert not BoxResult.objects.exists()
    wait_until_settled([one])
    assert time.monotonic() - killed_at < SETTLED_BY_ANOTHER
    check_all_settled_once([one], BEFORE)
