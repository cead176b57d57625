"""The gaming days of a site, by its clock."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from jackpot.domain import days
from jackpot.models.sites import GamingDay, Site


def day_of(site: Site, at: datetime) -> date:
    """The gaming day an instant belongs to at a site, open or not."""
    return days.gaming_day(at, ZoneInfo(site.timezone), site.day_starts_at)


def bounds_of(site: Site, day: date) -> tuple[datetime, datetime]:
    """The first instant of a gaming day, and that of the next: half-open, whatever the clock does in between."""
    zone, start = ZoneInfo(site.timezone), site.day_starts_at
    return days.starts_at(day, zone, start), days.starts_at(day + timedelta(days=1), zone, start)


def is_opened(site: Site, day: date) -> bool:
    """Whether a gaming day of a site was ever opened."""
    return GamingDay.objects.filter(site=site, day=day).exists()
