"""Readers of what the bodies of rounds are made of: cards, stakes, decisions, voids."""

from typing import NamedTuple

from jackpot.domain.errors import refuse
from jackpot.http.reading import ObjectReader, Reader, each, reading
from jackpot.http.values import choice, integer, parsed
from jackpot.money import Currency
from tables.domain import cards as deck
from tables.domain.facts import Action, Decision, Street, VoidReason
from tables.http.texts import note

_OF_ONE_DECK = len(deck.DECK)

card: Reader[str] = parsed(deck.parse, "invalid_card")
_some_cards = each(card, most=_OF_ONE_DECK)
_action, _street, _times = choice(Action), choice(Street), integer(0)
void_reason = choice(VoidReason)

STAND_IN = Currency("XXX", 3)
"""What amounts are read in at a table nobody knows, so that their shape is refused before the table is."""


class Void(NamedTuple):
    """Why a round or a box is void, and what is noted about it."""

    reason: VoidReason
    note: str


def cards(value: object) -> tuple[str, ...]:
    """A list of cards. How many there must be is for the rules to say."""
    if not isinstance(value, list):
        raise refuse("invalid_card", 'a list of cards such as ["As", "Kd"] is expected here')
    if len(value) > _OF_ONE_DECK:
        raise refuse("wrong_card_count", f"a deck has {_OF_ONE_DECK} cards")
    return tuple(_some_cards(value))


def decision(value: object) -> Decision:
    """How a box's decisions ended: action, street, and with a Play the multiplier."""
    with reading(value) as sent:
        action = sent.required("action", _action)
        street = sent.required("street", _street)
        times = multiplier(sent, action)
    return Decision(action, street, times)


def multiplier(sent: ObjectReader, action: Action | None) -> int | None:
    """The `multiplier`, which a Play must have; which ones are allowed is for the rules to say."""
    if action is Action.PLAY:
        return sent.required("multiplier", _times)
    return sent.optional("multiplier", _times)


def void(value: object) -> Void:
    """`{reason, note}`, the note optional."""
    with reading(value) as sent:
        reason = sent.required("reason", void_reason)
        noted = sent.optional("note", note, "")
    return Void(reason, noted)
