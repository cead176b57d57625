"""Rounds that wait for somebody, and since when. For the console's home."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Case, Count, Exists, F, Min, OuterRef, Q, TextChoices, Value, When
from django.db.models.functions import Coalesce

from tables.domain.round_state import OPEN, Phase
from tables.models.rounds import UNSETTLED, Round, RoundEvent
from tables.models.voids import WaitingVoid


class Standing(TextChoices):
    """Where a round stands that is not settled."""

    IN_PLAY = "in play"
    WAITING = "waiting for a worker"
    FAILED = "failed"
    SECOND_PERSON = "waiting for a second person"


class Unsettled(NamedTuple):
    """Rounds of one standing: how many, and since when the first: its start, or its end where it has ended."""

    standing: str
    number: int
    since: datetime


def rounds_unsettled() -> list[Unsettled]:
    """What is not settled, by where it stands. A round whose betting closed without a bet is over; one that is set
    aside until a second person decides on its void is counted as that, not as failed.
    """
    rounds = Round.objects.filter(UNSETTLED)
    void_waits = Exists(WaitingVoid.objects.filter(round=OuterRef("pk"), decided=None))
    standing = Case(
        When(phase__in=OPEN, then=Value(Standing.IN_PLAY)),
        When(Q(phase=Phase.FAILED) & void_waits, then=Value(Standing.SECOND_PERSON)),
        When(phase=Phase.FAILED, then=Value(Standing.FAILED)),
        default=Value(Standing.WAITING),
    )
    since = Min(Coalesce(F("completed_at"), F("started_at")))
    rows = rounds.annotate(standing=standing).values_list("standing").annotate(count=Count("id"), since=since)
    order = list(Standing.values)
    return sorted((Unsettled(*row) for row in rows), key=lambda row: order.index(row.standing))


class Voids(NamedTuple):
    """Voids that wait for a second person: how many, since when the first."""

    number: int
    since: datetime | None


def voids_waiting() -> Voids:
    """Voids of rounds or boxes that nobody has confirmed or declined."""
    found = WaitingVoid.objects.filter(decided=None).aggregate(count=Count("id"), since=Min("asked_at"))
    return Voids(found["count"], found["since"])


def arrived_at(round_id: UUID | None) -> datetime | None:
    """When the service last heard of a round, by its own clock: what a round in the queue has waited since at least."""
    if round_id is None:
        return None
    last = RoundEvent.objects.filter(round_id=round_id).order_by("-id").values_list("at", flat=True)
    return last.first()
