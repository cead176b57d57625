"""A whole round played live, step by step, by the product's services (over HTTP: `tests.api.live`)."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from jackpot.domain.callers import Caller
from tables.domain.facts import Action, BoxFacts, Reported, Street, VoidReason
from tables.services import betting, dealing, deciding, rounds, voiding
from tables.services.deciding import Choice
from tests.factories.shuffle import Json, reported


class LiveRound:
    """Opens a round (a body, or facts) with its bets; then `lock` and, whenever the test likes, `complete` or `void`.

    Boxes that the body says are void are voided before the deal, early folds are made on their streets.
    """

    def __init__(self, played: Json | Reported, *, by: Caller, now: datetime) -> None:
        self._by = by
        self._report = played if isinstance(played, Reported) else reported(played)
        opened = rounds.open_round(
            caller=by, table_code=self._report.table_code, external_id=self._report.external_id, now=now
        )
        self.id: UUID = opened.round_id
        self.lane_id: int = opened.lane_id
        self._step(betting.place, boxes=self._report.facts.boxes, now=now)

    def lock(self, *, now: datetime) -> None:
        """Betting closes: the round's lock-out has its place in the lane."""
        self._step(dealing.lock, now=now)

    def complete(self, body: Json | None = None, *, now: datetime) -> None:
        """From the deal to the showdown; boxes without a decision before the river have folded at the end.

        `body`: the round as it ended, where a box became void after the lock-out.
        """
        if body is not None:
            self._report = reported(body)
        facts = self._report.facts
        for box in facts.boxes:
            if box.void:
                self._step(voiding.void_box, box=box.box, reason=box.void, note="", now=now)
        pairs = {box.box: box.cards for box in facts.boxes if box.cards}
        self._step(dealing.deal, cards=pairs or None, player_cards=facts.player_cards, now=now)
        self._decide(Street.PREFLOP, now)
        self._step(dealing.flop, cards=facts.flop, now=now)
        self._decide(Street.FLOP, now)
        self._step(dealing.river, turn=facts.turn, river=facts.river, now=now)
        self._decide(Street.RIVER, now)
        self._step(dealing.showdown, dealer=facts.dealer, now=now)

    def void(self, *, now: datetime) -> None:
        """The whole round is void, before the deal."""
        self._step(voiding.void_round, reason=VoidReason.MALFUNCTION, note="", now=now)

    def _decide(self, street: Street, now: datetime) -> None:
        def decides(box: BoxFacts) -> bool:
            early = box.decision.action is Action.PLAY or street is not Street.RIVER
            return early and box.decision.street is street and box.void is None

        boxes = [box for box in self._report.facts.boxes if decides(box)]
        choices = [Choice(box.box, box.decision.action, box.decision.multiplier) for box in boxes]
        if choices:
            self._step(deciding.decide, choices=choices, now=now)

    def _step(self, service: Callable[..., Any], **arguments: Any) -> None:
        service(caller=self._by, round_id=self.id, **arguments)
