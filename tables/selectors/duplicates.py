"""The same player with the same stakes at the same table, twice within a minute."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from jackpot.money import Currency, currency
from jackpot.services import Caller
from tables.models.rounds import Round
from tables.selectors.superseded import FIRST_BOXES

WITHIN_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Bet:
    """Where the bet was made."""

    round_id: UUID
    game_number: str
    started_at: datetime
    box: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rounds one after the other in which a player staked the same, in ledger units."""

    table: str
    currency: Currency
    player: str
    ante: int
    trips: int
    progressive: int
    first: Bet
    second: Bet


def pairs_in(rounds: QuerySet[Round], caller: Caller) -> Iterator[Pair]:
    """The pairs of which at least one is of these rounds, and both the caller's; one query.

    Each round is held against the one before it, by their starts, also where that lies in another gaming day. Void
    rounds and boxes are left out: their stakes went back. Several boxes of a round count as the first of them. A round
    that was corrected counts as it was settled first.
    """
    wanted, parameters = rounds.select_related(None).order_by().values("id").query.sql_with_params()
    sites = None if caller.site_ids is None else list(caller.site_ids)
    with connection.cursor() as cursor:
        cursor.execute(
            _SQL.replace("{wanted}", wanted).replace("{boxes}", FIRST_BOXES),
            (*parameters, *[WITHIN_SECONDS] * 2, *[caller.integrator_id] * 2, *[sites] * 2, WITHIN_SECONDS),
        )
        for table, code, player, ante, trips, progressive, *where in cursor.fetchall():
            yield Pair(table, currency(code), player, ante, trips, progressive, Bet(*where[:4]), Bet(*where[4:]))


# The spans of time around the wanted rounds, merged table by table, so that each round near them is looked at once: by
# its index (OFFSET keeps PostgreSQL from joining, for which it would read all rounds that there are).
_SQL = """
    WITH wanted AS MATERIALIZED ({wanted}),
    spans AS MATERIALIZED (
        SELECT near.table_id, lower(near.span) AS since, upper(near.span) AS until
          FROM (SELECT table_id, unnest(range_agg(tstzrange(started_at - %s * interval '1 second',
                                                            started_at + %s * interval '1 second', '[]'))) AS span
                  FROM wanted JOIN tables_round AS round ON round.id = wanted.id
                 GROUP BY table_id) AS near),
    bets AS (
        SELECT round.table_id, box.player, box.ante, box.trips, box.progressive, round.id AS round_id,
               round.game_number, round.started_at, min(box.box) AS box
          FROM spans
         CROSS JOIN LATERAL (SELECT id FROM tables_round
                              WHERE table_id = spans.table_id AND started_at BETWEEN spans.since AND spans.until
                             OFFSET 0) AS near
          JOIN tables_round AS round ON round.id = near.id
         CROSS JOIN LATERAL ({boxes}) AS box
         WHERE round.version > 0
           AND (%s::bigint IS NULL OR round.integrator_id = %s) AND (%s::bigint[] IS NULL OR round.site_id = ANY(%s))
         GROUP BY round.id, box.player, box.ante, box.trips, box.progressive),
    paired AS (
        SELECT bets.*, lag(round_id) OVER before AS first_id, lag(game_number) OVER before AS first_number,
               lag(started_at) OVER before AS first_at, lag(box) OVER before AS first_box
          FROM bets
        WINDOW before AS (PARTITION BY table_id, player, ante, trips, progressive ORDER BY started_at, round_id))
    SELECT held.code, held.currency_code, player, ante, trips, progressive,
           first_id, first_number, first_at, first_box, round_id, game_number, started_at, box
      FROM paired JOIN tables_table AS held ON held.id = paired.table_id
     WHERE started_at - first_at <= %s * interval '1 second'
       AND (round_id IN (SELECT id FROM wanted) OR first_id IN (SELECT id FROM wanted))
     ORDER BY held.code, started_at, player, round_id
"""
