"""Events: what the webhooks say, and how to catch up with it."""

from typing import Any

from jackpot.api.described.awards import HAND
from jackpot.api.events import MOST_EVENTS
from jackpot.domain.awards import State
from jackpot.domain.events import EventType
from jackpot.http.calls import JSON, PAGED, Answer, Call
from jackpot.http.schemas import CODE, Schema, integer, nullable, one_of, page_of, ref, said, shown, text
from jackpot.models.awards import Award

_SEQ = integer(1, None)
_JACKPOT: dict[str, Schema] = {"jackpot": CODE, "currency": ref("Currency"), "mode": one_of(["live", "test"])}
_BEGINS = said(one_of([State.PENDING, State.APPROVED, State.PAID]), "Where its award begins.")
_METER: dict[str, Schema] = {"meter_before": ref("Money"), "meter_after": ref("Money")}
_CAUSE: dict[str, Schema] = {
    "award": nullable(ref("Uuid")),
    "round": nullable(ref("Uuid")),
    "table": nullable(CODE),
    "box": nullable(integer()),
    "player": nullable({"type": "string", "maxLength": 64}),
}
_DATA: dict[str, list[EventType]] = {
    "RoundTold": [kind for kind in EventType if kind.startswith("round.")],  # whoever knows rounds describes it
    "JackpotHit": [EventType.JACKPOT_HIT],
    "JackpotReset": [EventType.JACKPOT_RESET],
    "EnvyAwarded": [EventType.ENVY_AWARDED],
    "DayClosed": [EventType.DAY_CLOSED],
    "AwardMoved": [kind for kind in EventType if kind.startswith("award.")],
}
"""What events say, by their types."""


def _events(**fields: Schema) -> Schema:
    """One of all events, with these fields beside its number, its type and what it says."""
    said_of_all = {"seq": said(_SEQ, "Without a gap for an integrator."), **fields}
    return {
        "oneOf": [shown({**said_of_all, "type": one_of(kinds), "data": ref(data)}) for data, kinds in _DATA.items()]
    }


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
            "state": _BEGINS,
            **_CAUSE,
        }
    ),
    "JackpotReset": shown({**_JACKPOT, "level": CODE, "seq": _SEQ, **_METER, **_CAUSE}),
    "EnvyAwarded": shown(
        {
            **_JACKPOT,
            "hit": ref("Uuid"),
            "hand": HAND,
            "from_box": integer(),
            "amount": ref("Money"),
            "state": _BEGINS,
            **_CAUSE,
        }
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
    "DayClosed": shown(
        {
            "site": CODE,
            "gaming_day": ref("Day"),
            "mode": one_of(["live", "test"]),
            "rounds_open": said(integer(0), "Own rounds that began by then and are not settled."),
            "rounds_late": said(integer(0), "Of these what was complete: it will be entered late, under an open day."),
        }
    ),
    "Event": _events(id=ref("Uuid"), at=ref("Time"))
    | {"description": "Something that happened. Of what others caused award, round, table, box and player are null."},
    "WebhookEvent": _events(timestamp=ref("Time")) | {"description": "An event as a webhook says it."},
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

_SIGNED = {
    "webhook-id": ref("Uuid"),
    "webhook-timestamp": {"type": "string", "pattern": "^[0-9]+$", "description": "Of this attempt, in seconds."},
    "webhook-signature": {
        "type": "string",
        "description": "`v1,` and the signature in base64; one for each live secret, with blanks between.",
    },
}
WEBHOOKS: dict[str, dict[str, Any]] = {
    "event": {
        "post": {
            "operationId": "receiveEvent",
            "tags": ["Events"],
            "summary": "An event happened",
            "description": "What an endpoint of an integrator is sent, signed as Standard Webhooks say, at least once"
            " and until it answers 2xx: verify the signature, know the id again, answer, then work.",
            "parameters": [
                {"in": "header", "name": name, "required": True, "schema": schema} for name, schema in _SIGNED.items()
            ],
            "requestBody": {"required": True, "content": {JSON: {"schema": ref("WebhookEvent")}}},
            "responses": {"2XX": {"description": "The receiver has it."}},
        }
    }
}
"""What the service itself sends."""
