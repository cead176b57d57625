"""Server-sent events: what a jackpot's followers are told, as it is written on the wire, and the ids they resume by."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from jackpot.domain.errors import refuse
from jackpot.http.showing import shown_time
from jackpot.live.following import Source, Told
from jackpot.money import Currency, displayed, show, show_exact
from jackpot.selectors.live import ALL, Hit, Meter, Place, Reset

CONTENT_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
HEARTBEAT_SECONDS = 15.0
RETRY_MILLISECONDS = 2_000
RETRY = f"retry: {RETRY_MILLISECONDS}\n\n".encode()
HEARTBEAT = b": still here\n\n"

_ID = re.compile(r"(?P<code>[-a-zA-Z0-9_]{1,32}):(?P<link>0|[1-9][0-9]{0,17})(?:\.(?P<n>[1-9][0-9]{0,8}))?")


class EventStream(BaseRenderer):
    """Stands for the one format of a stream when a client's Accept is looked at."""

    media_type = CONTENT_TYPE
    format = "event-stream"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b""


def resumed_after(request: Request, code: str) -> Place | None:
    """The place that `Last-Event-ID` names. Raises Refused (invalid_value) where it is no id of this stream."""
    sent = request.headers.get("Last-Event-ID", "")
    if not sent:
        return None
    found = _ID.fullmatch(sent)
    if found is None or found["code"] != code:
        raise refuse(
            "invalid_value", f'Last-Event-ID is no id of this stream: they look like "{code}:17" or "{code}:17.1"'
        )
    return Place(int(found["link"]), int(found["n"] or ALL))


def event_id(code: str, place: Place) -> str:
    """A place as the id of an event."""
    return f"{code}:{place.link}" if place.n == ALL else f"{code}:{place.link}.{place.n}"


@dataclass(frozen=True, slots=True)
class Wire:
    """A jackpot's news as callers of the API are told them."""

    code: str
    currency: Currency

    @property
    def seconds(self) -> float:
        return HEARTBEAT_SECONDS

    def tell(self, told: Told) -> bytes:
        return frame(self.code, self.currency, told)

    def still_here(self) -> bytes:
        return HEARTBEAT


@lru_cache(maxsize=1_024)
def frame(code: str, currency: Currency, told: Told) -> bytes:
    """One event. Written once a process, whatever the number of clients. `source` has no id: it is no place."""
    match told:
        case Source():
            return event("source", None, {"jackpot": code, "lost": told.lost, "since": shown_time(told.since)})
        case Meter():
            return event("meter", event_id(code, told.place), _meter(code, currency, told))
        case Hit():
            return event("hit", event_id(code, told.place), _hit(code, currency, told))
        case Reset():
            return event("reset", event_id(code, told.place), _reset(code, currency, told))


def event(name: str, place: str | None, data: dict[str, object]) -> bytes:
    """An event as it is written: its id where it has a place to resume from, its name and its data."""
    number = "" if place is None else f"id: {place}\n"
    return f"{number}event: {name}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


def _meter(code: str, currency: Currency, meter: Meter) -> dict[str, object]:
    return {
        "jackpot": code,
        "level": meter.level,
        "currency": currency.code,
        "displayed": show(displayed(meter.units), currency),
        "exact": show_exact(meter.units, currency),
        "base": show(meter.base, currency),
        "seq": meter.seq,
        "as_of": shown_time(meter.as_of),
    }


def _hit(code: str, currency: Currency, hit: Hit) -> dict[str, object]:
    return {
        "jackpot": code,
        "level": hit.level,
        "currency": currency.code,
        "hand": hit.hand,
        "amount": show(hit.amount, currency),
        "meter_before": show(displayed(hit.meter_before), currency),
        "meter_after": show(displayed(hit.meter_after), currency),
        "seq": hit.seq,
        "awards": hit.awards,
        "state": "paid" if hit.paid else "pending",
        "hit_at": shown_time(hit.hit_at),
        "as_of": shown_time(hit.as_of),
    }


def _reset(code: str, currency: Currency, reset: Reset) -> dict[str, object]:
    return {
        "jackpot": code,
        "level": reset.level,
        "currency": currency.code,
        "to": show(displayed(reset.to), currency),
        "seq": reset.seq,
        "at": shown_time(reset.as_of),
    }
