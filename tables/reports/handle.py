"""Handle and hold of gaming days, for the console: what the report on tables shows, of many days and sites at once."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q, QuerySet

from tables.domain.results import WagerKind
from tables.models.rounds import Round, Superseded
from tables.selectors import results
from tables.selectors.results import Counted
from tables.services import versions

SiteDay = tuple[int, date]
"""A site, by its id, and one of its gaming days."""


class Day(NamedTuple):
    """A gaming day of a site, and when it was closed: from then on its figures stay."""

    site_id: int
    day: date
    closed_at: datetime | None = None

    @property
    def key(self) -> SiteDay:
        return self.site_id, self.day


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet at a table on a day: what was staked, and what came back, stakes inside; ledger units."""

    table: str
    currency_code: str
    bet: WagerKind
    handle: int
    returned: int

    @property
    def won(self) -> int:
        """What the house kept."""
        return self.handle - self.returned


_MOST_KEPT = 1_000
_kept: dict[Day, list[Bet]] = {}
"""Days that are closed, which take nothing more, as this process has read them."""


def of_days(days: Collection[Day]) -> dict[SiteDay, list[Bet]]:
    """Every bet at every table on these days, corrections inside. The number of queries does not grow with the days."""
    missing = [day for day in days if day not in _kept]
    read = _read({day.key for day in missing}) if missing else {}
    found = {day.key: _kept[day] if day in _kept else read[day.key] for day in days}
    if len(_kept) > _MOST_KEPT:
        _kept.clear()
    _kept.update({day: read[day.key] for day in missing if day.closed_at is not None})
    return found


def _read(days: Collection[SiteDay]) -> dict[SiteDay, list[Bet]]:
    rounds = Round.objects.filter(_any(days, "site_id", "gaming_day"), version__gt=0)
    found: dict[SiteDay, dict[tuple[str, str, WagerKind], tuple[int, int]]] = {day: {} for day in days}
    for (site_id, day, table, code), bets in results.played_on(rounds).items():
        found[site_id, day] |= {(table, code, bet): sums for bet, sums in bets.items()}
    for key, counted in _corrected(days, rounds.filter(version__gt=1)).items():
        for row in results.by_table(Round.objects.none(), counted):
            place = (row.table, row.currency_code, row.bet)
            staked, returned = found[key].get(place, (0, 0))
            found[key][place] = (staked + row.handle, returned + row.returned)
    order = list(WagerKind)
    return {
        key: [
            Bet(*place, *sums)
            for place, sums in sorted(bets.items(), key=lambda one: (*one[0][:2], order.index(one[0][2])))
        ]
        for key, bets in found.items()
    }


def _corrected(days: Collection[SiteDay], rounds: QuerySet[Round]) -> dict[SiteDay, list[Counted]]:
    """Versions that count on these days: the first ones of rounds that were corrected, and what corrections changed."""
    found: dict[SiteDay, list[Counted]] = defaultdict(list)
    first = versions.first_of(rounds.values_list("id", flat=True))
    for work in first.values():
        if (day := work.round.gaming_day) is not None:
            found[work.round.site_id, day].append((work.round, work.version, 1, work.facts))
    rows = Superseded.objects.filter(_any(days, "round__site_id", "replaced_day")).select_related("change")
    for row, *both in versions.changed_by(rows):
        for one in both:
            found[one.work.round.site_id, row.replaced_day].append(
                (one.work.round, one.work.version, one.sign, one.work.facts)
            )
    return found


def _any(days: Collection[SiteDay], site: str, day: str) -> Q:
    return reduce(or_, (Q(**{site: site_id, day: one}) for site_id, one in days))
