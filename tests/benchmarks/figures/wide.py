"""One round of a shared hand with many boxes, against rounds of seven with as many boxes together."""

from functools import partial

from tables.domain.round_state import Phase
from tables.models.rounds import Round
from tests.benchmarks import draining, world
from tests.benchmarks.books import Books
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, Way, interleaved
from tests.benchmarks.server import Database

OF_SEVEN, MOST_MIB = 0.8, 1024.0
_MIB = 1024 * 1024


def wide(scale: Scale, books: Books, told: Progress) -> Measured:
    """boxes a second, and the most memory of the process that settles them; "that hits": all boxes share a prize"""
    told("preparing", 0)
    narrow = scale.wide_boxes // world.BOXES
    ways = {
        "rounds of 7 boxes": (books.queued("bench_narrow", {world.JACKPOTS[0]: narrow}), world.JACKPOTS[0]),
        "one round": (_with_wide(books, hit=False), world.WIDE),
        "one round that hits": (_with_wide(books, hit=True), world.WIDE),
    }
    peaks: dict[str, list[float]] = {name: [] for name in ways}

    def rate(name: str, template: Database, code: str) -> float:
        with books.copy(template) as database:
            done = draining.drained(database, world.lane_of(code))
            if Round.objects.exclude(phase=Phase.SETTLED).exists():
                raise RuntimeError("not all rounds are settled")
        peaks[name].append(done.peak / _MIB)
        return scale.wide_boxes / done.seconds

    rates = interleaved(
        {name: partial(rate, name, *where) for name, where in ways.items()}, scale.runs, told, unit="boxes/s"
    )
    memory = [Way(f"memory, {name}", "MiB", values) for name, values in peaks.items()]
    seven, one, _ = rates.values()
    goals = [
        Goal("one round / rounds of 7 boxes", one.against(seven), OF_SEVEN),
        *(Goal(way.name, max(way.values), MOST_MIB, unit="MiB", at_least=False) for way in memory[1:]),
    ]
    return Measured([*rates.values(), *memory], goals)


def _with_wide(books: Books, *, hit: bool) -> Database:
    """A house with a round of so many boxes that waits."""

    def fill() -> None:
        world.open_wide_table()
        world.report([world.wide_round(books.scale.wide_boxes, hit=hit)], by=world.caller())

    return books.with_more(f"bench_wide_{'hit' if hit else 'quiet'}", fill)
