"""Game numbers: the table, the second (GMT) in which the round began, and a count within that second."""

from datetime import UTC, datetime


def game_number(table_code: str, started_at: datetime, n: int) -> str:
    """`UTH-01-20261129-142233-1`: what a player quotes when he asks about a round."""
    return f"{table_code}-{started_at.astimezone(UTC):%Y%m%d-%H%M%S}-{n}"
