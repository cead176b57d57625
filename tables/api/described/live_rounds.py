"""The calls of live rounds, step by step."""

from collections.abc import Iterable, Mapping

from jackpot.http.calls import Answer, Call
from jackpot.http.schemas import CODE, Schema, integer, ref, said
from tables.api.described.whole_rounds import ROUND_ID

_BOX = {**ROUND_ID, "box": said(integer(0), "The number of the box.") | {"examples": [1]}}
_TABLE = {"code": said(CODE | {"examples": ["UTH-01"]}, "The code of the table.")}
_STANDING = ["player_required", "ante_required", "bet_limit", "no_progressive", "wrong_progressive_stake"]
_BETS = [*_STANDING, "unknown_box", "box_taken", "too_many_boxes", "amount_too_large"]
_CARDS = ["wrong_card_count", "duplicate_card"]
_ANSWERS = {
    200: Answer(says="The step is taken, now or before.", schema=ref("Step")),
    202: Answer(says="The round waits as `failed` for a supervisor, who decides its void.", schema=ref("Step")),
}


def _step(
    name: str,
    says: str,
    body: str | None,
    *,
    summary: str,
    refusals: Iterable[str],
    example: object = None,
    path: Mapping[str, Schema] = ROUND_ID,
    required: bool = True,
) -> Call:
    return Call(
        id=name,
        tag="Live rounds",
        summary=summary,
        says=f"{says} Repeated with equal content it is answered again.",
        path=path,
        body=None if body is None else ref(body),
        body_required=required,
        examples={} if example is None else {"example": example},
        refusals=["wrong_phase", "step_conflict", *refusals],
        answers=_ANSWERS,
    )


LIVE_ROUNDS: dict[str, Call] = {
    "POST /tables/{code}/rounds/": Call(
        id="openRound",
        tag="Live rounds",
        summary="Open a round",
        says="Betting is open; a table has one open round.",
        path=_TABLE,
        body=ref("OpeningSent"),
        body_required=False,
        examples={"example": {"external_id": "live-000124"}},
        refusals=["round_open", "table_suspended", "idempotency_conflict", "in_progress"],
        answers={
            201: Answer(says="The round is open.", schema=ref("Round"), located=True),
            200: Answer(says="It was opened before.", schema=ref("Round"), located=True, replayable=True),
        },
    ),
    "PUT /rounds/{round_id}/boxes/": _step(
        "placeBets",
        "Several boxes' bets; each replaces what its box had.",
        "BoxesSent",
        summary="Bet on several boxes",
        refusals=[*_BETS, "time_expired"],
        example={"boxes": [{"box": 2, "player": "P-18", "ante": "5.00", "progressive": "1.00"}]},
    ),
    "PUT /rounds/{round_id}/boxes/{box}/": _step(
        "placeBet",
        "The box's bets; they replace what it had: to double, undo or repeat, send all of them.",
        "BetsSent",
        summary="Bet on a box",
        path=_BOX,
        refusals=[*_BETS, "time_expired"],
        example={"player": "P-17", "ante": "5.00", "trips": "5.00", "progressive": "1.00"},
    ),
    "DELETE /rounds/{round_id}/boxes/{box}/": _step(
        "removeBet",
        "The box leaves the round.",
        None,
        summary="Take a box's bets back",
        path=_BOX,
        refusals=["unknown_box", "time_expired"],
    ),
    "POST /rounds/{round_id}/lock/": _step(
        "lockRound",
        "Betting is closed and the contributions to the jackpot accrue; without boxes the round is void. Bets that were"
        " taken under rules that changed meanwhile are refused here.",
        "NothingSent",
        summary="Close betting",
        required=False,
        refusals=_STANDING,
        example={},
    ),
    "POST /rounds/{round_id}/deal/": _step(
        "dealCards",
        "The players' cards.",
        "DealSent",
        summary="Deal",
        refusals=[*_CARDS, "unknown_box"],
        example={"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}},
    ),
    "POST /rounds/{round_id}/decisions/": _step(
        "decide",
        "Decisions on the street that is played.",
        "DecisionsSent",
        summary="Decide",
        refusals=["unknown_box", "wrong_multiple", "wrong_street", "time_expired"],
        example={"box": 1, "action": "play", "multiplier": 4},
    ),
    "POST /rounds/{round_id}/flop/": _step(
        "dealFlop",
        "The flop closes the decisions before it: who has not decided has checked.",
        "FlopSent",
        summary="Deal the flop",
        refusals=_CARDS,
        example={"cards": ["Qs", "Js", "Ts"]},
    ),
    "POST /rounds/{round_id}/river/": _step(
        "dealRiver",
        "Turn and river close the decisions on the flop.",
        "RiverSent",
        summary="Deal turn and river",
        refusals=_CARDS,
        example={"turn": "3c", "river": "7h"},
    ),
    "POST /rounds/{round_id}/showdown/": _step(
        "showDown",
        "The round is complete and a worker settles it. The dealer's cards may be missing where no live wager needs"
        " them.",
        "ShowdownSent",
        summary="Show down",
        required=False,
        refusals=_CARDS,
        example={"dealer": ["2d", "2h"]},
    ),
    "POST /rounds/{round_id}/suspend/": _step(
        "suspendRound",
        "The round stands still, and so does its clock.",
        "NoteSent",
        summary="Suspend",
        required=False,
        refusals=[],
        example={"note": "shoe changed"},
    ),
    "POST /rounds/{round_id}/resume/": _step(
        "resumeRound",
        "The round goes on where it was suspended.",
        "NoteSent",
        summary="Resume",
        required=False,
        refusals=[],
        example={"note": "shoe checked"},
    ),
    "POST /rounds/{round_id}/void/": _step(
        "voidRound",
        "All stakes are returned.",
        "VoidSent",
        summary="Void a round",
        refusals=["already_settled"],
        example={"reason": "card_exposed_board", "note": "burn card shown"},
    ),
    "POST /rounds/{round_id}/boxes/{box}/void/": _step(
        "voidBox",
        "This box's stakes are returned.",
        "VoidSent",
        summary="Void a box",
        path=_BOX,
        refusals=["already_settled", "unknown_box"],
        example={"reason": "wrong_bet"},
    ),
}
