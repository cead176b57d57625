"""However much was settled before, no guard reads through the ledger when a round more is settled."""

from collections.abc import Mapping
from datetime import timedelta

from django.db import connection

from tests.factories import NOW, House, caller
from tests.factories.rounds import low, receive, reported, settle_all
from tests.owner import as_owner

TOGETHER, ALONE = 200, 8
"""Rounds of the first batch, by which PostgreSQL judges how many a link has; and rounds that come one by one, as live
ones do: after five of them a session plans a guard for good.
"""
LEDGER = ("jackpot_entry", "jackpot_leg", "jackpot_statementrow")


def _read_through() -> Mapping[str, int]:
    """The rows of each table of the ledger that were read by going through the table, so far."""
    with connection.cursor() as cursor:
        asked = "SELECT name, pg_stat_get_xact_tuples_returned(name::regclass) FROM unnest(%s::text[]) AS name"
        cursor.execute(asked, [list(LEDGER)])
        return dict(cursor.fetchall())


def test_settling_a_round_more_reads_through_nothing_of_the_ledger(demo: House) -> None:
    sender = caller()
    receive(*(reported(low(), at=NOW + timedelta(seconds=n)) for n in range(TOGETHER)), by=sender)
    settle_all()
    with as_owner() as cursor:
        cursor.execute(f"ANALYZE {', '.join(LEDGER)}, jackpot_link, jackpot_queued")
    before = _read_through()
    for n in range(ALONE):
        receive(reported(low(), at=NOW + timedelta(seconds=TOGETHER + n)), by=sender)
        settle_all()
    after = _read_through()
    assert {table: after[table] - before[table] for table in LEDGER if after[table] != before[table]} == {}
