"""What came into meters since their last reset, from the days' closings and the rows that no closing holds."""

from collections.abc import Collection
from typing import NamedTuple

from django.db import connection

from jackpot.models.jackpots import Level
from jackpot.money import PPM

__all__ = ["Level", "Since", "since_reset"]


class Since(NamedTuple):
    """Since a level's last reset: how often its meter changed, what rounds contributed (less what voids took back,
    ledger units), and the stakes this came from; None where the meter stands at its limit, which cuts contributions.
    """

    changes: int
    contributed: int
    handle: int | None


def since_reset(levels: Collection[Level]) -> dict[int, Since]:
    """Of each of these levels, by id; one query. The rates are those of the reset: they change with one alone."""
    with connection.cursor() as cursor:
        cursor.execute(_CONTRIBUTED, {"levels": [level.pk for level in levels]})
        contributed = {level_id: int(amount) for level_id, amount in cursor.fetchall()}
    return {level.pk: _since(level, contributed.get(level.pk, 0)) for level in levels}


def _since(level: Level, contributed: int) -> Since:
    changes = level.meter_seq - level.reset_seq
    cut = level.overflow or (level.limit is not None and level.meter >= level.limit)
    if cut or not level.increment_ppm or contributed * PPM % level.increment_ppm:
        return Since(changes, contributed, None)
    return Since(changes, contributed, contributed * PPM // level.increment_ppm)


# Rows up to the first closing behind the reset, the closings after that one, and the rows behind the last closing.
_CONTRIBUTED = """
SELECT level.id,
       coalesce((SELECT sum(stated.amount) FROM jackpot_statementrow AS stated
                  WHERE stated.level_id = level.id AND stated.pot = 'meter' AND stated.kind IN ('contribution', 'void')
                    AND stated.seq > level.reset_seq AND stated.seq <= coalesce(closed.first, 0)), 0)
     + coalesce((SELECT sum(line.contribution + line.void) FROM jackpot_potclosing AS line
                  WHERE line.level_id = level.id AND line.pot = 'meter' AND line.seq > closed.first), 0)
     + coalesce((SELECT sum(stated.amount) FROM jackpot_statementrow AS stated
                  WHERE stated.level_id = level.id AND stated.pot = 'meter' AND stated.kind IN ('contribution', 'void')
                    AND stated.seq > greatest(level.reset_seq, coalesce(closed.last, 0))), 0)
  FROM jackpot_level AS level
 CROSS JOIN LATERAL (SELECT min(line.seq) AS first, max(line.seq) AS last FROM jackpot_potclosing AS line
                      WHERE line.level_id = level.id AND line.pot = 'meter' AND line.seq >= level.reset_seq) AS closed
 WHERE level.id = ANY(%(levels)s)
"""
