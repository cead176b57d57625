"""How tables and rule sets are set up, as the console shows it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tables.models.rounds import Round
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table, TableSetup


def version_in_force(rule_set_id: int, at: datetime) -> RuleSetVersion:
    """The version of a rule set in force at an instant; the first one where the instant lies before it."""
    versions = RuleSetVersion.objects.filter(rule_set_id=rule_set_id).select_related("rule_set")
    return versions.filter(in_force_at__lte=at).order_by("-version").first() or versions.earliest("version")


def version_by_id(pk: int) -> RuleSetVersion | None:
    return RuleSetVersion.objects.select_related("rule_set").filter(pk=pk).first()


def version_before(version: RuleSetVersion) -> RuleSetVersion | None:
    """The version that one follows."""
    earlier = RuleSetVersion.objects.filter(rule_set=version.rule_set_id, version__lt=version.version)
    return earlier.select_related("rule_set").order_by("-version").first()


def tables_of(rule_set_id: int) -> list[str]:
    """The codes of the tables that play a rule set."""
    return list(Table.objects.filter(rule_set_id=rule_set_id).order_by("code").values_list("code", flat=True))


def setups_of(table: Table) -> Sequence[TableSetup]:
    """How a table was set up when, newest first."""
    found = TableSetup.objects.filter(table=table).order_by("-number")
    return list(found.select_related("rule_set", "jackpot", "change__by", "change__request__asked_by"))


def last_round(table: Table) -> Round | None:
    """The round of a table that began last."""
    return Round.objects.filter(table=table).order_by("-started_at", "-id").first()


def rule_sets() -> QuerySet[RuleSet, Any]:
    """All rule sets by their codes."""
    return RuleSet.objects.order_by("code")
