"""Roll-forward: a row a level and pot, from the day's opening by every kind of change to its closing.

It foots; its opening is the closing of the day before; its closing is what statement and ledger say. All of a jackpot,
whoever asks: like the statement, it names nobody.
"""

from jackpot.domain.meter import Kind
from jackpot.domain.reports import Report, exact, line, text
from jackpot.reports.asking import Asked
from jackpot.selectors import rolls

NAME = "roll-forward"
COLUMNS = (
    *text("jackpot", "currency", "level", "pot"),
    *exact("opening", *(kind.value for kind in Kind), "closing", "statement", "ledger", "difference"),
)


def build(asked: Asked) -> Report:
    lines = [
        line(
            pot.jackpot.currency, pot.jackpot.code, pot.jackpot.currency_code, pot.level, pot.pot.value, pot.opening,
            *(pot.by_kind.get(kind, 0) for kind in Kind), pot.closing, pot.statement, pot.ledger, pot.difference,
        )
        for pot in rolls.pot_days(asked.jackpots, asked.day)
    ]  # fmt: skip
    return asked.report(NAME, COLUMNS, lines)
