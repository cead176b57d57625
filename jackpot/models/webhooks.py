"""Where integrators want to be told, and what becomes of each event on its way there."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from jackpot.domain.events import EventType
from jackpot.models.clients import Integrator
from jackpot.models.events import Event
from jackpot.models.jackpots import Jackpot


class Endpoint(models.Model):
    """An address that is told of its integrator's events: of all types, or of some.

    `read_to` is the seq up to which deliveries were made of its events. `failures` counts what failed one after the
    other, since `answered_at`; until `paused_to` nothing is sent.
    """

    class State(models.TextChoices):
        ACTIVE = "active"
        DISABLED = "disabled"

    integrator = models.ForeignKey(Integrator, on_delete=models.PROTECT, related_name="endpoints")
    url = models.CharField(max_length=500)
    types = ArrayField(models.CharField(max_length=20), blank=True, default=list, help_text="empty: all")
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    why = models.CharField(max_length=200, blank=True, help_text="why it is disabled")
    created_at = models.DateTimeField()
    read_to = models.BigIntegerField()
    failures = models.PositiveIntegerField(default=0)
    answered_at = models.DateTimeField(null=True, blank=True, help_text="when it last took an event")
    paused_to = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["integrator", "url"], name="endpoint_once"),
            models.CheckConstraint(
                condition=Q(types__contained_by=[kind.value for kind in EventType]), name="endpoint_types_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.integrator_id} {self.url}"


class Secret(models.Model):
    """What a secret of an endpoint is made of, with the service's own key; the secret itself is kept nowhere.

    An endpoint has one, and for a time its previous one beside it.
    """

    class Kind(models.TextChoices):
        CURRENT = "current"
        PREVIOUS = "previous"

    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="secrets")
    kind = models.CharField(max_length=8, choices=Kind)
    salt = models.BinaryField()
    ends_at = models.DateTimeField(null=True, help_text="until when the previous one signs too")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "kind"], name="secret_once"),
            models.CheckConstraint(
                condition=Q(kind="current", ends_at=None) | Q(kind="previous", ends_at__isnull=False),
                name="secret_previous_ends",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.endpoint_id}"


class Delivery(models.Model):
    """One event on its way to one endpoint. With a jackpot it goes in the order of that jackpot's events.

    While it is being sent it is leased: who dies over it loses it when the lease ends. From `due_at` on it may be
    sent; what fails after `until` is parked.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        PARKED = "parked"

    id = models.BigAutoField(primary_key=True)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, db_index=False, related_name="deliveries")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, db_index=False, related_name="deliveries")
    seq = models.BigIntegerField()
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, null=True, db_index=False, related_name="+")
    state = models.CharField(max_length=9, choices=State, default=State.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField()
    until = models.DateTimeField()
    leased_to = models.DateTimeField(null=True, blank=True)
    failed_since = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="HTTP status of the last answer")
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["endpoint", "state", "seq"], condition=~Q(state="delivered"), name="delivery_not_delivered"
            ),
        ]
        constraints = [models.UniqueConstraint(fields=["endpoint", "event"], name="delivery_once")]

    def __str__(self) -> str:
        return f"event {self.seq} to {self.endpoint_id}"
