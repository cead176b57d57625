"""What a rule set's bets bring in theory, as it was worked out once."""

from django.db import models

from tables.models.rulesets import RuleSetVersion


class RuleSetOdds(models.Model):
    """The exact odds of a version of a rule set by one method; never changed (`tables.odds.theory.Theory`)."""

    rule_set = models.ForeignKey(RuleSetVersion, on_delete=models.PROTECT, related_name="odds")
    method = models.PositiveSmallIntegerField()
    document = models.JSONField()
    stored_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rule_set", "method"], name="rule_set_odds_once")]

    def __str__(self) -> str:
        return f"{self.rule_set} by method {self.method}"
