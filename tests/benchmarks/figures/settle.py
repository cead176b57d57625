"""Settling a full queue of one lane by one worker, against what PostgreSQL takes and against the obvious service."""

from collections.abc import Callable

from django.db import connection

from jackpot.models.lanes import Queued
from tables.domain.round_state import Phase
from tables.models.rounds import Round
from tests.benchmarks import batches, naive, world
from tests.benchmarks.books import Books
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, Stopwatch, interleaved

OF_LIMIT, OF_NAIVE = 0.6, 5.0


def settle(scale: Scale, books: Books, told: Progress) -> Measured:
    """one lane, one worker, out of a full queue; the limit writes the same rows; naive is one transaction a round"""
    told("preparing", 0)
    with books.copy(books.with_queue):
        lane_id = world.lane_of(world.JACKPOTS[0])
        waiting = list(Queued.objects.filter(lane_id=lane_id).order_by("id").values_list("source_ref", flat=True))
        prepared = batches.prepare(lane_id)
        one_by_one = naive.wanted(waiting[: scale.naive_rounds])

    def by_limit() -> None:
        for batch in prepared:
            batches.write(lane_id, batch)

    def naively() -> None:
        for work in one_by_one:
            naive.settle(lane_id, work)

    ways = interleaved(
        {
            "settle": lambda: _rate(books, lambda: world.drain_lane(lane_id), scale.rounds),
            "limit": lambda: _rate(books, by_limit, scale.rounds),
            "naive": lambda: _rate(books, naively, len(one_by_one)),
        },
        scale.runs,
        told,
    )
    settled = ways["settle"]
    goals = [
        Goal("settle / limit", settled.against(ways["limit"]), OF_LIMIT),
        Goal("settle / naive", settled.against(ways["naive"]), OF_NAIVE),
    ]
    return Measured(list(ways.values()), goals)


def _rate(books: Books, work: Callable[[], None], rounds: int) -> float:
    """Rounds a second of something done to a copy of the queue."""
    watch = Stopwatch()
    with books.copy(books.with_queue):
        connection.ensure_connection()
        with watch.running():
            work()
        settled = Round.objects.filter(phase=Phase.SETTLED).count() - books.scale.history
    if settled != rounds:
        raise RuntimeError(f"{settled} rounds are settled, not {rounds}")
    return rounds / watch.seconds
