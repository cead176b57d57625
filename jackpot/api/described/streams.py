"""The stream of a jackpot. OpenAPI before 3.2 takes a stream's schema for that of each of its events."""

from jackpot.api.described.awards import HAND
from jackpot.api.described.jackpots import JACKPOT_PATH
from jackpot.http.calls import JSON, Answer, Call
from jackpot.http.event_stream import CONTENT_TYPE
from jackpot.http.schemas import CODE, Schema, integer, nullable, one_of, ref, said, shown

_SEQ = integer(0, None)
_LEVEL: dict[str, Schema] = {"jackpot": CODE, "level": CODE, "currency": ref("Currency")}
_PLACE: Schema = {"type": "string", "pattern": r"^[-a-zA-Z0-9_]{1,32}:(0|[1-9][0-9]*)(\.[1-9][0-9]*)?$"}


def _event(name: str, data: str, *, placed: bool = True) -> Schema:
    told = {"type": "string", "contentMediaType": JSON, "contentSchema": ref(data)}
    return shown(
        {**({"id": _PLACE} if placed else {}), "event": {"const": name}, "data": told}, {"retry": {"type": "integer"}}
    )


STREAM_SCHEMAS: dict[str, Schema] = {
    "SourceTold": shown(
        {
            "jackpot": CODE,
            "lost": said({"type": "boolean"}, "The service does not hear of changes at the moment."),
            "since": ref("Time"),
        }
    ),
    "MeterTold": shown(
        {
            **_LEVEL,
            "displayed": ref("Money"),
            "exact": ref("ExactMoney"),
            "base": ref("Money"),
            "seq": _SEQ,
            "as_of": nullable(ref("Time")),
        }
    ),
    "HitTold": shown(
        {
            **_LEVEL,
            "hand": HAND,
            "amount": ref("Money"),
            "meter_before": ref("Money"),
            "meter_after": ref("Money"),
            "seq": _SEQ,
            "awards": said(integer(), "Among how many awards the hit was split."),
            "state": one_of(["pending", "paid"]),
            "hit_at": ref("Time"),
            "as_of": ref("Time"),
        }
    ),
    "ResetTold": shown({**_LEVEL, "to": ref("Money"), "seq": _SEQ, "at": ref("Time")}),
    "StreamEvent": {
        "oneOf": [
            _event("source", "SourceTold", placed=False),
            _event("meter", "MeterTold"),
            _event("hit", "HitTold"),
            _event("reset", "ResetTold"),
        ]
    },
}

STREAM_CALLS: dict[str, Call] = {
    "GET /jackpots/{code}/stream/": Call(
        id="followJackpot",
        tag="Jackpots",
        summary="Follow a jackpot",
        says="Server-sent events until the client goes: `source` (whether the service is up to date itself), `meter`"
        " (the newest value, at most five times a second), `hit` and `reset`; a comment now and then says that it"
        " lives. Values are those of the statement.",
        path=JACKPOT_PATH,
        headers={
            "Last-Event-ID": {
                "type": "string",
                "pattern": r"^([-a-zA-Z0-9_]{1,32}:(0|[1-9][0-9]{0,17})(\.[1-9][0-9]{0,8})?)?$",
                "description": "The id of the last event that arrived: every `hit` and `reset` since comes first, then"
                " the current meters.",
            }
        },
        answers={200: Answer(says="The stream.", media_types={CONTENT_TYPE: ref("StreamEvent")})},
    ),
}
