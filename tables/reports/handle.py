"""Handle and hold of gaming days, for the console: as the report on tables reckons them, of many sites at once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q

from tables.models.rounds import Round, Superseded
from tables.reports.tables import bets
from tables.selectors.results import BetResult
from tables.services import versions

SiteDay = tuple[int, date]
"""A site, by its id, and one of its gaming days."""


@dataclass(frozen=True, slots=True)
class DayTotal:
    """Everything staked on a gaming day of a site in one currency, and what came back, stakes inside; ledger units."""

    currency_code: str
    handle: int
    returned: int

    @property
    def won(self) -> int:
        return self.handle - self.returned


def by_table(days: Collection[SiteDay]) -> list[BetResult]:
    """Every bet at every table on these days of these sites, corrections inside: what the report on tables shows."""
    if not days:
        return []
    rounds = Round.objects.filter(_any(days, "site_id", "gaming_day"), version__gt=0)
    corrections = Superseded.objects.filter(_any(days, "round__site_id", "replaced_day")).select_related("change")
    return bets(rounds, versions.changed_by(corrections))


def _any(days: Collection[SiteDay], site: str, day: str) -> Q:
    return reduce(or_, (Q(**{site: site_id, day: one}) for site_id, one in days))


class Closed(NamedTuple):
    """A gaming day, and when it was closed: from then on its figures stay."""

    site_id: int
    day: date
    closed_at: datetime | None


def by_day(days: Iterable[Closed]) -> dict[SiteDay, list[DayTotal]]:
    """The totals of each day by currency. Those of closed days, which take nothing more, are kept by this process."""
    found: dict[SiteDay, list[DayTotal]] = {}
    for day in days:
        key = (day.site_id, day.day)
        found[key] = list(_kept(*day) if day.closed_at else _totals(key))
    return found


@lru_cache(maxsize=1_000)
def _kept(site_id: int, day: date, closed_at: datetime) -> Sequence[DayTotal]:
    return _totals((site_id, day))


def _totals(day: SiteDay) -> Sequence[DayTotal]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for bet in by_table([day]):
        sums[bet.currency_code][0] += bet.handle
        sums[bet.currency_code][1] += bet.returned
    return tuple(DayTotal(code, *amounts) for code, amounts in sorted(sums.items()))
