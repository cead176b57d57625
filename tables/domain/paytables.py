"""Pay tables of the Blind and of Trips: odds to one for each hand that is paid. Sources: domain.md §3, the rule texts.

A hand without a line wins nothing from the table: the Blind pushes, Trips loses (`settlement` knows that).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from jackpot import money
from tables.domain.hands import HandName


class InvalidPayTable(ValueError):
    """A pay table's document is not one. `key` says where, relative to the table ("lines.flush")."""

    def __init__(self, key: str, problem: str) -> None:
        self.key = key
        self.problem = problem
        super().__init__(f"{key}: {problem}" if key else problem)


class OddsRounding(StrEnum):
    """How a win of 3 to 2 on an odd stake comes to whole minor units."""

    HALF_UP = "half_up"
    DOWN = "down"


class TableKind(StrEnum):
    BLIND = "blind"
    TRIPS = "trips"


@dataclass(frozen=True, slots=True)
class Odds:
    """A win of `numerator` for every `denominator` staked, on top of the stake ("3:2" is 3 to 2)."""

    numerator: int
    denominator: int = 1

    @classmethod
    def parse(cls, text: object) -> "Odds":
        """Odds from "3:2". Raises ValueError on anything but two whole numbers from 1 to 9999."""
        shape = _ODDS.fullmatch(text) if isinstance(text, str) else None
        if shape is None:
            raise ValueError('odds are two whole numbers from 1 to 9999, such as "3:2"')
        return cls(int(shape[1]), int(shape[2]))

    def __str__(self) -> str:
        return f"{self.numerator}:{self.denominator}"

    def win(self, stake: int, rounding: OddsRounding) -> int:
        """What a stake wins beside coming back; stake and win in ledger units, the win whole minor units."""
        if self.denominator == 1:
            return stake * self.numerator
        to_minor_unit = money.half_up if rounding is OddsRounding.HALF_UP else money.round_down
        return to_minor_unit(stake * self.numerator, self.denominator)


_ODDS = re.compile(r"([1-9][0-9]{0,3}):([1-9][0-9]{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class PayTable:
    """A named pay table; `lines` is read-only and runs from the strongest hand to the weakest."""

    name: str
    kind: TableKind
    lines: Mapping[HandName, Odds]

    @classmethod
    def from_document(cls, document: object, *, kind: TableKind) -> "PayTable":
        """A pay table from `{"name": "blind-a", "lines": {"flush": "3:2", …}}`.

        Raises InvalidPayTable on anything else, and on a name of `NAMED` whose lines are not those known by it.
        """
        if not isinstance(document, dict):
            raise InvalidPayTable("", "a pay table is an object with name and lines")
        for key in document.keys() ^ {"name", "lines"}:
            raise InvalidPayTable(str(key), "unknown key" if key in document else "missing")
        name, lines = document["name"], document["lines"]
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InvalidPayTable("name", "a name is 1 to 60 of a-z, 0-9 and -")
        if not isinstance(lines, dict) or not lines:
            raise InvalidPayTable("lines", "at least one hand with its odds")
        table = cls(name, kind, _in_order({_hand(key): _odds(key, odds) for key, odds in lines.items()}))
        if name in NAMED and table != NAMED[name]:
            raise InvalidPayTable("name", f"{name} is the name of another {NAMED[name].kind} table")
        return table

    def to_document(self) -> dict[str, object]:
        """The document `from_document` reads."""
        return {"name": self.name, "lines": {str(hand): str(odds) for hand, odds in self.lines.items()}}


_NAME = re.compile(r"[a-z0-9-]{1,60}", re.ASCII)


def _hand(key: str) -> HandName:
    try:
        return HandName(key)
    except ValueError:
        raise InvalidPayTable(f"lines.{key}", f"not a hand; hands are {', '.join(HandName)}") from None


def _odds(key: str, text: object) -> Odds:
    try:
        return Odds.parse(text)
    except ValueError as error:
        raise InvalidPayTable(f"lines.{key}", str(error)) from None


def _in_order(lines: Mapping[HandName, Odds]) -> Mapping[HandName, Odds]:
    return MappingProxyType({hand: lines[hand] for hand in HandName if hand in lines})


_PAID_BY_TRIPS = tuple(HandName)[: tuple(HandName).index(HandName.THREE_OF_A_KIND) + 1]


def _trips(*odds: int) -> PayTable:
    """A Trips table from its seven odds to one, royal flush down to three of a kind; they are also its name."""
    lines = dict(zip(_PAID_BY_TRIPS, map(Odds, odds), strict=True))
    return PayTable("trips-" + "-".join(map(str, odds)), TableKind.TRIPS, _in_order(lines))


BLIND_A = PayTable(
    "blind-a",
    TableKind.BLIND,
    _in_order(
        {
            HandName.ROYAL_FLUSH: Odds(500),
            HandName.STRAIGHT_FLUSH: Odds(50),
            HandName.FOUR_OF_A_KIND: Odds(10),
            HandName.FULL_HOUSE: Odds(3),
            HandName.FLUSH: Odds(3, 2),
            HandName.STRAIGHT: Odds(1),
        }
    ),
)
BLIND_B = PayTable(
    "blind-b",
    TableKind.BLIND,
    _in_order({hand: odds for hand, odds in BLIND_A.lines.items() if hand is not HandName.STRAIGHT}),
)
"""As Blind A, but a straight pushes."""

TRIPS_8_7_4 = _trips(50, 40, 30, 8, 7, 4, 3)
TRIPS_8_6_5 = _trips(50, 40, 30, 8, 6, 5, 3)
TRIPS_9_7_4 = _trips(50, 40, 30, 9, 7, 4, 3)
TRIPS_7_6_5 = _trips(50, 40, 20, 7, 6, 5, 3)

NAMED: Mapping[str, PayTable] = MappingProxyType(
    {table.name: table for table in (BLIND_A, BLIND_B, TRIPS_8_7_4, TRIPS_8_6_5, TRIPS_9_7_4, TRIPS_7_6_5)}
)
"""The tables everybody knows by these names; a rule set may bring others under names of its own."""
