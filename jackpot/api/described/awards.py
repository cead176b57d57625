"""Awards: hits and Envy."""

from jackpot.api.described.jackpots import POLICY
from jackpot.domain.awards import State
from jackpot.http.calls import PAGED, PERIOD, Answer, Call
from jackpot.http.schemas import CODE, Schema, integer, listed, nullable, one_of, page_of, ref, said, shown, text
from jackpot.models.awards import Award

_AWARD = {"award_id": ref("Uuid")}
HAND = ref("Hand")
"""Whoever knows cards describes it."""

AWARD_SCHEMAS: dict[str, Schema] = {
    "Award": shown(
        {
            "id": ref("Uuid"),
            "kind": said(one_of(Award.Kind.values), "A hit of a meter, or an Envy that another player's hit brought."),
            "jackpot": CODE,
            "round": ref("Uuid"),
            "table": CODE,
            "box": integer(),
            "player": {"type": "string", "maxLength": 64},
            "hand": said(HAND, "The hand that made it."),
            "level": said(nullable(CODE), "Of a hit."),
            "currency": ref("Currency"),
            "amount": ref("Money"),
            "meter_before": said(nullable(ref("Money")), "Of a hit: what the sign showed just before."),
            "meter_after": said(nullable(ref("Money")), "Of a hit: what was left just after."),
            "reset_to": said(nullable(ref("Money")), "Of a hit: where the meter started again; null without a reset."),
            "seq": said(nullable(integer(1, None)), "Of a hit: its row in the meter's statement."),
            "hit": said(nullable(ref("Uuid")), "Of an Envy: the hit that brought it."),
            "from_box": said(nullable(integer()), "Of an Envy: the box that made the hit."),
            "difference_of": said(
                nullable(ref("Uuid")), "After a correction: the paid award whose round owes this much more."
            ),
            "policy": POLICY,
            "late": {"type": "boolean"},
            "hit_at": ref("Time"),
            "state": one_of(State),
            "moves": said(listed(ref("AwardMove")), "What was done to it, in order."),
        }
    ),
    "AwardPage": page_of("Award"),
}

AWARD_CALLS: dict[str, Call] = {
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
            "state": one_of(State),
            "player": text(64),
            "hand": HAND,
            **PERIOD,
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
