"""Voids that wait for a second person, and what he decided. Append-only, guarded by `sql/waiting_voids.sql`."""

from django.conf import settings
from django.db import models

from tables.domain.round_state import Phase
from tables.models.rounds import Round


class WaitingVoid(models.Model):
    """A void that would cancel a prize: of one box, or of the round, reported so or taken as a step.

    `box` is None for the round's own void. `asked_by` is as in `Caller.actor`; of what waited before this was written
    down, who took it up. `before` is the phase the round goes back to if the void falls, or if it was a box's.
    """

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="waiting_voids")
    box = models.PositiveIntegerField(null=True, blank=True)
    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    before = models.CharField(max_length=10, choices=[(phase.value, phase.value) for phase in Phase])

    class Meta:
        permissions = [("decide_void", "Can confirm or decline a void that waits")]

    def __str__(self) -> str:
        return f"{self.round_id} box {self.box}"


class VoidDecision(models.Model):
    """What another person decided about a void that waited: it stands, or the round goes on as it was."""

    class Decision(models.TextChoices):
        CONFIRMED = "confirmed"
        DECLINED = "declined"

    waiting = models.OneToOneField(WaitingVoid, on_delete=models.PROTECT, related_name="decided")
    decision = models.CharField(max_length=9, choices=Decision)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="voids_decided")
    at = models.DateTimeField()
    note = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return f"{self.decision} {self.waiting_id}"
