"""Tables: what each bet took and gave back at each table, and what the Progressive came to by accrual.

hold = (handle − returned) / handle. What a Progressive returns includes the shares of meters, which its own stakes did
not pay: by accrual it costs the house what went to the pots, fixed prizes and Envy (`accrual_result`, from the
ledger). A key reads its own rounds. Theoretical returns need odds, which are not there yet.
"""

from jackpot.money import currency
from jackpot.reports import Asked, Column, Kind, Line, Report, counts, exact, line, money, percent_of, text
from jackpot.selectors import awards, rolls
from jackpot.selectors.rolls import Taken
from tables.domain.results import WagerKind
from tables.reports import scope
from tables.selectors import results
from tables.selectors.results import BetResult

NAME = "tables"
COLUMNS = (
    *text("table", "currency", "bet"),
    Column("rounds", Kind.NUMBER),  # one round has many bets: these do not add up
    *counts("wagers"),
    *money("handle", "returned", "result"),
    Column("hold_percent", Kind.PERCENT, of=("result", "handle")),
    *exact("contributed"),
    *money("envy"),
    *exact("accrual_result"),
)


def build(asked: Asked) -> Report:
    rounds = scope.rounds_of(asked)
    taken = rolls.taken_at(scope.sources_of(rounds))
    envy = awards.envy_at(scope.ids_of(rounds))
    lines = [_line(bet, taken.get(bet.table, Taken(0, 0)), envy.get(bet.table, 0)) for bet in results.by_table(rounds)]
    return asked.report(NAME, COLUMNS, lines)


def _line(bet: BetResult, taken: Taken, envy: int) -> Line:
    progressive = bet.bet is WagerKind.PROGRESSIVE
    return line(
        currency(bet.currency_code), bet.table, bet.currency_code, bet.bet.value, bet.rounds, bet.wagers, bet.handle,
        bet.returned, bet.won, percent_of(bet.won, bet.handle), taken.contributed if progressive else None,
        envy if progressive else None, taken.won if progressive else None,
    )  # fmt: skip
