"""Changing a jackpot's policy: a complete new version, asked for by one person and approved by another.

Rounds that are locked out from the approval on play the new version; those taken in before keep theirs. Base, rates and
limit of a level come into force with its next reset (`jackpot.domain.meter.reset`). Source: domain.md, section 5.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from jackpot.domain import policy_changes
from jackpot.domain.callers import Caller
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.changes import changed
from jackpot.domain.errors import refuse
from jackpot.domain.policy import InvalidPolicy, Policy
from jackpot.domain.postings import Entry, EntryKind
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.services.changes import change_requests
from jackpot.services.changes.change_requests import CarriedOut
from jackpot.services.levels import Loaded

CheckHands = Callable[[Policy], None]
"""Raises Refused where a pay table names what is no hand of the tables' game, or not in its order."""


def ask_for_policy(
    *,
    caller: Caller,
    jackpot: Jackpot,
    document: dict[str, Any],
    check_hands: CheckHands,
    reason: str,
    note: str = "",
    now: datetime,
) -> UUID:
    """Ask for a new version of a jackpot's policy: the complete document. The id of the request.

    Raises Refused: `invalid_value` for a document that can't be served or does not follow the last version, and for a
    reason that is not on the list; `person_required`; `illegal_move` for a retired jackpot. Nothing is written then.
    """
    last = _last(jackpot)
    check_hands(_check(last, document))
    request = change_requests.ask(
        caller=caller, kind=ChangeKind.POLICY, site=jackpot.home_site, jackpot=jackpot, subject=jackpot.code,
        reason=reason, note=note, document=document, before=last.document, now=now,
    )  # fmt: skip
    return request.pk


def approve_policy(*, caller: Caller, request_id: UUID, note: str = "", now: datetime) -> PolicyVersion:
    """Put what was asked for in force from `now` on, as somebody else than who asked.

    Raises Refused as `change_requests.approve` does; `illegal_move` where another version was approved meanwhile, which
    this one would undo unseen; and what `ask_for_policy` refuses, as things stand now. Nothing is written then.
    """
    with transaction.atomic():
        decision, _ = change_requests.approve(
            caller=caller, request_id=request_id, kind=ChangeKind.POLICY, note=note, now=now, carry_out=_carry_out
        )
        return _new_version(decision)


def foresee(request: ChangeRequest, now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings that would change if it were approved now; nothing is locked. Raises Refused as `approve_policy`."""
    lane = Lane.objects.select_related("jackpot").get(jackpot=request.jackpot_id)
    work = _carry_out(request, lane, change_requests.entry_of(request, EntryKind.POLICY, actor="", at=now))
    return dict(work.before), dict(work.after)


def perform(loaded: Loaded | None, decided: ChangeDecision, entry: Entry) -> list[Entry]:
    """Replay an approval: what was asked for waits for the next reset of each level.

    Raises ValueError where no version came of it.
    """
    version = PolicyVersion.objects.filter(change=decided).first()
    if loaded is None or version is None:
        raise ValueError(f"no policy version came of {decided.request}")
    wanted = Policy.from_document(decided.request.document, currency=loaded.jackpot.currency)
    for level in wanted.levels:
        loaded.books.levels[level.code].expect(level)
    loaded.latest_id = version.pk
    return [entry]


class Difference(NamedTuple):
    """A policy version that is not what it must be, and where."""

    version: PolicyVersion
    what: str
    expected: object
    stored: object


def differences(jackpot: Jackpot) -> Iterator[Difference]:
    """What versions of a policy say otherwise than their approvals, and their terms otherwise than their documents."""
    versions = PolicyVersion.objects.filter(jackpot=jackpot).select_related("jackpot", "change__request")
    in_force_at: datetime | None = None
    for version in versions.order_by("version"):
        if version.terms != (figures := version.read().figures):
            yield Difference(version, "policy terms", figures, version.terms)
        approved = version.change.request if version.change else None
        if version.version > 1 and (approved is None or approved.kind != ChangeKind.POLICY):
            yield Difference(version, "policy approval", "an approved change", None)
        elif approved is not None and approved.document != version.document:
            yield Difference(version, "policy document", approved.document, version.document)
        if version.change is not None and in_force_at is not None:
            in_force_at = max(version.change.at, in_force_at)
            if version.in_force_at != in_force_at:
                yield Difference(version, "policy in force", in_force_at, version.in_force_at)
        in_force_at = version.in_force_at


def _last(jackpot: Jackpot) -> PolicyVersion:
    return PolicyVersion.objects.filter(jackpot=jackpot).select_related("jackpot").latest("version")


def _check(last: PolicyVersion, document: dict[str, Any]) -> Policy:
    """The document as a policy that may follow the last version as its jackpot and the meters stand."""
    jackpot = last.jackpot
    if jackpot.state == Jackpot.State.RETIRED:
        raise refuse("illegal_move", f"jackpot {jackpot} is retired")
    try:
        wanted = Policy.from_document(document, currency=jackpot.currency)
    except InvalidPolicy as error:
        raise refuse("invalid_value", str(error), "/document") from None
    meters = dict(jackpot.levels.values_list("code", "meter"))
    policy_changes.check_change(last.read(), wanted, meters)
    return wanted


def _carry_out(request: ChangeRequest, lane: Lane, entry: Entry) -> CarriedOut:
    if lane.jackpot is None:
        raise refuse("not_found", "there is no such jackpot")
    last = _last(lane.jackpot)
    if last.document != request.before:
        raise refuse("illegal_move", f"the policy was changed meanwhile, to {last}: ask again, on top of it")
    _check(last, request.document)
    settings = changed(last.document, request.document)
    return CarriedOut(
        [entry],
        before={"version": last.version} | {setting.key: setting.before for setting in settings},
        after={"version": last.version + 1} | {setting.key: setting.after for setting in settings},
    )


def _new_version(decision: ChangeDecision) -> PolicyVersion:
    request = decision.request
    jackpot = request.jackpot
    if jackpot is None:
        raise refuse("not_found", "there is no such jackpot")
    last = _last(jackpot)
    return PolicyVersion.objects.create(
        jackpot=jackpot, version=last.version + 1, document=request.document, change=decision,
        terms=Policy.from_document(request.document, currency=jackpot.currency).figures,
        in_force_at=max(decision.at, last.in_force_at),
    )  # fmt: skip
