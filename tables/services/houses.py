"""Setting up a house: its rule sets and its tables, and asking for another policy of their jackpot."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import refuse
from tables.domain.hands import HandName
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table
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
) -> Table:
    """A new table with its accounts, in its jackpot's lane or its site's.

    Raises Refused where the link to the jackpot is not allowed, or its policy names hands that are none;
    InvalidRuleSet where the rule set's amounts are not amounts of this currency.
    """
    rule_set.versions.latest("version").read(currency_code)
    if jackpot_of is not None:
        _check_hands(jackpot_of)
    lane = jackpot.lane_of(site=site, jackpot=jackpot_of, currency_code=currency_code)
    jackpot.open_table_books(table_ref=code, site=site)
    return Table.objects.create(
        code=code,
        name=name or code,
        site=site,
        currency_code=currency_code,
        rule_set=rule_set,
        jackpot=jackpot_of,
        lane=lane,
    )


def _check_hands(linked: jackpot.Jackpot) -> None:
    for version in linked.policies.all():
        _check_lines(version.read(), str(version), "/jackpot")


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
