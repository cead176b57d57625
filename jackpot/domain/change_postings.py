"""What approved changes of pots post: adjustments against the house, and what moves from pot to pot. Pure.

Source: accounting.md, sections 2, 3 and 6. A pot is named by the code of its account: `meter:MAIN:mega`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.domain.errors import refuse
from jackpot.domain.meter import Kind, Meter
from jackpot.domain.postings import Books, Entry
from jackpot.money import AmountTooLarge, Currency, InvalidMoney, parse_exact, show_exact

Stands = dict[str, str]
"""How pots stand, by name: exact decimal strings."""


@dataclass(frozen=True, slots=True)
class Place:
    """One pot of a level of a jackpot."""

    jackpot: str
    level: str
    pot: Pot

    def __str__(self) -> str:
        return accounts.pot_of(self.jackpot, self.level, self.pot)

    @classmethod
    def named(cls, name: object, pointer: str = "") -> "Place":
        """The pot of this name. Raises Refused (`invalid_value`) where it is none."""
        pot, _, rest = name.partition(":") if isinstance(name, str) else ("", "", "")
        jackpot, _, level = rest.partition(":")
        if pot not in set(Pot) or not jackpot or not level:
            raise refuse("invalid_value", 'a pot is named as in "meter:MAIN:main"', pointer)
        return cls(jackpot, level, Pot(pot))


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A pot is changed by an amount other than zero, in ledger units; the house bears it."""

    place: Place
    amount: int

    def document(self, currency: Currency) -> dict[str, Any]:
        return {"pot": str(self.place), "amount": show_exact(self.amount, currency)}

    @classmethod
    def read(cls, document: Mapping[str, Any], currency: Currency) -> "Adjustment":
        return cls(Place.named(document["pot"]), parse_exact(document["amount"], currency))


@dataclass(frozen=True, slots=True)
class Shift:
    """An amount above zero, in ledger units, that goes from one pot to another."""

    source: Place
    target: Place
    amount: int

    def document(self, currency: Currency) -> dict[str, Any]:
        return {"from": str(self.source), "to": str(self.target), "amount": show_exact(self.amount, currency)}

    @classmethod
    def read(cls, document: Mapping[str, Any], currency: Currency) -> "Shift":
        source, target = Place.named(document["from"]), Place.named(document["to"])
        return cls(source, target, parse_exact(document["amount"], currency))


@dataclass(frozen=True, slots=True)
class Retirement:
    """A jackpot goes out of service; each of its levels gives its pots to the same pots of a level of another."""

    jackpot: str
    to: str
    levels: Mapping[str, str]

    def document(self) -> dict[str, Any]:
        return {"jackpot": self.jackpot, "to": self.to, "levels": dict(self.levels)}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> "Retirement":
        return cls(document["jackpot"], document["to"], document["levels"])

    def shifts(self, balances: Mapping[tuple[str, Pot], int]) -> list[Shift]:
        """All that lies in the jackpot, by (level, pot) in ledger units, on its way to the other one."""
        return [
            Shift(Place(self.jackpot, level, pot), Place(self.to, self.levels[level], pot), amount)
            for (level, pot), amount in balances.items()
            if amount
        ]


def amount_of(text: object, currency: Currency) -> int:
    """An exact amount other than zero in ledger units: a sign and six more decimals are allowed.

    Raises Refused: `invalid_money`, `amount_too_large`, `invalid_value` for zero.
    """
    try:
        amount = parse_exact(text, currency)
    except InvalidMoney as error:
        raise refuse("invalid_money", str(error), "/amount") from None
    except AmountTooLarge as error:
        raise refuse("amount_too_large", str(error), "/amount") from None
    if not amount:
        raise refuse("invalid_value", "an amount of zero changes nothing", "/amount")
    return amount


def balances(books: Books) -> dict[tuple[str, Pot], int]:
    """What lies in every pot of a jackpot, by (level, pot), levels in order; ledger units."""
    return {(code, pot): level.balances[pot] for code, level in books.levels.items() for pot in Pot}


def stands(books: Books, places: Iterable[Place], currency: Currency) -> Stands:
    """How those of these pots stand that are this jackpot's."""
    mine = (place for place in places if place.jackpot == books.code)
    return {str(place): show_exact(_level(books, place).balances[place.pot], currency) for place in mine}


def read_stands(said: Mapping[str, str], jackpot: str, currency: Currency) -> dict[tuple[str, Pot], int]:
    """What a record says of a jackpot's pots, by (level, pot) in ledger units; of anything else it may say nothing."""
    places = {name: Place.named(name) for name in said if name.partition(":")[0] in set(Pot)}
    mine = {name: place for name, place in places.items() if place.jackpot == jackpot}
    return {(place.level, place.pot): parse_exact(said[name], currency) for name, place in mine.items()}


def adjust(asked: Adjustment, books: Books, entry: Entry) -> None:
    """Change the pot against the house. Raises Refused as every change of a pot does: see `_change`."""
    _change(books, entry, asked.place, Kind.ADJUSTMENT, asked.amount)
    entry.debit(accounts.house_of(books.code), asked.amount)


def give(shifts: Sequence[Shift], books: Books, entry: Entry) -> None:
    """What leaves pots of this jackpot: its house is credited. It takes nothing: `receive` gives it on, in the same
    entry where it stays with the jackpot, so that nothing is left of it there, else in one of the other jackpot.
    """
    for shift in shifts:
        _change(books, entry, shift.source, Kind.TRANSFER_OUT, -shift.amount)
    entry.credit(accounts.house_of(books.code), _total(shifts))


def receive(shifts: Sequence[Shift], books: Books, entry: Entry) -> None:
    """What comes into pots of this jackpot: its house is debited."""
    for shift in shifts:
        _change(books, entry, shift.target, Kind.TRANSFER_IN, shift.amount)
    entry.debit(accounts.house_of(books.code), _total(shifts))


def _total(shifts: Iterable[Shift]) -> int:
    return sum(shift.amount for shift in shifts)


def _change(books: Books, entry: Entry, place: Place, kind: Kind, amount: int) -> None:
    """Change one pot, with its statement row. Raises Refused (`invalid_value`) for a level that is none, below zero,
    and for a meter above its limit; nothing is changed then.
    """
    level = _level(books, place)
    after = level.balances[place.pot] + amount
    if after < 0:
        raise refuse("invalid_value", f"{place} does not have so much: no pot goes below zero", "/amount")
    if place.pot is Pot.METER and level.terms.limit is not None and after > level.terms.limit:
        raise refuse("invalid_value", f"{place} has no room for so much: no meter goes above its limit", "/amount")
    books.change(entry, level.change(place.pot, kind, amount))


def _level(books: Books, place: Place) -> Meter:
    if place.jackpot != books.code or place.level not in books.levels:
        raise refuse("invalid_value", f"{books.code} has no pot {place}")
    return books.levels[place.level]
