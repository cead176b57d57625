"""Readings: what a sign showed, as staff saw it, and who signed that it was off."""

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
        permissions = [("enter_reading", "Can enter a reading"), ("sign_reading", "Can sign a variance")]
        indexes = [models.Index(fields=["level", "read_at"], name="reading_by_time")]
        constraints = [
            models.CheckConstraint(condition=Q(shown__gte=0, tolerance__gte=0), name="reading_not_negative"),
            models.CheckConstraint(condition=Q(read_at__lte=F("entered_at")), name="reading_before_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.read_at:%Y-%m-%d %H:%M:%S}"


class ReadingSignature(models.Model):
    """Somebody signed that a sign was off by more than its tolerance, the first or second to do so. Append-only.

    `variance` is what was signed, in ledger units: shown less what was true.
    """

    reading = models.ForeignKey(Reading, on_delete=models.PROTECT, db_index=False, related_name="signatures")
    number = models.PositiveSmallIntegerField(help_text="1 or 2")
    signed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    signed_at = models.DateTimeField()
    variance = Units()
    note = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["reading", "number"]
        constraints = [
            models.UniqueConstraint(fields=["reading", "number"], name="reading_signed_once"),
            models.UniqueConstraint(fields=["reading", "signed_by"], name="reading_second_person"),
            models.CheckConstraint(condition=Q(number__in=(1, 2)), name="reading_signed_by_two"),
        ]

    def __str__(self) -> str:
        return f"{self.reading_id} {self.number}"
