"""Rounds in over HTTP while no worker runs."""

import time

from tables.models.rounds import Round
from tests.benchmarks import costs, senders, service, world
from tests.benchmarks.books import Books
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, Stopwatch, interleaved

ROUNDS_A_SECOND = 800.0


def ingest(scale: Scale, books: Books, told: Progress) -> Measured:
    """batches of 100 rounds over HTTP by clients with kept connections, two web processes, no worker"""
    told("preparing", 0)
    bodies = senders.batches(scale.rounds, world.tables_of(world.JACKPOTS[0]))
    spent: list[dict[str, float]] = []
    by_clients: list[float] = []

    def once() -> float:
        watch, took = Stopwatch(), dict[str, float]()
        with books.copy(books.with_history) as database, service.serving(database, workers=False) as running:
            with senders.arrived(running.addresses, world.new_key()) as clients:
                before = time.process_time()
                with costs.counted(running.meters, took), watch.running():
                    senders.send_all(clients, bodies)
                by_clients.append((time.process_time() - before) / watch.seconds)
            stored = Round.objects.count() - scale.history
        if stored != scale.rounds:
            raise RuntimeError(f"{stored} rounds are stored, not {scale.rounds}")
        spent.append(took)
        return scale.rounds / watch.seconds

    ways = interleaved({"ingest": once}, scale.runs, told)
    return Measured(
        [*ways.values(), *costs.ways(spent, scale.rounds)],
        [Goal("ingest", ways["ingest"].median, ROUNDS_A_SECOND, unit="rounds/s")],
        [f"{senders.CLIENTS} clients took {max(by_clients):.1%} of one processor; each batch is of four tables"],
    )
