"""Readings: what a sign showed, as staff saw it."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from jackpot.models.fields import Units
from jackpot.models.jackpots import Level


class Reading(models.Model):
    """What a sign showed of a level's meter at an instant. Append-only; what was true then the statement knows.

    `tolerance` is the jackpot's when the reading was entered, in ledger units.
    """

    level = models.ForeignKey(Level, on_delete=models.PROTECT, related_name="readings")
    shown = Units()
    read_at = models.DateTimeField()
    entered_at = models.DateTimeField()
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    tolerance = Units()
    note = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index(fields=["level", "read_at"], name="reading_by_time")]
        constraints = [
            models.CheckConstraint(condition=Q(shown__gte=0, tolerance__gte=0), name="reading_not_negative"),
            models.CheckConstraint(condition=Q(read_at__lte=F("entered_at")), name="reading_before_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.read_at:%Y-%m-%d %H:%M:%S}"
