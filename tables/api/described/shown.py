"""What the service shows of tables and rounds, as JSON Schemas: the counterparts of `showing_rounds` and others."""

from collections.abc import Iterable

from jackpot.http.schemas import CODE, Schema, integer, listed, nullable, one_of, page_of, ref, said, shown
from tables.domain.cards import DECK
from tables.domain.facts import Action, Street, VoidReason
from tables.domain.hands import HandName
from tables.domain.results import Outcome, WagerKind
from tables.domain.round_state import Phase
from tables.models.tables import Table
from tables.selectors.on_show import MOST_BOXES
from tables.services.settlement import NOT_SETTLED
from tables.services.voiding import SECOND_PERSON

_BOX = integer()
_PLAYER: Schema = {"type": "string", "maxLength": 64}
_TEXT: Schema = {"type": "string", "maxLength": 200}
_NAME: Schema = {"type": "string", "maxLength": 100}
_CARDS = nullable(listed(ref("Card"), most=len(DECK)))
_VERSION: Schema = {"type": "string", "pattern": r"^[\w-]{1,32}@[1-9][0-9]*$", "examples": ["casino-progressive@1"]}
_FLAG: Schema = {"type": "boolean"}
_PROBLEMS = [NOT_SETTLED, SECOND_PERSON["code"]]
_WIDE = f"Left out above {MOST_BOXES} boxes: they have pages of their own."


def _if_many(item: Schema) -> Schema:
    """A list in an event, or how many items it has."""
    return {"oneOf": [listed(item, most=MOST_BOXES), integer(MOST_BOXES + 1, None)]}


def _event(kind: str, required: dict[str, Schema] | None = None, optional: dict[str, Schema] | None = None) -> Schema:
    return shown({"kind": {"const": kind}, "at": ref("Time"), "data": shown(required or {}, optional)})


def _wager(kinds: Iterable[WagerKind]) -> dict[str, Schema]:
    return {
        "kind": one_of(kinds),
        "stake": ref("Money"),
        "outcome": one_of(Outcome),
        "returned": ref("Money"),
        "net": ref("Net"),
    }


_STAKES = {"ante": ref("Money"), "trips": ref("Money"), "progressive": ref("Money")}
_VOIDED: dict[str, Schema] = {
    "reason": one_of(VoidReason),
    "note": _TEXT,
    "second_person": said(_FLAG, "Whether it waits for a supervisor."),
}
_CHOICE = shown(
    {"box": _BOX, "action": one_of(Action), "multiplier": nullable(integer(0))},
)
_EVENTS = [
    _event("received"),
    _event("opened"),
    _event("bets_placed", {"boxes": _if_many(shown({"box": _BOX, "player": _PLAYER, **_STAKES}))}),
    _event("bets_removed", {"box": _BOX}),
    _event("locked", {}, {"boxes": said({"const": 0}, "Nothing was bet: the round is void.")}),
    _event("dealt"),
    _event("decided", {"street": one_of(Street), "decisions": _if_many(_CHOICE)}),
    _event("flop", {"automatic_checks": _if_many(_BOX)}),
    _event("river", {"automatic_checks": _if_many(_BOX)}),
    _event("showdown", {"automatic_folds": _if_many(_BOX)}),
    _event("suspended", {"note": _TEXT}),
    _event("resumed", {"note": _TEXT}),
    _event("voided", _VOIDED),
    _event("box_voided", {"box": _BOX, **_VOIDED}),
    _event("failed", {"code": {"const": NOT_SETTLED}, "detail": {"type": "string"}}),
    _event("retried"),
    _event("void_confirmed", {"note": _TEXT}),
    _event("void_declined", {"note": _TEXT}),
    _event("corrected", {"version": integer(2, None), "reason": _NAME}),
]

_BOX_SHOWN: dict[str, Schema] = {
    "box": _BOX,
    "player": _PLAYER,
    "cards": _CARDS,
    "ante": ref("Money"),
    "blind": ref("Money"),
    "play": ref("Money"),
    "trips": ref("Money"),
    "progressive": ref("Money"),
    "decision": nullable(ref("Decision")),
    "void": nullable(shown({"reason": one_of(VoidReason), "note": _TEXT})),
}
_MONEY_OF_A_BOX = {"staked": ref("Money"), "returned": ref("Money"), "net": ref("Net")}

