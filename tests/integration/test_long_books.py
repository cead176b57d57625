"""However much was settled before, no guard reads through the ledger when a round more is settled; and however many
share a prize, their awards are not held against each other.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from django.db import connection

from jackpot.models.awards import Award
from tests.factories import NOW, House, caller
from tests.factories.houses import jackpot_with, rule_set_with
from tests.factories.rounds import low, receive, reported, settle_all
from tests.owner import as_owner
from tests.unit.builders import box

pytestmark = pytest.mark.django_db

TOGETHER, ALONE = 200, 8
"""Rounds of the first batch, by which PostgreSQL judges how many a link has; and rounds that come one by one, as live
ones do: after five of them a session plans a guard for good.
"""
LEDGER = ("jackpot_entry", "jackpot_leg", "jackpot_statementrow")
FEW, MANY = 7, 150
"""Rounds with one award each, by which PostgreSQL judges how many a round has; and boxes of one that share a hit."""


def _read_through(*tables: str) -> Mapping[str, int]:
    """The rows of these tables that were read by going through a whole table, and entries of these indexes, so far."""
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


def test_awards_of_a_prize_that_many_share_are_not_held_against_each_other() -> None:
    jackpot_with(rules=rule_set_with(hand_mode="shared", max_boxes=None))

    def hit(count: int, at: datetime) -> None:
        boxes = (box(None, number=number, player=f"P{number}", progressive="1.00") for number in range(1, count + 1))
        receive(reported(*boxes, table="T-01", player_cards="As Ks", at=at))
        settle_all()

    for number in range(FEW):
        hit(1, NOW + timedelta(minutes=number))
    with as_owner() as cursor:
        cursor.execute("ANALYZE jackpot_award, jackpot_entry")
        cursor.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = 'jackpot_award'::regclass")
        looked_at = ("jackpot_award", *(name for (name,) in cursor.fetchall()))
    before = sum(_read_through(*looked_at).values())
    hit(MANY, NOW + timedelta(hours=1))
    read = sum(_read_through(*looked_at).values()) - before
    assert (Award.objects.count(), read < 20 * MANY) == (FEW + MANY, True), read
