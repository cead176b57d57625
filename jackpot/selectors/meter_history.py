"""How meters went: some rows of each statement, evenly spread, with every hit between them.

A statement may have millions of rows. Posting times go up with the numbers, which have no gap, so the first row of a
period is found by halving, and the rows between by their numbers: what it costs does not grow with what has been.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db import connection

SAMPLES = 60
"""About so many rows of a level, beside those at its hits."""


class Stood(NamedTuple):
    """A meter's row: its number, when it was posted, what it left (ledger units), and its kind."""

    seq: int
    at: datetime
    units: int
    kind: str


def meters_since(level_ids: Collection[int], since: datetime) -> dict[int, list[Stood]]:
    """Of each level the row before `since` (where there is one), then rows up to the last; one query.

    Beside evenly spread rows there are those before, at and after every hit, and the last one. Each is looked up by its
    number: LIMIT keeps the planner from reading the whole statement to join it.
    """
    found: dict[int, list[Stood]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, {"levels": list(level_ids), "since": since, "samples": SAMPLES})
        for level_id, *row in cursor.fetchall():
            found[level_id].append(Stood(row[0], row[1], int(row[2]), row[3]))
    return found


_ROWS = """
WITH RECURSIVE halved (level_id, low, high, top) AS (
    SELECT id, 1::bigint, meter_seq + 1, meter_seq FROM jackpot_level WHERE id = ANY(%(levels)s)
    UNION ALL
    SELECT halved.level_id,
           CASE WHEN entry.posted_at < %(since)s THEN middle.seq + 1 ELSE low END,
           CASE WHEN entry.posted_at < %(since)s THEN high ELSE middle.seq END,
           top
      FROM halved
     CROSS JOIN LATERAL (SELECT (low + high) / 2 AS seq) AS middle
      JOIN jackpot_statementrow AS stated
        ON stated.level_id = halved.level_id AND stated.pot = 'meter' AND stated.seq = middle.seq
      JOIN jackpot_entry AS entry ON entry.id = stated.entry_id
     WHERE low < high
), period AS (
    SELECT level_id, greatest(1, low - 1) AS first, top FROM halved WHERE low >= high
), wanted AS (
    SELECT level_id, generate_series(first, top, greatest(1, (top - first) / %(samples)s)) AS seq FROM period
    UNION
    SELECT level_id, top FROM period
    UNION
    SELECT period.level_id, award.seq + step
      FROM period
      JOIN jackpot_award AS award ON award.level_id = period.level_id AND award.seq BETWEEN first AND top
     CROSS JOIN generate_series(-1, 2) AS step
)
SELECT wanted.level_id, wanted.seq, row.posted_at, row.after, row.kind
  FROM wanted
 CROSS JOIN LATERAL (
    SELECT entry.posted_at, stated.after, stated.kind
      FROM jackpot_statementrow AS stated
      JOIN jackpot_entry AS entry ON entry.id = stated.entry_id
     WHERE stated.level_id = wanted.level_id AND stated.pot = 'meter' AND stated.seq = wanted.seq
     LIMIT 1
 ) AS row
 ORDER BY wanted.level_id, wanted.seq
"""
