"""Rule sets and their versions."""

from django.db import models

from jackpot.models.change_requests import ChangeDecision
from jackpot.money import currency
from tables.domain.rules import RuleSet as Rules


class RuleSet(models.Model):
    """A house's rules for the main bets and Trips, known by a code."""

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=100)

    def __str__(self) -> str:
        return self.code


class RuleSetVersion(models.Model):
    """A complete document, never changed, in force from an instant on; `sql/set_up.sql` guards what may follow.

    `change` is its approval; a first version that a command loaded has none.
    """

    rule_set = models.ForeignKey(RuleSet, on_delete=models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    document = models.JSONField()
    in_force_at = models.DateTimeField()
    change = models.OneToOneField(
        ChangeDecision, on_delete=models.PROTECT, null=True, blank=True, related_name="rule_set_version"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rule_set", "version"], name="rule_set_version_once")]

    def __str__(self) -> str:
        return f"{self.rule_set.code}@{self.version}"

    def read(self, currency_code: str) -> Rules:
        """The document as the pure rule set, with amounts of the table's currency."""
        return Rules.from_document(
            self.document, currency=currency(currency_code), code=self.rule_set.code, version=self.version
        )
