"""Setting up by two people, through the product's services: ann asks, ben approves, at the same time."""

from datetime import datetime
from typing import Any
from uuid import UUID

from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site
from jackpot.services.changes import openings
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table
from tables.services import houses, rule_sets, table_setups
from tests.factories.clients import NOW, person
from tests.factories.houses import policy


def ask_rules(
    rule_set: RuleSet, *, at: datetime = NOW, since: datetime | None = None, reason: str = "limits", note: str = "",
    by: str = "ann", **settings: Any,
) -> UUID:  # fmt: skip
    """Ask for the last version of a rule set with some settings changed, in force `since` or from the approval."""
    document = rule_set.versions.latest("version").document | settings
    asked = rule_sets.ask_for_version(
        caller=person(by), rule_set=rule_set, document=document, in_force_at=since, reason=reason, note=note, now=at
    )
    return asked.pk


def change_rules(
    rule_set: RuleSet, *, at: datetime = NOW, since: datetime | None = None, **settings: Any
) -> RuleSetVersion:  # fmt: skip
    request_id = ask_rules(rule_set, at=at, since=since, **settings)
    return rule_sets.approve_version(caller=person("ben"), request_id=request_id, now=at)


def ask_table(
    code: str = "T-10", *, site: Site, link: Jackpot | None = None, rules: str = "casino-progressive",
    currency: str = "USD", reason: str = "new_table", note: str = "", at: datetime = NOW,
) -> UUID:  # fmt: skip
    """Ask for a new table."""
    houses.publish_rule_sets()
    asked = table_setups.ask_to_open(
        caller=person("ann"), site=site, code=code, name="", currency_code=currency,
        rule_set=RuleSet.objects.get(code=rules), jackpot_of=link, reason=reason, note=note, now=at,
    )  # fmt: skip
    return asked.pk


def ask_setup(
    table: Table,
    *,
    link: Jackpot | None,
    rules: str | None = None,
    reason: str = "link",
    at: datetime = NOW,
    by: str = "ann",
) -> UUID:
    """Ask that a table is linked to this jackpot or none, and plays these rules or those it plays."""
    table = Table.objects.get(pk=table.pk)
    rule_set = RuleSet.objects.get(code=rules) if rules else table.rule_set
    asked = table_setups.ask_to_change(
        caller=person(by), table=table, rule_set=rule_set, jackpot_of=link, reason=reason, now=at
    )
    return asked.pk


def set_up(table: Table, *, link: Jackpot | None, rules: str | None = None, at: datetime = NOW) -> Table:
    request_id = ask_setup(table, link=link, rules=rules, at=at)
    return table_setups.approve_table(caller=person("ben"), request_id=request_id, now=at)


def ask_jackpot(
    code: str = "NEW",
    *,
    site: Site,
    currency: str = "USD",
    reason: str = "new",
    at: datetime = NOW,
    by: str = "ann",
    **overrides: Any,
) -> UUID:
    """Ask for a jackpot under `policy(**overrides)`."""
    asked = houses.ask_for_jackpot(
        caller=person(by), site=site, code=code, name=f"Jackpot {code}", currency_code=currency,
        policy=policy(**overrides), reason=reason, now=at,
    )  # fmt: skip
    return asked.pk


def open_jackpot(code: str = "NEW", *, site: Site, at: datetime = NOW, **overrides: Any) -> Jackpot:
    request_id = ask_jackpot(code, site=site, at=at, **overrides)
    return openings.approve_opening(caller=person("ben"), request_id=request_id, now=at)
