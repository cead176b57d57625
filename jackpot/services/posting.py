"""Posting: what tables hand over becomes entries, statement rows and awards.

A batch of one lane is computed in queue order by the pure `jackpot.domain.postings`, then written and sealed by
`jackpot.services.journal`, the one writer of the ledger, with a constant number of statements: inside the caller's
transaction and under the lane's lock.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from itertools import groupby

from jackpot.domain import events, postings
from jackpot.domain.accounts import Pot
from jackpot.domain.events import Event, Happened
from jackpot.domain.meter import Contribution, Kind
from jackpot.domain.postings import Accrued, Entry, LockOut, Settlement
from jackpot.domain.progressive import Outcome, Prize
from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane
from jackpot.selectors import statements
from jackpot.selectors.statements import Contributed
from jackpot.selectors.terms import History
from jackpot.services import award_drafts, journal, lanes, levels
from jackpot.services.award_drafts import AwardDraft
from jackpot.services.documents import Unsealed


@dataclass(frozen=True, slots=True)
class Posted:
    """What one posting came to: prizes by box (ledger units, stake inside), the gaming day it was entered under.

    `envy` is what its Envy comes to together. `events` tell of its hits, resets and Envy, to be published.
    """

    prizes: dict[int, Prize]
    gaming_day: date
    late: bool
    envy: int = 0
    events: tuple[Event, ...] = ()


@dataclass
class _Batch:
    """What a batch writes, in order, where each settlement's figures come from, and each outcome with its awards."""

    books: levels.Loaded | None
    entries: list[Entry] = field(default_factory=list)
    accrued: dict[str, Accrued] = field(default_factory=dict)
    outcomes: list[tuple[LockOut | Settlement, Outcome, list[AwardDraft]]] = field(default_factory=list)

    @cached_property
    def terms(self) -> History:
        """Which terms its levels had when. What this batch changes comes after all that was posted before it."""
        return History([self.books.jackpot.pk] if self.books else [])


def post(*, lane: Lane, batch: Sequence[LockOut | Settlement]) -> list[Posted]:
    """Post lock-outs and settlements of a lane taken by this transaction, in order; one answer for each.

    Unique keys refuse a second posting of the same source (IntegrityError); nothing is written then.
    """
    books = levels.load(lane, {posting.policy_id for posting in batch if posting.policy_id is not None})
    work, unsealed = _Batch(books), Unsealed(lane, batch, books)
    for posting in batch:
        work.entries += unsealed.before(posting)
        if isinstance(posting, LockOut):
            _lock_out(posting, work)
        else:
            _settle(posting, work)
    at = lanes.clock(lane)
    days = journal.write(
        lane=lane,
        books=books,
        entries=work.entries,
        awards=[draft for _, _, drafts in work.outcomes for draft in drafts],
        table_refs={posting.source.table_ref for posting in batch},
        at=at,
    )
    return [
        Posted(
            outcome.prizes,
            *days.of(posting.source),
            envy=sum(envy.amount for envy in outcome.envy),
            events=tuple(_events(_happened(posting, books, days, at), outcome, drafts)) if books and drafts else (),
        )
        for posting, outcome, drafts in work.outcomes
    ]


def fund(*, lane: Lane, at: datetime) -> None:
    """First funding of a new jackpot: each level from 0 to its base."""
    books = levels.load(lane, set())
    if books is not None:
        entries = postings.fund(books.books, at)
        journal.write(lane=lane, books=books, entries=entries, at=lanes.clock(lane))


def _lock_out(posting: LockOut, work: _Batch) -> None:
    if work.books is not None:
        entries, work.accrued[posting.source.ref] = postings.lock_out(posting, work.books.books)
        work.entries += entries
    work.outcomes.append((posting, Outcome(), []))


def _settle(posting: Settlement, work: _Batch) -> None:
    def accrued_of(ref: str) -> Accrued:
        return work.accrued.get(ref) or _accrued(ref, work)

    books = work.books
    entries, outcome = postings.settle(posting, books.books if books else None, accrued_of)
    drafts: list[AwardDraft] = []
    if books is not None and outcome.hits:
        drafts = award_drafts.draft_awards(posting, outcome, entries[0], books, entries)
    work.entries += entries
    work.outcomes.append((posting, outcome, drafts))


def _happened(posting: LockOut | Settlement, books: levels.Loaded, days: journal.Days, at: datetime) -> Happened:
    jackpot, source = books.jackpot, posting.source
    return Happened(
        source=source, site_id=days.site_of(source), jackpot_id=jackpot.pk, jackpot=jackpot.code,
        currency=jackpot.currency, test=jackpot.home_site.sandbox, at=at,
    )  # fmt: skip


def _events(happened: Happened, outcome: Outcome, drafts: Sequence[AwardDraft]) -> Iterator[Event]:
    """Each hit, or all that shared a meter, followed by the reset it caused; then the Envy. `drafts` are the awards in
    the same order.
    """
    hits = outcome.hits
    resets = {n: funding.rows for n, kind, funding in outcome.fundings if kind is Kind.RESET}
    for _, together in groupby(enumerate(hits), key=lambda numbered: (numbered[1].line.hand, numbered[1].seq)):
        shared = list(together)
        yield from (events.hit(happened, drafts[n].id, hit, drafts[n].state) for n, hit in shared)
        for n, hit in shared:
            if n in resets and (reset := events.reset(happened, drafts[n].id, hit, resets[n])):
                yield reset
    for envy, draft in zip(outcome.envy, drafts[len(hits) :], strict=True):
        yield events.envy(happened, draft.id, envy, drafts[envy.hit].id, hits[envy.hit], draft.state)


def _accrued(ref: str, work: _Batch) -> Accrued:
    """What an earlier batch's lock-out of a round contributed, read back from the statement, and by which terms."""
    if work.books is None:
        return {}
    return {
        code: _read_back(came, work.books.rows[code], work) for code, came in statements.contributions_of(ref).items()
    }


def _read_back(came: Contributed, level: Level, work: _Batch) -> Contribution:
    meter, overflow, reserve = (came.amounts.get(pot, 0) for pot in (Pot.METER, Pot.OVERFLOW, Pot.RESERVE))
    return Contribution(meter, overflow, reserve, came.meter_seq, [], work.terms.at(level, came.entry_id))
