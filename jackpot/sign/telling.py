"""What is told to everybody: each level as displayed with its time, hits as hand, amount, level and time; no more.

Times are the home site's, with their offset, so that a sign shows the digits as they stand.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import overload
from zoneinfo import ZoneInfo

from django.utils import timezone

from jackpot.http.event_stream import event
from jackpot.live.following import Source, Told
from jackpot.money import Currency, displayed, show
from jackpot.selectors.live import Hit, Meter, Reset
from jackpot.selectors.signs import HitShown, SignShown

HEARTBEAT_SECONDS = 3.0


def shown(sign: SignShown, *, at: datetime) -> dict[str, object]:
    """The whole sign as it was read at an instant."""
    jackpot = sign.jackpot
    zone, currency = ZoneInfo(jackpot.home_site.timezone), jackpot.currency
    return {
        "jackpot": jackpot.code,
        "name": jackpot.name,
        "currency": currency.code,
        "state": str(jackpot.state),
        "test": jackpot.home_site.sandbox,
        "at": _local(at, zone),
        "levels": [_level(level.code, level.units, level.as_of, currency, zone) for level in sign.levels],
        "hit": None if sign.hit is None else _hit(sign.hit, currency, zone),
    }


@dataclass(frozen=True, slots=True)
class Wire:
    """A jackpot's news as signs are told them. A reset is seen on the meter; a heartbeat can be read, so that a sign
    knows when it was told last.
    """

    currency: Currency
    zone: ZoneInfo

    @property
    def seconds(self) -> float:
        return HEARTBEAT_SECONDS

    def tell(self, told: Told) -> bytes:
        match told:
            case Source():
                return event("source", None, {"lost": told.lost})
            case Meter():
                return event("meter", None, _level(told.level, told.units, told.as_of, self.currency, self.zone))
            case Hit():
                hit = HitShown(told.level, told.hand, told.amount, told.hit_at)
                return event("hit", None, _hit(hit, self.currency, self.zone))
            case Reset():
                return b""

    def still_here(self) -> bytes:
        return event("alive", None, {"at": _local(timezone.now(), self.zone)})


def as_json(document: dict[str, object]) -> str:
    return json.dumps(document, separators=(",", ":"))


def _level(code: str, units: int, as_of: datetime | None, currency: Currency, zone: ZoneInfo) -> dict[str, object]:
    return {"level": code, "displayed": show(displayed(units), currency), "as_of": _local(as_of, zone)}


def _hit(hit: HitShown, currency: Currency, zone: ZoneInfo) -> dict[str, object]:
    return {"level": hit.level, "hand": hit.hand, "amount": show(hit.amount, currency), "at": _local(hit.at, zone)}


@overload
def _local(at: datetime, zone: ZoneInfo) -> str: ...
@overload
def _local(at: datetime | None, zone: ZoneInfo) -> str | None: ...
def _local(at: datetime | None, zone: ZoneInfo) -> str | None:
    return None if at is None else at.astimezone(zone).isoformat(timespec="microseconds")
