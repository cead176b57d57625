"""Receivers that hang, and the few threads that serve all: nobody else is delayed for long.

The services are the product's; only time is a test's own. A send to a receiver that hangs takes the 10 seconds after
which it is cut, one to a receiver that takes what comes a twentieth of a second.
"""

import heapq
import random
from collections import deque
from datetime import datetime, timedelta
from itertools import count

import pytest

from jackpot.domain import webhooks as domain
from jackpot.domain.events import Event as Told
from jackpot.domain.events import EventType
from jackpot.models.clients import Integrator
from jackpot.models.webhooks import Delivery
from jackpot.services import events
from jackpot.webhooks import deliveries, endpoints
from tests.factories import NOW

pytestmark = pytest.mark.django_db
THREADS, HANGING = 4, 8
HANGS, ANSWERS = timedelta(seconds=10), timedelta(seconds=0.05)
LOOK, STALE = timedelta(seconds=2), timedelta(seconds=10)
EVERY, UNTIL = timedelta(seconds=7), timedelta(seconds=150)


class Pool:
    """So many threads and the queue before them. What is due is put there at a look every two seconds and after each
    turn, first in, first out; what nobody took for ten seconds is dropped.
    """

    def __init__(self, healthy: int) -> None:
        self._healthy = healthy
        self._busy: list[tuple[datetime, int, int, int]] = []
        self._order = count()
        self._random = random.Random(1)
        self._queue: deque[tuple[datetime, int]] = deque()

    def run(self, integrator: Integrator) -> None:
        at = look = happens = NOW
        while at < NOW + UNTIL:
            if at >= happens:
                events.publish([Told(integrator.pk, EventType.ROUND_SETTLED, at, {})])
                happens += EVERY
            if at >= look:
                self._dispatch(at)
                look = at + LOOK
            while self._queue and len(self._busy) < THREADS:
                sent, endpoint = self._queue.popleft()
                if sent + STALE >= at:
                    self._take(endpoint, at)
            at = min([look, happens, *(done for done, *_ in self._busy[:1])])
            while self._busy and self._busy[0][0] <= at:
                self._done(at)

    def _dispatch(self, at: datetime) -> None:
        self._queue += [(at, pk) for pk, number in deliveries.due(now=at).items() for _ in range(number)]

    def _take(self, endpoint: int, at: datetime) -> None:
        sending = deliveries.claim(endpoint, now=at)
        if sending is not None:
            lasts = ANSWERS if endpoint == self._healthy else HANGS
            heapq.heappush(self._busy, (at + lasts, next(self._order), endpoint, sending.delivery_id))

    def _done(self, at: datetime) -> None:
        _, _, endpoint, delivery = heapq.heappop(self._busy)
        if endpoint == self._healthy:
            deliveries.delivered(delivery, status=200, now=at)
        else:
            jitter = self._random.random()
            deliveries.failed(delivery, status=None, error="ReadTimeout", now=at, jitter=jitter)
        self._dispatch(at)


def delays() -> list[timedelta]:
    """How long each of the healthy endpoint's events took, after the first minute."""
    acme = Integrator.objects.create(name="Acme")
    ids = [
        endpoints.add(integrator="Acme", url=f"https://{n}.example.com/", types=(), private=False, now=NOW).endpoint_id
        for n in range(HANGING + 1)
    ]
    Pool(healthy=ids[-1]).run(acme)
    later = Delivery.objects.filter(endpoint=ids[-1], event__at__gte=NOW + timedelta(minutes=1))
    found = [(one.delivered_at or NOW + UNTIL) - one.event.at for one in later.select_related("event")]
    assert len(found) >= 10
    return sorted(found)


def test_without_pauses_those_that_hang_hold_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control."""
    monkeypatch.setattr(domain, "pause", lambda *_, **__: timedelta(0))
    monkeypatch.setattr(domain, "next_attempt", lambda *_, now, **__: now)
    monkeypatch.setattr(deliveries, "_most", lambda _: deliveries.MOST_AT_ONCE)
    found = delays()
    assert found[len(found) // 2] > timedelta(seconds=5)


def test_with_them_they_delay_nobody_for_long() -> None:
    """Most events go out at once; none waits longer than for those that have a thread to be cut, and the next look."""
    found = delays()
    assert found[len(found) // 2] <= LOOK
    assert found[-1] <= HANGS + LOOK
