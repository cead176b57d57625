"""Roll-forward: a row a level and pot, from the day's opening by every kind of change to its closing.

It foots; its opening is the closing of the day before; its closing is what statement and ledger say. All of a jackpot,
whoever asks: like the statement, it names nobody.
"""

from jackpot.domain.meter import Kind
from jackpot.domain.reports import Kind as CellKind
from jackpot.domain.reports import Report, exact, line, text
from jackpot.reports.asking import Asked
from jackpot.selectors import rolls

NAME = "roll-forward"
COLUMNS = (
    *text("jackpot", "currency", "level", "pot"),
    *exact("opening", *(kind.value for kind in Kind), "closing", "statement", "ledger", "difference"),
)


def build(asked: Asked) -> Report:
    """Its checks are 0 where every opening is the end of the day before by the statement, every row foots to what
    statement and ledger say, and every closing is the one that was stored when the day was closed.
    """
    pots = rolls.pot_days(asked.jackpots, asked.day)
    lines = [
        line(
            pot.jackpot.currency, pot.jackpot.code, pot.jackpot.currency_code, pot.level, pot.pot.value, pot.opening,
            *(pot.by_kind.get(kind, 0) for kind in Kind), pot.closing, pot.statement, pot.ledger, pot.difference,
        )
        for pot in pots
    ]  # fmt: skip
    checks = {
        "opening_difference": sum(pot.opening_difference for pot in pots),
        "closing_difference": sum(pot.difference for pot in pots),
        "stored_difference": sum(pot.stored_difference for pot in pots),
    }
    return asked.report(NAME, COLUMNS, lines, checks=checks, checks_kind=CellKind.EXACT)
