"""When a level came to be run by other terms: by which reset, and under which version of its jackpot's policy."""

from django.db import models

from jackpot.models.jackpots import Level, PolicyVersion
from jackpot.models.ledger import Entry


class TermsChange(models.Model):
    """A reset that brought a level the base, rates and limit of a later policy version. Append-only.

    Until its first one a level is run by the terms of its jackpot's first version. Guarded by `sql/policies.sql`.
    """

    level = models.ForeignKey(Level, on_delete=models.PROTECT, related_name="terms_changes")
    policy = models.ForeignKey(PolicyVersion, on_delete=models.PROTECT, db_index=False, related_name="+")
    entry = models.OneToOneField(Entry, on_delete=models.PROTECT, related_name="terms_change")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["level", "policy"], name="terms_change_once")]

    def __str__(self) -> str:
        return f"{self.level} by {self.policy}"
