"""Which gaming day something is entered under. A closed day, or one never opened, takes nothing more."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from jackpot.domain.days import gaming_day
from jackpot.models.sites import GamingDay, Site


class Place(NamedTuple):
    """The gaming day an event is entered under; `late` when its own day takes nothing more."""

    day: date
    late: bool


class Calendar:
    """The open days of some sites as this transaction sees them; today's is opened where it was not."""

    def __init__(self, sites: Iterable[Site], *, now: datetime) -> None:
        self._sites = {site.pk: (ZoneInfo(site.timezone), site.day_starts_at) for site in sites}
        self._today = {pk: gaming_day(now, zone, start) for pk, (zone, start) in self._sites.items()}
        self._open = self._load()
        # In one order: two transactions that open the day of the same sites must not wait for each other.
        missing = [(pk, day) for pk, day in sorted(self._today.items()) if (pk, day) not in self._open]
        if missing:
            days = [GamingDay(site_id=pk, day=day, opened_at=now) for pk, day in missing]
            GamingDay.objects.bulk_create(days, ignore_conflicts=True)
            self._open = self._load()
        self._known: dict[tuple[int, datetime], Place] = {}

    def _load(self) -> set[tuple[int, date]]:
        days = GamingDay.objects.filter(site_id__in=self._sites, closed_at=None)
        return set(days.values_list("site_id", "day"))

    def place(self, site_id: int, at: datetime) -> Place:
        """The day an event of that instant is entered under at a site."""
        key = (site_id, at)
        if key not in self._known:
            zone, start = self._sites[site_id]
            day = gaming_day(at, zone, start)
            open_day = (site_id, day) in self._open
            self._known[key] = Place(day if open_day else self._today[site_id], late=not open_day)
        return self._known[key]
