"""Re-performing a lane: everything posted in it is computed again, from the first funding on, and compared.

The pure `jackpot.domain.postings` replays lock-outs and settlements in the order of their entries, under the policies
pinned by each round, on meters that start empty. What a round says comes from the tables (`Rounds`), from its stored
facts alone; the jackpot never sees a card. Of awards, who made which move when is taken as told (`award_replay`).
Nothing else stored is used but the order of the entries.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from jackpot.domain import correction_postings, postings
from jackpot.domain.audit import Findings
from jackpot.domain.correction_awards import Carried
from jackpot.domain.errors import Refused
from jackpot.domain.postings import Accrued, Books, Document, Entry, EntryKind, LockOut, Settlement
from jackpot.domain.progressive import Outcome, Prize
from jackpot.models.lanes import Lane
from jackpot.selectors import books as selectors
from jackpot.selectors import closings
from jackpot.selectors import journal as stored_journal
from jackpot.selectors.journal import Stored
from jackpot.services import award_drafts, closing, documents
from jackpot.services.changes import policies
from jackpot.services.proof import change_replay, correction_replay, replayed
from jackpot.services.proof.award_replay import Awards, Moves, positions, stored_moves

Progress = Callable[[int, int], None]
"""Told how many entries are done, and of how many."""


class Rounds(Protocol):
    """What the tables say of rounds, from their stored facts alone. References as in `Source.ref`."""

    def prepare(self, refs: Collection[str], /) -> None:
        """These rounds are asked for next."""

    def lock_out(self, ref: str, /) -> LockOut | None:
        """The Progressive stakes of a round whose betting has closed; None where there is no such round."""

    def settlement(self, ref: str, version: int, /) -> Settlement | None:
        """A version of a round's settlement; None where there is no such thing."""

    def document(self, ref: str, /) -> Document | None:
        """A version of the tables' own rules by the reference it is sealed under; None where there is none."""

    def settled(self, ref: str, version: int, prizes: Mapping[int, Prize], /) -> None:
        """The prizes of a version's settlement, by box."""

    def corrected(self, ref: str, /) -> bool:
        """Whether the round has a later version than its first."""


@dataclass(slots=True)
class Counts:
    """How much was re-performed."""

    entries: int = 0
    legs: int = 0
    statement_rows: int = 0
    awards: int = 0
    settlements: int = 0


def replay(*, lane: Lane, rounds: Rounds, findings: Findings, progress: Progress = lambda done, total: None) -> Counts:
    """Replay all of a lane, naming in `findings` what is stored otherwise, is missing, or follows from nothing.

    Read in one snapshot (the caller's transaction), a few thousand entries at a time.
    """
    work = _Replay(lane, rounds, findings)
    total = stored_journal.entry_count(lane)
    for chunk in stored_journal.chunks(lane):
        subjects = correction_replay.subjects(chunk)
        rounds.prepare({ref for stored in chunk if (ref := _round_of(stored))} | {*subjects.values()})
        work.subjects = subjects
        for stored in chunk:
            work.take(stored)
        progress(work.counts.entries, total)
    work.finish()
    return work.counts


def _round_of(stored: Stored) -> str:
    """The round an entry's reference names ("round:ID", "round:ID:v1"), or nothing."""
    kind, _, rest = stored.entry.source_ref.partition(":")
    return rest.partition(":")[0] if kind == "round" else ""


def _version_of(stored: Stored) -> int:
    version = stored.entry.source_ref.rpartition(":v")[2]
    return int(version) if version.isdecimal() else 0


@dataclass(slots=True)
class _Due:
    """An entry that must come next, with the awards it owes (won by `outcome`), the moves it seals and what it carries
    over. `history` is that of a round that is corrected later.
    """

    entry: Entry
    awards: list[award_drafts.AwardDraft] = field(default_factory=list)
    outcome: Outcome = field(default_factory=Outcome)
    moves: Moves = field(default_factory=dict)
    carried: dict[tuple[int, str], dict[str, Any]] = field(default_factory=dict)
    standing: Sequence[Carried] = ()
    history: correction_replay.History | None = None


