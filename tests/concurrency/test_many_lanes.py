"""Many workers on many lanes while rounds come in: everything is settled once and nobody waits in a circle."""

import random
from datetime import UTC, datetime

import pytest

from jackpot import services as jackpots
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import GamingDay, Site
from jackpot.selectors import books, queue
from jackpot.services.days import Calendar
from tables.models.rounds import Round
from tables.services import ingest, settlement
from tables.services.ingest import Received
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import NOW, caller, jackpot_with, table_with
from tests.factories.shuffle import Shuffle, reported

pytestmark = pytest.mark.django_db(transaction=True)
LANES, SENDERS, WORKERS, BATCHES, BATCH = 4, 3, 4, 5, 30


def _two_houses() -> tuple[list[Jackpot], list[str]]:
    """Jackpots that are shared by two sites each, and all their tables."""
    sites = [jackpots.open_site(code=f"S-{n}", name=f"Casino {n}") for n in range(2)]
    links, tables = [], []
    for n in range(LANES):
        links.append(jackpot_with(code=f"LINK-{n}", site=sites[n % 2], tables=(f"T-{n}-0",)))
        table_with(f"T-{n}-1", site=sites[1 - n % 2], link=links[-1])
        tables += [f"T-{n}-0", f"T-{n}-1"]
    return links, tables


def test_rounds_come_in_and_are_settled_at_once_by_many() -> None:
    links, tables = _two_houses()
    by = caller()
    sent = SENDERS * BATCHES * BATCH
    received: list[int] = []

    def send(seed: int) -> None:
        rounds = Shuffle(seed, tables)
        for _ in range(BATCHES):
            reports = [
                reported(body | {"external_id": f"{seed}-{body['external_id']}"}) for body in rounds.rounds(BATCH)
            ]
            answers = ingest.receive(caller=by, reports=reports, now=NOW)
            assert all(isinstance(answer, Received) for answer in answers)
            received.extend(range(BATCH))

    def work(seed: int) -> None:
        lanes = [link.lane.pk for link in links]
        order = random.Random(seed)
        while len(received) < sent or queue.lanes_waiting():
            settlement.drain(order.choice(lanes), limit=7)

    all_at_once([lambda n=n: send(n) for n in range(SENDERS)] + [lambda n=n: work(n) for n in range(WORKERS)])

    assert Round.objects.filter(version=1, phase__in=["settled", "void"]).count() == sent
    for link in links:
        assert all(check.agrees for check in books.check_pots(link))


def test_two_transactions_that_open_the_day_of_the_same_sites_do_not_deadlock() -> None:
    """Whatever the order in which each of them meets the sites."""
    sites = [jackpots.open_site(code=f"S-{n}", name=f"Casino {n}") for n in range(2)]
    day = datetime(2030, 1, 1, 12, tzinfo=UTC)

    def opened(found: list[Site]) -> None:
        Calendar(found, now=day)

    first = Actor(lambda: opened(sites), hold=True)
    second = Actor(lambda: opened(sites[::-1]))
    second.wait_until_blocked()
    first.commit()
    second.result()
    assert GamingDay.objects.filter(day=day.date()).count() == 2
