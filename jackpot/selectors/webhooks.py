"""Reading how endpoints stand."""

from dataclasses import dataclass

from django.db.models import Count, OuterRef, QuerySet, Subquery

from jackpot.models.events import EventCounter
from jackpot.models.webhooks import Delivery, Endpoint


@dataclass(frozen=True, slots=True)
class Standing:
    """An endpoint, how many events wait for it (read from the outbox or not yet), and how many are parked."""

    endpoint: Endpoint
    backlog: int
    parked: int
    last_error: str


def endpoints() -> QuerySet[Endpoint]:
    """All endpoints, by id, with their integrators."""
    return Endpoint.objects.select_related("integrator").order_by("id")


def standings() -> list[Standing]:
    """How every endpoint stands: one query, however many there are. What was delivered is not looked at."""
    told = EventCounter.objects.filter(integrator=OuterRef("integrator")).values("last")
    undone = Delivery.objects.filter(endpoint=OuterRef("pk")).exclude(state=Delivery.State.DELIVERED)
    error = undone.exclude(error="").order_by("-seq").values("error")[:1]
    counted = endpoints().annotate(
        told=Subquery(told),
        pending=_number_of(undone.filter(state=Delivery.State.PENDING)),
        parked=_number_of(undone.filter(state=Delivery.State.PARKED)),
        last_error=Subquery(error),
    )
    return [
        Standing(one, (one.pending or 0) + max(0, (one.told or 0) - one.read_to), one.parked or 0, one.last_error or "")
        for one in counted
    ]


def _number_of(deliveries: QuerySet[Delivery]) -> Subquery:
    return Subquery(deliveries.order_by().values("endpoint").annotate(number=Count("*")).values("number"))
