"""The second factor of staff: an app that shows codes, and recovery codes for the day it is lost.

A code is good once, and so is a recovery code. Wrong ones make the next wait longer.
"""

import secrets
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.util import random_hex

from jackpot.domain.errors import Refused, refuse
from jackpot.models.second_factors import Authenticator

RECOVERY_CODES = 10
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 10
_NAME = "second factor"


def is_due(user: Any) -> bool:
    """Whether this signed-in person (as Django's middleware hands it over) has yet to pass the second factor: where it
    is demanded, and of all who have set it up.
    """
    if not user.is_staff or user.is_verified():
        return False
    return settings.STAFF_TWO_FACTOR or has_one(user)


def has_one(user: User) -> bool:
    """Whether the person has set up an app."""
    return Authenticator.objects.filter(user=user, confirmed=True).exists()


def new_salt() -> str:
    """What the secret of a new app is made from."""
    return str(random_hex(20))


def enrol(*, user: User, salt: str, code: str) -> tuple[Authenticator, list[str]]:
    """Take an app that shows the right code. Answers with it and with recovery codes, which are shown once.

    Raises Refused: `illegal_move` where there is one, `invalid_value` for a wrong code.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True, of=("self",)).get(pk=user.pk)
        if has_one(user):
            raise refuse("illegal_move", "an app is set up already: an administrator resets it where it is lost")
        made = Authenticator(user=user, name=_NAME, key=salt)
        if not made.verify_token(_plain(code)):
            raise refuse("invalid_value", "this is not the code that the app shows now", "/code")
        return made, _renew_codes(user)


def verify(*, user: User, code: str, now: datetime) -> Authenticator | StaticDevice:
    """Pass with a code of the app, or with a recovery code. Wrong ones are written down, whatever is raised.

    Raises Refused: `illegal_move` where nothing is set up, `throttled` where one must wait, `invalid_value`.
    """
    plain = _plain(code)
    by_app = plain.isdigit() and len(plain) < _LENGTH
    with transaction.atomic():
        devices = Authenticator.objects if by_app else StaticDevice.objects
        device: Any = devices.select_for_update(no_key=True, of=("self",)).filter(user=user, confirmed=True).first()
        refused = _tried(device, plain if by_app else _digest(user, plain), now)
    if refused is not None:
        raise refused
    return device


def renew_codes(*, user: User) -> list[str]:
    """New recovery codes in place of all old ones; they are shown once."""
    with transaction.atomic():
        return _renew_codes(user)


def codes_left(user: User) -> int:
    """How many recovery codes are left."""
    device = StaticDevice.objects.filter(user=user).first()
    return device.token_set.count() if device else 0


def reset(user: User) -> bool:
    """Forget the app and the recovery codes; whether there were any. Sessions that passed by them have not any more."""
    gone = [devices.filter(user=user).delete()[0] for devices in (Authenticator.objects, StaticDevice.objects)]
    return any(gone)


def passed_since(user: User, at: datetime) -> bool:
    """Whether somebody has passed by the person's present app or recovery codes since an instant."""
    return any(
        devices.filter(user=user, confirmed=True, last_used_at__gt=at).exists()
        for devices in (Authenticator.objects, StaticDevice.objects)
    )


def forgive(user: User) -> None:
    """Forget wrong codes, so that nobody waits for them."""
    for devices in (Authenticator.objects, StaticDevice.objects):
        devices.filter(user=user).update(throttling_failure_timestamp=None, throttling_failure_count=0)


def _tried(device: Any, code: str, now: datetime) -> Refused | None:
    if device is None:
        return refuse("illegal_move", "nothing of this kind is set up for this person")
    allowed, why = device.verify_is_allowed()
    if not allowed:
        seconds = max(1, round((why["locked_until"] - now).total_seconds()))
        return refuse("throttled", f"too many wrong codes: wait {seconds} seconds, or ask an administrator")
    if not device.verify_token(code):
        return refuse("invalid_value", "this code is wrong, over, or was used before", "/code")
    return None


def _renew_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=_NAME)
    codes = ["".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(RECOVERY_CODES)]
    for code in codes:
        device.token_set.create(token=_digest(user, code))
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def _digest(user: User, code: str) -> str:
    """How a recovery code is stored: with SECRET_KEY, which is not in the database."""
    return salted_hmac(f"jackpot.recovery.{user.pk}", code, algorithm="sha256").hexdigest()[:16]


def _plain(code: str) -> str:
    return "".join(letter for letter in code.lower() if letter.isalnum())
