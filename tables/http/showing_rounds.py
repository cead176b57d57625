"""A round as it stands, its boxes and its events, exactly as the contract draws them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jackpot.http.showing import shown_day, shown_time
from jackpot.money import Currency, show_stored
from tables.http.showing_settlements import show_result, show_settlement
from tables.models.rounds import Box, Round, RoundEvent
from tables.selectors.loading import cards_in
from tables.selectors.on_show import MOST_BOXES, OnShow, envy_of, on_show, results_of
from tables.selectors.results import stakes_of
from tables.services.settlement import NOT_SETTLED
from tables.services.stepping import Step

Data = dict[str, Any]


def show_rounds(rounds: Sequence[Round]) -> list[dict[str, object]]:
    """Rounds read by `selectors.rounds.seen_by`, in their order, with a constant number of queries."""
    return [show_everything(shown) for shown in on_show(rounds)]


def show_round(rnd: Round) -> dict[str, object]:
    """One round."""
    return show_rounds([rnd])[0]


def show_step(step: Step, box: int | None = None) -> dict[str, object]:
    """The short answer to a step of a live round; `deadline` while a clock runs."""
    deadline = shown_time(step.round.deadline)
    return {
        "id": str(step.round.id),
        "phase": step.round.phase,
        **({} if box is None else {"box": box}),
        **({} if deadline is None else {"deadline": deadline}),
    }


def show_boxes_of(rnd: Round, boxes: Sequence[Box]) -> list[dict[str, object]]:
    """Boxes of one round, each with its part of the settlement (null while there is none)."""
    currency = rnd.table.currency
    results = results_of(rnd, boxes) if rnd.version else {}
    envy = envy_of(rnd) if rnd.version else []
    return [
        _show_box(box, currency)
        | {"settlement": show_result(rnd, box, results[box.box], envy) if box.box in results else None}
        for box in boxes
    ]


def show_everything(shown: OnShow) -> dict[str, object]:
    """A round that was read with its parts."""
    rnd, currency = shown.round, shown.round.table.currency
    return {
        "id": str(rnd.id),
        "external_id": rnd.external_id,
        "table": rnd.table.code,
        "site": rnd.site.code,
        "game_number": rnd.game_number,
        "currency": rnd.table.currency_code,
        "mode": "test" if rnd.site.sandbox else "live",
        "phase": rnd.phase,
        "version": rnd.version,
        "rule_set": str(rnd.rule_set) if rnd.rule_set else None,
        "jackpot_policy": str(rnd.policy) if rnd.policy else None,
        "started_at": shown_time(rnd.started_at),
        "locked_at": shown_time(rnd.locked_at),
        "completed_at": shown_time(rnd.completed_at),
        "gaming_day": shown_day(rnd.gaming_day),
        "late": rnd.late,
        **({} if shown.wide else {"boxes": [_show_box(box, currency) for box in shown.boxes]}),
        **({"player_cards": _cards(rnd.player_cards)} if rnd.player_cards else {}),
        "flop": _cards(rnd.flop),
        "turn": rnd.turn or None,
        "river": rnd.river or None,
        "dealer": _cards(rnd.dealer),
        "events": [_show_event(event, currency) for event in shown.events],
        "settlement": show_settlement(shown),
        "problem": _show_problem(rnd.problem),
    }


def _cards(stored: str) -> list[str] | None:
    return list(cards_in(stored) or ()) or None


def _show_box(box: Box, currency: Currency) -> dict[str, object]:
    """The facts of a box. `decision` is null until it has decided, `void` unless the box alone is void."""
    return {
        "box": box.box,
        "player": box.player,
        "cards": _cards(box.cards),
        **_amounts(currency, stakes_of(box)),
        "decision": _decision(box),
        "void": {"reason": box.void_reason, "note": box.void_note} if box.void_reason else None,
    }


def _decision(box: Box) -> dict[str, object] | None:
    """The decision that stands; before it the last check."""
    if box.action:
        return {
            "action": box.action,
            "street": box.street,
            "multiplier": box.multiplier or None,
            "automatic": box.automatic,
        }
    if box.checked:
        return {"action": "check", "street": box.checked, "multiplier": None, "automatic": False}
    return None


def _show_event(event: RoundEvent, currency: Currency) -> Data:
    """`{kind, at, data}`. A list with more than MOST_BOXES boxes is shown as their number."""
    make = _DATA.get(event.kind)
    data: Data = make(event.data, currency) if make else event.data
    return {"kind": event.kind, "at": shown_time(event.at), "data": {name: _short(data[name]) for name in data}}


def _show_problem(problem: Data | None) -> Data | None:
    """Why a round is set aside. What went wrong inside the service is for its operator, not for its clients."""
    if problem is not None and problem["code"] == NOT_SETTLED:
        return problem | {"detail": "the round could not be settled; it stays as it is until the operator retries it"}
    return problem


def _failure(data: Data, currency: Currency) -> Data:
    return _show_problem(data) or {}


def _bets(data: Data, currency: Currency) -> Data:
    boxes = [
        {"box": box, "player": player} | _amounts(currency, {"ante": ante, "trips": trips, "progressive": progressive})
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


def _amounts(currency: Currency, units: Mapping[Any, int]) -> Data:
    return {str(name): show_stored(amount, currency) for name, amount in units.items()}


def _short(value: object) -> object:
    return len(value) if isinstance(value, list) and len(value) > MOST_BOXES else value
