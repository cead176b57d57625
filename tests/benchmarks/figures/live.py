"""Live rounds over HTTP, one call a step: how long until a lock-out is on the stream, and a showdown is settled."""

import json
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from django.db.models import Max

from jackpot.models.ledger import Entry, StatementRow
from jackpot.services.journal import CHANNEL
from tests.benchmarks import costs, livegames, senders, service, world
from tests.benchmarks.books import Books
from tests.benchmarks.livegames import Game
from tests.benchmarks.measuring import Goal, Measured, Progress, Scale, Way, percentile
from tests.benchmarks.senders import Call
from tests.benchmarks.server import Database
from tests.benchmarks.world import Dealer
from tests.live.followers import Follower

A_SECOND = 20.0
SETTLED_MS, STREAMED_MS = 250.0, 1_000.0

_JACKPOT = world.JACKPOTS[0]
_SEED = 200
_LOOK_SECONDS = 0.05
_SECONDS = 60.0

Seen = tuple[int, float]
"""A number of the books that only grows, and when it was seen from outside."""


def live(scale: Scale, books: Books, told: Progress) -> Measured:
    """one call a step, each round at its own table: first lock-outs, then showdowns of the same rounds, 20 a second"""
    told("preparing", 0)
    with books.copy(books.with_history) as database:
        tables = world.open_more_tables(_JACKPOT, scale.live_rounds)
        key = world.new_key()
        spent: dict[str, float] = {}
        with (
            service.serving(database, workers=True) as running,
            senders.arrived(running.addresses, key) as clients,
            Follower(running.addresses[0], key, path=f"/api/v1/jackpots/{_JACKPOT}/stream/") as stream,
            committed(database) as links,
            costs.counted(running.meters, spent),
        ):  # fmt: skip
            told("rounds are opened, with all bets", 0.1)
            games = livegames.opened(clients, Dealer(_SEED, tables), scale.live_rounds)
            told(f"lock-outs, {A_SECOND:g} a second", 0.3)
            locks = _paced(clients, [(f"{game.path}lock/", {}) for game in games])
            posted = _once_all(lambda: _meter_seqs(games), len(games))
            shown = stream.wait(lambda me: (found := _meters(me)) and found[-1][0] >= max(posted) and found)
            told("rounds are played to the river", 0.5)
            livegames.play_to_the_river(clients, games)
            told(f"showdowns, {A_SECOND:g} a second", 0.7)
            showdowns = _paced(
                clients, [(f"{game.path}showdown/", {"dealer": game.played["dealer"]}) for game in games]
            )
            sealed = _once_all(lambda: _links(games), len(games))
            _once_all(lambda: [link for link, _ in links if link >= max(sealed)], 1)
    streamed, settled = _milliseconds(locks, posted, shown), _milliseconds(showdowns, sealed, links)
    return Measured(
        [
            Way("lock → stream", "ms", streamed),
            Way("showdown → settled", "ms", settled),
            *costs.ways([spent], len(games)),
        ],
        [
            Goal("lock → stream, p99", percentile(streamed, 99), STREAMED_MS, unit="ms", at_least=False),
            Goal("showdown → settled, p99", percentile(settled, 99), SETTLED_MS, unit="ms", at_least=False),
        ],
        [
            "from when a call was due, so that its way in and every wait count;",
            "to the meter with it, as a client of the stream got it, told five times a second at most;",
            "to the commit of its settlement, as PostgreSQL announced it to a session of this process",
        ],
    )


@contextmanager
def committed(database: Database) -> Iterator[list[Seen]]:
    """The links of the jackpot's lane, and when PostgreSQL said that they are committed.

    `settled_at` would not do, which is read inside the transaction; asking for rounds would be work for the service.
    """
    seen: list[Seen] = []
    over = Event()

    def listen() -> None:
        while not over.is_set():
            for notice in session.notifies(timeout=_LOOK_SECONDS):
                code, _, link = notice.payload.partition(":")
                if code == _JACKPOT:
                    seen.append((int(link), time.monotonic()))

    with database.as_owner() as session:
        session.execute(f"LISTEN {CHANNEL}")
        listener = Thread(target=listen)
        listener.start()
        try:
            yield seen
        finally:
            over.set()
            listener.join()


def _paced(clients: Sequence[senders.Client], calls: Sequence[tuple[str, world.Json]]) -> list[Call]:
    return senders.paced(clients, [(path, json.dumps(body).encode()) for path, body in calls], a_second=A_SECOND)


def _meter_seqs(games: Sequence[Game]) -> list[int]:
    """The meter's statement seq by which each round's lock-out is in it."""
    rows = StatementRow.objects.filter(
        entry__kind="lockout", entry__source_ref__in=[f"round:{game.id}" for game in games], pot="meter"
    )
    seqs = dict(rows.values_list("entry__source_ref").annotate(Max("seq")))
    return [seqs[ref] for game in games if (ref := f"round:{game.id}") in seqs]


def _links(games: Sequence[Game]) -> list[int]:
    """The link that seals each round's settlement."""
    entries = Entry.objects.filter(kind="settlement", source_ref__in=[f"round:{game.id}:v1" for game in games])
    links = dict(entries.values_list("source_ref", "link_seq"))
    return [links[ref] for game in games if (ref := f"round:{game.id}:v1") in links]


def _meters(stream: Follower) -> list[Seen]:
    return [(event.data["seq"], event.at) for event in stream.named("meter")]


def _once_all(found: Callable[[], list[int]], count: int) -> list[int]:
    """What is found once there is so much of it. Raises RuntimeError after a minute."""
    until = time.monotonic() + _SECONDS
    while len(numbers := found()) < count:
        if time.monotonic() > until:
            raise RuntimeError(f"{len(numbers)} of {count} are done after {_SECONDS:g} s")
        time.sleep(_LOOK_SECONDS)
    return numbers


def _milliseconds(calls: Sequence[Call], numbers: Sequence[int], seen: Sequence[Seen]) -> list[float]:
    """From when each call was due until its number, or a later one, was seen."""
    return [
        1_000 * (seen[bisect_left(seen, number, key=lambda one: one[0])][1] - call.due)
        for call, number in zip(calls, numbers, strict=True)
    ]
