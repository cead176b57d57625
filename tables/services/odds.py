"""Keeping what was worked out of a rule set, so that reports need no minute of their own."""

from datetime import datetime

from django.db import transaction

from tables.models.odds import RuleSetOdds
from tables.models.rulesets import RuleSetVersion
from tables.odds.theory import METHOD, Theory


@transaction.atomic
def store(*, version: RuleSetVersion, theory: Theory, now: datetime) -> bool:
    """Store a version's odds, once by each method: False where they are there already, and nothing was done."""
    _, new = RuleSetOdds.objects.get_or_create(
        rule_set=version, method=METHOD, defaults={"document": theory.to_document(), "stored_at": now}
    )
    return new