SHOWN: dict[str, Schema] = {
    "Card": {"type": "string", "pattern": "^[2-9TJQKA][shdc]$", "description": "Rank and suit.", "examples": ["As"]},
    "Hand": one_of(HandName),
    "Phase": one_of(Phase),
    "Decision": said(
        shown(
            {
                "action": one_of(Action),
                "street": one_of(Street),
                "multiplier": nullable(integer()),
                "automatic": said(_FLAG, "The box did not decide in time."),
            }
        ),
        "The decision that stands; before it the last check.",
    ),
    "Box": shown(_BOX_SHOWN),
    "Wager": {
        "oneOf": [
            shown(_wager(kind for kind in WagerKind if kind is not WagerKind.PROGRESSIVE), {"capped": {"const": True}}),
            shown(
                {
                    **_wager([WagerKind.PROGRESSIVE]),
                    "basis": said(nullable({"type": "string", "maxLength": 12}), "How the prize was reckoned."),
                },
                {"capped": {"const": True}},
            ),
        ],
        "description": "`returned` is all that is owed back for it, the stake included where it comes back."
        " `capped` stands where a payout limit bit.",
    },
    "BoxSettlement": shown(
        {
            "box": _BOX,
            "player": _PLAYER,
            "hand": nullable(ref("Hand")),
            "best": nullable(ref("BestFive")),
            "progressive_hand": nullable(ref("Hand")),
            "wagers": listed(ref("Wager"), most=len(WagerKind)),
            "envy": listed(shown({"from_box": nullable(_BOX), "hand": ref("Hand"), "amount": ref("Money")})),
            **_MONEY_OF_A_BOX,
        }
    ),
    "BestFive": said(
        listed(ref("Card"), least=5, most=5),
        "Ordered by rank, groups first, inside a group s h d c; in a five-high straight the ace comes last.",
    ),
    "Hit": shown(
        {
            "id": ref("Uuid"),
            "kind": {"const": "hit"},
            "box": _BOX,
            "hand": ref("Hand"),
            "level": nullable(CODE),
            "amount": ref("Money"),
            "meter_before": nullable(ref("Money")),
            "meter_after": nullable(ref("Money")),
            "reset_to": nullable(ref("Money")),
            "seq": nullable(integer(1, None)),
            "state": {"type": "string", "maxLength": 10},
        }
    ),
    "Settlement": shown(
        {
            "version": integer(),
            "settled_at": ref("Time"),
            "rule_set": nullable(_VERSION),
            "dealer": nullable(shown({"hand": ref("Hand"), "best": ref("BestFive"), "qualifies": _FLAG})),
            "awards": said(listed(ref("Hit")), "Hits; Envy stands under `GET /awards/?round=`."),
            "totals": ref("Totals"),
        },
        {"boxes": said(listed(ref("BoxSettlement"), most=MOST_BOXES), _WIDE)},
    ),
    "RoundEvent": {"oneOf": _EVENTS, "description": "A step in the round's life."},
    "RoundProblem": shown({"code": one_of(_PROBLEMS), "detail": {"type": "string"}}, {"box": _BOX}),
    "Round": shown(
        {
            "id": ref("Uuid"),
            "external_id": nullable(_NAME),
            "table": CODE,
            "site": CODE,
            "game_number": {"type": "string", "maxLength": 60},
            "currency": ref("Currency"),
            "mode": one_of(["live", "test"]),
            "phase": ref("Phase"),
            "version": said(integer(0), "Of the settlement in force; 0: none yet."),
            "rule_set": nullable(_VERSION),
            "jackpot_policy": nullable(_VERSION),
            "started_at": ref("Time"),
            "locked_at": nullable(ref("Time")),
            "completed_at": nullable(ref("Time")),
            "gaming_day": nullable(ref("Day")),
            "late": _FLAG,
            "flop": _CARDS,
            "turn": nullable(ref("Card")),
            "river": nullable(ref("Card")),
            "dealer": _CARDS,
            "events": listed(ref("RoundEvent")),
            "settlement": nullable(ref("Settlement")),
            "problem": said(nullable(ref("RoundProblem")), "Why the round is set aside as `failed`."),
        },
        {
            "boxes": said(listed(ref("Box"), most=MOST_BOXES), _WIDE),
            "player_cards": said(_CARDS, "The pair of a shared hand."),
        },
    ),
    "RoundTold": shown(
        {
            "round": ref("Uuid"),
            "external_id": nullable(_NAME),
            "table": CODE,
            "site": CODE,
            "game_number": {"type": "string", "maxLength": 60},
            "currency": ref("Currency"),
            "mode": one_of(["live", "test"]),
            "phase": ref("Phase"),
            "version": integer(0),
            "gaming_day": nullable(ref("Day")),
            "late": _FLAG,
            "problem": nullable(one_of(_PROBLEMS)),
            "totals": said(nullable(ref("Totals")), "Null while no settlement is in force."),
        }
    ),
    "Totals": said(
        shown({"staked": ref("Money"), "returned": ref("Money"), "envy": ref("Money")}), "`envy` is inside `returned`."
    ),
    "BoxInRound": shown({**_BOX_SHOWN, "settlement": nullable(ref("BoxSettlement"))}),
    "Step": shown(
        {"id": ref("Uuid"), "phase": ref("Phase")},
        {"box": _BOX, "deadline": said(ref("Time"), "When the running clock ends.")},
    ),
    "BatchItem": {
        "oneOf": [
            shown(
                {"index": integer(0), "status": {"const": 202}, "round": ref("Round")},
                {"replayed": said({"const": True}, "The same content was sent before.")},
            ),
            shown({"index": integer(0), "status": {"type": "integer", "minimum": 400}, "problem": ref("Problem")}),
        ]
    },
    "BatchResults": shown({"results": listed(ref("BatchItem"))}),
    "Table": shown(
        {
            "code": CODE,
            "name": _NAME,
            "site": CODE,
            "state": one_of(Table.State.values),
            "rule_set": said(_VERSION, "The version in force."),
            "jackpot": nullable(CODE),
            "open_round": nullable(ref("Uuid")),
        }
    ),
    "RoundPage": page_of("Round"),
    "BoxPage": page_of("BoxInRound"),
    "TablePage": page_of("Table"),
}
