"""Rounds in over HTTP and settled, everything at work on the same machine."""

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from statistics import mean
from threading import Event
from typing import Self

from jackpot.models.lanes import Lane, Queued
from tables.models.rounds import Round
from tests.benchmarks import costs, senders, service, world
from tests.benchmarks.books import Books
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, Stopwatch, Way
from tests.benchmarks.senders import Client

ROUNDS_A_SECOND = 300.0
GROWTH = 5.0
"""Rounds a second by which what waits may grow from the first half to the second: less is chance."""

_PREPARED_A_SECOND = 1_200
"""Rounds that are dealt before the clock runs; what is sent beyond them is dealt while it runs."""
_LOOK_SECONDS, _LOOKS_A_WORD = 0.1, 50
_A_BATCH_SECONDS = 60


def end_to_end(scale: Scale, books: Books, told: Progress) -> Measured:
    """batches of 100 rounds over HTTP, into one meter, and settled: two web and two worker processes, beat, broker"""
    told("preparing", 0)
    lead_in = scale.seconds / 10
    jackpot = world.JACKPOTS[0]
    systems = senders.Systems(world.tables_of(jackpot))
    calls = int(_PREPARED_A_SECOND * (scale.seconds + lead_in)) // world.BATCH
    bodies = chain([systems.batch() for _ in range(calls)], iter(systems.batch, None))
    spent: dict[str, float] = {}
    watch = Stopwatch()
    with (
        books.copy(books.with_history) as database, service.serving(database, workers=True) as running,
        senders.arrived(running.addresses, world.new_key()) as clients,
        Sending(clients, bodies, jackpot, scale.waiting) as sending,
    ):  # fmt: skip
        sending.watch(lead_in)
        before, by_clients = _settled(), time.process_time()
        with costs.counted(running.meters, spent), watch.running():
            waiting = sending.watch(scale.seconds, told)
            settled = _settled() - before
        by_clients = (time.process_time() - by_clients) / watch.seconds
    rate = settled / watch.seconds
    half = len(waiting) // 2
    growth = (mean(waiting[half:]) - mean(waiting[:half])) / (watch.seconds / 2)
    return Measured(
        [Way("settled", "rounds/s", [rate]), Way("waiting", "rounds", waiting), *costs.ways([spent], settled)],
        [
            Goal("settled", rate, ROUNDS_A_SECOND, unit="rounds/s"),
            Goal("what waits grows by", growth, GROWTH, unit="rounds/s", at_least=False),
        ],
        [
            f"{watch.seconds:.0f} s after {lead_in:g} s; clients send while less than {scale.waiting:,} rounds wait",
            f"{senders.CLIENTS} clients, and looking at what waits, took {by_clients:.1%} of one processor",
        ],
    )


class Sending:
    """Clients that send these batches, which do not end, while the block lasts, as fast as the service settles them."""

    def __init__(self, clients: Sequence[Client], bodies: Iterable[bytes], jackpot: str, most_waiting: int) -> None:
        self._clients, self._left, self._jackpot, self._most = clients, iter(bodies), jackpot, most_waiting
        self._threads = ThreadPoolExecutor(len(clients))
        self._may_send, self._over = Event(), False

    def __enter__(self) -> Self:
        self._may_send.set()
        self._sent = [self._threads.submit(self._send, client) for client in self._clients]
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self._may_send.set()
        self._threads.shutdown()

    def watch(self, seconds: float, told: Progress | None = None) -> list[int]:
        """How many rounds wait, seen again and again for so long and then until a batch is settled.

        Raises what a client raised.
        """
        seen: list[int] = []
        began = time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            seen.append(self._look())
            if told and len(seen) % _LOOKS_A_WORD == 0:
                told(f"{seen[-1]:,} rounds wait", passed / seconds)
        links = self._links()
        while self._links() == links:
            seen.append(self._look())
            if time.monotonic() - began > seconds + _A_BATCH_SECONDS:
                raise RuntimeError(f"no batch was settled within {_A_BATCH_SECONDS} s")
        return seen

    def _look(self) -> int:
        waiting = Queued.objects.count()
        if waiting < self._most:
            self._may_send.set()
        else:
            self._may_send.clear()
        for ended in (sent for sent in self._sent if sent.done()):
            ended.result()
        time.sleep(_LOOK_SECONDS)
        return waiting

    def _links(self) -> int:
        return Lane.objects.get(jackpot__code=self._jackpot).sealed

    def _send(self, client: Client) -> None:
        for body in self._left:
            self._may_send.wait()
            if self._over:
                return
            client.call("POST", "/rounds/batch/", body)


def _settled() -> int:
    return Round.objects.filter(settled_at__isnull=False).count()
