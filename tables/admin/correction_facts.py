"""A correction as people read it: the facts that stand beside those that are asked for, and what that changes in money.

Made of the request's two records (`tables.domain.corrections`), so that it reads the same before and after it is
decided on.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jackpot.money import Currency, show_stored
from jackpot.services import ChangeRequest
from tables.domain.cards import in_symbols
from tables.services import previews

Record = Mapping[str, Any]
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Compared:
    """A table of `jackpot/console/table.html`: a row for each thing that differs, as it stands and as it was asked."""

    caption: str
    rows: tuple[tuple[str, str, str], ...]
    columns: tuple[str, str, str] = ("What", "Before", "After")
    numbers: tuple[int, ...] = ()


def correction_facts(request: ChangeRequest) -> Compared:
    """What a correction was asked to change in the facts of its round: only what differs, box by box."""
    return compared(request.before, request.document)


def compared(before: Record, after: Record) -> Compared:
    """Two records of one round's facts: what differs between them."""
    was, becomes = dict(_lines(before)), dict(_lines(after))
    rows = tuple(
        (what, was.get(what, NOTHING), becomes.get(what, NOTHING))
        for what in sorted(was | becomes, key=_place)
        if was.get(what, NOTHING) != becomes.get(what, NOTHING)
    )
    return Compared("Facts that change", rows)


def correction_figures(changed: Iterable[previews.Changed], currency: Currency) -> Compared:
    """The figures that a correction changes, or would change."""

    def shown(figure: int | str | None) -> str:
        return NOTHING if figure is None else show_stored(figure, currency) if isinstance(figure, int) else figure

    rows = tuple((f"{one.where.capitalize()}: {one.what}", shown(one.before), shown(one.after)) for one in changed)
    return Compared("Figures that change", rows, numbers=(1, 2))


def cards_shown(cards: list[str] | None) -> str:
    """Cards in symbols: "A♠ K♠"."""
    return " ".join(map(in_symbols, cards or ())) or NOTHING


def decision_shown(decision: Record) -> str:
    """A decision in words: "play 4 times, preflop", "fold, river (automatic)"."""
    times = f" {decision['multiplier']} times" if decision["multiplier"] else ""
    return f"{decision['action']}{times}, {decision['street']}{' (automatic)' if decision['automatic'] else ''}"


def _lines(record: Record) -> Iterator[tuple[str, str]]:
    """Each fact under its name; what is not there has no line."""
    yield "Round: void", _void(record["void"])
    for name in ("flop", "dealer", "player_cards"):
        yield f"Round: {name.replace('_', ' ')}", cards_shown(record[name])
    for name in ("turn", "river"):
        yield f"Round: {name}", cards_shown([record[name]] if record[name] else None)
    for box in record["boxes"]:
        where = f"Box {box['box']}"
        yield f"{where}: player", box["player"]
        yield f"{where}: cards", cards_shown(box["cards"])
        for name in ("ante", "trips", "progressive"):
            yield f"{where}: {name}", box[name]
        yield f"{where}: decision", decision_shown(box["decision"])
        yield f"{where}: void", _void(box["void"])


def _void(void: Record | None) -> str:
    if not void:
        return NOTHING
    return void["reason"].replace("_", " ") + (f": {void['note']}" if void["note"] else "")


def _place(what: str) -> tuple[int, int]:
    """The round first, then its boxes by number; within each as the record has them."""
    where = what.partition(":")[0]
    return (0, 0) if where == "Round" else (1, int(where.rpartition(" ")[2]))
