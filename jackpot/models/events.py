"""The outbox: what integrators are told of, numbered for each of them without a gap."""

from django.db import models
from django.db.models import Q

from jackpot.domain.events import EventType
from jackpot.models.clients import Integrator
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site


class EventCounter(models.Model):
    """The seq of an integrator's last event. Nothing points to this row: it is locked until the commit (decision 0009).

    Counted by `jackpot.services.events` alone, as the last lock of a transaction.
    """

    integrator = models.OneToOneField(Integrator, on_delete=models.PROTECT, primary_key=True, related_name="+")
    last = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.integrator_id}: {self.last}"


class Event(models.Model):
    """One thing an integrator is told of. Written with what it tells of, in one transaction, and never changed.

    Where it points to is checked for the whole set a statement writes, as for legs: `migrations/sql/events.sql`.
    """

    id = models.UUIDField(primary_key=True)
    integrator = models.ForeignKey(
        Integrator, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="events"
    )
    seq = models.BigIntegerField()
    type = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in EventType])
    at = models.DateTimeField()
    site = models.ForeignKey(
        Site, on_delete=models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    jackpot = models.ForeignKey(
        Jackpot, on_delete=models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    data = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["integrator", "seq"], name="event_once"),
            models.CheckConstraint(
                condition=~Q(type__startswith="jackpot.") & ~Q(type__startswith="award.") | Q(jackpot__isnull=False),
                name="event_names_jackpot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.seq}"
