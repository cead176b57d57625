"""Odds as they are stored, and what was staked of those bets whose odds are known."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from tables.models.odds import RuleSetOdds
from tables.models.rounds import Round
from tables.models.rulesets import RuleSetVersion
from tables.selectors.superseded import FIRST_BOXES


def stored(versions: Iterable[int], *, method: int) -> dict[int, dict[str, Any]]:
    """The stored odds of some rule-set versions (ids) by a method."""
    found = RuleSetOdds.objects.filter(rule_set_id__in=versions, method=method)
    return dict(found.values_list("rule_set_id", "document"))


def versions(code: str | None = None, version: int | None = None) -> list[RuleSetVersion]:
    """The newest version of every rule set; of one rule set that, or the version asked for. Empty where none is."""
    found = RuleSetVersion.objects.select_related("rule_set").order_by("rule_set__code", "-version")
    if code is not None:
        found = found.filter(rule_set__code=code)
    if version is not None:
        found = found.filter(version=version)
    return list(found.distinct("rule_set__code"))


@dataclass(frozen=True, slots=True)
class Staked:
    """Antes and Trips at a table under one version of a rule set, in ledger units, void boxes left out; `squares` add
    up the square of what each round's boxes staked together.
    """

    table: str
    rule_set_id: int
    ante: int
    ante_squares: int
    trips: int
    trips_squares: int


def staked(rounds: QuerySet[Round]) -> list[Staked]:
    """Of settled rounds, as they were settled first; one query."""
    return [Staked(row[0], row[1], *map(int, row[2:])) for row in _rows(_STAKED, rounds)]


@dataclass(frozen=True, slots=True)
class Wagers:
    """So many rounds at a table in which just as many Progressive wagers were alive, under one policy and one rule set.

    `pairs` are the ordered pairs of wagers of different players in all of them: so many times Envy could be due.
    """

    table: str
    rule_set_id: int
    policy_id: int
    wagers: int
    rounds: int
    pairs: int


def progressive_wagers(rounds: QuerySet[Round]) -> list[Wagers]:
    """Of settled rounds, as they were settled first; one query."""
    return [Wagers(*row[:3], *map(int, row[3:])) for row in _rows(_WAGERS, rounds)]


_STAKED = """
    SELECT its_table.code, of_round.rule_set_id, sum(ante), sum(ante * ante), sum(trips), sum(trips * trips)
      FROM (SELECT round.table_id, round.rule_set_id, sum(box.ante) AS ante, sum(box.trips) AS trips
              FROM ({rounds}) AS wanted JOIN tables_round AS round ON round.id = wanted.id
             CROSS JOIN LATERAL ({boxes}) AS box
             GROUP BY round.id) AS of_round
      JOIN tables_table AS its_table ON its_table.id = of_round.table_id
     GROUP BY its_table.code, of_round.rule_set_id
"""
_WAGERS = """
    SELECT its_table.code, round.rule_set_id, round.policy_id, wagers, count(*), sum(wagers * wagers - alike)
      FROM (SELECT round_id, sum(wagers) AS wagers, sum(wagers * wagers) AS alike
              FROM (SELECT round.id AS round_id, count(*) AS wagers
                      FROM ({rounds}) AS wanted JOIN tables_round AS round ON round.id = wanted.id
                     CROSS JOIN LATERAL ({boxes}) AS box
                     WHERE box.progressive > 0
                     GROUP BY round.id, box.player) AS of_player
             GROUP BY round_id) AS of_round
      JOIN tables_round AS round ON round.id = of_round.round_id
      JOIN tables_table AS its_table ON its_table.id = round.table_id
     GROUP BY its_table.code, round.rule_set_id, round.policy_id, wagers
"""


def _rows(sql: str, rounds: QuerySet[Round]) -> list[tuple[Any, ...]]:
    """The ORM sums no sums: what is asked of the rounds comes out of its own query, put inside ours."""
    wanted, parameters = rounds.select_related(None).order_by().values("id").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql.format(rounds=wanted, boxes=FIRST_BOXES), parameters)
        return list(cursor.fetchall())
