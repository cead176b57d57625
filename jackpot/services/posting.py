"""Posting: what tables hand over becomes entries, statement rows and awards.

A batch of one lane is computed in queue order by the pure `jackpot.domain.postings`, then written and sealed by
`jackpot.services.journal`, the one writer of the ledger, with a constant number of statements: inside the caller's
transaction and under the lane's lock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from jackpot.domain import postings
from jackpot.domain.meter import Contribution
from jackpot.domain.postings import Accrued, Entry, LockOut, Settlement
from jackpot.domain.progressive import Outcome, Prize
from jackpot.models.lanes import Lane
from jackpot.selectors import statements
from jackpot.services import journal, lanes, levels
from jackpot.services.journal import AwardDraft


@dataclass(frozen=True, slots=True)
class Posted:
    """What one posting came to: prizes by box (ledger units, stake inside), the gaming day it was entered under."""

    prizes: dict[int, Prize]
    gaming_day: date
    late: bool


@dataclass(slots=True)
class _Batch:
    """What a batch writes, in order, and where each settlement's figures come from."""

    entries: list[Entry] = field(default_factory=list)
    awards: list[AwardDraft] = field(default_factory=list)
    accrued: dict[str, Accrued] = field(default_factory=dict)
    outcomes: list[tuple[LockOut | Settlement, Outcome]] = field(default_factory=list)


def post(*, lane: Lane, batch: Sequence[LockOut | Settlement]) -> list[Posted]:
    """Post lock-outs and settlements of a lane taken by this transaction, in order; one answer for each.

    Unique keys refuse a second posting of the same source (IntegrityError); nothing is written then.
    """
    books = levels.load(lane, {posting.policy_id for posting in batch if posting.policy_id is not None})
    work = _Batch()
    for posting in batch:
        if isinstance(posting, LockOut):
            _lock_out(posting, books, work)
        else:
            _settle(posting, books, work)
    days = journal.write(
        lane=lane,
        books=books,
        entries=work.entries,
        awards=work.awards,
        table_refs={posting.source.table_ref for posting in batch},
        at=lanes.clock(lane),
    )
    return [Posted(outcome.prizes, *days.of(posting.source)) for posting, outcome in work.outcomes]


def fund(*, lane: Lane, at: datetime) -> None:
    """First funding of a new jackpot: each level from 0 to its base."""
    books = levels.load(lane, set())
    if books is not None:
        entries = postings.fund(books.books, at)
        journal.write(lane=lane, books=books, entries=entries, at=lanes.clock(lane))


def _lock_out(posting: LockOut, books: levels.Loaded | None, work: _Batch) -> None:
    if books is not None:
        entries, work.accrued[posting.source.ref] = postings.lock_out(posting, books.books)
        work.entries += entries
    work.outcomes.append((posting, Outcome()))


def _settle(posting: Settlement, books: levels.Loaded | None, work: _Batch) -> None:
    def accrued_of(ref: str) -> Accrued:
        return work.accrued.get(ref) or _accrued(ref)

    entries, outcome = postings.settle(posting, books.books if books else None, accrued_of)
    if books is not None and outcome.hits:
        work.awards += journal.draft_awards(posting, outcome, entries[0], books, entries)
    work.entries += entries
    work.outcomes.append((posting, outcome))


def _accrued(ref: str) -> Accrued:
    """What an earlier batch's lock-out of a round contributed, read back from the statement."""
    return {
        level: Contribution(pots.get("meter", 0), pots.get("overflow", 0), pots.get("reserve", 0), seq, [])
        for level, pots, seq in statements.contributions_of(ref)
    }
