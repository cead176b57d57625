"""What size does to a house: settling, reports, finding a round, and lists, with half a million rounds in the books."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import partial
from random import Random

from django.db import connection

from jackpot import reports as of_jackpots
from jackpot.models.awards import Award
from jackpot.models.closings import Closing
from jackpot.models.ledger import StatementRow
from tables import reports as of_rounds
from tables.models.rounds import Round
from tables.services import settlement
from tests.benchmarks import growing, server, world
from tests.benchmarks.books import Books
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, Stopwatch, Way, interleaved
from tests.benchmarks.reading import Reader
from tests.benchmarks.server import Database
from tests.benchmarks.world import Dealer

OF_SMALL, REPORT_MS, LOOKUP_MS, DEEP_OF_FIRST = 0.9, 2_000.0, 20.0, 1.5
_QUEUE_SEED, _LOOKUP_SEED = 4, 5
_PERCENT = 95


def growth(scale: Scale, books: Books, told: Progress) -> Measured:
    """small and grown books with the same queue; answers of the API on the grown ones, in this process, as for a key"""
    told("preparing", 0)
    with _queued(books, books.small, "bench_run_small") as small, _queued(books, books.grown, "bench_run") as grown:
        settled = interleaved(
            {"settle, small books": lambda: _rate(small, scale.rounds),
             "settle, grown books": lambda: _rate(grown, scale.rounds)},
            scale.runs, told,
        )  # fmt: skip
        with grown.in_use():
            read = interleaved(_reads(scale, Reader(world.new_key())), scale.runs, told, unit="ms")
    small_rate, grown_rate = settled.values()
    goals = [Goal("settle, grown / small", grown_rate.against(small_rate), OF_SMALL), *_goals(read)]
    noted = server.comment_on(books.grown) or "made anew"
    size = server.size_of(books.grown) / scale.grown_rounds
    notes = [f"{scale.grown_rounds:,} rounds in the grown books, {size:,.0f} bytes each with all indexes; {noted}"]
    return Measured([*settled.values(), *read.values()], goals, notes)


@contextmanager
def _queued(books: Books, template: Database, name: str) -> Iterator[Database]:
    """A copy of some books in which so many rounds wait as all runs settle."""
    with server.copied(template, name) as database:
        with database.in_use():
            books.report(Dealer(_QUEUE_SEED, world.tables_of(world.JACKPOTS[0])), books.scale.runs * books.scale.rounds)
        server.settle_down(database)
        yield database


def _rate(database: Database, rounds: int) -> float:
    """Rounds a second of the next so many that wait."""
    watch = Stopwatch()
    with database.in_use():
        lane_id = world.lane_of(world.JACKPOTS[0])
        connection.ensure_connection()
        with watch.running():
            for done in range(0, rounds, settlement.BATCH):
                settlement.drain(lane_id, limit=min(settlement.BATCH, rounds - done))
    return rounds / watch.seconds


def _reads(scale: Scale, reader: Reader) -> Mapping[str, Callable[[], float]]:
    """Every report of the middle day, rounds found by what names them, and lists at their beginning and deep inside."""
    days = Closing.objects.order_by("gaming_day__day").values_list("gaming_day__day", flat=True)
    day = days[len(days) // 2]
    return _reports(reader, day) | _lookups(scale, reader) | _lists(scale, reader)


def _reports(reader: Reader, day: date) -> dict[str, Callable[[], float]]:
    names = [*of_jackpots.REPORTS, *of_rounds.REPORTS]
    return {
        f"report {name}": partial(reader.milliseconds, f"reports/{name}/?site={world.SITE}&day={day}") for name in names
    }


def _lookups(scale: Scale, reader: Reader) -> dict[str, Callable[[], float]]:
    """Other rounds each time, so that what the last time left in memory helps little."""
    draw = Random(_LOOKUP_SEED)

    def slowest(path: str) -> float:
        ids = [growing.external_id(draw.randrange(scale.grown_rounds)) for _ in range(scale.calls)]
        rounds = Round.objects.filter(external_id__in=ids, integrator__name=world.INTEGRATOR)
        return reader.slowest((path.format(round=found) for found in rounds), percent=_PERCENT)

    return {
        "round by id": lambda: slowest("rounds/{round.pk}/"),
        "round by external id": lambda: slowest("rounds/?external_id={round.external_id}"),
        "round by game number": lambda: slowest("rounds/?game_number={round.game_number}"),
    }


def _lists(scale: Scale, reader: Reader) -> dict[str, Callable[[], float]]:
    """Deep is behind the row that has a hundredth of all below it."""
    old = Round.objects.get(external_id=growing.external_id(scale.grown_rounds // 100))
    award = Award.objects.order_by("id")[Award.objects.count() // 100]
    rows = StatementRow.objects.filter(level__jackpot__code=world.JACKPOTS[0], pot="meter")
    row = rows.get(seq=rows.latest("seq").seq // 100 + 1)
    statement = f"jackpots/{world.JACKPOTS[0]}/statement/"
    deep = {
        "rounds/": (old.pk,),
        "awards/": (award.pk,),
        statement: (row.entry_id, row.level_id, row.pot, row.seq),
    }

    def times(path: str) -> float:
        return reader.slowest([path] * scale.calls, percent=50)

    return {
        f"{path.split('/')[-2]}, {place}": partial(times, page)
        for path, values in deep.items()
        for place, page in (("first page", path), ("deep inside", reader.page_behind(path, values)))
    }


def _goals(read: Mapping[str, Way]) -> Iterator[Goal]:
    """One for each kind, by its slowest."""
    medians = {name: way.median for name, way in read.items()}
    report = max((name for name in medians if name.startswith("report ")), key=medians.__getitem__)
    yield Goal(f"slowest report ({report.removeprefix('report ')})", medians[report], REPORT_MS, "ms", at_least=False)
    lookup = max((name for name in medians if name.startswith("round by")), key=medians.__getitem__)
    yield Goal(f"{lookup}, {_PERCENT} in 100", medians[lookup], LOOKUP_MS, "ms", at_least=False)
    for name, deep in read.items():
        if name.endswith(", deep inside"):
            first = read[name.replace("deep inside", "first page")]
            yield Goal(f"{name} / first page", deep.against(first), DEEP_OF_FIRST, at_least=False)
