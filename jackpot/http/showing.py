"""How values stand in answers: times in RFC 3339 with Z, days as dates. Money has its own module, `jackpot.money`."""

from datetime import UTC, date, datetime
from typing import overload


@overload
def shown_time(at: datetime) -> str: ...
@overload
def shown_time(at: datetime | None) -> str | None: ...
def shown_time(at: datetime | None) -> str | None:
    """An instant as "2026-11-29T14:22:33Z", with a fraction only where there is one; None stays None."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def shown_day(day: date | None) -> str | None:
    """A gaming day as "2026-11-29"."""
    return None if day is None else day.isoformat()
