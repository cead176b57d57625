"""What happened in a round, step by step, in words and amounts a client can read."""

from collections.abc import Callable
from typing import Any

from jackpot.http.showing import shown_time
from jackpot.money import Currency, show
from tables.models.rounds import RoundEvent
from tables.selectors.on_show import MOST_BOXES

Data = dict[str, Any]


def show_event(event: RoundEvent, currency: Currency) -> Data:
    """`{kind, at, data}`. A list with more than MOST_BOXES boxes is shown as their number."""
    make = _DATA.get(event.kind)
    data = make(event.data, currency) if make else event.data
    return {"kind": event.kind, "at": shown_time(event.at), "data": {name: _short(data[name]) for name in data}}


def _bets(data: Data, currency: Currency) -> Data:
    boxes = [
        {"box": box, "player": player, **_amounts(currency, ante=ante, trips=trips, progressive=progressive)}
        for box, player, ante, trips, progressive in data["boxes"]
    ]
    return data | {"boxes": boxes}


def _decisions(data: Data, currency: Currency) -> Data:
    made = [{"box": box, "action": action, "multiplier": multiplier} for box, action, multiplier in data["decisions"]]
    return data | {"decisions": made}


_DATA: dict[str, Callable[[Data, Currency], Data]] = {"bets_placed": _bets, "decided": _decisions}


def _amounts(currency: Currency, **units: int) -> dict[str, str]:
    return {name: show(amount, currency) for name, amount in units.items()}


def _short(value: object) -> object:
    return len(value) if isinstance(value, list) and len(value) > MOST_BOXES else value
