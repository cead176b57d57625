"""Awards: what a hit of a meter or an Envy owes a player, frozen when it happened."""

from django.db import models
from django.db.models import Q

from jackpot.models.fields import Units
from jackpot.models.jackpots import Jackpot, Level, PolicyVersion
from jackpot.models.ledger import Entry


class Award(models.Model):
    """A hit, or an Envy under its hit. All but its state is frozen at the hit; amounts in ledger units."""

    class Kind(models.TextChoices):
        HIT = "hit"
        ENVY = "envy"

    class State(models.TextChoices):
        PENDING = "pending"
        APPROVED = "approved"
        DISPUTED = "disputed"
        REJECTED = "rejected"
        PAID = "paid"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True)
    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="awards")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="awards")
    position = models.PositiveIntegerField(help_text="order in which the round's awards were made")
    kind = models.CharField(max_length=4, choices=Kind)
    hit = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="envy")
    source_ref = models.UUIDField(help_text="the round")
    table_ref = models.CharField(max_length=32)
    box = models.PositiveIntegerField()
    player = models.CharField(max_length=64)
    hand = models.CharField(max_length=16)
    amount = Units()
    level = models.ForeignKey(Level, on_delete=models.PROTECT, null=True, blank=True, related_name="awards")
    policy = models.ForeignKey(PolicyVersion, on_delete=models.PROTECT, related_name="awards")
    meter_before = Units(null=True, blank=True)
    meter_after = Units(null=True, blank=True)
    reset_to = Units(null=True, blank=True)
    seq = models.BigIntegerField(null=True, blank=True)
    late = models.BooleanField(default=False)
    facts = models.JSONField(null=True, blank=True, help_text="the round as settled, with its first hit; never read")
    hit_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)

    class Meta:
        indexes = [
            models.Index(fields=["source_ref"], name="award_by_round"),
            models.Index(fields=["jackpot", "hit_at", "id"], name="award_by_time"),
            models.Index(fields=["jackpot", "entry"], name="hit_in_order", condition=Q(kind="hit")),
        ]
        constraints = [
            models.UniqueConstraint(fields=["entry", "position"], name="award_once"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="award_not_negative"),
            models.CheckConstraint(
                condition=Q(kind="envy", hit__isnull=False, level=None)
                | Q(kind="hit", hit=None, level__isnull=False, seq__isnull=False),
                name="award_hit_or_envy",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.hand} {self.table_ref} box {self.box}"
