"""Reports: the jackpot's own by name, and the values that every report is made of.

The front door of reports: those that need rounds are made by the tables, with what is named here.
"""

from collections.abc import Mapping

from jackpot.domain.reports import (
    Cell,
    Column,
    Kind,
    Line,
    Report,
    counts,
    days,
    exact,
    line,
    money,
    numbers,
    percent_of,
    text,
    times,
)
from jackpot.reports import awards, by_site, payouts, readings, roll_forward
from jackpot.reports.asking import Asked, Builder

REPORTS: Mapping[str, Builder] = {
    roll_forward.NAME: roll_forward.build,
    readings.NAME: readings.build,
    awards.AWARDS: awards.build_awards,
    awards.LIABILITIES: awards.build_liabilities,
    by_site.NAME: by_site.build,
}

CONSOLE: Mapping[str, Builder] = {payouts.NAME: payouts.build}
"""Reports for staff beside those of the contract: the console and the daily pack have them, the API does not."""

__all__ = [
    "CONSOLE",
    "REPORTS",
    "Asked",
    "Builder",
    "Cell",
    "Column",
    "Kind",
    "Line",
    "Report",
    "counts",
    "days",
    "exact",
    "line",
    "money",
    "numbers",
    "percent_of",
    "text",
    "times",
]
