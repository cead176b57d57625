"""How the calls of jackpots and awards are described: `config.description` makes the OpenAPI document of it."""

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind
from jackpot.http.calls import PAGED, Answer, Call
from jackpot.http.schemas import CODE, Schema, integer, listed, nullable, one_of, page_of, ref, said, shown, text
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot

_JACKPOT = {"code": said(CODE | {"examples": ["MAIN"]}, "The code of the jackpot.")}
_AWARD = {"award_id": ref("Uuid")}
_SEQ = integer(0, None)
_POLICY = {"type": "string", "pattern": r"^[\w-]{1,32}@[1-9][0-9]*$", "examples": ["MAIN@1"]}
_NAME: Schema = {"type": "string", "maxLength": 100}

SCHEMAS: dict[str, Schema] = {
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
            "policy": said(_POLICY, "The policy version in force."),
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
    "Award": shown(
        {
            "id": ref("Uuid"),
            "kind": said(one_of(Award.Kind.values), "A hit of a meter, or an Envy that another player's hit brought."),
            "jackpot": CODE,
            "round": ref("Uuid"),
            "table": CODE,
            "box": integer(),
            "player": {"type": "string", "maxLength": 64},
            "hand": said({"type": "string", "maxLength": 16}, "The hand that made it."),
            "level": said(nullable(CODE), "Of a hit."),
            "currency": ref("Currency"),
            "amount": ref("Money"),
            "meter_before": said(nullable(ref("Money")), "Of a hit: what the sign showed just before."),
            "meter_after": said(nullable(ref("Money")), "Of a hit: what was left just after."),
            "reset_to": said(nullable(ref("Money")), "Of a hit: where the meter started again; null without a reset."),
            "seq": said(nullable(integer(1, None)), "Of a hit: its row in the meter's statement."),
            "hit": said(nullable(ref("Uuid")), "Of an Envy: the hit that brought it."),
            "from_box": said(nullable(integer()), "Of an Envy: the box that made the hit."),
            "policy": _POLICY,
            "late": {"type": "boolean"},
            "hit_at": ref("Time"),
            "state": one_of(Award.State.values),
        }
    ),
    "JackpotPage": page_of("Jackpot"),
    "StatementPage": page_of("StatementRow"),
    "AwardPage": page_of("Award"),
}

_SINCE: dict[str, Schema] = {
    "day": said(ref("Day"), "Only of this gaming day."),
    "from": said(ref("TimeSent"), "Only from this instant on."),
    "to": said(ref("TimeSent"), "Only before this instant."),
}

CALLS: dict[str, Call] = {
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
        path=_JACKPOT,
        answers={200: Answer(says="The jackpot.", schema=ref("Jackpot"))},
    ),
    "GET /jackpots/{code}/statement/": Call(
        id="readStatement",
        tag="Jackpots",
        summary="Statement of a jackpot",
        says="Every change of the jackpot's pots, newest first. Rows that others caused show kind, amounts and time,"
        " with source and table null; a filter by table finds own rows only.",
        path=_JACKPOT,
        query={
            "level": CODE,
            "pot": one_of(Pot),
            "kind": one_of(Kind),
            "table": CODE,
            **_SINCE,
            **PAGED,
        },
        refusals=["invalid_time"],
        answers={200: Answer(says="A page of rows.", schema=ref("StatementPage"))},
    ),
    "GET /awards/": Call(
        id="listAwards",
        tag="Awards",
        summary="Awards",
        says="Hits and Envy of the caller's rounds, newest first.",
        query={
            "jackpot": CODE,
            "round": ref("UuidSent"),
            "table": CODE,
            "site": CODE,
            "kind": one_of(Award.Kind.values),
            "state": one_of(Award.State.values),
            "player": text(64),
            "hand": text(16),
            **_SINCE,
            **PAGED,
        },
        refusals=["invalid_time"],
        answers={200: Answer(says="A page of awards.", schema=ref("AwardPage"))},
    ),
    "GET /awards/{award_id}/": Call(
        id="readAward",
        tag="Awards",
        summary="One award",
        says="A hit or an Envy as it stands.",
        path=_AWARD,
        answers={200: Answer(says="The award.", schema=ref("Award"))},
    ),
}
