"""Voids that wait for a second person."""

from datetime import datetime

from django.db.models import Q, QuerySet

from tables.models.rounds import Round
from tables.models.voids import WaitingVoid


def waiting(rounds: QuerySet[Round], at: datetime) -> QuerySet[WaitingVoid]:
    """The voids of some rounds that waited at an instant, the longest waiting first."""
    undecided = Q(decided=None) | Q(decided__at__gte=at)
    found = WaitingVoid.objects.filter(undecided, asked_at__lt=at, round__in=rounds.select_related(None).order_by())
    return found.select_related("round__table", "round__site").order_by("asked_at", "id")
