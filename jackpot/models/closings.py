"""Closed gaming days: what each came to. Append-only; `migrations/sql/closings.sql` holds them against the books.

Amounts in ledger units. A closing comes with all its lines, and is sealed by an entry without legs in its site's lane
whose facts are `jackpot.domain.closings.Closing.record`.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from jackpot.domain.meter import Kind
from jackpot.models.awards import Award
from jackpot.models.fields import Total, Units
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Account, Entry
from jackpot.models.sites import GamingDay


class Closing(models.Model):
    """A gaming day was closed: when and by whom (nobody where a command did), with how many lines.

    `rounds` are documents of `jackpot.domain.closings.OpenRound`: what was not settled then.
    """

    gaming_day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, db_index=False, related_name="closings")
    previous = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="next")
    entry = models.OneToOneField(Entry, on_delete=models.PROTECT, related_name="closing")
    closed_at = models.DateTimeField()
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    pots = models.PositiveIntegerField()
    accounts = models.PositiveIntegerField()
    unpaid = models.PositiveIntegerField()
    rounds = models.JSONField(default=list)

    class Meta:
        permissions = [("close_day", "Can close a gaming day")]
        constraints = [models.UniqueConstraint(fields=["gaming_day"], name="closing_once")]

    def __str__(self) -> str:
        return str(self.gaming_day)


class PotClosing(models.Model):
    """A pot's day: opening, one sum a kind of statement row, closing; `seq` and `posted_at` of its last row, 0 and
    None where it has none.
    """

    closing_of = models.ForeignKey(Closing, on_delete=models.PROTECT, db_index=False, related_name="pot_lines")
    level = models.ForeignKey(Level, on_delete=models.PROTECT, db_index=False, related_name="+")
    pot = models.CharField(max_length=8)
    opening = Total()
    contribution = Total()
    award = Total()
    award_returned = Total()
    reset = Total()
    restore = Total()
    overflow_in = Total()
    void = Total()
    adjustment = Total()
    transfer_in = Total()
    transfer_out = Total()
    correction = Total()
    closing = Total()
    seq = models.BigIntegerField()
    posted_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["level", "pot", "posted_at"], name="pot_closing_by_time")]
        constraints = [
            models.UniqueConstraint(fields=["closing_of", "level", "pot"], name="pot_closing_once"),
            models.CheckConstraint(
                condition=Q(
                    closing=F("opening") + F("contribution") + F("award") + F("award_returned") + F("reset")
                    + F("restore") + F("overflow_in") + F("void") + F("adjustment") + F("transfer_in")
                    + F("transfer_out") + F("correction")
                ),
                name="pot_closing_foots",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.closing_of_id} {self.level_id} {self.pot}"

    @property
    def by_kind(self) -> dict[str, int]:
        return {kind.value: getattr(self, kind.value) for kind in Kind}


class AccountClosing(models.Model):
    """An account's day: opening, what was debited and credited, closing (debits positive)."""

    closing_of = models.ForeignKey(Closing, on_delete=models.PROTECT, db_index=False, related_name="account_lines")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, db_index=False, related_name="+")
    opening = Total()
    debits = Total()
    credits = Total()
    closing = Total()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["closing_of", "account"], name="account_closing_once"),
            models.CheckConstraint(
                condition=Q(closing=F("opening") + F("debits") - F("credits")), name="account_closing_foots"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.closing_of_id} {self.account_id}"


class UnpaidAward(models.Model):
    """An award that was owed and neither paid nor returned at the end of a day, and since which day it was owed."""

    closing_of = models.ForeignKey(Closing, on_delete=models.PROTECT, db_index=False, related_name="unpaid_lines")
    award = models.ForeignKey(Award, on_delete=models.PROTECT, db_index=False, related_name="+")
    amount = Units()
    owed_day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["closing_of", "award"], name="unpaid_award_once")]

    def __str__(self) -> str:
        return f"{self.closing_of_id} {self.award_id}"
