"""Webhooks: what is due is sent by workers of a queue of their own, which wait for receivers so that no other does."""

import logging
import random
import time

from amqp.exceptions import AMQPError, MessageNacked
from celery import shared_task
from django.conf import settings
from django.db import connection
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerDown

from jackpot.webhooks import deliveries, sending

logger = logging.getLogger(__name__)

BROKER_AWAY = (BrokerDown, AMQPError, MessageNacked, OSError)
"""What publishing raises where the broker is down or refuses."""

TURN_SECONDS = 5.0
"""A sender that has served one endpoint for so long lets the others have their turn."""

_STALE_SECONDS = 10
"""A wake-up that nobody took for so long is dropped: the next look has sent another."""


@shared_task(name="jackpot.dispatch")
def dispatch() -> None:
    """Wake senders for every endpoint for which something is due. Calls nobody, so any worker may do it."""
    for endpoint_id, number in deliveries.due(now=timezone.now()).items():
        for _ in range(number):
            send.apply_async([endpoint_id], expires=_STALE_SECONDS)


@shared_task(name="jackpot.send")
def send(endpoint_id: int) -> None:
    """Send what is due to an endpoint, one after the other, until nothing is or others wait for their turn."""
    until = time.monotonic() + TURN_SECONDS
    while time.monotonic() < until:
        now = timezone.now()
        taken = deliveries.claim(endpoint_id, now=now)
        if taken is None:
            return
        connection.close()  # nothing is held while a receiver takes its time
        answer = sending.send(taken, private=settings.WEBHOOK_PRIVATE_ADDRESSES, now=now)
        if answer.taken and answer.status is not None:
            deliveries.delivered(taken.delivery_id, status=answer.status, now=timezone.now())
        else:
            logger.warning("event %s not delivered to endpoint %s: %s", taken.event_id, endpoint_id, answer.error)
            jitter = random.random()  # noqa: S311 - it spreads attempts, and hides nothing
            deliveries.failed(
                taken.delivery_id, status=answer.status, error=answer.error, now=timezone.now(), jitter=jitter
            )
    wake()


def wake() -> None:
    """Wake senders, where something is due. A broker that is down or refuses is no error: beat asks again."""
    try:
        dispatch()
    except BROKER_AWAY as error:
        logger.warning("no sender was woken, the next look will find what is due: %s", error)
