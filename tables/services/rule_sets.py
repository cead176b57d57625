"""New versions of rule sets by two people: a complete document, asked for by one and approved by another.

It is in force from the approval on, or from a later instant that was asked for; rounds locked out before keep theirs. A
rule set is no site's own: the lane of the site of its first table seals the decision. Source: domain.md, section 5.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import Violation, refuse
from jackpot.selectors import sites
from tables.domain.documents import InvalidRuleSet
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table

KIND = jackpot.ChangeKind.RULE_SET
_ANY_CURRENCY = "USD"
_CHANGED = Violation("illegal_move", "the rule set was changed meanwhile: ask again, on top of it")
_MEANWHILE = dict.fromkeys(("rule_set_follows", "rule_set_version_once"), _CHANGED)


def ask_for_version(
    *,
    caller: jackpot.Caller,
    rule_set: RuleSet,
    document: dict[str, Any],
    in_force_at: datetime | None = None,
    reason: str,
    note: str = "",
    now: datetime,
) -> jackpot.ChangeRequest:
    """Ask for a new version of a rule set: the complete document, in force from `in_force_at` or from its approval.

    Raises Refused: `invalid_value` for a document that can't be served (its pointer leads into it), that changes
    nothing, an instant that is past or before the last version's, a reason that is not on the list; `person_required`,
    `forbidden`.
    """
    last = _last(rule_set)
    check_document(rule_set, document)
    if document == last.document:
        raise refuse("invalid_value", f"that is {last} as it stands")
    _check_instant(last, in_force_at, now)
    return jackpot.ask_of_tables(
        caller=caller, kind=KIND, site=_site(rule_set), subject=rule_set.code, reason=reason, note=note,
        document={"rule_set": rule_set.code, "version": last.version + 1, "rules": document,
                  "in_force_at": in_force_at.isoformat() if in_force_at else None},
        before={"version": last.version, "rules": last.document}, now=now,
    )  # fmt: skip


def approve_version(*, caller: jackpot.Caller, request_id: UUID, note: str = "", now: datetime) -> RuleSetVersion:
    """Let a version come into force that another person asked for.

    Raises Refused as `jackpot.services.changes.change_requests.approve` does; `illegal_move` where another version was
    approved meanwhile, or the instant asked for has passed; and what was refused to who asked, as things stand now.
    """
    with jackpot.refined(_MEANWHILE), transaction.atomic():
        decision = jackpot.approve_of_tables(
            caller=caller, request_id=request_id, kind=KIND, note=note, now=now, changes=lambda one: _changes(one, now)
        )
        asked = decision.request.document
        last = _last(RuleSet.objects.get(code=asked["rule_set"]))
        since = max(filter(None, (decision.at, _instant(asked), last.in_force_at)))
        return RuleSetVersion.objects.create(
            rule_set=last.rule_set, version=asked["version"], document=asked["rules"], in_force_at=since,
            change=decision,
        )  # fmt: skip


def foresee(request: jackpot.ChangeRequest, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """What would change if it were approved now. Raises Refused as `approve_version` does."""
    return _changes(request, now)


def check_document(rule_set: RuleSet, document: dict[str, Any]) -> None:
    """Raises Refused (`invalid_value`) for a document that can't be served in every currency of its tables."""
    played = Table.objects.filter(rule_set=rule_set).values_list("currency_code", flat=True)
    for code in sorted(set(played)) or [_ANY_CURRENCY]:
        try:
            RuleSetVersion(rule_set=rule_set, version=0, document=document).read(code)
        except InvalidRuleSet as error:
            pointer = "/rules/" + error.key.replace(".", "/")
            raise refuse("invalid_value", error.problem, pointer) from None


def _changes(request: jackpot.ChangeRequest, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    asked, before = request.document, request.before
    rule_set = RuleSet.objects.get(code=asked["rule_set"])
    last = _last(rule_set)
    if last.version != before["version"]:
        raise refuse("illegal_move", f"the rule set was changed meanwhile, to {last}: ask again, on top of it")
    since = _instant(asked)
    if since is not None and since < now:
        raise refuse("illegal_move", f"it was to be in force from {asked['in_force_at']}, which has passed: ask again")
    check_document(rule_set, asked["rules"])
    settings = jackpot.changed(before["rules"], asked["rules"])
    return (
        {"version": last.version} | {setting.key: setting.before for setting in settings},
        {"version": asked["version"]} | {setting.key: setting.after for setting in settings},
    )


def _check_instant(last: RuleSetVersion, since: datetime | None, now: datetime) -> None:
    if since is None:
        return
    if since < now:
        raise refuse("invalid_value", "it can't be in force in the past", "/in_force_at")
    if since < last.in_force_at:
        detail = f"not before {last}, which is in force from {last.in_force_at:%Y-%m-%d %H:%M} UTC"
        raise refuse("invalid_value", detail, "/in_force_at")


def _instant(asked: dict[str, Any]) -> datetime | None:
    return datetime.fromisoformat(asked["in_force_at"]) if asked["in_force_at"] else None


def _last(rule_set: RuleSet) -> RuleSetVersion:
    return RuleSetVersion.objects.filter(rule_set=rule_set).select_related("rule_set").latest("version")


def _site(rule_set: RuleSet) -> jackpot.Site:
    first = Table.objects.filter(rule_set=rule_set).select_related("site").order_by("id").first()
    site = first.site if first else sites.first()
    if site is None:
        raise refuse("illegal_move", "there is no site yet: open one first")
    return site
