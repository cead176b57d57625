"""The facts of a settled round as a document that people read and two of them sign. Pure; source: accounting.md, §6.

Amounts are decimal strings of the table's currency, cards in the normal form. `version` says which settlement these
facts stood for when they were written down.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jackpot import money
from jackpot.money import Currency
from tables.domain.facts import Action, BoxFacts, Decision, RoundFacts, Street, VoidReason


@dataclass(frozen=True, slots=True)
class Recorded:
    """The facts of a round with what was noted of its voids; `notes` by box."""

    facts: RoundFacts
    void_note: str = ""
    notes: Mapping[int, str] = field(default_factory=dict)


def document(recorded: Recorded, *, version: int, currency: Currency) -> dict[str, Any]:
    """The record of these facts."""
    facts = recorded.facts
    boxes = sorted(facts.boxes, key=lambda box: box.box)
    return {
        "version": version,
        "boxes": [_box(box, recorded.notes.get(box.box, ""), currency) for box in boxes],
        "flop": _cards(facts.flop),
        "turn": facts.turn,
        "river": facts.river,
        "dealer": _cards(facts.dealer),
        "player_cards": _cards(facts.player_cards),
        "void": _void(facts.void, recorded.void_note),
    }


def read(record: Mapping[str, Any], currency: Currency) -> Recorded:
    """The facts of a record that `document` made."""
    boxes = record["boxes"]
    void = record["void"]
    facts = RoundFacts(
        boxes=tuple(_box_in(box, currency) for box in boxes),
        flop=_tuple(record["flop"]),
        turn=record["turn"],
        river=record["river"],
        dealer=_tuple(record["dealer"]),
        player_cards=_tuple(record["player_cards"]),
        void=VoidReason(void["reason"]) if void else None,
    )
    notes = {box["box"]: box["void"]["note"] for box in boxes if box["void"] and box["void"]["note"]}
    return Recorded(facts, void["note"] if void else "", notes)


def _box(box: BoxFacts, note: str, currency: Currency) -> dict[str, Any]:
    decision = box.decision
    return {
        "box": box.box,
        "player": box.player,
        "cards": _cards(box.cards),
        "ante": money.show(box.ante, currency),
        "trips": money.show(box.trips, currency),
        "progressive": money.show(box.progressive, currency),
        "decision": {
            "action": decision.action.value,
            "street": decision.street.value,
            "multiplier": decision.multiplier,
            "automatic": decision.automatic,
        },
        "void": _void(box.void, note),
    }


def _box_in(box: Mapping[str, Any], currency: Currency) -> BoxFacts:
    decision = box["decision"]
    return BoxFacts(
        box=box["box"],
        player=box["player"],
        ante=money.parse(box["ante"], currency),
        trips=money.parse(box["trips"], currency),
        progressive=money.parse(box["progressive"], currency),
        cards=_tuple(box["cards"]),
        decision=Decision(
            Action(decision["action"]), Street(decision["street"]), decision["multiplier"], decision["automatic"]
        ),
        void=VoidReason(box["void"]["reason"]) if box["void"] else None,
    )


def _void(reason: VoidReason | None, note: str) -> dict[str, str] | None:
    return {"reason": reason.value, "note": note} if reason else None


def _cards(cards: tuple[str, ...] | None) -> list[str] | None:
    return list(cards) if cards else None


def _tuple(cards: list[str] | None) -> tuple[str, ...] | None:
    return tuple(cards) if cards else None
