"""A box as it was played: stakes, cards, decision. The result is `showing_settlements`' business."""

from jackpot.money import Currency, show
from tables.models.rounds import Box
from tables.selectors.loading import cards_in


def show_box(box: Box, currency: Currency) -> dict[str, object]:
    """The facts of a box. `decision` is null until it has decided, `void` unless the box alone is void."""
    cards = cards_in(box.cards)
    return {
        "box": box.box,
        "player": box.player,
        "cards": list(cards) if cards else None,
        "ante": show(box.ante, currency),
        "blind": show(box.ante, currency),
        "play": show(play_of(box), currency),
        "trips": show(box.trips, currency),
        "progressive": show(box.progressive, currency),
        "decision": _decision(box),
        "void": {"reason": box.void_reason, "note": box.void_note} if box.void_reason else None,
    }


def play_of(box: Box) -> int:
    """The Play stake in ledger units."""
    return box.ante * box.multiplier


def _decision(box: Box) -> dict[str, object] | None:
    """The decision that stands; before it the last check."""
    if box.action:
        return {
            "action": box.action,
            "street": box.street,
            "multiplier": box.multiplier or None,
            "automatic": box.automatic,
        }
    if box.checked:
        return {"action": "check", "street": box.checked, "multiplier": None, "automatic": False}
    return None
