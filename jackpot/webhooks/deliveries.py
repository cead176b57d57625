"""Events on their way to endpoints: which may be sent, who has one in hand, and what its answer means.

Deliveries are made from the outbox by each endpoint's own mark (`read_to`), never in the transaction that posts. An
endpoint's row is locked to take one and to note its answer, and never while it is being sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from jackpot.domain import webhooks as domain
from jackpot.domain.events import EventType
from jackpot.models.events import Event, EventCounter
from jackpot.models.webhooks import Delivery, Endpoint
from jackpot.webhooks import endpoints

MOST_AT_ONCE = 4
"""Sends in flight to an endpoint that answers; to one that does not, or is new, there is one."""

LEASE = timedelta(seconds=30)
"""Longer than any send: what a sender that died had in hand may be taken again after it."""

READ_AT_ONCE = 500
"""How many events deliveries are made of at a time; none while as many may be sent already. So what waits for an
endpoint that is away waits in the outbox, and neither `due` nor `claim` grows with it.
"""

GONE = 410


@dataclass(frozen=True, slots=True)
class Sending:
    """A delivery in hand: what is sent, where to, and the secrets that sign it."""

    delivery_id: int
    url: str
    secrets: tuple[str, ...]
    event_id: UUID
    type: str
    seq: int
    at: datetime
    data: Mapping[str, object]


def due(*, now: datetime) -> dict[int, int]:
    """The endpoints for which something may be sent, and how much of it at once; those that answer come first."""
    told = EventCounter.objects.filter(integrator=OuterRef("integrator")).values("last")
    waiting = Delivery.objects.filter(endpoint=OuterRef("pk"), state=Delivery.State.PENDING).order_by()
    number = Count("*")
    ready = waiting.filter(_ready(now), due_at__lte=now).values("endpoint").annotate(number=number).values("number")
    flying = waiting.filter(leased_to__gt=now).values("endpoint").annotate(number=number).values("number")
    active = Endpoint.objects.filter(state=Endpoint.State.ACTIVE, paused_to__lte=now).order_by("failures", "id")
    found: dict[int, int] = {}
    for endpoint in active.annotate(told=Subquery(told), ready=Subquery(ready), flying=Subquery(flying)):
        more = max(0, (endpoint.told or 0) - endpoint.read_to) + (endpoint.ready or 0)
        at_once = min(more, _most(endpoint) - (endpoint.flying or 0))
        if at_once > 0:
            found[endpoint.pk] = at_once
    return found


def claim(endpoint_id: int, *, now: datetime) -> Sending | None:
    """Take the next delivery in hand; None where nothing may be sent to the endpoint now."""
    with transaction.atomic():
        active = Endpoint.objects.select_for_update(no_key=True, of=("self",))
        endpoint = active.filter(pk=endpoint_id, state=Endpoint.State.ACTIVE, paused_to__lte=now).first()
        if endpoint is None:
            return None
        waiting = endpoint.deliveries.filter(state=Delivery.State.PENDING)
        if waiting.filter(leased_to__gt=now).count() >= _most(endpoint):
            return None
        if waiting.filter(_ready(now), due_at__lte=now).count() < READ_AT_ONCE:
            _read_on(endpoint, now)
        delivery = _next_of(waiting, now)
        if delivery is None:
            return None
        delivery.attempts += 1
        delivery.leased_to = now + LEASE
        delivery.save(update_fields=["attempts", "leased_to"])
        event = delivery.event
        return Sending(
            delivery_id=delivery.pk, url=endpoint.url, secrets=endpoints.live_secrets(endpoint, now=now),
            event_id=event.pk, type=event.type, seq=event.seq, at=event.at, data=event.data,
        )  # fmt: skip


def delivered(delivery_id: int, *, status: int, now: datetime) -> None:
    """The endpoint took it."""
    with transaction.atomic():
        endpoint, delivery = _in_hand(delivery_id)
        delivery.state, delivery.delivered_at, delivery.leased_to = Delivery.State.DELIVERED, now, None
        delivery.status, delivery.error = status, ""
        delivery.save(update_fields=["state", "delivered_at", "leased_to", "status", "error"])
        endpoint.failures, endpoint.answered_at, endpoint.paused_to = 0, now, now
        endpoint.save(update_fields=["failures", "answered_at", "paused_to"])


def failed(delivery_id: int, *, status: int | None, error: str, now: datetime, jitter: float) -> None:
    """The endpoint did not take it: it is tried again later, or parked once its time is over.

    What says that it is gone for ever (410) is told nothing more. `jitter`: from 0 to 1.
    """
    with transaction.atomic():
        endpoint, delivery = _in_hand(delivery_id)
        if delivery.state != Delivery.State.PENDING:
            return  # its lease ran out, and somebody else has brought it to an end
        delivery.status, delivery.error, delivery.leased_to = status, error[:200], None
        delivery.failed_since = delivery.failed_since or now
        later = domain.next_attempt(delivery.attempts, now=now, until=delivery.until, jitter=jitter)
        delivery.state = Delivery.State.PENDING if later else Delivery.State.PARKED
        delivery.due_at = later or now
        delivery.save(update_fields=["status", "error", "leased_to", "failed_since", "state", "due_at"])
        endpoint.failures += 1
        endpoint.paused_to = now + domain.pause(endpoint.failures, jitter=jitter)
        if status == GONE:
            endpoint.state, endpoint.why = Endpoint.State.DISABLED, "it answered 410 Gone"
        endpoint.save(update_fields=["failures", "paused_to", "state", "why"])
        # What never came to an attempt in all this time, because the endpoint failed, need not have one each.
        over = endpoint.deliveries.filter(_ready(now), state=Delivery.State.PENDING, until__lte=now)
        over.update(state=Delivery.State.PARKED, error="the endpoint failed until its time was over")


def _most(endpoint: Endpoint) -> int:
    return MOST_AT_ONCE if endpoint.answered_at and not endpoint.failures else 1


def _ready(now: datetime) -> Q:
    """Not in hand: never taken, or by somebody whose lease is over."""
    return Q(leased_to=None) | Q(leased_to__lte=now)


def _read_on(endpoint: Endpoint, now: datetime) -> None:
    """Make deliveries of the next events. The numbers have no gap and no event comes in behind one that was read."""
    after = Event.objects.filter(integrator_id=endpoint.integrator_id, seq__gt=endpoint.read_to).order_by("seq")
    events = list(after.only("seq", "type", "jackpot_id")[:READ_AT_ONCE])
    if not events:
        return
    wanted = [event for event in events if not endpoint.types or event.type in endpoint.types]
    Delivery.objects.bulk_create(
        Delivery(
            endpoint=endpoint, event=event, seq=event.seq, due_at=now, until=now + domain.TRIED_FOR,
            jackpot_id=event.jackpot_id if EventType(event.type).in_order else None,
        )
        for event in wanted
    )  # fmt: skip
    endpoint.read_to = events[-1].seq
    endpoint.save(update_fields=["read_to"])


def _next_of(waiting: QuerySet[Delivery], now: datetime) -> Delivery | None:
    """The first that is due and that none before it of its jackpot holds up."""
    before = Delivery.objects.filter(
        Q(failed_since=None) | Q(failed_since__gt=now - domain.PASSED_AFTER),
        endpoint=OuterRef("endpoint"), jackpot=OuterRef("jackpot"), state=Delivery.State.PENDING,
        seq__lt=OuterRef("seq"),
    )  # fmt: skip
    free = waiting.filter(_ready(now), ~Exists(before), due_at__lte=now)
    return free.select_related("event").order_by(F("seq")).first()


def _in_hand(delivery_id: int) -> tuple[Endpoint, Delivery]:
    """A delivery under its endpoint's lock."""
    endpoint = Endpoint.objects.select_for_update(no_key=True, of=("self",)).get(deliveries=delivery_id)
    return endpoint, Delivery.objects.get(pk=delivery_id)