class _Replay:
    """The replay's state: meters and awards as they stand, what must come next, and which rounds are locked out."""

    def __init__(self, lane: Lane, rounds: Rounds, findings: Findings) -> None:
        self.lane, self.rounds, self.findings = lane, rounds, findings
        self.counts = Counts()
        self.loaded = replayed.fresh_books(lane)
        self.policy_of = dict.fromkeys(self.loaded.rows, self.loaded.latest_id) if self.loaded else {}
        self.locked: dict[str, Accrued] = {}
        self.awards = Awards(findings)
        self.due: deque[_Due] = deque()
        self.subjects: dict[str, str] = {}
        self.histories: dict[str, correction_replay.History] = {}
        if self.loaded is not None:
            funding = postings.fund(self.loaded.books, self.loaded.jackpot.opened_at)
            self.due.extend(map(_Due, funding))

    def take(self, stored: Stored) -> None:
        """Compare one stored entry with the one that is due, after replaying what it says it records."""
        self.counts.entries += 1
        if self.due and not _is(self.due[0].entry, stored):
            self._name_missing()
        if not self.due:
            self._perform(stored)
        if not self.due:
            self.findings.invented("entry", f"entry {stored.entry.pk}", str(stored.entry))
            return
        self._compare(self.due.popleft(), stored)

    def finish(self) -> None:
        """Name what never came, and compare the meters at the end with the stored ones."""
        self._name_missing()
        if self.loaded is None:
            return
        for code, row in self.loaded.rows.items():
            expected = replayed.standing(self.loaded.books.levels[code]) | {"policy_id": self.policy_of[code]}
            self.findings.compare("level", f"level {code}", expected, replayed.stored(row))
        for found in policies.differences(self.loaded.jackpot):
            self.findings.add(found.what, f"policy {found.version}", expected=found.expected, stored=found.stored)
        self.awards.finish()
        owed, unpaid = selectors.unpaid_awards(self.loaded.jackpot)
        if owed != unpaid:
            self.findings.add("unpaid awards", f"jackpot {self.loaded.jackpot}", expected=owed, stored=unpaid)
        for ref in change_replay.missing(self.loaded.jackpot):
            self.findings.missing("entry", ref, "a decided change")
        for what, where in stored_journal.strays(self.loaded.jackpot, self.lane):
            self.findings.invented(what, where, "outside the jackpot's lane")

    def _name_missing(self) -> None:
        for due in self.due:
            self.findings.missing("entry", f"{due.entry.kind} {due.entry.source_ref}", due.entry.legs)
        self.due.clear()

    def _perform(self, stored: Stored) -> None:
        """Replay the lock-out, settlement or move an entry stands for; nothing is due where nobody knows of one."""
        ref, kind = _round_of(stored), stored.entry.kind
        books = self.loaded.books if self.loaded else None
        try:
            if kind == EntryKind.LOCKOUT and books and (lock_out := self.rounds.lock_out(ref)):
                entries, self.locked[ref] = postings.lock_out(lock_out, books)
                self.due.extend(map(_Due, entries))
            elif kind in _OF_AWARDS and self.loaded:
                made = self.awards.perform(self.loaded, stored)
                self.due.extend(_Due(entry, moves=moves) for entry, moves in made)
            elif kind == EntryKind.CORRECTION:
                self._correct(stored)
            elif kind == EntryKind.DAY_CLOSED:
                self._close(stored)
            elif kind == EntryKind.DOCUMENT:
                self._seal(stored.entry.source_ref.removeprefix(f"{kind}:{self.lane.pk}:"), stored)
            elif kind in change_replay.KINDS:
                self.due.extend(map(_Due, change_replay.perform(self.loaded, stored)))
            elif kind in (EntryKind.SETTLEMENT, EntryKind.VOID):
                settlement = self.rounds.settlement(ref, _version_of(stored))
                if settlement and settlement.void == (kind == EntryKind.VOID):
                    self._settle(settlement, books)
        except (KeyError, ValueError, Refused) as error:
            self.findings.add("entry", f"entry {stored.entry.pk}", expected=f"an error: {error!r}", stored=stored.entry)

    def _close(self, stored: Stored) -> None:
        """The day's entry again, from its stored closing: the digest of its facts is that of the closing's lines."""
        found = closings.stored().filter(entry=stored.entry.pk).first()
        if found is not None:
            self.due.append(_Due(closing.entry_of(closings.read(found), stored.entry.event_at)))

    def _seal(self, ref: str, stored: Stored) -> None:
        """A document may be sealed wherever it stands: in older lanes it comes later than what follows from it."""
        versions = self.loaded.versions.values() if self.loaded else ()
        policies = {made.ref: made for made in map(documents.policy, versions)}
        if document := policies.get(ref) or self.rounds.document(ref):
            self.due.append(_Due(postings.seal(document, self.lane.pk, stored.entry.event_at)))

    def _settle(self, posting: Settlement, books: Books | None) -> None:
        ref = posting.source.ref
        lock_out = self.rounds.lock_out(ref)
        if books and lock_out and lock_out.staked and ref not in self.locked:
            self.findings.missing("entry", f"{EntryKind.LOCKOUT} round:{ref}", lock_out)
        corrected = self.rounds.corrected(ref)
        before = correction_replay.before_settled(books, posting.policy_id) if corrected else {}
        entries, outcome = postings.settle(posting, books, lambda ref: self.locked.get(ref, {}))
        awards: list[award_drafts.AwardDraft] = []
        if self.loaded and outcome.hits:
            awards = award_drafts.draft_awards(posting, outcome, entries[0], self.loaded, entries)
        history = None
        if corrected:
            history = correction_replay.begin(posting, before, entries, self.locked.get(ref, {}))
            history.shares = correction_postings.shares(outcome)
            self.histories[ref] = history
        self.due.append(_Due(entries[0], awards, outcome, history=history))
        self.due.extend(map(_Due, entries[1:]))
        self.locked.pop(ref, None)
        self.counts.settlements += 1
        self.rounds.settled(ref, posting.version, outcome.prizes)

    def _correct(self, stored: Stored) -> None:
        """Replay an approved correction from both versions' facts."""
        ref = self.subjects.get(stored.entry.source_ref, "")
        history, entry = self.histories.get(ref), change_replay.sealed_by(stored)
        after = self.rounds.settlement(ref, history.settlement.version + 1) if history else None
        if history is None or after is None or entry is None:
            return
        done = correction_replay.perform(history, after, entry, self.loaded, self.awards)
        made, moves = done.made, self.awards.withdraw(done.made.fates.withdrawn, stored.moves)
        correction_replay.follow(history, after, made)
        for one in made.entries:
            due = _Due(one, moves=moves if one is entry else {})
            if one is made.settlement:
                due = _Due(one, list(done.drafts.values()), made.outcome, {}, done.carried, made.fates.carried, history)
            self.due.append(due)
        self.counts.settlements += 1
        self.rounds.settled(ref, after.version, made.outcome.prizes)

    def _compare(self, due: _Due, stored: Stored) -> None:
        expected, where = due.entry, f"entry {stored.entry.pk} ({stored.entry})"
        self.findings.compare("entry", where, replayed.head(expected), replayed.stored_head(stored))
        legs = [(code, amount) for code, amount in expected.legs.items() if amount]
        if legs != stored.legs:
            self.findings.add("legs", where, expected=legs, stored=stored.legs)
        rows = {
            (row.level, row.pot.value, row.seq): {
                "kind": row.kind.value, "amount": row.amount, "before": row.before, "after": row.after,
            }
            for row in expected.rows
        }  # fmt: skip
        self.findings.compare_each("statement row", where, rows, stored.rows)
        self.findings.compare_each("terms", where, self._bring_terms(expected), stored.terms)
        self._compare_awards(where, due.awards, stored)
        if self.loaded and (due.awards or due.standing):
            keep = due.history is not None
            ids = self.awards.owe(self.loaded, due.awards, due.outcome, stored, due.standing, keep=keep)
            if due.history is not None:
                due.history.owe(ids)
        self.findings.compare_each("carried award", where, due.carried, stored.carried)
        self.findings.compare_each("move", where, due.moves, stored_moves(stored))
        self.counts.legs += len(stored.legs)
        self.counts.statement_rows += len(stored.rows)
        self.counts.awards += len(stored.awards)

    def _bring_terms(self, entry: Entry) -> dict[str, dict[str, Any]]:
        """The level whose terms change with an entry, and to those of which version of the policy."""
        if entry.terms is None or self.loaded is None:
            return {}
        self.policy_of[entry.terms.code] = self.loaded.latest_id
        return {entry.terms.code: {"policy_id": self.loaded.latest_id}}

    def _compare_awards(self, where: str, awards: list[award_drafts.AwardDraft], stored: Stored) -> None:
        """Awards by their position; an award's id is chance, so a payment that is due takes the stored one."""
        places = positions(awards)
        expected: dict[int, dict[str, Any]] = {}
        for draft in awards:
            values = {name: draft.values.get(name) for name in stored_journal.FROZEN}
            hit = draft.values.get("hit_id")
            source_ref = draft.entry.source.ref
            at = places[hit] if hit in places else self.awards.position_of(source_ref, hit) if hit else None
            expected[places[draft.id]] = values | {"hit__position": at}
        self.findings.compare_each("award", where, expected, stored.awards)
        ids = {
            f"award:{draft.id}": f"award:{stored.awards[places[draft.id]]['id']}"
            for draft in awards
            if places[draft.id] in stored.awards
        }
        for due in self.due:
            due.entry = replace(due.entry, source_ref=ids.get(due.entry.source_ref, due.entry.source_ref))


_OF_AWARDS = (EntryKind.AWARD_PAID, EntryKind.AWARD_RETURNED, EntryKind.AWARD_MOVE)


def _is(entry: Entry, stored: Stored) -> bool:
    return (entry.kind, entry.source_ref) == (stored.entry.kind, stored.entry.source_ref)
