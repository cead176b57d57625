"""PostgreSQL allows exactly the moves of a round that the table of moves allows."""

import re
from pathlib import Path

from tables.domain.round_state import BEFORE, MOVES, OPEN, Move, Phase

SQL = Path(__file__).resolve().parents[2] / "tables" / "migrations" / "sql" / "rounds.sql"


def test_the_database_knows_the_same_moves() -> None:
    guard = SQL.read_text().split("CREATE FUNCTION tables_check_round()")[1].split("END $$")[0]
    allowed = {(Phase(a), Phase(b)) for a, b in re.findall(r"\('(\w+)', '(\w+)'\)", guard)}
    assert allowed == _moves()


def _moves() -> set[tuple[Phase, Phase]]:
    moves = {
        (phase, after) for phase, steps in MOVES.items() for after in steps.values() if after not in (phase, BEFORE)
    }
    back_to = OPEN - {Phase.SUSPENDED}
    moves |= {(Phase.SUSPENDED, phase) for phase in back_to}
    # A void that waits for a second person sets a round aside from these, and goes back there if it is not confirmed.
    moves |= {
        (Phase.FAILED, phase) for phase, steps in MOVES.items() if Move.FAIL in steps and phase is not Phase.FAILED
    }
    return {(before, after) for before, after in moves if after is not None}
