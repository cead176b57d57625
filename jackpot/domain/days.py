"""Gaming days: a site's day runs from its start hour to the next, in its own time zone, daylight saving included."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def gaming_day(at: datetime, zone: ZoneInfo, start: time) -> date:
    """The gaming day an instant belongs to. Half-open: the start itself is the first instant of its day."""
    day = at.astimezone(zone).date()
    return day if at >= starts_at(day, zone, start) else day - timedelta(days=1)


def starts_at(day: date, zone: ZoneInfo, start: time) -> datetime:
    """When (UTC) a gaming day starts. A start that a clock change skips is the instant of the change."""
    return datetime.combine(day, start, zone).astimezone(UTC)
