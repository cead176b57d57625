"""Entering what a sign showed, and signing that it was off."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from jackpot.domain.errors import Violation, refuse
from jackpot.domain.readings import SIGNATURES, Compared, compare
from jackpot.models.jackpots import Level
from jackpot.models.readings import Reading, ReadingSignature
from jackpot.money import UNITS_PER_MINOR
from jackpot.selectors import readings
from jackpot.services.constraints import refined

ENTER, SIGN = "jackpot.enter_reading", "jackpot.sign_reading"
_SIGNED_MEANWHILE = {
    name: Violation("illegal_move", "somebody signed this variance just now: look at it again")
    for name in ("reading_signed_once", "reading_second_person")
}
"""Readings are written once and can't be locked by the application: the database decides who signed first."""


@transaction.atomic
def enter_reading(
    *, level: Level, shown: int, read_at: datetime, by: User, now: datetime, note: str = ""
) -> tuple[Reading, Compared]:
    """Keep what a sign showed of a level at `read_at`, and say how far it was from what was true then.

    `shown` in ledger units, whole minor units. Raises Refused with `invalid_value` for an amount that no sign can show
    or a time at which there was no such meter yet; with `person_required` for somebody who is not of the staff,
    `forbidden` without the permission.
    """
    _allow(by, ENTER)
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


@transaction.atomic
def sign_reading(*, reading_id: int, by: User, now: datetime, note: str = "") -> ReadingSignature:
    """Sign that a sign was off by more than its tolerance. Two different people do; who entered the reading may be one
    of them, so that one at least did not.

    Raises Refused: `person_required`, `forbidden`, `not_found`; `illegal_move` where there is nothing to sign, or two
    have; `second_person_required` for who has signed it already.
    """
    _allow(by, SIGN)
    found = readings.placed(Reading.objects.filter(pk=reading_id))
    if not found:
        raise refuse("not_found", "there is no such reading")
    placed = found[0]
    signed = placed.signatures
    if placed.compared.within:
        raise refuse("illegal_move", "the sign was within its tolerance: there is nothing to sign")
    if len(signed) >= SIGNATURES:
        raise refuse("illegal_move", "two people have signed this variance")
    if any(signature.signed_by_id == by.pk for signature in signed):
        raise refuse("second_person_required", "another person must sign: not one who has already")
    with refined(_SIGNED_MEANWHILE):
        return ReadingSignature.objects.create(
            reading=placed.reading,
            number=len(signed) + 1,
            signed_by=by,
            signed_at=now,
            variance=placed.compared.variance,
            note=note,
        )


def _allow(by: User, permission: str) -> None:
    if not (by.is_active and by.is_staff):
        raise refuse("person_required", "readings are entered and signed by staff")
    if not by.has_perm(permission):
        raise refuse("forbidden", f"this needs the permission {permission}")
