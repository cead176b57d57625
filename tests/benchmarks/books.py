"""The books that figures start from: a house with history, made once a session; its copies are for the runs."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property, partial
from types import TracebackType
from typing import Self

from tests.benchmarks import growing, server, world
from tests.benchmarks.measuring import Scale
from tests.benchmarks.server import Database
from tests.benchmarks.showing import Teller
from tests.benchmarks.world import Dealer

_SEEDS = {"history": 1, "queue": 2}


class Books:
    """Templates, made when they are first asked for and removed at the end; of one run at a time.

    A house with no history would give PostgreSQL plans for empty tables, which stay cached while these fill.
    """

    def __init__(self, scale: Scale, teller: Teller) -> None:
        self.scale, self._teller = scale, teller
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._open.enter_context(server.alone())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    @cached_property
    def with_history(self) -> Database:
        """A house with rounds that are settled, and nothing that waits."""

        def fill() -> None:
            world.open_house()
            self.report(Dealer(_SEEDS["history"], world.every_table()), self.scale.history)
            world.settle_all()

        return self._keep(server.made("bench_history", fill))

    @cached_property
    def with_queue(self) -> Database:
        """The same, with a full queue in the lane of the first jackpot."""
        return self.queued("bench_queue", {world.JACKPOTS[0]: self.scale.rounds})

    @cached_property
    def grown(self) -> Database:
        """A house that has been open for weeks. At full size it takes long to make and stays for the next time."""
        name, scale = f"bench_grown_{self.scale.grown_rounds}", self.scale
        fill = partial(self._grow, scale.grown_rounds, scale.grown_days)
        return server.kept(name, fill) if scale.keep_grown else self._keep(server.made(name, fill))

    @cached_property
    def small(self) -> Database:
        """The same house after one day."""
        return self._keep(server.made("bench_small", partial(self._grow, self.scale.history, 1)))

    def _grow(self, rounds: int, days: int) -> None:
        with self._teller.stage("growing") as told:
            growing.grow(rounds=rounds, days=days, told=told)

    def queued(self, name: str, rounds: dict[str, int]) -> Database:
        """The house with history, and so many rounds that wait in the lane of each of these jackpots."""

        def fill() -> None:
            for place, (code, count) in enumerate(rounds.items()):
                self.report(Dealer(_SEEDS["queue"] + place, world.tables_of(code)), count)

        return self.with_more(name, fill)

    def with_more(self, name: str, fill: Callable[[], None]) -> Database:
        """The house with history, and what `fill` does to it."""
        with server.copied(self.with_history, "bench_filling") as filling:
            with filling.in_use():
                fill()
            server.settle_down(filling)
            return self._keep(server.renamed(filling, name))

    def report(self, dealer: Dealer, rounds: int) -> None:
        """Let a dealer's next rounds come in; they wait then."""
        sender = world.caller()
        with self._teller.stage("preparing") as told:
            for number, bodies in enumerate(dealer.batches(rounds)):
                world.report(bodies, by=sender)
                told("rounds are reported", number * world.BATCH / rounds)

    def _keep(self, database: Database) -> Database:
        self._open.callback(server.remove, database)
        return database

    @contextmanager
    def copy(self, template: Database) -> Iterator[Database]:
        """A copy of one of these for one run, in use by this process."""
        with server.copied(template, "bench_run") as database, database.in_use():
            yield database

    @contextmanager
    def elsewhere(self, variables: Mapping[str, str]) -> Iterator["Books"]:
        """Books of the same scale on the server of these URLs."""
        with server.elsewhere(variables), Books(self.scale, self._teller) as books:
            yield books
