"""Awards: what a hit of a meter or an Envy owes a player, frozen when it happened; and every move of its state."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from jackpot.domain import awards
from jackpot.models.clients import ApiKey
from jackpot.models.fields import Units
from jackpot.models.jackpots import Jackpot, Level, PolicyVersion
from jackpot.models.ledger import Entry


class Award(models.Model):
    """A hit, or an Envy under its hit. All but its state is frozen at the hit; amounts in ledger units."""

    class Kind(models.TextChoices):
        HIT = "hit"
        ENVY = "envy"

    State = awards.State

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
    difference_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="differences",
        help_text="the paid award that this one adds to, after a correction",
    )  # fmt: skip
    late = models.BooleanField(default=False)
    facts = models.JSONField(null=True, blank=True, help_text="the round as settled, with its first hit; never read")
    hit_at = models.DateTimeField()
    state = models.CharField(
        max_length=10, choices=[(state.value, state.value) for state in awards.State], default="pending"
    )

    class Meta:
        permissions = [
            (f"{move}_award", f"Can {move} an award") for move in awards.Move if move is not awards.Move.WITHDRAW
        ]
        indexes = [
            models.Index(fields=["source_ref"], name="award_by_round"),
            models.Index(fields=["jackpot", "hit_at", "id"], name="award_by_time"),
            models.Index(fields=["jackpot", "entry"], name="hit_in_order", condition=Q(kind="hit")),
            models.Index(
                fields=["state"], name="award_open", condition=Q(state__in=("pending", "disputed", "approved"))
            ),
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
        return f"{self.kind} {self.hand.replace('_', ' ')}, {self.table_ref} box {self.box}"


class CarriedAward(models.Model):
    """What an award of an earlier version stands for in a later one; `sql/corrections.sql` guards it. Append-only.

    `entry` is the later version's settlement, `position` the place among what that owes, `amount` in ledger units what
    of the award counts there. `hand`, `from_box` (of an Envy) and `seq` (of a hit) are those of the later version.
    """

    award = models.ForeignKey(Award, on_delete=models.PROTECT, related_name="carried")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="carried")
    position = models.PositiveIntegerField()
    amount = Units()
    hand = models.CharField(max_length=16)
    from_box = models.PositiveIntegerField(null=True, blank=True)
    seq = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "position", "award"], name="award_carried_once")]

    def __str__(self) -> str:
        return f"{self.award_id} in {self.entry_id}"


class AwardMove(models.Model):
    """Something that was done to an award, and by whom. Append-only; `migrations/sql/award_moves.sql` guards it.

    `stage` is how often the state had changed before, `approvals` how many the decision has with this one. An approval
    that waits for another leaves the state: `before` and `state` are one. `entry` seals the move; a payment or return
    is that entry. `note` is the reference of a payment, the reason of a dispute or rejection, else a note.
    """

    award = models.ForeignKey(Award, on_delete=models.PROTECT, related_name="moves")
    number = models.PositiveIntegerField(help_text="from 1 for each award")
    move = models.CharField(max_length=8, choices=[(move.value, move.value) for move in awards.Move])
    before = models.CharField(max_length=10)
    state = models.CharField(max_length=10)
    stage = models.PositiveIntegerField()
    approvals = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="award_moves"
    )
    key = models.ForeignKey(ApiKey, on_delete=models.PROTECT, null=True, blank=True, related_name="award_moves")
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="award_moves")

    class Meta:
        ordering = ["award", "number"]
        constraints = [
            models.UniqueConstraint(fields=["award", "number"], name="award_move_once"),
            models.UniqueConstraint(
                fields=["award", "stage", "user"],
                condition=Q(move__in=sorted(move.value for move in awards.DECISIONS)),
                name="award_decided_once",
            ),
            models.CheckConstraint(
                condition=Q(user=None, key__isnull=False) | Q(user__isnull=False, key=None), name="award_moved_by_one"
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | Q(move__in=["dispute", "pay"]), name="award_decided_by_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.move} {self.award_id}"
