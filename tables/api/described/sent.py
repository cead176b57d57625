"""What clients send, as JSON Schemas: the counterparts of `reading_parts`, `reading_rounds` and `reading_steps`."""

from jackpot.http.schemas import CODE, Schema, integer, listed, one_of, ref, said, sent, text
from tables.api.reading_rounds import LONGEST_EXTERNAL_ID, MOST_ROUNDS
from tables.api.reading_steps import MOST_BOXES
from tables.domain.cards import DECK
from tables.domain.facts import Action, Street, VoidReason
from tables.domain.rules import MAX_BOX_NUMBER
from tables.http.texts import LONGEST_NOTE, LONGEST_PLAYER

EXTERNAL_ID = text(LONGEST_EXTERNAL_ID)
PLAYER = text(LONGEST_PLAYER)
_NOTE = text(LONGEST_NOTE, lines=True, empty=True)
_CARDS = listed(ref("CardSent"), most=len(DECK))
_BETS = {"player": PLAYER, "ante": ref("MoneySent")}
_SIDE_BETS = {"trips": ref("MoneySent"), "progressive": ref("MoneySent")}


def _deciding(place: dict[str, Schema], *others: Action) -> Schema:
    """A decision with these fields: a Play names its multiplier, the other actions have none."""
    play = sent({**place, "action": {"const": Action.PLAY.value}, "multiplier": integer(0)})
    return {"oneOf": [play, sent({**place, "action": one_of(others)}, {"multiplier": {"type": "null"}})]}


def _by_box() -> Schema:
    """Cards by the number of their box."""
    return {
        "type": "object",
        "patternProperties": {"^[1-9][0-9]{0,8}$": _CARDS},
        "additionalProperties": False,
        "maxProperties": MAX_BOX_NUMBER,
        "examples": [{"1": ["As", "Ks"]}],
    }


SENT: dict[str, Schema] = {
    "CardSent": {
        "type": "string",
        "pattern": "^([2-9TJQKAtjqka]|10)([shdcSHDC]|[\u2660\u2665\u2666\u2663]\ufe0f?)$",
        "description": "Rank and suit: `As`, `as`, `AS`, `Th`, `10h` or `A♠`.",
        "examples": ["As"],
    },
    "DecisionSent": _deciding({"street": one_of(Street)}, Action.FOLD)
    | {"description": "How a box's decisions ended. Left out: automatic checks and an automatic fold."},
    "VoidSent": sent({"reason": one_of(VoidReason)}, {"note": _NOTE}),
    "BoxSent": sent(
        {"box": integer(), **_BETS},
        {
            "blind": said(ref("MoneySent"), "Equals the Ante, also where it is left out."),
            **_SIDE_BETS,
            "cards": said(_CARDS, "The box's own pair; none where the table shares `player_cards`."),
            "decision": ref("DecisionSent"),
            "void": said(one_of(VoidReason), "Why this box alone is dead."),
        },
    ),
    "RoundSent": sent(
        {
            "table": CODE,
            "external_id": said(EXTERNAL_ID, "Identifies the round for ever within its integrator."),
            "started_at": ref("TimeSent"),
            "completed_at": ref("TimeSent"),
            "boxes": listed(ref("BoxSent"), most=MAX_BOX_NUMBER),
        },
        {
            "locked_at": said(ref("TimeSent"), "When betting closed; `started_at` where it is left out."),
            "flop": _CARDS,
            "turn": ref("CardSent"),
            "river": ref("CardSent"),
            "dealer": _CARDS,
            "player_cards": said(_CARDS, "The one pair of a table whose boxes share it."),
            "void": said(ref("VoidSent"), "Why the whole round is void: its stakes are returned."),
        },
    ),
    "BatchSent": sent({"rounds": said(listed({}, most=MOST_ROUNDS), "Each as `RoundSent`, and taken for itself.")}),
    "OpeningSent": sent({}, {"external_id": EXTERNAL_ID}),
    "NothingSent": sent(),
    "BetsSent": sent(_BETS, _SIDE_BETS),
    "BoxesSent": sent({"boxes": listed(sent({"box": integer(), **_BETS}, _SIDE_BETS), least=1, most=MOST_BOXES)}),
    "DealSent": {
        "oneOf": [
            sent({"cards": _by_box()}, {"player_cards": {"type": "null"}}),
            sent({"player_cards": _CARDS}, {"cards": {"type": "null"}}),
        ],
        "description": "Each box's own cards by its number, or the pair that all boxes share.",
    },
    "ChoiceSent": _deciding({"box": integer()}, Action.CHECK, Action.FOLD),
    "DecisionsSent": {
        "oneOf": [ref("ChoiceSent"), sent({"decisions": listed(ref("ChoiceSent"), least=1, most=MOST_BOXES)})],
        "description": "One decision, or several.",
    },
    "FlopSent": sent({"cards": _CARDS}),
    "RiverSent": sent({"turn": ref("CardSent"), "river": ref("CardSent")}),
    "ShowdownSent": sent({}, {"dealer": _CARDS}),
    "NoteSent": sent({}, {"note": _NOTE}),
}
