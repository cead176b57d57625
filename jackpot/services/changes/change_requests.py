"""Changes that need two people: one asks, another approves or refuses, or who asked withdraws.

What a change does is its kind's own: it hands `approve` a function that works it out under the lane's lock. Request and
decision are sealed by the entry that carries the change out, or by one without legs that records that it was declined.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from uuid_utils.compat import uuid7

from jackpot.domain import change_requests
from jackpot.domain.callers import Caller, actor_of
from jackpot.domain.change_requests import Asked, ChangeKind, Decided, Decision, Json
from jackpot.domain.errors import refuse
from jackpot.domain.postings import Entry, EntryKind, Source
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from jackpot.services import journal, lanes
from jackpot.services.award_drafts import AwardDraft
from jackpot.services.journal import CarriedDraft, DecisionDraft, MoveDraft
from jackpot.services.levels import Loaded
from jackpot.services.staff import person_who_may


@dataclass(frozen=True, slots=True)
class Beside:
    """What an approved change comes to in the lane of another jackpot, held as well: a batch of that one."""

    lane: Lane
    books: Loaded
    entries: list[Entry]


@dataclass(slots=True)
class CarriedOut:
    """What an approved change comes to, to be written as one batch of its lane, and where it takes part one of another.

    The first entry is `entry_of` the request: it seals it. `before` and `after` are what it changes, as people read it.
    """

    entries: list[Entry]
    before: Json
    after: Json
    books: Loaded | None = None
    awards: Sequence[AwardDraft] = ()
    moves: Sequence[MoveDraft] = ()
    carried: Sequence[CarriedDraft] = ()
    table_refs: set[str] = field(default_factory=set)
    beside: Beside | None = None


BESIDE = ":in"
"""What the reference of a change's entry ends with in the other jackpot's lane."""

CarryOut = Callable[[ChangeRequest, Lane, Entry], CarriedOut]
"""Told the request, its lane under the lock, and the entry that is to carry it out (without legs yet)."""


def ask(
    *,
    caller: Caller,
    kind: ChangeKind,
    site: Site,
    jackpot: Jackpot | None,
    subject: str,
    reason: str,
    note: str,
    document: dict[str, Any],
    before: dict[str, Any],
    now: datetime,
) -> ChangeRequest:
    """Put a request on record. The kind's own service has checked what is asked.

    Raises Refused: `person_required`, `forbidden` without the permission, `invalid_value` where the reason is not on
    the kind's list.
    """
    asked_by_id = person_who_may(caller, f"jackpot.ask_{kind}")
    change_requests.check_reason(kind, reason, note)
    return ChangeRequest.objects.create(
        id=uuid7(), kind=kind, site=site, jackpot=jackpot, subject=subject, reason=reason, note=note,
        document=document, before=before, asked_by_id=asked_by_id, asked_at=now,
    )  # fmt: skip


def approve(
    *, caller: Caller, request_id: UUID, kind: ChangeKind, note: str = "", now: datetime, carry_out: CarryOut
) -> tuple[ChangeDecision, journal.Days]:
    """Carry a request out, as somebody else than who asked; in one transaction, sealed.

    Raises Refused: `not_found`, `person_required`, `forbidden` without the permission, `illegal_move` where it is
    decided already, `second_person_required`, and what the kind's own work refuses; nothing is written then.
    """
    with transaction.atomic():
        request, lane = _hold(request_id, kind)
        by_id = _check(request, Decision.APPROVED, caller)
        entry = entry_of(request, EntryKind(kind), actor=caller.actor, at=now)
        work = carry_out(request, lane, entry)
        return _write(request, lane, Decision.APPROVED, work, by_id=by_id, note=note, now=now)


def refuse_change(*, caller: Caller, request_id: UUID, note: str, now: datetime) -> ChangeDecision:
    """Refuse a request, as somebody else than who asked. Raises Refused as `approve` does."""
    return _decline(Decision.REFUSED, caller=caller, request_id=request_id, note=note, now=now)


def withdraw_change(*, caller: Caller, request_id: UUID, note: str, now: datetime) -> ChangeDecision:
    """Take back what one asked for. Raises Refused: `not_found`, `illegal_move`, `forbidden` for anybody else."""
    return _decline(Decision.WITHDRAWN, caller=caller, request_id=request_id, note=note, now=now)


def entry_of(request: ChangeRequest, kind: EntryKind, *, actor: str, at: datetime) -> Entry:
    """The entry that seals a request and its decision by `actor`, without legs."""
    source = Source(str(request.pk), "", None, at)
    return Entry(kind, f"change:{request.pk}", source, reason=request.reason, actor=actor)


def entry_beside(request: ChangeRequest, kind: EntryKind, *, actor: str, at: datetime) -> Entry:
    """The entry of the same change in another jackpot's lane, without legs yet."""
    entry = entry_of(request, kind, actor=actor, at=at)
    entry.source_ref += BESIDE
    return entry


