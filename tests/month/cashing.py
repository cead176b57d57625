"""What staff do to awards every day: approve, dispute, uphold, reject, pay. Some are left waiting for days."""

import random

from jackpot.domain.awards import Move, State
from jackpot.domain.callers import Caller
from jackpot.models.awards import Award
from jackpot.services import award_moves
from tests.month.clock import Clock
from tests.month.house import Floor

DISPUTED = 0.15
REJECTED = 0.5
LEFT = 0.3


class Cashier:
    """Works on the awards that are open, a day's work at a time."""

    def __init__(self, floor: Floor, clock: Clock, seed: int) -> None:
        self._floor, self._clock, self._draw = floor, clock, random.Random(seed)
        self.moves = 0

    def work(self) -> None:
        """A day's work: some awards are left for tomorrow."""
        for award in self._open():
            if self._draw.random() >= LEFT:
                self._take(award, dispute=self._draw.random() < DISPUTED)

    def finish(self, code: str) -> None:
        """Work until no award of a jackpot is left unpaid."""
        while left := [award for award in self._open() if award.jackpot.code == code]:
            for award in left:
                self._take(award, dispute=False)

    def _open(self) -> list[Award]:
        awards = Award.objects.filter(state__in=[State.PENDING, State.APPROVED, State.DISPUTED])
        return list(awards.select_related("jackpot").defer("facts").order_by("hit_at", "id"))

    def _take(self, award: Award, *, dispute: bool) -> None:
        if award.state == State.APPROVED:
            self._move(award, Move.PAY, "cleo")
        elif award.kind == Award.Kind.HIT and award.state == State.PENDING:
            for name in ("ann",) if dispute else ("ann", "ben"):
                self._move(award, Move.DISPUTE if dispute else Move.APPROVE, name)
        elif award.kind == Award.Kind.HIT:
            decision = Move.REJECT if self._draw.random() < REJECTED else Move.UPHOLD
            for name in ("ben", "dan"):
                self._move(award, decision, name)

    def _move(self, award: Award, move: Move, name: str) -> None:
        note = f"by {name}" if move in (Move.PAY, Move.DISPUTE) else ""
        by: Caller = self._floor.staff[name]
        award_moves.move(caller=by, award_id=award.pk, move=move, note=note, now=self._clock.tick())
        self.moves += 1
