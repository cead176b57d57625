"""Jackpots and their statement."""

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind
from jackpot.http.calls import PAGED, PERIOD, Answer, Call
from jackpot.http.schemas import CODE, Schema, integer, listed, nullable, one_of, page_of, ref, said, shown
from jackpot.models.jackpots import Jackpot

JACKPOT_PATH = {"code": said(CODE | {"examples": ["MAIN"]}, "The code of the jackpot.")}
_SEQ = integer(0, None)
POLICY = {"type": "string", "pattern": r"^[\w-]{1,32}@[1-9][0-9]*$", "examples": ["MAIN@1"]}
_NAME: Schema = {"type": "string", "maxLength": 100}

JACKPOT_SCHEMAS: dict[str, Schema] = {
    "Level": shown(
        {
            "level": CODE,
            "displayed": said(ref("Money"), "What the sign shows: whole minor units, rounded down."),
            "exact": ref("ExactMoney"),
            "base": said(ref("Money"), "Where the meter starts again after a hit."),
            "limit": nullable(ref("Money")),
            "reserve": said(ref("ExactMoney"), "Contributed towards the next base."),
            "overflow": said(ref("ExactMoney"), "Contributed above the limit."),
            "seq": said(_SEQ, "The meter's last statement row."),
            "as_of": nullable(ref("Time")),
            "last_hit": nullable(ref("Time")),
        }
    ),
    "Jackpot": shown(
        {
            "code": CODE,
            "name": _NAME,
            "currency": ref("Currency"),
            "state": one_of(Jackpot.State.values),
            "policy": said(POLICY, "The policy version in force."),
            "levels": listed(ref("Level")),
            "pending_hits": said(integer(0, None), "How many hits wait for approval."),
        }
    ),
    "StatementRow": shown(
        {
            "seq": said(integer(1, None), "Without a gap per level and pot."),
            "level": CODE,
            "pot": one_of(Pot),
            "kind": one_of(Kind),
            "amount": said(ref("ExactMoney"), "`after` = `before` + `amount`."),
            "before": ref("ExactMoney"),
            "after": ref("ExactMoney"),
            "reason": nullable({"type": "string", "maxLength": 200}),
            "source": said(nullable({"type": "string", "maxLength": 100}), "What caused it; null where others did."),
            "table": said(nullable(CODE), "Null where others caused it."),
            "event_at": ref("Time"),
            "posted_at": ref("Time"),
            "gaming_day": ref("Day"),
        }
    ),
    "JackpotPage": page_of("Jackpot"),
    "StatementPage": page_of("StatementRow"),
}

JACKPOT_CALLS: dict[str, Call] = {
    "GET /jackpots/": Call(
        id="listJackpots",
        tag="Jackpots",
        summary="Jackpots",
        says="The jackpots to which a table of the key's sites is linked, each with its levels.",
        query=PAGED,
        answers={200: Answer(says="A page of jackpots.", schema=ref("JackpotPage"))},
    ),
    "GET /jackpots/{code}/": Call(
        id="readJackpot",
        tag="Jackpots",
        summary="One jackpot",
        says="How its meters stand, and how many hits wait for approval.",
        path=JACKPOT_PATH,
        answers={200: Answer(says="The jackpot.", schema=ref("Jackpot"))},
    ),
    "GET /jackpots/{code}/statement/": Call(
        id="readStatement",
        tag="Jackpots",
        summary="Statement of a jackpot",
        says="Every change of the jackpot's pots, newest first. Rows that others caused show kind, amounts and time,"
        " with source and table null; a filter by table finds own rows only.",
        path=JACKPOT_PATH,
        query={
            "level": CODE,
            "pot": one_of(Pot),
            "kind": one_of(Kind),
            "table": CODE,
            **PERIOD,
            **PAGED,
        },
        refusals=["invalid_time"],
        answers={200: Answer(says="A page of rows.", schema=ref("StatementPage"))},
    ),
}
