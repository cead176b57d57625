"""What the console shows of a request for a change: what is asked, before and after, and what became of it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.html import format_html

from jackpot import services as jackpot
from jackpot.admin.base import age, when, words
from jackpot.admin.policy_words import in_words, named
from jackpot.admin.steps import AGE, Fact
from jackpot.domain.errors import Refused
from jackpot.money import currency
from tables.admin import correction_pages
from tables.admin.change_tables import Shown, Table, trouble_of
from tables.admin.policy_form import DEFAULTS
from tables.models.rounds import Round
from tables.services import rule_sets, table_setups

Json = Mapping[str, Any]
Kind = jackpot.ChangeKind


def decision_of(request: jackpot.ChangeRequest) -> jackpot.ChangeDecision | None:
    """The decision on a request; None while it waits."""
    found: jackpot.ChangeDecision | None = getattr(request, "decided", None)
    return found


def subject_of(request: jackpot.ChangeRequest) -> str:
    """What a change is about, as people call it: a round by its game number."""
    if request.kind != Kind.CORRECTION:
        return request.subject
    rounds = Round.objects.filter(pk=request.subject.partition(":")[2])
    return str(rounds.values_list("game_number", flat=True).get())


def asked(request: jackpot.ChangeRequest, *, now: datetime) -> list[Fact]:
    """What is asked, by whom and why."""
    facts: list[Fact] = [
        ("Change", f"{words(request.kind)} of {subject_of(request)}"), *_wanted(request),
        ("Reason", words(request.reason)), ("Note", request.note or "–"),
        ("Asked by", request.asked_by.get_username()), ("Asked at", when(request.asked_at, request.site.timezone)),
    ]  # fmt: skip
    if decision_of(request) is None:
        facts.append((AGE, age(request.asked_at, now)))
    if request.jackpot_id:
        at = reverse("admin:jackpot_jackpot_change", args=[request.jackpot_id])
        facts.append(("Jackpot", format_html('<a href="{}">{}</a>', at, request.jackpot)))
    if request.kind == Kind.CORRECTION:
        at = reverse("admin:tables_round_change", args=[request.subject.partition(":")[2]])
        facts.append(("Round", format_html('<a href="{}">{}</a>', at, subject_of(request))))
    return facts


def _wanted(request: jackpot.ChangeRequest) -> Iterable[Fact]:
    """What stands in the request itself and in no comparison of pots."""
    document = request.document
    if request.kind in (Kind.ADJUSTMENT, Kind.TRANSFER):
        currency = request.jackpot.currency_code if request.jackpot else ""
        yield "Amount", f"{document['amount']} {currency}"
    if request.kind == Kind.TRANSFER:
        yield "Goes to", document["to"]
    if request.kind == Kind.RETIREMENT:
        yield (
            "What it has goes to",
            ", ".join(f"{own} → {document['to']}:{to}" for own, to in document["levels"].items()),
        )


def decided(request: jackpot.ChangeRequest) -> list[Fact]:
    """The decision, by whom, and the entry that seals it; nothing while it waits."""
    decision = decision_of(request)
    if decision is None:
        return []
    return [
        ("Decision", decision.decision), ("By", decision.by.get_username()),
        ("At", when(decision.at, request.site.timezone)), ("Note", decision.note or "–"),
        ("Sealed by entry", f"{decision.entry_id} ({words(decision.entry.kind)})"),
    ]  # fmt: skip


def compared(request: jackpot.ChangeRequest, *, now: datetime) -> Shown:
    """As asked; beside it how it would be now while it waits, or what the approval changed."""
    if request.kind == Kind.CORRECTION:
        return correction_pages.shown(request, decision_of(request))
    if request.kind == Kind.OPENING:
        return _opening(request, now)
    rows = {one.key: (one.before, one.after) for one in _as_asked(request)}
    decision = decision_of(request)
    if decision is not None:
        done = _pairs(decision.before or {}, decision.after or {}) if decision.before is not None else {}
        return Shown([_table(request, rows, done, "Changed from", "Changed to")])
    try:
        foreseen = _foreseen(request, now)
    except Refused as refused:
        return Shown([_table(request, rows, None)], trouble_of(refused))
    return Shown([_table(request, rows, _pairs(*foreseen), "Stands now", "Would be now")])


def _opening(request: jackpot.ChangeRequest, now: datetime) -> Shown:
    """All that a jackpot would be opened with, also what its policy leaves unsaid: there is nothing to compare."""
    asked = request.document
    counted = currency(asked["currency"])
    rows = [(words(key).capitalize(), asked[key]) for key in ("jackpot", "name", "site", "currency")]
    rows += [
        (named(key), in_words(key, value, counted)) for key, _, value in jackpot.changed({}, DEFAULTS | asked["policy"])
        if not key.endswith((".code", ".hand"))
    ]  # fmt: skip
    table = Table("What is opened", ("What", "As asked"), rows)
    try:
        if decision_of(request) is None:
            _foreseen(request, now)
    except Refused as refused:
        return Shown([table], trouble_of(refused))
    return Shown([table])


def _foreseen(request: jackpot.ChangeRequest, now: datetime) -> tuple[Json, Json]:
    """What an approval would come to now. Raises Refused with what stands in its way."""
    if request.kind == Kind.TABLE:
        return table_setups.foresee(request)
    if request.kind == Kind.RULE_SET:
        return rule_sets.foresee(request, now)
    return jackpot.foresee(request, now=now)


def _as_asked(request: jackpot.ChangeRequest) -> Iterable[jackpot.Changed]:
    """A request about pots holds how they stood and would stand; others hold two documents."""
    if "after" in request.document:
        return jackpot.changed(request.before, request.document["after"])
    return jackpot.changed(request.before, request.document)


def _pairs(before: Json, after: Json) -> dict[str, tuple[str | None, str | None]]:
    return {one.key: (one.before, one.after) for one in jackpot.changed(before, after)}


def _table(
    request: jackpot.ChangeRequest,
    rows: Mapping[str, tuple[str | None, str | None]],
    now: Mapping[str, tuple[str | None, str | None]] | None,
    *columns: str,
) -> Table:
    counted = request.jackpot.currency if request.jackpot else None
    keys = [key for key in {**rows, **(now or {})} if key != "version"]
    shown = [
        (named(key), *(in_words(key, value, counted) for value in rows.get(key, (None, None))),
         *(() if now is None else (in_words(key, value, counted) for value in now.get(key, (None, None)))))
        for key in keys
    ]  # fmt: skip
    names = ("What", "Before, when asked", "After, as asked", *(() if now is None else columns))
    return Table(f"What the {request.kind} changes", names, shown)
