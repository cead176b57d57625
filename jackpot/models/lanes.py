"""Lanes: where rounds wait in arrival order to be settled, one worker a lane at a time."""

from django.db import models
from django.db.models import Q

from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site


class Lane(models.Model):
    """A jackpot's lane, or the lane of a site's tables without a jackpot. Its row is the lock of everything in it.

    `posted_at` is the last posting time given in this lane; `sealed` and `head` the last link of its chain.
    """

    jackpot = models.OneToOneField(Jackpot, on_delete=models.PROTECT, null=True, blank=True, related_name="lane")
    site = models.OneToOneField(Site, on_delete=models.PROTECT, null=True, blank=True, related_name="lane")
    posted_at = models.DateTimeField(null=True, blank=True)
    sealed = models.BigIntegerField(default=0)
    head = models.BinaryField(default=bytes(32))

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(jackpot=None, site__isnull=False) | Q(jackpot__isnull=False, site=None),
                name="lane_of_jackpot_or_site",
            ),
        ]

    def __str__(self) -> str:
        return self.jackpot.code if self.jackpot else f"site {self.site}"


class Queued(models.Model):
    """A place in a lane's queue. `id` is the arrival order; the row goes when its postings are committed."""

    class Kind(models.TextChoices):
        LOCKOUT = "lockout"
        COMPLETION = "completion"
        WHOLE = "whole", "whole round: its lock-out, followed at once by its completion"

    lane = models.ForeignKey(Lane, on_delete=models.PROTECT, db_index=False, related_name="queue")
    kind = models.CharField(max_length=10, choices=Kind)
    source_ref = models.UUIDField()

    class Meta:
        indexes = [models.Index(fields=["lane", "id"], name="queue_in_order")]
        constraints = [models.UniqueConstraint(fields=["source_ref", "kind"], name="queued_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.source_ref}"
