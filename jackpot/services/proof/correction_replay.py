"""Replaying corrections: each posted again from the facts of both versions and the awards as the replay has them.

Kept in memory is what a correction depends on, of rounds that were corrected and no others.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from jackpot.domain import correction_postings
from jackpot.domain.accounts import Pot
from jackpot.domain.awards import State
from jackpot.domain.correction_postings import Corrected, InForce
from jackpot.domain.meter import Kind, Meter
from jackpot.domain.postings import Accrued, Books, Entry, EntryKind, Settlement
from jackpot.models.change_requests import ChangeRequest
from jackpot.selectors.journal import Stored
from jackpot.services import award_drafts
from jackpot.services.award_drafts import AwardDraft
from jackpot.services.changes import corrections
from jackpot.services.levels import Loaded
from jackpot.services.proof.award_replay import Awards


@dataclass(slots=True)
class History:
    """A round that was corrected, as the replay knows it by now: the version in force, what that posted, staked,
    contributed and owes, and the levels before the first version.
    """

    settlement: Settlement
    before: Mapping[str, Meter]
    posted: list[Entry]
    accrued: Accrued
    owed: dict[int, list[str]] = field(default_factory=dict)
    """The awards that stand for each item of the version, by its place."""

    shares: list[list[int]] = field(default_factory=list)
    """The places of the hits that took one share together."""

    def owe(self, ids: Mapping[int, str]) -> None:
        """Note the awards that the version opened, by their items' places."""
        for place, ref in ids.items():
            self.owed.setdefault(place, []).append(ref)


@dataclass(slots=True)
class Performed:
    """A correction performed again: its entries, the awards that its settlement opens and carries over, and the
    awards that it withdraws.
    """

    made: Corrected
    drafts: dict[int, AwardDraft]
    carried: dict[tuple[int, str], dict[str, Any]]


def before_settled(books: Books | None, policy_id: int | None) -> dict[str, Meter]:
    """The levels as they stand now, on the terms of the policy, for shares to be priced on later."""
    if books is None or policy_id is None:
        return {}
    terms = {terms.code: terms for terms in books.policies[policy_id].levels}
    return {
        code: Meter(terms.get(code, meter.terms), dict(meter.balances), dict.fromkeys(Pot, 0))
        for code, meter in books.levels.items()
    }


def begin(settlement: Settlement, before: Mapping[str, Meter], posted: Sequence[Entry], accrued: Accrued) -> History:
    """The first version of a round that was corrected later, just posted. What its void took back was gone before its
    shares were priced.
    """
    levels = {code: deepcopy(level) for code, level in before.items()}
    for row in posted[0].rows:
        if row.kind is Kind.VOID:
            levels[row.level].balances[row.pot] += row.amount
    kept = [entry for entry in posted if entry.kind is not EntryKind.AWARD_PAID]
    return History(settlement, levels, kept, accrued)


def perform(
    history: History, after: Settlement, entry: Entry, loaded: Loaded | None, awards: Awards
) -> Performed:  # fmt: skip
    """Post the next version of a round; `entry` seals the correction, without legs yet."""
    books = loaded.books if loaded else None
    held = awards.held_by(after.source.ref)
    states = {award.ref: award.state for award in held}
    gone = {
        f"round:{after.source.ref}:v{history.settlement.version}:hit{min(places) + 1}"
        for places in (_standing(history, share) for share in history.shares)
        if places and all(states[ref] is State.REJECTED for place in places for ref in history.owed[place])
    }
    owed = [ref for place in sorted(history.owed) for ref in history.owed[place]]
    was = InForce(
        posted=[posted for posted in history.posted if posted.source_ref not in gone],
        returned=correction_postings.returned_of(held, owed) if loaded else (),
        held=held,
        staked=history.settlement.staked,
        accrued=history.accrued,
        before=history.before,
    )
    made = correction_postings.correct(entry, after, was, books)
    drafts = award_drafts.draft_opened(after, made, loaded) if loaded else {}
    carried = {
        (draft.carried.position, str(draft.carried.award_id)): {
            "amount": draft.carried.amount, "hand": draft.carried.hand, "from_box": draft.carried.from_box,
            "seq": draft.carried.seq,
        }
        for draft in corrections.carried_over(made)
    }  # fmt: skip
    return Performed(made, drafts, carried)


def _standing(history: History, share: Sequence[int]) -> list[int]:
    return [place for place in share if history.owed.get(place)]


def follow(history: History, after: Settlement, made: Corrected) -> None:
    """The next version is in force. Its new awards are added to `owed` once their ids are known."""
    ref = made.settlement.source_ref
    mispaid = [entry for entry in made.entries if entry.source_ref.endswith(f":{correction_postings.MISPAY}")]
    history.posted = [entry for entry in made.entries if entry.source_ref.startswith(ref)] + mispaid
    history.settlement, history.accrued = after, made.accrued
    history.owed = {}
    for carried in made.fates.carried:
        history.owed.setdefault(carried.item, []).append(carried.ref)
    history.shares = correction_postings.shares(made.outcome)


def subjects(chunk: Sequence[Stored]) -> dict[str, str]:
    """The rounds that the corrections among some entries are about, by the entries' references."""
    refs = [stored.entry.source_ref for stored in chunk if stored.entry.kind == EntryKind.CORRECTION]
    ids = {ref.split(":")[1] for ref in refs if ref.count(":") == 1}
    known = {pk for pk in ids if _is_uuid(pk)}
    rows = ChangeRequest.objects.filter(pk__in=known).values_list("pk", "subject") if known else ()
    return {f"change:{pk}": subject.partition(":")[2] for pk, subject in rows}


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
