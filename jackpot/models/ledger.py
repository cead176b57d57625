"""The ledger: accounts, entries with their legs, the statement of every pot, and the sealed chain.

Append-only: written by `jackpot.services.journal` alone and guarded by `migrations/sql/ledger.sql` and `entries.sql`,
whose statement-level triggers also stand for the foreign keys of entries, legs and statement rows (the rows they point
to can never be removed).
"""

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q

from jackpot.models.clients import Integrator
from jackpot.models.fields import Total, Units
from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site


class Account(models.Model):
    """An account of the chart in `jackpot.domain.accounts`; its site decides the gaming day of its legs."""

    code = models.CharField(max_length=100, unique=True)
    side = models.CharField(max_length=10)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="accounts")

    def __str__(self) -> str:
        return self.code


class Link(models.Model):
    """A committed batch of a lane, sealed: SHA-256 over its rows as PostgreSQL stored them and the previous link."""

    lane = models.ForeignKey(Lane, on_delete=models.PROTECT, related_name="links")
    seq = models.BigIntegerField()
    previous = models.BinaryField()
    digest = models.BinaryField()
    posted_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["lane", "seq"], name="chain_link_once")]

    def __str__(self) -> str:
        return f"{self.lane_id}/{self.seq}"


class Entry(models.Model):
    """A journal entry: what happened, when, by whom, and the digest of the facts behind it.

    `leg_count` legs belong to it, written in one statement; kind and source reference are unique together.
    """

    id = models.BigAutoField(primary_key=True)
    lane = models.ForeignKey(
        Lane, on_delete=models.PROTECT, db_constraint=False, db_index=False, related_name="entries"
    )
    link_seq = models.BigIntegerField()
    kind = models.CharField(max_length=16)
    source_ref = models.CharField(max_length=100)
    table_ref = models.CharField(max_length=32, blank=True)
    integrator = models.ForeignKey(
        Integrator, on_delete=models.PROTECT, null=True, db_constraint=False, db_index=False, related_name="entries"
    )
    leg_count = models.PositiveSmallIntegerField()
    event_at = models.DateTimeField()
    posted_at = models.DateTimeField()
    actor = models.CharField(max_length=150, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    reverses = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, db_constraint=False, db_index=False, related_name="reversed_by"
    )
    facts_digest = models.BinaryField(null=True)

    class Meta:
        indexes = [models.Index(fields=["lane", "link_seq"], name="entry_of_link")]
        constraints = [
            models.UniqueConstraint(fields=["source_ref", "kind"], name="entry_once"),
            # Of those that take one back, which are few: the others need no place in its index.
            models.UniqueConstraint(
                fields=["reverses"], condition=Q(reverses__isnull=False), name="entry_reversed_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.source_ref}"


class Leg(models.Model):
    """One account's part of an entry, in ledger units: debits positive, credits negative."""

    pk = models.CompositePrimaryKey("entry_id", "position")
    entry = models.ForeignKey(
        Entry, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="legs"
    )
    position = models.PositiveSmallIntegerField()
    account = models.ForeignKey(
        Account, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="legs"
    )
    amount = Units()
    gaming_day = models.DateField()

    class Meta:
        indexes = [models.Index(fields=["account", "gaming_day"], include=["amount"], name="leg_by_account_and_day")]
        constraints = [models.CheckConstraint(condition=~Q(amount=0), name="leg_not_zero")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.amount}"


class StatementRow(models.Model):
    """One change of a level's meter, reserve or overflow; `seq` is gap-free per level and pot."""

    pk = models.CompositePrimaryKey("level_id", "pot", "seq")
    level = models.ForeignKey(
        Level, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="statement"
    )
    pot = models.CharField(max_length=8)
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=16)
    amount = Units()
    before = Total()
    after = Total()
    entry = models.ForeignKey(
        Entry, on_delete=models.DO_NOTHING, db_constraint=False, db_index=True, related_name="statement_rows"
    )
    gaming_day = models.DateField()

    class Meta:
        indexes = [
            models.Index(
                fields=["level", "entry"],
                name="reset_in_order",
                condition=Q(pot="meter", kind__in=["reset", "overflow_in"]),
            ),
            # Days go up with the rows, so a few words a block of rows find those of a day, and cost nothing to keep.
            BrinIndex(fields=["gaming_day"], autosummarize=True, name="statement_by_day"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(after=F("before") + F("amount")), name="statement_adds_up"),
            models.CheckConstraint(condition=Q(after__gte=0), name="statement_never_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.level_id}/{self.pot}/{self.seq}"
