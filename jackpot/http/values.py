"""Readers of single JSON values: exact types, nothing guessed, each with its own error code.

Every reader takes a parsed JSON value and raises `Refused` with a single violation that points at the value.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from jackpot import money as amounts
from jackpot.domain.errors import refuse
from jackpot.http.reading import Reader

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

BIGGEST_INTEGER = 2**31 - 1
FIRST_YEAR, LAST_YEAR = 1970, 2100

# Controls; formats (zero-width, direction); surrogates; private; not assigned; separators.
_UNSEEN_KINDS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_UNSEEN_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # fillers and joiners
_DIGITS = re.compile(r"0|[1-9][0-9]{0,9}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(
    r"(?P<seconds>[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.(?P<fraction>[0-9]{1,9}))?"
    r"(?:[Zz]|(?P<sign>[+-])(?P<hours>[01][0-9]|2[0-3]):(?P<minutes>[0-5][0-9]))"
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def money(currency: amounts.Currency) -> Reader[int]:
    """Ledger units of a decimal string; `invalid_money`, or `amount_too_large` (422)."""

    def read(value: object) -> int:
        try:
            return amounts.parse(value, currency)
        except amounts.InvalidMoney as error:
            raise refuse("invalid_money", str(error)) from None
        except amounts.AmountTooLarge as error:
            raise refuse("amount_too_large", str(error)) from None

    return read


def integer(least: int = 1, most: int = BIGGEST_INTEGER) -> Reader[int]:
    """A JSON integer in a range: no string, fraction, exponent or boolean."""

    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise refuse("invalid_value", f"a whole number from {least} to {most} is expected here")
        return value

    return read


def digits(least: int = 1, most: int = BIGGEST_INTEGER) -> Reader[int]:
    """A whole number written as text, as in a query parameter."""

    def read(value: object) -> int:
        if not isinstance(value, str) or not _DIGITS.fullmatch(value) or not least <= int(value) <= most:
            raise refuse("invalid_value", f"a whole number from {least} to {most} is expected here")
        return int(value)

    return read


def text(most: int, *, lines: bool = False, empty: bool = False) -> Reader[str]:
    """Text of at most `most` characters, kept exactly as sent.

    No two players differ only by what nobody sees: controls, zero-width and direction marks, private and unassigned
    characters and blanks other than the space are refused, and so is text that is not in Unicode's form NFC.
    `lines` allows line breaks and tabs. Blank text is refused unless `empty`, and a single line has no blanks at its
    ends: "P-1 " and "P-1" are never two.
    """

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise refuse("invalid_value", "a string is expected here")
        if len(value) > most:
            raise refuse("invalid_value", f"at most {most} characters are expected here")
        if not (value.isascii() and value.isprintable()):
            _check_characters(value, " \t\n\r" if lines else " ")
        stripped = value.strip()
        if not stripped and not (empty and not value):
            raise refuse("invalid_value", "this may not be blank")
        if stripped != value and not lines:
            raise refuse("invalid_value", "blanks at the start or the end are not allowed here")
        return value

    return read


def choice(kind: type[E]) -> Reader[E]:
    """A member of an enumeration, by its value."""
    members = {member.value: member for member in kind}

    def read(value: object) -> E:
        member = members.get(value) if isinstance(value, str) else None
        if member is None:
            raise refuse("invalid_value", f"one of {', '.join(members)} is expected here")
        return member

    return read


def time(value: object) -> datetime:
    """An instant in UTC from RFC 3339 with an offset, from 1970 to 2100; `invalid_time`.

    Beyond microseconds the fraction is cut. A leap second (:60) cannot be stored and is refused.
    """
    shape = _TIME.fullmatch(value) if isinstance(value, str) else None
    if shape is None:
        raise refuse("invalid_time", 'a time with an offset such as "2026-11-29T14:22:33+01:00" is expected here')
    try:
        local = datetime.fromisoformat(shape["seconds"].upper())
    except ValueError:
        raise refuse("invalid_time", "there is no such date or time of day") from None
    if not FIRST_YEAR <= local.year <= LAST_YEAR:
        raise refuse("invalid_time", f"a time from {FIRST_YEAR} to {LAST_YEAR} is expected here")
    micros = int((shape["fraction"] or "0").ljust(6, "0")[:6])
    return local.replace(microsecond=micros, tzinfo=_offset(shape)).astimezone(UTC)


def day(value: object) -> date:
    """A calendar day such as "2026-11-29"; `invalid_time`."""
    if isinstance(value, str) and _DAY.fullmatch(value):
        try:
            found = date.fromisoformat(value)
        except ValueError:
            raise refuse("invalid_time", "there is no such day") from None
        if FIRST_YEAR <= found.year <= LAST_YEAR:
            return found
    raise refuse("invalid_time", f'a day such as "2026-11-29", from {FIRST_YEAR} to {LAST_YEAR}, is expected here')


def uuid(value: object) -> UUID:
    """A UUID in its usual form of five groups."""
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise refuse("invalid_value", "a UUID is expected here")
    return UUID(value)


def parsed(parse: Callable[[str], T], code: str) -> Reader[T]:
    """A string that `parse` understands; its ValueError becomes a violation with this code."""

    def read(value: object) -> T:
        if not isinstance(value, str):
            raise refuse(code, "a string is expected here")
        try:
            return parse(value)
        except ValueError as error:
            raise refuse(code, str(error)) from None

    return read


def _check_characters(value: str, allowed: str) -> None:
    for character in value:
        unseen = character in _UNSEEN_LETTERS or unicodedata.category(character) in _UNSEEN_KINDS
        if unseen and character not in allowed:
            name = f"U+{ord(character):04X}"
            raise refuse("invalid_value", f"control and other invisible characters are not allowed here: {name}")
    if not unicodedata.is_normalized("NFC", value):
        raise refuse("invalid_value", "send text in Unicode's form NFC, with composed letters")


def _offset(shape: re.Match[str]) -> timezone:
    if shape["sign"] is None:
        return UTC
    ahead = timedelta(hours=int(shape["hours"]), minutes=int(shape["minutes"]))
    return timezone(-ahead if shape["sign"] == "-" else ahead)
