"""Events: what the webhooks say, and how to catch up with it."""

from jackpot.api.described.awards import HAND
from jackpot.api.events import MOST_EVENTS
from jackpot.domain.awards import State
from jackpot.domain.events import EventType
from jackpot.http.calls import PAGED, Answer, Call
from jackpot.http.schemas import CODE, Schema, integer, nullable, one_of, page_of, ref, said, shown, text
from jackpot.models.awards import Award

_SEQ = integer(1, None)
_JACKPOT: dict[str, Schema] = {"jackpot": CODE, "currency": ref("Currency"), "mode": one_of(["live", "test"])}
_METER: dict[str, Schema] = {"meter_before": ref("Money"), "meter_after": ref("Money")}
_CAUSE: dict[str, Schema] = {
    "award": nullable(ref("Uuid")),
    "round": nullable(ref("Uuid")),
    "table": nullable(CODE),
    "box": nullable(integer()),
    "player": nullable({"type": "string", "maxLength": 64}),
}
_AWARDS = [kind for kind in EventType if kind.startswith("award.")]
_ROUNDS = [kind for kind in EventType if kind.startswith("round.")]


def _event(kinds: list[EventType], data: Schema) -> Schema:
    return shown(
        {
            "seq": said(_SEQ, "Without a gap for an integrator."),
            "id": ref("Uuid"),
            "type": one_of(kinds),
            "at": ref("Time"),
            "data": data,
        }
    )


EVENT_SCHEMAS: dict[str, Schema] = {
    "JackpotHit": shown(
        {
            **_JACKPOT,
            "level": CODE,
            "seq": _SEQ,
            "hand": HAND,
            "amount": ref("Money"),
            **_METER,
            "reset_to": nullable(ref("Money")),
            **_CAUSE,
        }
    ),
    "JackpotReset": shown({**_JACKPOT, "level": CODE, "seq": _SEQ, **_METER, **_CAUSE}),
    "EnvyAwarded": shown(
        {**_JACKPOT, "hit": ref("Uuid"), "hand": HAND, "from_box": integer(), "amount": ref("Money"), **_CAUSE}
    ),
    "AwardMoved": shown(
        {
            **_JACKPOT,
            "kind": one_of(Award.Kind.values),
            "hit": said(nullable(ref("Uuid")), "Of an Envy: the hit that brought it."),
            "hand": HAND,
            "amount": ref("Money"),
            "state": said(one_of(State), "Where the award stands now."),
            **_CAUSE,
        }
    ),
    "Event": {
        "oneOf": [
            _event(_ROUNDS, ref("RoundTold")),  # whoever knows rounds describes it
            _event([EventType.JACKPOT_HIT], ref("JackpotHit")),
            _event([EventType.JACKPOT_RESET], ref("JackpotReset")),
            _event([EventType.ENVY_AWARDED], ref("EnvyAwarded")),
            _event(_AWARDS, ref("AwardMoved")),
        ],
        "description": "Something that happened. Of what others caused award, round, table, box and player are null.",
    },
    "EventPage": page_of("Event"),
}

EVENT_CALLS: dict[str, Call] = {
    "GET /events/": Call(
        id="listEvents",
        tag="Events",
        summary="Events",
        says="Everything that the webhooks say, oldest first: the way to catch up. What a key does not see leaves gaps"
        " in its numbers.",
        query={
            "after": said(integer(0, MOST_EVENTS), "Only events behind this `seq`."),
            "integrator": said(text(100), "Whose events: needed from staff, not taken from keys."),
            **PAGED,
        },
        refusals=["missing_field"],
        answers={200: Answer(says="A page of events.", schema=ref("EventPage"))},
    ),
}
