"""Where the reports of a site's day must agree with one another, to the unit. Source: accounting.md, section 5.

Each check holds two figures against each other that were added up in different ways. What several sites come to
together is held against the roll-forward, for each jackpot at home at the site.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from jackpot.money import Currency, show_exact
from jackpot.reports import REPORTS, Asked, Line, Report, exact, line, text
from jackpot.selectors import liabilities, rolls
from jackpot.services import Award, Jackpot
from tables.reports import scope, tables
from tables.services import versions

NAME = "checks"
COLUMNS = (
    *text("what", "of", "currency", "one_way"),
    *exact("amount", summed=False),
    *text("the_other_way"),
    *exact("amount_there", "difference", summed=False),
    *text("agrees"),
)

BEFORE = "liabilities before"
"""The liabilities of the day before, among the reports that are checked."""


@dataclass(frozen=True, slots=True)
class Check:
    """Two figures of a place (a site or a jackpot) that must be one, in ledger units, and how each was come by."""

    what: str
    place: str
    currency: Currency
    left_is: str
    left: int
    right_is: str
    right: int

    @property
    def difference(self) -> int:
        return self.left - self.right

    @property
    def agrees(self) -> bool:
        return self.difference == 0


def checks_of(asked: Asked, made: Mapping[str, Report]) -> list[Check]:
    """The checks of a site's day: of its rounds, of its awards, of the jackpots at home there. `made`: its reports."""
    found = [*_of_rounds(asked, made["expected-posted"], made["tables"]), *_of_awards(made)]
    for jackpot in asked.jackpots:
        found += checks_of_jackpot(replace(asked, site=None, jackpot=jackpot), jackpot)
    return found


def as_report(asked: Asked, checks: Sequence[Check]) -> Report:
    """Checks as a report; `agrees` is what most want to know."""
    lines = [
        line(check.currency, check.what, check.place, check.currency.code, check.left_is, check.left, check.right_is,
             check.right, check.difference, "yes" if check.agrees else "NO")
        for check in checks
    ]  # fmt: skip
    return asked.report(NAME, COLUMNS, lines)


def _of_rounds(asked: Asked, posted: Report, by_table: Report) -> Iterator[Check]:
    """Rounds settled again, as they were posted, and as the report of tables sums them."""
    site = asked.filters["site"]
    for cur in _currencies(posted, by_table):
        for name in ("contribution", "returned", "envy"):
            expected, there = (_sum(posted, f"{name}_{side}", cur) for side in ("expected", "posted"))
            yield Check(f"{name} of rounds", site, cur, "settled again from facts", expected, "posted", there)
        apart = _sum(posted, "difference", cur)
        yield Check("every bet of every round", site, cur, "all differences together", apart, "nothing", 0)
        rounds = scope.rounds_of(asked).filter(table__currency_code=cur.code)
        kept = _sum(by_table, "contributed", cur) + rolls.taken_back(scope.sources_of(rounds))
        there = _sum(posted, "contribution_posted", cur)
        yield Check("contribution of tables", site, cur, "tables, and what voids took back", kept, "posted", there)
        for name in ("returned", "envy"):
            there = _sum(posted, f"{name}_posted", cur)
            yield Check(f"{name} of tables", site, cur, "tables", _sum(by_table, name, cur), "posted", there)
        won = _sum(by_table, "handle", cur) - _sum(by_table, "returned", cur)
        yield Check("tables foot", site, cur, "handle less returned", won, "result", _sum(by_table, "result", cur))


def _of_awards(made: Mapping[str, Report]) -> Iterator[Check]:
    """What is owed at the site's tables: the day before, and the day's awards, less its payouts, is what is owed."""
    before, awards, ended, owed, sites = (
        made[name] for name in (BEFORE, "awards", "payouts", "liabilities", "by-site")
    )
    site = owed.filters["site"]
    for cur in _currencies(before, awards, ended, owed, sites):
        due = _sum(before, "amount", cur) + _sum(awards, "amount", cur) - _sum(ended, "amount", cur)
        there = _sum(owed, "amount", cur)
        yield Check("liabilities foot", site, cur, "day before, awards, less payouts", due, "liabilities", there)
        envy = sum(_amount(awards, one) for one in awards.lines
                   if one.currency == cur and Award.Kind.ENVY in one.cells)  # fmt: skip
        yield Check("envy of awards", site, cur, "awards", envy, "by site", _sum(sites, "envy", cur))


def checks_of_jackpot(asked: Asked, jackpot: Jackpot) -> Iterator[Check]:
    """What all sites did to a jackpot, against its roll-forward; and what it owes, against the ledger."""
    code, cur = jackpot.code, jackpot.currency
    rolled = REPORTS["roll-forward"](asked)
    before = REPORTS["roll-forward"](replace(asked, day=asked.day - timedelta(days=1)))
    apart = _sum(rolled, "difference", cur)
    yield Check("roll-forward foots", code, cur, "off from statement and ledger", apart, "nothing", 0)
    opening, closing = _sum(rolled, "opening", cur), _sum(before, "closing", cur)
    yield Check("opening", code, cur, "roll-forward", opening, "closing of the day before", closing)
    sites = REPORTS["by-site"](asked)
    for kind, name, sign in (("contribution", "contributed", 1), ("void", "voided", 1), ("award", "awarded", -1),
                             ("award_returned", "returned", 1)):  # fmt: skip
        there = sign * _sum(rolled, kind, cur)
        yield Check(f"{name} at all sites", code, cur, "by site", _sum(sites, name, cur), "roll-forward", there)
    yield _timed(asked, jackpot, _sum(rolled, "contribution", cur) + _sum(rolled, "void", cur))
    unpaid = _sum(REPORTS["liabilities"](asked), "amount", cur)
    owed = liabilities.owed_at([jackpot], asked.day)
    yield Check("liabilities of the jackpot", code, cur, "awards not paid", unpaid, "ledger", owed)


def _timed(asked: Asked, jackpot: Jackpot, entered: int) -> Check:
    """A round counts to the day in which it was complete, its contribution to that in which betting closed; what a
    correction changed stands in the roll-forward as such.
    """
    cur = jackpot.currency
    timing = rolls.timing_of(jackpot, scope.sources_of(scope.rounds_of(asked)), asked.day)
    of_tables = _sum(tables.build(asked), "contributed", cur)
    changed = tables.corrected(versions.changed_by(scope.corrections_of(asked)))
    corrected = sum(taken.contributed for taken in changed.values())
    left_is = (
        f"tables {show_exact(of_tables, cur)}, less {show_exact(corrected, cur)} of corrections, less"
        f" {show_exact(timing.under_other_days, cur)} entered under other days, and"
        f" {show_exact(timing.of_other_rounds, cur)} of rounds of other days or not settled"
    )
    left = of_tables - corrected - timing.under_other_days + timing.of_other_rounds
    return Check("contributed by rounds", jackpot.code, cur, left_is, left, "roll-forward, voids inside", entered)


def _currencies(*reports: Report) -> list[Currency]:
    found = {one.currency for report in reports for one in report.lines if one.currency}
    return sorted(found, key=lambda cur: cur.code)


def _sum(report: Report, column: str, cur: Currency) -> int:
    n = [column.name for column in report.columns].index(column)
    cells = (one.cells[n] for one in report.lines if one.currency == cur)
    return sum(cell for cell in cells if isinstance(cell, int))


def _amount(report: Report, one: Line) -> int:
    found = one.cells[[column.name for column in report.columns].index("amount")]
    return found if isinstance(found, int) else 0
