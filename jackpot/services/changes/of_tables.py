"""What two people change of the tables: the tables know what a request means and carry it out, the jackpot keeps who
asked and who decided, and seals both in the lane of the site.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from uuid import UUID

from jackpot.domain.callers import Caller
from jackpot.domain.change_requests import OF_TABLES, ChangeKind, Decision, Json
from jackpot.domain.postings import Entry
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.lanes import Lane
from jackpot.models.sites import Site
from jackpot.services.changes import change_requests
from jackpot.services.changes.change_requests import CarriedOut

Changes = Callable[[ChangeRequest], tuple[Json, Json]]
"""Told the request, under the lock of its site's lane, answers what is changed, from what to what; raises Refused."""


def ask_of_tables(
    *, caller: Caller, kind: ChangeKind, site: Site, subject: str, reason: str, note: str, document: Json, before: Json,
    now: datetime,
) -> ChangeRequest:  # fmt: skip
    """Put a request on record. Raises Refused as `change_requests.ask` does."""
    return change_requests.ask(
        caller=caller, kind=kind, site=site, jackpot=None, subject=subject, reason=reason, note=note,
        document=dict(document), before=dict(before), now=now,
    )  # fmt: skip


def approve_of_tables(
    *, caller: Caller, request_id: UUID, kind: ChangeKind, note: str, now: datetime, changes: Changes
) -> ChangeDecision:
    """Decide that a request is carried out, in the caller's transaction, which then does it.

    Raises Refused as `change_requests.approve` does.
    """

    def carry_out(request: ChangeRequest, lane: Lane, entry: Entry) -> CarriedOut:
        before, after = changes(request)
        return CarriedOut([entry], before=before, after=after)

    decision, _ = change_requests.approve(
        caller=caller, request_id=request_id, kind=kind, note=note, now=now, carry_out=carry_out
    )
    return decision


def approved_of_tables(**lacking: None) -> Iterator[ChangeRequest]:
    """What was approved of the tables and lacks all that could have come of it, named as the decision knows it."""
    approved = ChangeDecision.objects.filter(request__kind__in=OF_TABLES, decision=Decision.APPROVED, **lacking)
    for decision in approved.select_related("request").order_by("pk"):
        yield decision.request
