"""Gaming days: a site's day runs from its start hour to the next, in its own time zone, daylight saving included."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def gaming_day(at: datetime, zone: ZoneInfo, start: time) -> date:
    """The gaming day an instant belongs to. Half-open: the start itself is the first instant of its day."""
    day = at.astimezone(zone).date()
    while at < starts_at(day, zone, start):
        day -= timedelta(days=1)
    return day


def starts_at(day: date, zone: ZoneInfo, start: time) -> datetime:
    """The instant (UTC) at which a gaming day starts.

    A start that a clock change repeats is the first of the two; one that it skips is read by the clock as it was
    before the change: where 02:00 becomes 03:00, a day that starts at 02:30 starts at 03:30.
    """
    return datetime.combine(day, start, zone).astimezone(UTC)
