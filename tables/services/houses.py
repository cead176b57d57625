"""Setting up a house: its rule sets and its tables, and asking for a jackpot or for another policy of one."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import refuse
from tables.domain.hands import HandName
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table, TableSetup
from tables.rulesets import published

PUBLISHED_AT = datetime(2020, 1, 1, tzinfo=UTC)
"""From when the shipped rule sets count as in force: before any round that is reported."""


@transaction.atomic
def publish_rule_sets() -> list[RuleSet]:
    """The shipped rule sets as version 1 each; those that are there already stay as they are."""
    found = []
    for code, document in published().items():
        rule_set, new = RuleSet.objects.get_or_create(code=code, defaults={"name": code.replace("-", " ").title()})
        if new:
            RuleSetVersion.objects.create(rule_set=rule_set, version=1, document=document, in_force_at=PUBLISHED_AT)
        found.append(rule_set)
    return found


@transaction.atomic
def open_table(
    *,
    code: str,
    site: jackpot.Site,
    currency_code: str,
    rule_set: RuleSet,
    jackpot_of: jackpot.Jackpot | None = None,
    name: str = "",
    change: jackpot.ChangeDecision | None = None,
) -> Table:
    """A new table with its accounts, in its jackpot's lane or its site's. `change` is the approval of what was asked
    for (`tables.services.table_setups`); a command that sets a house up has none.

    Raises Refused where the link to the jackpot is not allowed, or its policy names hands that are none;
    InvalidRuleSet where the rule set's amounts are not amounts of this currency.
    """
    lane = lane_of(site=site, currency_code=currency_code, rule_set=rule_set, jackpot_of=jackpot_of)
    jackpot.open_table_books(table_ref=code, site=site)
    table = Table.objects.create(
        code=code,
        name=name or code,
        site=site,
        currency_code=currency_code,
        rule_set=rule_set,
        jackpot=jackpot_of,
        lane=lane,
    )
    since = change.at if change else PUBLISHED_AT
    TableSetup.objects.create(
        table=table, number=1, rule_set=rule_set, jackpot=jackpot_of, lane=lane, in_force_at=since, change=change
    )
    return table


def lane_of(
    *, site: jackpot.Site, currency_code: str, rule_set: RuleSet, jackpot_of: jackpot.Jackpot | None
) -> jackpot.Lane:
    """The lane of a table that is set up so.

    Raises Refused where the link to the jackpot is not allowed, or its policy names hands that are none;
    InvalidRuleSet where the rule set's amounts are not amounts of this currency.
    """
    for version in rule_set.versions.all():
        version.read(currency_code)
    if jackpot_of is not None:
        for policy in jackpot_of.policies.all():
            _check_lines(policy.read(), str(policy), "/jackpot")
    return jackpot.lane_of(site=site, jackpot=jackpot_of, currency_code=currency_code)


def _check_lines(policy: jackpot.Policy, name: str, pointer: str) -> None:
    """A jackpot takes the names of hands as they come: that its pay table names real ones, from the strongest to the
    weakest (`hit_order` goes by it), is seen to where tables that deal them are linked, and where it is changed.
    """
    names, hands = list(HandName), [line.hand for line in policy.lines]
    if unknown := set(hands) - set(names):
        raise refuse("invalid_value", f"{name} pays {min(unknown)!r}, which is no hand of this game", pointer)
    if hands != [name for name in names if name in hands]:
        raise refuse("invalid_value", f"{name} must list its hands from the strongest to the weakest", pointer)


def ask_for_policy(
    *,
    caller: jackpot.Caller,
    linked: jackpot.Jackpot,
    document: dict[str, Any],
    reason: str,
    note: str = "",
    now: datetime,
) -> UUID:
    """Ask for a new version of the policy of a jackpot that tables are linked to: the complete document. The id of the
    request, which another person approves (`jackpot.services.changes.policies.approve_policy`). Raises Refused.
    """
    return jackpot.ask_for_policy(
        caller=caller,
        jackpot=linked,
        document=document,
        check_hands=lambda policy: _check_lines(policy, "the policy", "/document/progressive_table"),
        reason=reason,
        note=note,
        now=now,
    )


def ask_for_jackpot(
    *,
    caller: jackpot.Caller,
    site: jackpot.Site,
    code: str,
    name: str,
    currency_code: str,
    policy: dict[str, Any],
    reason: str,
    note: str = "",
    now: datetime,
) -> jackpot.ChangeRequest:
    """Ask for a new jackpot that tables of this game can be linked to; another person approves it
    (`jackpot.services.changes.openings.approve_opening`). Raises Refused.
    """
    return jackpot.ask_for_jackpot(
        caller=caller,
        site=site,
        code=code,
        name=name,
        currency_code=currency_code,
        policy=policy,
        check_hands=lambda read: _check_lines(read, "the policy", "/policy"),
        reason=reason,
        note=note,
        now=now,
    )
