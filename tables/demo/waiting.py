"""Waiting for the workers: until every round is settled or set aside, or nothing moves any more."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Count, Q

from tables import tasks
from tables.demo.house import House
from tables.domain.round_state import Phase
from tables.models.rounds import Round

_LOOK_EVERY = 0.1
_WAKE_AFTER = 3.0
_GIVE_UP_AFTER = 60.0


class NothingMoves(RuntimeError):
    """Rounds wait, and no worker settles them."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How many rounds are settled, and how many were set aside because they can't be."""

    settled: int
    failed: int

    @property
    def done(self) -> int:
        return self.settled + self.failed


def stand_of(house: House) -> Stand:
    settled, failed = Count("pk", Q(phase=Phase.SETTLED)), Count("pk", Q(phase=Phase.FAILED))
    return Stand(**Round.objects.filter(site=house.site).aggregate(settled=settled, failed=failed))


def until_settled(house: House, rounds: int, *, check: Callable[[], None], told: Callable[[int], None]) -> Stand:
    """Wait until so many rounds are done. `check` raises where a process has died; `told` hears how many are done.

    A worker is woken again where nothing moves for a while, as beat would do it: a wake-up may be lost. Raises
    NothingMoves after a minute without progress.
    """
    stand, moved_at, woken_at = stand_of(house), time.monotonic(), time.monotonic()
    while stand.done < rounds:
        check()
        time.sleep(_LOOK_EVERY)
        before, stand, now = stand, stand_of(house), time.monotonic()
        told(stand.done)
        if stand != before:
            moved_at = woken_at = now
        elif now - moved_at > _GIVE_UP_AFTER:
            raise NothingMoves(f"{rounds - stand.done} rounds wait, and none was settled for {_GIVE_UP_AFTER:.0f} s")
        elif now - woken_at > _WAKE_AFTER:
            tasks.wake([house.progressive.lane.pk])
            woken_at = now
    return stand
