"""Duplicates: the same player with the same stakes at the same table within a minute, in different rounds.

Both are valid, and nothing is done about them: equality alone proves nothing. A key reads its own rounds.
"""

from jackpot.reports import Asked, Line, Report, line, money, numbers, text, times
from tables.reports import scope
from tables.selectors import duplicates
from tables.selectors.duplicates import Pair

NAME = "duplicates"
COLUMNS = (
    *text("table", "currency", "player"),
    *money("ante", "trips", "progressive", summed=False),
    *text("first_game_number"),
    *numbers("first_box"),
    *times("first_started_at"),
    *text("second_game_number"),
    *numbers("second_box"),
    *times("second_started_at"),
    *numbers("seconds_apart"),
    *text("first_round", "second_round"),
)


def build(asked: Asked) -> Report:
    rounds = scope.rounds_of(asked)
    lines = [_line(pair) for pair in duplicates.pairs_in(rounds, asked.caller)]
    return asked.report(NAME, COLUMNS, lines)


def _line(pair: Pair) -> Line:
    first, second = pair.first, pair.second
    return line(
        pair.currency, pair.table, pair.currency.code, pair.player, pair.ante, pair.trips, pair.progressive,
        first.game_number, first.box, first.started_at, second.game_number, second.box, second.started_at,
        int((second.started_at - first.started_at).total_seconds()), str(first.round_id), str(second.round_id),
    )  # fmt: skip
