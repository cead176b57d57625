"""What the steps of a live round carry."""

from collections.abc import Iterator
from contextlib import contextmanager

from jackpot.domain.errors import Refused, Violation
from jackpot.http.reading import Reader, by_number, each, reading
from jackpot.http.values import choice, integer, money
from jackpot.money import Currency
from tables.api import reading_parts
from tables.api.reading_parts import Void, card, cards
from tables.api.reading_rounds import external_id
from tables.domain.facts import Action, BoxFacts
from tables.domain.rules import MAX_BOX_NUMBER
from tables.http import texts
from tables.services.deciding import Choice

MOST_BOXES = 5_000
Cards = tuple[str, ...]


def opening(body: object) -> str | None:
    """The external id of a round to be opened, if it has one."""
    with reading(body) as sent:
        return sent.optional("external_id", external_id)


def nothing(body: object) -> None:
    """An empty object."""
    with reading(body):
        pass


def one_box(body: object, number: int, currency: Currency) -> BoxFacts:
    """The bets of the box that the address names."""
    return _bets(currency, number)(body)


def many_boxes(body: object, currency: Currency) -> list[BoxFacts]:
    """The bets of several boxes."""
    with reading(body) as sent:
        return sent.required("boxes", each(_bets(currency), least=1, most=MOST_BOXES))


def deal(body: object) -> tuple[dict[int, Cards] | None, Cards | None]:
    """Each box's own cards, or the shared pair."""
    with reading(body) as sent:
        own = sent.optional("cards", by_number(cards, most=MAX_BOX_NUMBER))
        shared = sent.optional("player_cards", cards)
        if not sent.given("cards") and not sent.given("player_cards"):
            sent.fault("missing_field", "the cards of the boxes, or player_cards where they share a hand", "cards")
        if sent.given("cards") and sent.given("player_cards"):
            sent.fault("invalid_value", "boxes have cards of their own or share player_cards, not both", "player_cards")
    return own, shared


def flop(body: object) -> Cards:
    with reading(body) as sent:
        return sent.required("cards", cards)


def river(body: object) -> tuple[str, str]:
    """The turn and the river."""
    with reading(body) as sent:
        return sent.required("turn", card), sent.required("river", card)


def showdown(body: object) -> Cards | None:
    with reading(body) as sent:
        return sent.optional("dealer", cards)


def choices(body: dict[str, object]) -> list[Choice]:
    """One decision, or several under `decisions`."""
    if not is_list_of_decisions(body):
        return [_choice(body)]
    with reading(body) as sent:
        return sent.required("decisions", each(_choice, least=1, most=MOST_BOXES))


def is_list_of_decisions(body: dict[str, object]) -> bool:
    return "decisions" in body


def note(body: object) -> str:
    with reading(body) as sent:
        return sent.optional("note", texts.note, "")


def void(body: object) -> Void:
    return reading_parts.void(body)


@contextmanager
def pointing_from(place: str) -> Iterator[None]:
    """Violations under `place` point from there on: the call carries what the service knows as part of a list."""
    try:
        yield
    except Refused as refused:
        moved = (Violation(v.code, v.detail, v.pointer.removeprefix(place)) for v in refused.violations)
        raise Refused(moved) from None


def _bets(currency: Currency, number: int | None = None) -> Reader[BoxFacts]:
    amount = money(currency)

    def read(value: object) -> BoxFacts:
        with reading(value) as sent:
            return BoxFacts(
                box=sent.required("box", integer()) if number is None else number,
                player=sent.required("player", texts.player),
                ante=sent.required("ante", amount),
                trips=sent.optional("trips", amount, 0),
                progressive=sent.optional("progressive", amount, 0),
            )

    return read


def _choice(value: object) -> Choice:
    with reading(value) as sent:
        box = sent.required("box", integer())
        action = sent.required("action", choice(Action))
        multiplier = reading_parts.multiplier(sent, action)
    return Choice(box, action, multiplier)
