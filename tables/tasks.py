"""What workers do: drain a lane when woken, and sweep for lanes whose wake-up was lost."""

import logging
import time
from collections.abc import Iterable

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from jackpot import services as jackpot
from jackpot import tasks as jackpot_tasks
from jackpot.selectors import queue
from tables.services import settlement
from tables.services.settlement import Drained

logger = logging.getLogger(__name__)

TURN_SECONDS = 5.0
"""A worker that has drained one lane for so long lets the other lanes have their turn."""


@shared_task(name="tables.drain")
def drain(lane_id: int) -> None:
    """Settle what waits in a lane, batch by batch, until nothing does."""
    until = time.monotonic() + TURN_SECONDS
    while time.monotonic() < until:
        drained = settlement.drain(lane_id)
        if drained is Drained.SOME:
            jackpot_tasks.wake()
        # Whoever finds the lane busy leaves it to the worker that has it, who looks once more after letting go of it:
        # so what comes in while that one finds nothing is not left to the sweep.
        if drained is Drained.BUSY or (drained is Drained.EMPTY and not queue.waits(lane_id)):
            return
    wake([lane_id])


@shared_task(name="tables.sweep")
def sweep() -> None:
    """Drain every lane in which something waits: what a lost message or a dead worker left.

    It also opens each site's new gaming day, before a longer transaction needs it.
    """
    jackpot.open_today(now=timezone.now())
    wake(queue.lanes_waiting())


def wake(lane_ids: Iterable[int]) -> None:
    """Wake a worker for each lane. A broker that is down or refuses is no error: the sweep finds what waits."""
    try:
        for lane_id in dict.fromkeys(lane_ids):
            drain.delay(lane_id)
    except jackpot_tasks.BROKER_AWAY as error:
        logger.warning("no worker was woken, the sweep will find what waits: %s", error)


def wake_on_commit(lane_ids: Iterable[int]) -> None:
    """Wake a worker for each lane once the transaction is committed; at once where none is open."""
    wanted = list(lane_ids)
    transaction.on_commit(lambda: wake(wanted))
