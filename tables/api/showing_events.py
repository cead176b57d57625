"""What happened in a round, step by step, in words and amounts a client can read."""

from collections.abc import Callable
from typing import Any

from jackpot.http.showing import shown_time
from jackpot.money import Currency, show
from tables.models.rounds import RoundEvent
from tables.selectors.on_show import MOST_BOXES
from tables.services.settlement import NOT_SETTLED

Data = dict[str, Any]


def show_event(event: RoundEvent, currency: Currency) -> Data:
    """`{kind, at, data}`. A list with more than MOST_BOXES boxes is shown as their number."""
    make = _DATA.get(event.kind)
    data: Data = make(event.data, currency) if make else event.data
    return {"kind": event.kind, "at": shown_time(event.at), "data": {name: _short(data[name]) for name in data}}


def show_problem(problem: Data | None) -> Data | None:
    """Why a round is set aside. What went wrong inside the service is for its operator, not for its clients."""
    if problem is not None and problem["code"] == NOT_SETTLED:
        return problem | {"detail": "the round could not be settled; it stays as it is until the operator retries it"}
    return problem


def _failure(data: Data, currency: Currency) -> Data:
    return show_problem(data) or {}


def _bets(data: Data, currency: Currency) -> Data:
    boxes = [
        {"box": box, "player": player, **_amounts(currency, ante=ante, trips=trips, progressive=progressive)}
        for box, player, ante, trips, progressive in data["boxes"]
    ]
    return data | {"boxes": boxes}


def _decisions(data: Data, currency: Currency) -> Data:
    made = [{"box": box, "action": action, "multiplier": multiplier} for box, action, multiplier in data["decisions"]]
    return data | {"decisions": made}


_DATA: dict[str, Callable[[Data, Currency], Data]] = {
    "bets_placed": _bets,
    "decided": _decisions,
    "failed": _failure,
}


def _amounts(currency: Currency, **units: int) -> dict[str, str]:
    return {name: show(amount, currency) for name, amount in units.items()}


def _short(value: object) -> object:
    return len(value) if isinstance(value, list) and len(value) > MOST_BOXES else value
