"""PostgreSQL allows exactly the moves of an award that the table of moves allows."""

import re
from pathlib import Path

from jackpot.domain.awards import DECISIONS, MOVES, State

SQL = Path(__file__).resolve().parents[2] / "jackpot" / "migrations" / "sql"


def test_the_database_knows_the_same_moves() -> None:
    guard = (SQL / "awards.sql").read_text().split("CREATE FUNCTION jackpot_check_award()")[1].split("END $$")[0]
    allowed = {(State(a), State(b)) for a, b in re.findall(r"\('(\w+)', '(\w+)'\)", guard)}
    assert allowed == {(state, after) for state, moves in MOVES.items() for after in moves.values()}


def test_the_database_knows_the_same_decisions() -> None:
    guard = (SQL / "award_moves.sql").read_text()
    named = re.search(r"decision boolean := NEW.move IN \((.*)\)", guard)
    assert named is not None
    assert set(re.findall(r"'(\w+)'", named[1])) == {move.value for move in DECISIONS}
