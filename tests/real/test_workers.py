"""Several workers over a real broker against one real PostgreSQL, one of them killed with -9 inside a batch."""

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
from tests.faults.service import wait_until
from tests.real.workers import Service, worker_in_a_batch

TABLES = {"ONE": ("A-1", "A-2"), "TWO": ("B-1", "B-2")}
BEFORE, AFTER, TOGETHER = 80, 240, 20
SETTLED_BY_ANOTHER = 15.0
"""Seconds at most: a sweep comes every 2, the rest is room for a busy machine."""


@pytest.fixture
def jackpots(books: None) -> list[Jackpot]:
    """Two jackpots of two sites, each with a lane and two tables."""
    return [jackpot_with(code=code, site=SiteFactory.create(), tables=tables) for code, tables in TABLES.items()]


@pytest.fixture
def started(service: dict[str, str], jackpots: list[Jackpot], tmp_path: Path) -> Iterator[Service]:
    with Service(service, tmp_path) as running:
        yield running


def play(rounds: int) -> None:
    """Report rounds at all tables in turn, every eighth with a hit and an Envy; nobody is woken."""
    tables = [table for linked in zip(*TABLES.values(), strict=True) for table in linked]
    hits = {3: royal(), 7: straight_flush()}
    receive(
        *(reported(hits.get(n % 16, low(1, "9h 4h")), low(2), table=tables[n % len(tables)]) for n in range(rounds)),
        by=caller(),
    )


def wait_until_settled(jackpots: list[Jackpot]) -> None:
    lanes = [jackpot.lane.pk for jackpot in jackpots]
    wait_until(lambda: not any(map(queue.waits, lanes)), "the end of the queue")


def check_all_settled_once(jackpots: list[Jackpot], rounds: int) -> None:
    assert list(Round.objects.values_list("phase", "version").distinct()) == [("settled", 1)]
    assert Round.objects.count() == rounds
    for kind in ("lockout", "settlement"):
        assert Entry.objects.filter(kind=kind).count() == rounds
    assert BoxResult.objects.count() == 2 * rounds
    assert_books_agree()
    audited = audit.audit(audit.lanes_of(jackpots=jackpots))
    assert (audited.settlements, audited.findings.differences) == (rounds, [])


def test_three_workers_settle_two_lanes_and_the_batch_of_one_that_is_killed(
    started: Service, jackpots: list[Jackpot]
) -> None:
    one, two = jackpots
    lanes = [one.lane.pk, two.lane.pk]
    for name in ("first", "second", "third"):
        started.worker(name)
    play(BEFORE)
    with worker_in_a_batch(one, lambda: started.wake(lanes)) as victim:
        wait_until_settled([two])
        started.kill(victim)
        assert not Entry.objects.filter(lane=one.lane, kind="settlement").exists()
    let_go_at = time.monotonic()
    wait_until_settled([one])
    assert time.monotonic() - let_go_at < SETTLED_BY_ANOTHER

    for _ in range(AFTER // TOGETHER):
        play(TOGETHER)
        started.wake(lanes)
    wait_until_settled(jackpots)
    check_all_settled_once(jackpots, BEFORE + AFTER)
