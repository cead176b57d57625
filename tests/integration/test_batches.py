"""The result does not depend on how a queue is settled: in batches of any size, by one worker or many, killed or not.

The same 400 rounds, taken in once, are settled in batches of 1, 7 and 150, by one process and by three that are
killed in the middle of a batch again and again, each way in a clone of the database. Every time statement, awards,
Envy, meter and results are those of a pure replay.

Source: accounting.md §2.
"""

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

import pytest
from django.utils.dateparse import parse_datetime

from jackpot import services as jackpots
from jackpot.domain.callers import Caller
from jackpot.models.jackpots import Jackpot
from jackpot.selectors import books, queue
from tables.models.rounds import Round
from tables.services import ingest
from tables.services.ingest import Received
from tests.factories import caller, jackpot_with
from tests.factories.live import LiveRound
from tests.factories.shuffle import Shuffle, reported
from tests.integration import drainers
from tests.integration.outcome import Outcome, results_of
from tests.reference.compare import differences
from tests.reference.replay import Floor
from tests.reference.rulebook import POLICY, RULES

Json = dict[str, Any]
ROUNDS = 400
CHUNK = 50
"""Whole rounds that come in at once. Between two chunks a live round is completed and the next one locked out, so
that the lock-outs and completions of live rounds lie far apart in the queue, with hits between them."""
TABLES = ("A", "B", "C", "D")
LIVE_TABLE = "L"
HOUSE: Json = {"void_contributions": "reverse", "verify_from": "2000.00"}
"""Voids take their contributions back, and the smaller hits are paid at once: as much as can be goes on in a batch."""


@cache
def _chunks() -> list[tuple[Json, list[Json]]]:
    """The rounds: each chunk with the live round that was locked out before it and is completed after it."""
    shuffle = Shuffle(seed=20_261_129, tables=TABLES)
    live = ["straight_flush", "royal_flush", "plain", "royal_and_straight_flush", "plain"]
    chunks = []
    for n in range(ROUNDS // CHUNK):
        locked = shuffle.round(live[n % len(live)]) | {"table": LIVE_TABLE}
        chunks.append((locked, list(shuffle.rounds(CHUNK - 1))))
    return chunks


@cache
def _replayed() -> Json:
    """The same rounds by the reference, in the order of the queue."""
    floor = Floor(dict.fromkeys([*TABLES, LIVE_TABLE], RULES["casino-progressive"]), {**POLICY, **HOUSE})
    for live, whole in _chunks():
        floor.lock(live)
        for round_ in whole:
            floor.play(round_)
        floor.complete(live | {"completed_at": whole[-1]["completed_at"]})
    replay = floor.jackpot
    assert replay is not None
    meters = {level: {key: pots[key] for key in pots if key != "house"} for level, pots in replay.meters.items()}
    return {
        "statement": sorted(replay.statement, key=lambda row: (row["level"], row["pot"], row["seq"])),
        "awards": replay.awards,
        "envy": replay.envy,
        "meters": meters,
        "results": results_of(floor.settlements),
    }


class Lane:
    """A jackpot of its own with its tables, and the rounds waiting in its lane."""

    def __init__(self, code: str) -> None:
        self._code = code
        site = jackpots.open_site(code=code, name=code)
        tables = tuple(self._table(letter) for letter in [*TABLES, LIVE_TABLE])
        self.jackpot: Jackpot = jackpot_with(code=code, site=site, tables=tables, **HOUSE)
        by = caller(site, integrator=code)
        for live, whole in _chunks():
            self._receive(by, live, whole)
        self.id = self.jackpot.lane.pk

    def _table(self, letter: str) -> str:
        return f"{self._code}-{letter}"

    def _receive(self, by: Caller, live: Json, whole: list[Json]) -> None:
        round_ = LiveRound(live | {"table": self._table(LIVE_TABLE)}, by=by, now=_time(live, "started_at"))
        round_.lock(now=_time(live, "started_at"))
        end = _time(whole[-1], "completed_at")
        reports = [reported(body | {"table": self._table(body["table"])}) for body in whole]
        answers = ingest.receive(caller=by, reports=reports, now=end)
        assert all(isinstance(answer, Received) for answer in answers)
        round_.complete(now=end)


def _time(body: Json, name: str) -> datetime:
    at = parse_datetime(body[name])
    assert at is not None
    return at


def _unsettled(jackpot: Jackpot) -> Iterator[str]:
    rounds = Round.objects.filter(table__jackpot=jackpot).exclude(phase__in=["settled", "void"], version=1)
    yield from (str(rnd) for rnd in rounds)


WAYS = [(1, 3, 6), (7, 1, 0), (150, 1, 0), (150, 3, 4)]
"""Places in a batch, workers, and how many of them are killed. All run side by side, each in a database of its own."""


@pytest.mark.django_db(transaction=True)
def test_batches_and_workers_and_kills_change_nothing() -> None:
    lane = Lane("WAY")
    with drainers.clones([f"way{n}" for n in range(len(WAYS))]) as databases:
        crews = [
            drainers.Crew(database, lane.id, limit, workers=workers, kills=kills)
            for database, (limit, workers, kills) in zip(databases, WAYS, strict=True)
        ]
        drainers.run(*crews)
        assert [crew.killed for crew in crews] == [kills for _, _, kills in WAYS]
        for way, database in zip(WAYS, databases, strict=True):
            with drainers.connected_to(database):
                _assert_as_replayed(lane.jackpot, way)


def _assert_as_replayed(jackpot: Jackpot, way: tuple[int, int, int]) -> None:
    assert not queue.lanes_waiting(), way
    assert not list(_unsettled(jackpot)), way
    assert differences(_replayed(), Outcome(jackpot).read())[:20] == [], way
    assert all(check.agrees for check in books.check_pots(jackpot)), way
    owed, unpaid = books.unpaid_awards(jackpot)
    assert owed == unpaid, way
