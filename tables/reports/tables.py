"""Tables: what each bet took and gave back at each table, what it should have returned in theory, and what the
Progressive came to by accrual.

hold = (handle − returned) / handle. What a Progressive returns includes the shares of meters, which its own stakes did
not pay: by accrual it costs the house what went to the pots, fixed prizes and Envy (`accrual_result`, from the
ledger), and that is what its return is held against. A day shows what was settled under it, a correction's day the
difference; theory is that of the rounds of the day. A key reads its own rounds.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import add

from django.db.models import QuerySet

from jackpot.money import currency
from jackpot.reports import Asked, Column, Kind, Line, Report, counts, exact, line, money, percent_of, text
from jackpot.selectors import awards, rolls
from jackpot.selectors.rolls import Taken
from tables.domain.results import WagerKind
from tables.models.rounds import Round
from tables.reports import scope, theory
from tables.reports.theory import Expected
from tables.selectors import results
from tables.selectors.results import BetResult
from tables.services import versions
from tables.services.versions import Changed

NAME = "tables"
_THEORY = ("return", "theoretical", "difference", "low", "high")
COLUMNS = (
    *text("table", "currency", "bet"),
    Column("rounds", Kind.NUMBER),  # one round has many bets: these do not add up
    *counts("wagers"),
    *money("handle", "returned", "result"),
    Column("hold_percent", Kind.PERCENT, of=("result", "handle")),
    *exact("contributed"),
    *money("envy"),
    *exact("accrual_result"),
    *(Column(f"{name}_percent", Kind.PERCENT) for name in _THEORY),  # bands do not add up
    *text("within_band", "note"),
)


def build(asked: Asked) -> Report:
    rounds = scope.rounds_of(asked)
    changed = versions.changed_by(scope.corrections_of(asked))
    pairs = [(was.ref, becomes.ref) for _, was, becomes in changed]
    taken = _together(rolls.taken_at(scope.sources_of(rounds)), corrected(changed))
    envy = Counter(awards.envy_at(scope.ids_of(rounds)))
    envy.update(awards.envy_changed(pairs))
    expected, fixed = theory.expected(rounds), results.fixed_prizes(rounds)
    lines = [
        _progressive(
            bet, taken.get(bet.table, Taken(0, 0)), envy[bet.table], fixed.get(bet.table, 0),
            expected.get((bet.table, bet.bet), Expected()),
        )
        if bet.bet is WagerKind.PROGRESSIVE
        else _line(bet, expected.get((bet.table, bet.bet), Expected()))
        for bet in _bets(rounds, changed)
    ]  # fmt: skip
    return asked.report(NAME, COLUMNS, lines)


def corrected(changed: Sequence[Changed]) -> dict[str, Taken]:
    """By table, what corrections changed of what rounds came to by accrual."""
    return rolls.taken_by([rolls.Corrected(str(row.change_id), was.ref, becomes.ref) for row, was, becomes in changed])


def _bets(rounds: QuerySet[Round], changed: Sequence[Changed]) -> list[BetResult]:
    """Every bet of the day: first versions of its rounds, and what corrections changed under it."""
    first = versions.first_of(rounds.filter(version__gt=1).values_list("id", flat=True))
    works = [(work, 1) for work in first.values()]
    works += [(one.work, one.sign) for _, was, becomes in changed for one in (was, becomes)]
    return results.by_table(rounds, [(work.round, work.version, sign, work.facts) for work, sign in works])


def _together(taken: Mapping[str, Taken], corrected: Mapping[str, Taken]) -> dict[str, Taken]:
    nothing = Taken(0, 0)
    return {
        table: Taken(*map(add, taken.get(table, nothing), corrected.get(table, nothing)))
        for table in taken.keys() | corrected.keys()
    }


def _line(bet: BetResult, expected: Expected) -> Line:
    return line(currency(bet.currency_code), *_common(bet), None, None, None, *expected.cells(bet.won, bet.handle))


def _progressive(bet: BetResult, taken: Taken, envy: int, fixed: int, expected: Expected) -> Line:
    """By accrual; theory puts what fixed prizes and Envy come to on average where they are, and leaves the rest."""
    expected.won += Fraction(taken.won + fixed + envy)
    return line(
        currency(bet.currency_code), *_common(bet), taken.contributed, envy, taken.won,
        *expected.cells(taken.won, bet.handle),
    )  # fmt: skip


def _common(bet: BetResult) -> tuple[str | int | None, ...]:
    return (
        bet.table, bet.currency_code, bet.bet.value, bet.rounds, bet.wagers, bet.handle, bet.returned, bet.won,
        percent_of(bet.won, bet.handle),
    )  # fmt: skip
