"""The calls of rounds that are sent whole, and of all rounds as they stand."""

from typing import Any

from jackpot.http.calls import PAGED, Answer, Call, of_status
from jackpot.http.schemas import CODE, Schema, one_of, ref, said, text
from tables.api.described import examples
from tables.api.described.sent import EXTERNAL_ID, PLAYER
from tables.api.waiting import LONGEST_SECONDS
from tables.domain.hands import HandName
from tables.domain.round_state import Phase

ROUND_ID: dict[str, Schema] = {"round_id": ref("Uuid")}
_RULES = ["idempotency_conflict", "in_progress", *of_status(422)]
_PREFER: dict[str, Schema] = {
    "Prefer": {
        "type": "string",
        "description": f"`wait=N`: answer once settled, at most after N (up to {LONGEST_SECONDS}) seconds.",
        "examples": [f"wait={LONGEST_SECONDS}"],
    }
}

_SETTLED: dict[str, Any] = {
    "id": "01939a3c-7b10-7c44-8f5e-2f0a9c1d7e01",
    "external_id": "gs-000123",
    "table": "UTH-01",
    "site": "DEMO",
    "game_number": "UTH-01-20261129-142233-1",
    "currency": "USD",
    "mode": "live",
    "phase": "settled",
    "version": 1,
    "rule_set": "casino-progressive@1",
    "jackpot_policy": "MAIN@1",
    "started_at": "2026-11-29T14:22:33Z",
    "locked_at": "2026-11-29T14:22:58Z",
    "completed_at": "2026-11-29T14:24:10Z",
    "gaming_day": "2026-11-29",
    "late": False,
    "boxes": [
        {
            "box": 1, "player": "P-17", "cards": ["As", "Ks"], "ante": "5.00", "blind": "5.00", "play": "20.00",
            "trips": "5.00", "progressive": "1.00",
            "decision": {"action": "play", "street": "preflop", "multiplier": 4, "automatic": False}, "void": None,
        },
        {
            "box": 2, "player": "P-18", "cards": ["2c", "7d"], "ante": "5.00", "blind": "5.00", "play": "0.00",
            "trips": "0.00", "progressive": "1.00",
            "decision": {"action": "fold", "street": "river", "multiplier": None, "automatic": False}, "void": None,
        },
    ],
    "flop": ["Qs", "Js", "Ts"],
    "turn": "3c",
    "river": "7h",
    "dealer": ["2d", "2h"],
    "events": [{"kind": "received", "at": "2026-11-29T14:24:10.512000Z", "data": {}}],
    "settlement": examples.SETTLEMENT,
    "problem": None,
}  # fmt: skip
SETTLED = {"settled": _SETTLED}
"""The contract's round and settlement, as they are read."""

WHOLE_ROUNDS: dict[str, Call] = {
    "GET /rounds/": Call(
        id="listRounds",
        tag="Rounds",
        summary="Rounds",
        says="The caller's rounds as they stand, newest first.",
        query={
            "table": CODE,
            "site": CODE,
            "phase": one_of(Phase),
            "day": said(ref("Day"), "Only of this gaming day."),
            "player": said(PLAYER, "Only rounds in which this player has a box."),
            "hand": said(one_of(HandName), "Only rounds in which a box made this hand."),
            "external_id": EXTERNAL_ID,
            "game_number": text(60),
            "from": said(ref("TimeSent"), "Only rounds that started at this instant or later."),
            "to": said(ref("TimeSent"), "Only rounds that started before this instant."),
            **PAGED,
        },
        refusals=["invalid_time"],
        answers={200: Answer(says="A page of rounds.", schema=ref("RoundPage"))},
    ),
    "POST /rounds/": Call(
        id="sendRound",
        tag="Rounds",
        summary="Send a whole round",
        says="A worker settles the round within moments. The same content again is answered with the round as it"
        " stands, with other content `idempotency_conflict`.",
        headers=_PREFER,
        body=ref("RoundSent"),
        examples={"contract": examples.ROUND},
        refusals=_RULES,
        answers={
            200: Answer(
                says="Settled: only to a client that waits.",
                schema=ref("Round"),
                examples=SETTLED,
                located=True,
                replayable=True,
            ),
            202: Answer(says="Taken, now or before.", schema=ref("Round"), located=True, replayable=True),
        },
    ),
    "POST /rounds/batch/": Call(
        id="sendRounds",
        tag="Rounds",
        summary="Send many whole rounds",
        says="Each round is taken or refused for itself, in the order sent.",
        body=ref("BatchSent"),
        examples={
            "contract": {"rounds": [examples.ROUND, examples.ROUND | {"external_id": "gs-000124", "turn": "7h"}]}
        },
        answers={200: Answer(says="One result for each round.", schema=ref("BatchResults"))},
    ),
    "GET /rounds/{round_id}/": Call(
        id="readRound",
        tag="Rounds",
        summary="One round",
        says="Everything that is known of the round, with its settlement once it is settled.",
        path=ROUND_ID,
        refusals=["method_not_allowed"],  # /rounds/batch/ is an address of its own
        answers={200: Answer(says="The round.", schema=ref("Round"), examples=SETTLED)},
    ),
    "GET /rounds/{round_id}/boxes/": Call(
        id="listBoxes",
        tag="Rounds",
        summary="Boxes of a round",
        says="By ascending number, each with its part of the settlement.",
        path=ROUND_ID,
        query=PAGED,
        answers={200: Answer(says="A page of boxes.", schema=ref("BoxPage"))},
    ),
}
