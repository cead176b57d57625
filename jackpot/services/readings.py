"""Entering what a sign showed."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from jackpot.domain.errors import refuse
from jackpot.domain.readings import Compared, compare
from jackpot.models.jackpots import Level
from jackpot.models.readings import Reading
from jackpot.money import UNITS_PER_MINOR
from jackpot.selectors import readings


@transaction.atomic
def enter_reading(
    *, level: Level, shown: int, read_at: datetime, by: User, now: datetime, note: str = ""
) -> tuple[Reading, Compared]:
    """Keep what a sign showed of a level at `read_at`, and say how far it was from what was true then.

    `shown` in ledger units, whole minor units. Raises Refused with `invalid_value` for an amount that no sign can show
    or a time at which there was no such meter yet; with `person_required` for somebody who is not of the staff.
    """
    if not (by.is_active and by.is_staff):
        raise refuse("person_required", "readings are entered by staff")
    if shown < 0 or shown % UNITS_PER_MINOR:
        raise refuse("invalid_value", "a sign shows whole minor units", "/shown")
    if read_at > now:
        raise refuse("invalid_value", "this lies in the future", "/read_at")
    row = readings.meter_at(level, read_at)
    if row is None:
        raise refuse("invalid_value", "the meter was not funded yet", "/read_at")
    tolerance = level.jackpot.reading_tolerance
    reading = Reading.objects.create(
        level=level, shown=shown, read_at=read_at, entered_at=now, entered_by=by, tolerance=tolerance, note=note
    )
    return reading, compare(shown=shown, meter=row.after, tolerance=tolerance)
