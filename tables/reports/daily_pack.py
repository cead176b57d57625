"""The daily pack of a site: every report of a gaming day, the payouts, and the checks between them, of one moment."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from jackpot.reports import CONSOLE, REPORTS, Asked, Builder, Cell, Line, Report, counts, line
from jackpot.selectors import days
from jackpot.selectors.days import DayState
from jackpot.selectors.snapshots import snapshot
from jackpot.services import Caller, Site
from tables.reports import REPORTS as OF_ROUNDS
from tables.reports.checks import BEFORE, Check, as_report, checks_of, checks_of_jackpot
from tables.selectors.tables import jackpots_linked

ORDER = (
    "roll-forward", "expected-posted", "readings", "tables", "awards", "liabilities", "changes", "duplicates", "late",
    "voids", "by-site",
)  # fmt: skip
"""The reports in the order of the contract."""

EVERY: Mapping[str, Builder] = {
    **{name: {**REPORTS, **OF_ROUNDS}[name] for name in ORDER},
    **CONSOLE,
}
"""All reports there are, by name; after those of the contract what only staff have."""


@dataclass(frozen=True, slots=True)
class DailyPack:
    """A site's day: its bounds, whether it is closed, its reports in order, and what they were held against."""

    site: Site
    day: date
    bounds: tuple[datetime, datetime]
    state: DayState
    reports: Sequence[Report]
    checks: Sequence[Check]
    made_at: datetime
    made_by: str


def daily_pack(*, site: Site, day: date, caller: Caller, made_at: datetime, made_by: str) -> DailyPack:
    """Make the pack for a member of staff, who sees everything."""
    asked = Asked(caller=caller, day=day, made_at=made_at, made_by=made_by, linked=jackpots_linked, site=site)
    with snapshot():
        made = {name: build(asked) for name, build in EVERY.items()}
        checks = _checked(asked, made)
        return DailyPack(
            site, day, asked.bounds, days.state_of(site, day), list(made.values()), checks, made_at, made_by
        )


def checks_report(asked: Asked) -> Report:
    """The checks of a site's day, or those of one jackpot, as a report of their own."""
    if asked.jackpot is not None:
        return as_report(asked, list(checks_of_jackpot(asked, asked.jackpot)))
    return as_report(asked, _checked(asked, {name: build(asked) for name, build in EVERY.items()}))


def _checked(asked: Asked, made: Mapping[str, Report]) -> list[Check]:
    before = REPORTS["liabilities"](replace(asked, day=asked.day - timedelta(days=1)))
    return checks_of(asked, {**made, BEFORE: before})


def by_table(report: Report) -> tuple[Report, Report]:
    """Of `expected-posted` what fits on paper: the rounds of each table added up, and those that differ."""
    names = [column.name for column in report.columns]
    summed = [column for column in report.columns if column.summed]
    columns = (*report.columns[:2], *counts("rounds"), *summed)
    groups: dict[tuple[Cell, ...], list[Line]] = defaultdict(list)
    for one in report.lines:
        groups[one.cells[:2]].append(one)
    lines = []
    for place, rounds in groups.items():
        sums = replace(report, lines=rounds).totals.cells
        lines.append(line(rounds[0].currency, *place, len(rounds), *(sums[names.index(c.name)] for c in summed)))
    differing = [one for one in report.lines if one.cells[names.index("difference")]]
    return replace(report, columns=columns, lines=lines), replace(report, lines=differing)
