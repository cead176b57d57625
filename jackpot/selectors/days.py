"""The gaming days of a site, by its clock."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from jackpot.domain import days
from jackpot.models.sites import GamingDay, Site

__all__ = [
    "DayState",
    "GamingDay",
    "Standing",
    "bounds_of",
    "day_of",
    "first_open",
    "opened",
    "opened_since",
    "row_of",
    "standing",
    "state_of",
]


def day_of(site: Site, at: datetime) -> date:
    """The gaming day an instant belongs to at a site, open or not."""
    return days.gaming_day(at, ZoneInfo(site.timezone), site.day_starts_at)


@dataclass(frozen=True, slots=True)
class DayState:
    """Whether a gaming day takes anything: one that was never opened takes as little as one that is closed."""

    opened_at: datetime | None
    closed_at: datetime | None

    @property
    def is_open(self) -> bool:
        return self.opened_at is not None and self.closed_at is None


def state_of(site: Site, day: date) -> DayState:
    """How a gaming day of a site stands."""
    found = GamingDay.objects.filter(site=site, day=day).first()
    return DayState(found.opened_at, found.closed_at) if found else DayState(None, None)


def bounds_of(site: Site, day: date) -> tuple[datetime, datetime]:
    """The first instant of a gaming day, and that of the next: half-open, whatever the clock does in between."""
    zone, start = ZoneInfo(site.timezone), site.day_starts_at
    return days.starts_at(day, zone, start), days.starts_at(day + timedelta(days=1), zone, start)


class Standing(NamedTuple):
    """How a gaming day stands: when it was closed and by whom (None: a command); both None while it is open."""

    closed_at: datetime | None
    closed_by: str | None


def standing(site: Site, day: date) -> Standing | None:
    """How a gaming day of a site stands; None of one that was never opened."""
    rows = GamingDay.objects.filter(site=site, day=day).values_list("closed_at", "closings__closed_by__username")
    found = rows.first()
    return Standing(*found) if found else None


def opened_since(day: date) -> list[GamingDay]:
    """Every gaming day of every site from this one on that was opened, by site, oldest first."""
    rows = GamingDay.objects.filter(day__gte=day).select_related("site")
    return list(rows.order_by("site__code", "day"))


def opened(site: Site, *, before: date | None = None, count: int) -> list[GamingDay]:
    """The last gaming days of a site that were opened, newest first; with `before` those before that day."""
    rows = GamingDay.objects.filter(site=site).prefetch_related("closings__closed_by").order_by("-day")
    return list((rows if before is None else rows.filter(day__lt=before))[:count])


def row_of(site: Site, day: date) -> GamingDay | None:
    """A gaming day of a site; None of one that was never opened."""
    return GamingDay.objects.filter(site=site, day=day).first()


def first_open(site: Site) -> date | None:
    """The oldest gaming day of a site that is not closed."""
    return GamingDay.objects.filter(site=site, closed_at=None).order_by("day").values_list("day", flat=True).first()
