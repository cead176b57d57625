"""The figures of pay tables as the console shows them, while they are edited too: worked out, never stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jackpot.admin.base import words
from tables.domain.paytables import InvalidPayTable, PayTable, TableKind
from tables.odds import edited
from tables.odds.figures import decimal, percent
from tables.odds.settings import Settings
from tables.services import odds as stored_odds

COLUMNS = ("Hand", "Of 133,784,560", "One in", "Pays")
NUMBERS = (1, 2, 3)


@dataclass(slots=True)
class Shown:
    """A pay table's figures: the sums as (name, value), its hands as rows; or what is wrong with it."""

    title: str
    caption: str
    sums: list[tuple[str, str]] = field(default_factory=list)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    trouble: str = ""
    columns: tuple[str, ...] = COLUMNS
    numbers: tuple[int, ...] = NUMBERS


def of_document(document: Mapping[str, Any]) -> list[Shown]:
    """The figures of a rule set's document, whose pay tables may be wrong as yet."""
    return [_trips(document), _blind(document)]


def _trips(document: Mapping[str, Any]) -> Shown:
    shown = Shown("Trips", "Of all seven cards: the best five, whatever the dealer has")
    table = _read(document["trips_table"], TableKind.TRIPS, shown)
    if table is None:
        return shown
    shown.rows = list(_rows(table))
    found = edited.trips_odds(table)
    shown.sums = [
        ("Return", percent(found.net.returned)), ("House edge", percent(-found.net.mean)),
        ("Hit frequency", f"{percent(found.hit)}, 1 in {decimal(1 / found.hit, 4)}"),
    ]  # fmt: skip
    if not document.get("trips_survives_fold", True):
        note = "if every box played to the end: here a fold ends Trips, so it returns less"
        shown.sums = [(f"{name} {note}" if name == "Return" else name, value) for name, value in shown.sums]
    return shown


def _blind(document: Mapping[str, Any]) -> Shown:
    shown = Shown("Blind", "Of all seven cards: the best five, paid where the box wins")
    table = _read(document["blind_table"], TableKind.BLIND, shown)
    if table is None:
        return shown
    shown.rows = list(_rows(table, unpaid="push"))
    multiples = document.get("preflop_multipliers") or []
    if not all(isinstance(one, int) for one in multiples) or not multiples:
        return shown
    settings = Settings(table, table, tuple(sorted(multiples)), True)
    counted = stored_odds.counted(game=settings.game, preflop=settings.preflop)
    if counted is None:
        shown.sums = [("Return", "not known yet: manage.py odds --store works the main game out, in half a minute")]
        return shown
    found = edited.blind_odds(table, counted.deals)
    shown.sums = [
        ("Blind returns", percent(1 + found.mean)), ("The table pays", f"{percent(found.paid)} of all Blinds"),
        ("Ante, Blind and Play return of an Ante", percent(found.together)),
    ]  # fmt: skip
    if not counted.same:
        why = f"that is best under {counted.version}: best play returns as much or more of an Ante"
        shown.sums.append(("Reckoned by the play", why))
    return shown


def _read(document: Any, kind: TableKind, shown: Shown) -> PayTable | None:
    try:
        return PayTable.from_document(document, kind=kind)
    except InvalidPayTable as error:
        shown.trouble = str(error)
        return None


def _rows(table: PayTable, unpaid: str = "loses") -> Iterator[tuple[str, ...]]:
    for paid in edited.paid_hands(table):
        pays = f"{paid.odds.numerator} to {paid.odds.denominator}" if paid.odds else unpaid
        yield words(paid.hand), f"{paid.count:,}", decimal(1 / paid.share, 2), pays
