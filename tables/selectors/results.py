"""What tables took and paid: handle and returned by table and bet."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection

from tables.models.tables import Table

BETS = ("ante", "blind", "play", "trips", "progressive")


@dataclass(frozen=True, slots=True)
class BetResult:
    """One bet at one table, in ledger units: what was staked, and what came back, stakes inside (Envy is not)."""

    table: str
    bet: str
    handle: int
    returned: int

    @property
    def won(self) -> int:
        """What the house kept."""
        return self.handle - self.returned


def by_table(tables: Collection[Table]) -> list[BetResult]:
    """Each table's settled rounds summed by bet, tables by code, bets in the order of results."""
    if not tables:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT tab.code, sum(box.ante), sum(result.ante), sum(box.ante), sum(result.blind),
                   sum(CASE box.action WHEN 'play' THEN box.ante * box.multiplier ELSE 0 END), sum(result.play),
                   sum(box.trips), sum(result.trips), sum(box.progressive), sum(result.progressive)
              FROM tables_round AS round
              JOIN tables_table AS tab ON tab.id = round.table_id
              JOIN tables_box AS box ON box.round_id = round.id
              JOIN tables_boxresult AS result
                ON result.round_id = round.id AND result.version = round.version AND result.box = box.box
             WHERE round.table_id = ANY(%s) AND round.version > 0
             GROUP BY tab.code ORDER BY tab.code
            """,
            [[table.pk for table in tables]],
        )
        return [
            BetResult(code, bet, int(sums[2 * n]), int(sums[2 * n + 1]))
            for code, *sums in cursor.fetchall()
            for n, bet in enumerate(BETS)
        ]
