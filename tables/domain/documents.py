"""Strict reading of a rule set's JSON document: every key known, none missing, every value of its one form.

Each function takes the value and the key it stands under ("bet_limits.ante.min"), which its complaint names.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeVar

from jackpot import money
from jackpot.money import Currency

Choice = TypeVar("Choice", bound=StrEnum)


class InvalidRuleSet(ValueError):
    """A rule set's document is not one: `key` says where, `problem` what it should be."""

    def __init__(self, key: str, problem: str) -> None:
        self.key = key
        self.problem = problem
        super().__init__(f"{key}: {problem}" if key else problem)


def fields(value: object, key: str, names: Iterable[str]) -> dict[str, Any]:
    """An object with exactly these keys."""
    if not isinstance(value, dict):
        raise InvalidRuleSet(key, "an object is wanted here")
    wanted = list(names)
    for name in value:
        if name not in wanted:
            raise InvalidRuleSet(inside(key, str(name)), "unknown key")
    for name in wanted:
        if name not in value:
            raise InvalidRuleSet(inside(key, name), "missing; a rule set states all its settings")
    return value


def inside(key: str, name: str) -> str:
    """The full key of a name inside the object at `key`."""
    return f"{key}.{name}" if key else name


def boolean(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidRuleSet(key, "true or false")
    return value


def whole(value: object, key: str, *, low: int, high: int) -> int:
    """A JSON integer in a range, both ends included."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidRuleSet(key, f"a whole number from {low} to {high}")
    return value


def choice(value: Any, key: str, choices: type[Choice]) -> Choice:
    try:
        return choices(value)
    except ValueError:
        raise InvalidRuleSet(key, f"one of {', '.join(choices)}") from None


def several(value: object, key: str) -> list[Any]:
    """A JSON array with at least one item and none twice."""
    if not isinstance(value, list) or not value:
        raise InvalidRuleSet(key, "a list with at least one item")
    if any(item in value[:n] for n, item in enumerate(value)):
        raise InvalidRuleSet(key, "an item is there twice")
    return value


def amount(value: object, key: str, currency: Currency) -> int:
    """A positive amount in ledger units, written as a decimal string."""
    try:
        units = money.parse(value, currency)
    except (money.InvalidMoney, money.AmountTooLarge) as error:
        raise InvalidRuleSet(key, str(error)) from None
    if not units:
        raise InvalidRuleSet(key, "more than zero")
    return units
