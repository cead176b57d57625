"""Two full lanes by two workers against one, and one full lane by four workers against one."""

from tests.benchmarks import workers, world
from tests.benchmarks.books import Books
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, interleaved
from tests.benchmarks.server import Database

TWO_OF_ONE, FOUR_OF_ONE = 1.5, 0.9


def lanes(scale: Scale, books: Books, told: Progress) -> Measured:
    """full lanes by Celery workers that are ready before the clock runs, from the first wake-up to the last commit"""
    told("preparing", 0)
    both, one = world.JACKPOTS, world.JACKPOTS[:1]
    templates: dict[tuple[str, ...], Database] = {
        codes: books.queued(f"bench_lanes_{len(codes)}", dict.fromkeys(codes, scale.rounds)) for codes in (both, one)
    }

    def rate(codes: tuple[str, ...], processes: int) -> float:
        with books.copy(templates[codes]) as database, workers.at_work(database, processes) as fleet:
            lane_ids = [world.lane_of(code) for code in codes]
            return len(codes) * scale.rounds / workers.seconds_to_settle(database, lane_ids, fleet)

    ways = interleaved(
        {
            "two lanes, one worker": lambda: rate(both, 1),
            "two lanes, two workers": lambda: rate(both, 2),
            "one lane, one worker": lambda: rate(one, 1),
            "one lane, four workers": lambda: rate(one, 4),
        },
        scale.runs,
        told,
    )
    alone, two, single, four = ways.values()
    goals = [
        Goal("two lanes: two workers / one", two.against(alone), TWO_OF_ONE),
        Goal("one lane: four workers / one", four.against(single), FOUR_OF_ONE),
    ]
    return Measured(list(ways.values()), goals)
