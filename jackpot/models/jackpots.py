"""Jackpots, the versions of their policy, and the levels whose meters grow."""

from datetime import datetime
from functools import cached_property

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q

from jackpot.domain.policy import Policy
from jackpot.models.fields import Total, Units
from jackpot.models.sites import Site
from jackpot.money import Currency, currency


class Jackpot(models.Model):
    """A progressive that many tables feed. Its currency and home site never change."""

    class State(models.TextChoices):
        ACTIVE = "active"
        SUSPENDED = "suspended"
        RETIRED = "retired"

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=100)
    currency_code = models.CharField(max_length=3)
    home_site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="jackpots")
    opened_at = models.DateTimeField(help_text="when its levels were funded")
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    state_since = models.DateTimeField(null=True, blank=True, help_text="when it was suspended, resumed or retired")
    reading_tolerance = Units(default=0, help_text="how far a sign may be off without a signature, in ledger units")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(reading_tolerance__gte=0), name="reading_tolerance_not_negative")
        ]

    def __str__(self) -> str:
        return self.code

    def takes_bets(self, locked_out_at: datetime) -> bool:
        """Whether a Progressive wager locked out then stands: rounds played before a suspension still come in, until
        the jackpot is retired.
        """
        if self.state == self.State.SUSPENDED:
            return self.state_since is not None and locked_out_at < self.state_since
        return self.state == self.State.ACTIVE

    @property
    def currency(self) -> Currency:
        return currency(self.currency_code)


class PolicyVersion(models.Model):
    """An approved version of a jackpot's policy: a complete document, never changed, in force from an instant on.

    `terms` are base, rates and limit of each level as the document gives them, in ledger units: they come into force
    with the level's next reset. `change` is the approval of every version but the first, which opened the jackpot.
    """

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="policies")
    version = models.PositiveIntegerField()
    document = models.JSONField(encoder=DjangoJSONEncoder)
    terms = models.JSONField()
    in_force_at = models.DateTimeField()
    change = models.OneToOneField(
        "jackpot.ChangeDecision", on_delete=models.PROTECT, null=True, blank=True, related_name="policy_version"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["jackpot", "version"], name="policy_version_once")]

    def __str__(self) -> str:
        return f"{self.jackpot.code}@{self.version}"

    def read(self) -> Policy:
        """The document as the pure policy; made once, a version never changes."""
        return self._policy

    @cached_property
    def _policy(self) -> Policy:
        return Policy.from_document(self.document, currency=self.jackpot.currency)


class Level(models.Model):
    """One meter of a jackpot with its reserve and overflow: the terms in force, and how it stands.

    The terms are those of `policy`, the version that brought them: later ones wait for a reset (`models.terms`).
    Balances equal the last statement row of their pot; `reset_seq` is the meter's row of the last reset.
    """

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="levels")
    code = models.SlugField(max_length=32)
    position = models.PositiveSmallIntegerField()
    policy = models.ForeignKey(PolicyVersion, on_delete=models.PROTECT, db_index=False, related_name="+")
    base = Units()
    increment_ppm = models.PositiveIntegerField()
    reserve_ppm = models.PositiveIntegerField()
    limit = Units(null=True, blank=True)
    meter = Total(default=0)
    reserve = Total(default=0)
    overflow = Total(default=0)
    meter_seq = models.BigIntegerField(default=0)
    reserve_seq = models.BigIntegerField(default=0)
    overflow_seq = models.BigIntegerField(default=0)
    reset_seq = models.BigIntegerField(default=0)
    reset_at = models.DateTimeField(null=True, blank=True)
    last_hit_at = models.DateTimeField(null=True, blank=True)
    last_day = models.DateField(null=True, blank=True)
    posted_at = models.DateTimeField(null=True, blank=True)
    wagered = Total(default=0)
    contributed = Total(default=0)
    awarded = Total(default=0)
    hits = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["jackpot", "code"], name="level_code_once"),
            models.CheckConstraint(condition=Q(meter__gte=0), name="meter_never_negative"),
            models.CheckConstraint(condition=Q(reserve__gte=0), name="reserve_never_negative"),
            models.CheckConstraint(condition=Q(overflow__gte=0), name="overflow_never_negative"),
            models.CheckConstraint(condition=Q(limit=None) | Q(meter__lte=F("limit")), name="meter_within_limit"),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot.code}:{self.code}"
