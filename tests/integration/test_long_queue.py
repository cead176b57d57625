"""However many rounds wait, one that comes in behind them costs PostgreSQL no more than the first."""

from datetime import timedelta
from itertools import count

from django.db import connection

from tests.factories import NOW, House, caller
from tests.factories.rounds import receive, reported, three_queens
from tests.owner import as_owner

WAITING = 60
_READ = """
SELECT pg_stat_get_xact_tuples_returned('round_unsettled'::regclass)
     + pg_stat_get_xact_tuples_returned('jackpot_queued'::regclass)
"""
"""What the guard looked through: rounds in the index of those that wait, and places in the queue, so far."""


def _read() -> int:
    """After what is looked at by the commit was looked at."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(_READ)
        return int(cursor.fetchone()[0])


def test_a_round_that_comes_in_reads_none_of_those_that_wait(demo: House) -> None:
    """Guards are planned when the session first runs them: while nothing waits."""
    sender, seconds = caller(), count()

    def costs() -> int:
        before = _read()
        # Each in a second of its own: those of one second are counted for their game numbers.
        receive(reported(three_queens(), at=NOW - timedelta(seconds=next(seconds))), by=sender)
        return _read() - before

    with as_owner() as cursor:
        cursor.execute("ANALYZE tables_round, jackpot_queued")
    costs()
    first = costs()
    for _ in range(WAITING):
        last = costs()
    assert last - first < WAITING / 2
