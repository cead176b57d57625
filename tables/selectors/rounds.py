"""Finding rounds."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from jackpot.services import Caller
from tables.models.rounds import Box, BoxResult, Round


@dataclass(frozen=True, slots=True)
class Filters:
    """What rounds are wanted; None where it does not matter. `since` is inside the time, `until` is not.

    `player` and `hand` together mean one box: a player's best hand of the settlement in force.
    """

    table: str | None = None
    site: str | None = None
    phase: str | None = None
    day: date | None = None
    player: str | None = None
    hand: str | None = None
    external_id: str | None = None
    game_number: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def seen_by(caller: Caller) -> QuerySet[Round]:
    """The rounds that exist for a caller: an integrator's own, at the sites of its key; all for staff."""
    rounds = Round.objects.select_related("table", "site", "rule_set__rule_set", "policy__jackpot")
    if caller.integrator_id is not None:
        rounds = rounds.filter(integrator_id=caller.integrator_id)
    if caller.site_ids is not None:
        rounds = rounds.filter(site_id__in=caller.site_ids)
    return rounds


def version_of(round_id: UUID) -> int:
    """Which settlement of a round is in force; 0 of one that was not settled, or is none."""
    return Round.objects.filter(pk=round_id).values_list("version", flat=True).first() or 0


def filtered(rounds: QuerySet[Round], wanted: Filters) -> QuerySet[Round]:
    """Those of some rounds that are wanted."""
    fields: dict[str, Any] = {
        "table__code": wanted.table,
        "site__code": wanted.site,
        "phase": wanted.phase,
        "gaming_day": wanted.day,
        "external_id": wanted.external_id,
        "game_number": wanted.game_number,
        "started_at__gte": wanted.since,
        "started_at__lt": wanted.until,
    }
    rounds = rounds.filter(**{name: value for name, value in fields.items() if value is not None})
    if wanted.hand is not None:
        return rounds.filter(Exists(_with_hand(wanted.hand, wanted.player)))
    if wanted.player is not None:
        return rounds.filter(Exists(Box.objects.filter(round_id=OuterRef("pk"), player=wanted.player)))
    return rounds


def _with_hand(hand: str, player: str | None) -> QuerySet[BoxResult]:
    results = BoxResult.objects.filter(round_id=OuterRef("pk"), version=OuterRef("version"), hand=hand)
    if player is None:
        return results
    own = Box.objects.filter(round_id=OuterRef("round_id"), box=OuterRef("box"), player=player)
    return results.filter(Exists(own))


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
