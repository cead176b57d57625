"""Finding rounds."""

from collections.abc import Collection
from datetime import datetime

from django.db import connection
from django.db.models import QuerySet

from jackpot.services import Caller
from tables.models.rounds import Round


def seen_by(caller: Caller) -> QuerySet[Round]:
    """The rounds that exist for a caller: an integrator's own, at the sites of its key; all for staff."""
    rounds = Round.objects.select_related("table", "site", "rule_set__rule_set", "policy__jackpot")
    if caller.integrator_id is not None:
        rounds = rounds.filter(integrator_id=caller.integrator_id)
    if caller.site_ids is not None:
        rounds = rounds.filter(site_id__in=caller.site_ids)
    return rounds


def started_in(seconds: Collection[tuple[int, datetime]]) -> dict[tuple[int, datetime], int]:
    """How many rounds each table started in each of these whole seconds, given as (table, second)."""
    if not seconds:
        return {}
    table_ids, starts = zip(*seconds, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT named.table_id, named.second, count(*)
              FROM unnest(%s::bigint[], %s::timestamptz[]) AS named (table_id, second)
              JOIN tables_round AS round ON round.table_id = named.table_id
               AND round.started_at >= named.second AND round.started_at < named.second + interval '1 second'
             GROUP BY named.table_id, named.second
            """,
            [list(table_ids), list(starts)],
        )
        return {(table_id, second): count for table_id, second, count in cursor.fetchall()}
