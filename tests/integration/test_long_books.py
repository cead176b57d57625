"""However much was settled before, no guard reads through it when a round more is settled."""

from collections.abc import Mapping
from datetime import timedelta

from django.db import connection

from jackpot.models.awards import Award
from tests.factories import NOW, House, caller
from tests.factories.rounds import low, receive, reported, royal, settle_all
from tests.owner import as_owner

TOGETHER, ALONE = 200, 8
"""Rounds of the first batch, by which PostgreSQL judges how many a link has; and rounds that come one by one, as live
ones do: after five of them a session plans a guard for good.
"""
LEDGER = ("jackpot_entry", "jackpot_leg", "jackpot_statementrow")


def _read_through(*tables: str) -> Mapping[str, int]:
    """The rows of these tables that were read by going through a whole table, so far."""
    with connection.cursor() as cursor:
        asked = "SELECT name, pg_stat_get_xact_tuples_returned(name::regclass) FROM unnest(%s::text[]) AS name"
        cursor.execute(asked, [list(tables)])
        return dict(cursor.fetchall())


def test_settling_a_round_more_reads_through_nothing_of_the_ledger(demo: House) -> None:
    sender = caller()
    receive(*(reported(low(), at=NOW + timedelta(seconds=n)) for n in range(TOGETHER)), by=sender)
    settle_all()
    with as_owner() as cursor:
        cursor.execute(f"ANALYZE {', '.join(LEDGER)}, jackpot_link, jackpot_queued")
    before = _read_through(*LEDGER)
    for n in range(ALONE):
        receive(reported(low(), at=NOW + timedelta(seconds=TOGETHER + n)), by=sender)
        settle_all()
    after = _read_through(*LEDGER)
    assert {table: after[table] - before[table] for table in LEDGER if after[table] != before[table]} == {}


def test_a_hit_is_found_by_its_id_whatever_the_books_were_before(demo: House) -> None:
    """One hit with its Envy, and PostgreSQL expects that of the next awards, too, hardly any is a hit: it kept all hits
    at hand and held each award against each of them, which took longer than a statement may where 100,000 boxes shared
    one.
    """
    others = (low(n, pair, player=f"P{n}") for n, pair in enumerate(("4c 7d", "5c 8d", "6c 9d", "8c 3d", "9c 4d"), 2))
    receive(reported(royal(1, player="P1"), *others))
    settle_all()
    assert Award.objects.count() == 6
    with as_owner() as cursor:
        cursor.execute("ANALYZE jackpot_award, jackpot_entry")
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'jackpot_check_award_begins'")
        [(body,)] = cursor.fetchall()
        asked = body[body.index("SELECT added.id") : body.index("LIMIT 1;")].replace("INTO wrong", "")
        cursor.execute(
            "CREATE TEMP TABLE added AS SELECT award.* FROM jackpot_award AS award, generate_series(1, 2000)"
        )
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {asked}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index Cond: (id = added.hit_id)" in plan, plan
