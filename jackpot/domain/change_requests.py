"""Changes that one person asks for and another approves: kinds, reasons, and the record that is sealed. Pure.

Source: accounting.md, section 6; domain.md, section 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from jackpot.domain.canonical import canonical, instant
from jackpot.domain.errors import refuse

Json = Mapping[str, Any]


class ChangeKind(StrEnum):
    """What may be asked for. The entry that seals an approved change has the same kind."""

    POLICY = "policy"
    ADJUSTMENT = "adjustment"
    TRANSFER = "transfer"
    RETIREMENT = "retirement"
    CORRECTION = "correction"
    OPENING = "opening"
    TABLE = "table"
    RULE_SET = "rule_set"


OF_TABLES = (ChangeKind.TABLE, ChangeKind.RULE_SET)
"""Kinds that change what the tables keep; the jackpot seals who asked and who decided."""


class Decision(StrEnum):
    """What became of a request: another person approved or refused it, or who asked took it back."""

    APPROVED = "approved"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


OTHER = "other"
"""A reason that needs a note."""

REASONS: Mapping[ChangeKind, tuple[str, ...]] = {
    ChangeKind.POLICY: ("rates", "base", "limit", "pay_table", "house_rules", "regulator", OTHER),
    ChangeKind.ADJUSTMENT: ("meter_fault", "reading_variance", "missed_contributions", "promotion", "regulator", OTHER),
    ChangeKind.TRANSFER: ("merge", "split", "equipment_change", "regulator", OTHER),
    ChangeKind.RETIREMENT: ("replaced", "tables_closed", "regulator", OTHER),
    ChangeKind.CORRECTION: ("wrong_cards", "wrong_bets", "wrong_decision", "wrong_box", "void_missed", OTHER),
    ChangeKind.OPENING: ("new", "replacement", OTHER),
    ChangeKind.TABLE: ("new_table", "floor_plan", "link", "unlink", "rules", OTHER),
    ChangeKind.RULE_SET: ("pay_table", "limits", "house_rules", "regulator", OTHER),
}
"""The closed list of reasons of each kind."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as its decision sees it. `actor` is who asked, as in `Caller.actor`."""

    ref: str
    kind: ChangeKind
    subject: str
    reason: str
    note: str
    document: Json
    before: Json
    actor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision on a request: by whom and when, and of an approved one what it changed from what to what."""

    decision: Decision
    actor: str
    at: datetime
    note: str = ""
    before: Json | None = None
    after: Json | None = None


def check_reason(kind: ChangeKind, reason: str, note: str) -> None:
    """Raises Refused (`invalid_value`) for a reason that is not on the list, or one that needs a note and has none."""
    if reason not in REASONS[kind]:
        raise refuse("invalid_value", f"the reason of a {kind} is one of {', '.join(REASONS[kind])}", "/reason")
    if reason == OTHER and not note.strip():
        raise refuse("invalid_value", "the reason other needs a note that says which", "/note")


def check_person(asked: Asked, decision: Decision, actor: str) -> None:
    """Raises Refused: `second_person_required` where who asked would approve or refuse, `forbidden` where somebody else
    would withdraw.
    """
    if decision is Decision.WITHDRAWN and actor != asked.actor:
        raise refuse("forbidden", "only who asked for a change withdraws it; refuse it instead")
    if decision is not Decision.WITHDRAWN and actor == asked.actor:
        raise refuse("second_person_required", "another person must decide: not the one who asked")


def record(asked: Asked, decided: Decided) -> bytes:
    """The request and its decision as canonical JSON: what the entry that seals them digests."""
    document = {
        "change": asked.ref,
        "kind": asked.kind,
        "subject": asked.subject,
        "reason": asked.reason,
        "note": asked.note,
        "document": asked.document,
        "before": asked.before,
        "asked_by": asked.actor,
        "asked_at": instant(asked.at),
        "decision": decided.decision,
        "decided_by": decided.actor,
        "decided_at": instant(decided.at),
        "decision_note": decided.note,
        "was": decided.before,
        "became": decided.after,
    }
    return canonical(document)
