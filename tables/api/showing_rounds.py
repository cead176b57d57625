"""A round as it stands, exactly as the contract draws it."""

from collections.abc import Sequence

from jackpot.http.showing import shown_day, shown_time
from tables.api.showing_boxes import show_box
from tables.api.showing_events import show_event, show_problem
from tables.api.showing_settlements import show_result, show_settlement
from tables.models.rounds import Box, Round
from tables.selectors.loading import cards_in
from tables.selectors.on_show import OnShow, envy_of, on_show, results_of
from tables.services.stepping import Step


def show_rounds(rounds: Sequence[Round]) -> list[dict[str, object]]:
    """Rounds read by `selectors.rounds.seen_by`, in their order, with a constant number of queries."""
    return [_show(shown) for shown in on_show(rounds)]


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
        show_box(box, currency)
        | {"settlement": show_result(rnd, box, results[box.box], envy) if box.box in results else None}
        for box in boxes
    ]


def _show(shown: OnShow) -> dict[str, object]:
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
        **({} if shown.wide else {"boxes": [show_box(box, currency) for box in shown.boxes]}),
        **({"player_cards": _cards(rnd.player_cards)} if rnd.player_cards else {}),
        "flop": _cards(rnd.flop),
        "turn": rnd.turn or None,
        "river": rnd.river or None,
        "dealer": _cards(rnd.dealer),
        "events": [show_event(event, currency) for event in shown.events],
        "settlement": show_settlement(shown),
        "problem": show_problem(rnd.problem),
    }


def _cards(stored: str) -> list[str] | None:
    return list(cards_in(stored) or ()) or None