def record_of(request: ChangeRequest, decision: ChangeDecision) -> bytes:
    """What the entry of a decided request digests, from how both are stored."""
    decided = Decided(
        Decision(decision.decision), actor_of(user_id=decision.by_id, key_id=None), decision.at, decision.note,
        decision.before, decision.after,
    )  # fmt: skip
    return change_requests.record(_asked(request), decided)


def _hold(request_id: UUID, kind: ChangeKind | None) -> tuple[ChangeRequest, Lane]:
    """The request under the lock of the lane that seals it: who decides second finds it decided."""
    request = ChangeRequest.objects.select_related("jackpot__home_site", "site").filter(pk=request_id).first()
    if request is None or kind not in (None, request.kind):
        raise refuse("not_found", "there is no such request")
    lane = lanes.hold(request.jackpot_id) if request.jackpot_id else lanes.hold_of_site(request.site_id)
    return request, lane


def _check(request: ChangeRequest, decision: Decision, caller: Caller) -> int:
    """Who decides, where the caller may."""
    verb = "ask" if decision is Decision.WITHDRAWN else "decide"
    by_id = person_who_may(caller, f"jackpot.{verb}_{request.kind}")
    if (earlier := ChangeDecision.objects.filter(request=request).first()) is not None:
        raise refuse("illegal_move", f"the request was {earlier.decision} already")
    change_requests.check_person(_asked(request), decision, caller.actor)
    return by_id


def _decline(decision: Decision, *, caller: Caller, request_id: UUID, note: str, now: datetime) -> ChangeDecision:
    with transaction.atomic():
        request, lane = _hold(request_id, None)
        by_id = _check(request, decision, caller)
        entry = entry_of(request, EntryKind.DECLINED, actor=caller.actor, at=now)
        work = CarriedOut([entry], before={}, after={})
        return _write(request, lane, decision, work, by_id=by_id, note=note, now=now)[0]


def _write(
    request: ChangeRequest, lane: Lane, decision: Decision, work: CarriedOut, *, by_id: int, note: str, now: datetime
) -> tuple[ChangeDecision, journal.Days]:  # fmt: skip
    approved = decision is Decision.APPROVED
    row = ChangeDecision(
        request=request, decision=decision, by_id=by_id, at=now, note=note,
        before=work.before if approved else None, after=work.after if approved else None,
    )  # fmt: skip
    work.entries[0].facts = record_of(request, row)
    days = journal.write(
        lane=lane, books=work.books, entries=work.entries, awards=work.awards, moves=work.moves,
        carried=work.carried,
        decisions=[DecisionDraft(row, work.entries[0])], table_refs=work.table_refs, at=lanes.clock(lane),
    )  # fmt: skip
    if beside := work.beside:
        journal.write(lane=beside.lane, books=beside.books, entries=beside.entries, at=lanes.clock(beside.lane))
    return row, days


def _asked(request: ChangeRequest) -> Asked:
    return Asked(
        str(request.pk), ChangeKind(request.kind), request.subject, request.reason, request.note, request.document,
        request.before, actor_of(user_id=request.asked_by_id, key_id=None), request.asked_at,
    )  # fmt: skip
