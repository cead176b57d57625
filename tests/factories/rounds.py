"""Rounds: facts as an integrator reports them, received and settled by the product's services.

`reported()` deals the board of api.md, Qs Js Ts 3c 7h against the dealer's 2d 2h. On it the ready-made boxes make what
their names say, with the Progressive staked: `royal` (As Ks), `straight_flush` (9s 8s).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

from jackpot.domain.callers import Caller
from jackpot.selectors import queue
from tables.domain.facts import BoxFacts, Reported, VoidReason
from tables.services import ingest, settlement
from tables.services.ingest import Received
from tables.services.settlement import BATCH, Drained
from tests.factories.clients import NOW, caller
from tests.unit import builders
from tests.unit.builders import PLAY_4X, box

_numbers = count(1)


def reported(
    *boxes: BoxFacts, table: str = "UTH-01", at: datetime = NOW, external_id: str | None = None,
    board: str = "Qs Js Ts 3c 7h", dealer: str | None = "2d 2h", locked: bool = True, void: VoidReason | None = None,
    note: str = "", player_cards: str | None = None,
) -> Reported:  # fmt: skip
    """A whole round that is complete at `at`; started 97 s and locked 72 s before (not at all where not `locked`)."""
    facts = builders.deal(*boxes, board=board, dealer=dealer, void=void, player_cards=player_cards)
    return Reported(
        table_code=table,
        external_id=external_id or f"round-{next(_numbers)}",
        started_at=at - timedelta(seconds=97),
        locked_at=at - timedelta(seconds=72) if locked else None,
        completed_at=at,
        facts=facts,
        void_note=note,
    )


def royal(number: int = 1, **settings: Any) -> BoxFacts:
    """A box that makes a royal flush in spades with the flop."""
    return _side_bet("As Ks", number, settings)


def straight_flush(number: int = 1, **settings: Any) -> BoxFacts:
    """A box that makes a queen-high straight flush in spades with the flop; a royal beside it is possible."""
    return _side_bet("9s 8s", number, settings)


def flush_hand(number: int = 1, **settings: Any) -> BoxFacts:
    """A box that makes a flush in spades with the flop."""
    return _side_bet("6s 4s", number, settings)


def three_queens(number: int = 1, **settings: Any) -> BoxFacts:
    """A box that makes three queens with the flop."""
    return _side_bet("Qh Qd", number, settings)


def low(number: int = 1, pair: str = "2c 7d", **settings: Any) -> BoxFacts:
    """A box whose Progressive makes nothing on the flop."""
    return _side_bet(pair, number, settings)


def receive(*reports: Reported, by: Caller | None = None, now: datetime | None = None) -> list[UUID]:
    """Take rounds in, all of them; the ids in their order. Fails where one is refused."""
    latest = max((report.completed_at for report in reports), default=NOW)
    answers = ingest.receive(caller=by or caller(), reports=reports, now=now or max(NOW, latest))
    refused = [answer for answer in answers if not isinstance(answer, Received)]
    assert not refused, refused
    return [answer.round_id for answer in answers if isinstance(answer, Received)]


def settle_all(limit: int = BATCH) -> None:
    """Drain every lane, `limit` places at a time, until nothing waits."""
    while waiting := queue.lanes_waiting():
        for lane_id in waiting:
            drained = settlement.drain(lane_id, limit=limit)
            assert drained is not Drained.BUSY, "another worker drains the lane: a test settles alone"


def play(*reports: Reported, by: Caller | None = None, limit: int = BATCH) -> Sequence[UUID]:
    """Receive rounds and settle all that waits."""
    round_ids = receive(*reports, by=by)
    settle_all(limit)
    return round_ids


def _side_bet(pair: str, number: int, settings: dict[str, Any]) -> BoxFacts:
    made: dict[str, Any] = {"progressive": "1.00", "decision": PLAY_4X} | settings
    return box(pair, number=number, **made)
