"""What the jackpot's own entries stand for, by kind: whoever adds a kind of entry says here what it must stand for.

Each function is given entries of its kind and answers, by the entry's id, the canonical bytes whose digest the entry
seals: empty where it seals no facts. An entry whose round, award, move, document or request is not there is left out,
and so named as invented; one whose trouble is named in `findings` already is answered by None.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import UUID

from jackpot.domain.audit import Findings
from jackpot.domain.callers import actor_of
from jackpot.domain.change_requests import ChangeKind, Decision
from jackpot.domain.closings import AccountLine, PotLine
from jackpot.domain.meter import Kind
from jackpot.domain.policy import LevelTerms
from jackpot.domain.postings import EntryKind
from jackpot.models.awards import Award, CarriedAward
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Level, PolicyVersion
from jackpot.models.terms import TermsChange
from jackpot.selectors import closings, day_figures
from jackpot.selectors.sealed import SealedEntry
from jackpot.services import documents
from jackpot.services.changes import change_requests

Told = Mapping[int, bytes | None]
_NO_FACTS = b""


def _fundings(entries: Sequence[SealedEntry], findings: Findings) -> Told:
    """A reset or restore follows from a hit of its round's settlement, or is a level's first funding."""
    by_ref = {entry.source_ref: entry.id for entry in entries}
    settlements = {ref.rpartition(":hit")[0] for ref in by_ref if ref.startswith("round:")}
    hits = Award.objects.filter(entry__source_ref__in=settlements, entry__kind__in=_SETTLING, kind=Award.Kind.HIT)
    known = {f"{ref}:hit{position}" for ref, position in hits.values_list("entry__source_ref", "position")}
    kept = CarriedAward.objects.filter(entry__source_ref__in=settlements, seq__isnull=False)
    known |= {f"{ref}:hit{position}" for ref, position in kept.values_list("entry__source_ref", "position")}
    if any(ref.startswith("fund:") for ref in by_ref):
        levels = Level.objects.values_list("jackpot__code", "code")
        known |= {f"fund:{jackpot}:{level}" for jackpot, level in levels}
    brought = {change.entry_id: _terms(change) for change in TermsChange.objects.filter(entry__in=by_ref.values())
               .select_related("level", "policy")}  # fmt: skip
    return {pk: brought.get(pk, _NO_FACTS) for ref, pk in by_ref.items() if ref in known}


def _terms(change: TermsChange) -> bytes:
    """The terms that a reset brought its level, as the version has them."""
    return LevelTerms.of(change.level.code, change.policy.terms[change.level.code]).record


def _payments(entries: Sequence[SealedEntry], findings: Findings) -> Told:
    """A payment or return is of an award that stands so, to the unit, and was moved by somebody or paid at once."""
    awards = _awards(entry.source_ref for entry in entries)
    policies = PolicyVersion.objects.filter(pk__in={award.policy_id for award in awards.values()})
    verified_from = {policy.pk: policy.read().verify_from for policy in policies.select_related("jackpot")}
    told: dict[int, bytes | None] = {}
    for entry in entries:
        award = awards.get(entry.source_ref)
        if award is None or not (entry.moves or _paid_at_once(entry, award, verified_from[award.policy_id])):
            continue
        told[entry.id] = _NO_FACTS
        debits = [leg.amount for leg in entry.legs if leg.amount > 0]
        if award.amount and award.amount not in debits:
            findings.add("paid or returned", str(entry), expected=award.amount, stored=debits)
        _check_moves(entry, findings)
    return told


def _paid_at_once(entry: SealedEntry, award: Award, verified_from: int) -> bool:
    """Too small to be verified: paid in the link of its hit, at the hit's time, by nobody."""
    placed = (entry.link_seq, entry.event_at, entry.actor) == (award.entry.link_seq, award.hit_at, "")
    return placed and award.amount < verified_from and not award.late


def _moves(entries: Sequence[SealedEntry], findings: Findings) -> Told:
    """An entry that posts nothing records a move, which it is named after."""
    told: dict[int, bytes | None] = {}
    for entry in entries:
        if entry.source_ref in {f"award:{move.award_id}:{move.number}" for move in entry.moves}:
            told[entry.id] = _NO_FACTS
            _check_moves(entry, findings)
    return told


def _check_moves(entry: SealedEntry, findings: Findings) -> None:
    """Who moved an award, and when, is who its entry names, and when."""
    for move in entry.moves:
        where = f"{entry}, move {move.number} of award {move.award_id}"
        expected = {"actor": entry.actor, "event_at": entry.event_at}
        stored = {"actor": actor_of(user_id=move.user_id, key_id=move.key_id), "event_at": move.at}
        findings.compare("move", where, expected, stored)


def _changes(entries: Sequence[SealedEntry], findings: Findings) -> Told:
    """A change that was decided: request and decision as they are stored; what comes with it has no facts."""
    ids = {entry.id: _uuid(entry.source_ref.split(":")[1] if ":" in entry.source_ref else "") for entry in entries}
    decided = ChangeDecision.objects.filter(request_id__in=[pk for pk in ids.values() if pk]).select_related("request")
    by_request = {decision.request_id: decision for decision in decided}
    told: dict[int, bytes | None] = {}
    for entry in entries:
        decision = by_request.get(ids[entry.id] or UUID(int=0))
        if decision is None:
            continue
        carries = entry.source_ref == f"change:{decision.request_id}"
        if carries and decision.entry_id == entry.id:
            told[entry.id] = change_requests.record_of(decision.request, decision)
            expected = {"actor": actor_of(user_id=decision.by_id, key_id=None), "event_at": decision.at}
            expected |= {"reason": decision.request.reason}
            findings.compare("entry", str(entry), expected, {name: getattr(entry, name) for name in expected})
        elif not carries and decision.decision == Decision.APPROVED:
            told[entry.id] = _NO_FACTS
    return told


def _closings(entries: Sequence[SealedEntry], findings: Findings) -> Told:
    """A day that was closed, from the rows of its closing; each figure is summed again from ledger and statement."""
    found = closings.stored().filter(entry_id__in=[entry.id for entry in entries])
    told: dict[int, bytes | None] = {}
    for stored in found:
        closing = closings.read(stored)
        told[stored.entry_id] = closing.record()
        day, where = stored.gaming_day, f"day {stored.gaming_day.site.code} {stored.gaming_day.day}"
        if day.closed_at != stored.closed_at:
            findings.add("closed at", where, expected=stored.closed_at, stored=day.closed_at)
        figures = day_figures.of_day(day.site, day.day, stored.previous)
        for what, summed, kept in (
            ("pot", _pots(figures.pots), _pots(closing.pots)),
            ("account", _accounts(figures.accounts), _accounts(closing.accounts)),
        ):
            findings.compare_each(f"closing {what}", where, summed, kept)
    return told


def _pots(lines: Sequence[PotLine]) -> dict[str, dict[str, int]]:
    """Figures by pot, without pots that were never moved: a jackpot opened later had none of this day."""
    return {
        line.account: {"opening": line.opening, "closing": line.closing, "seq": line.seq}
        | {kind: line.by_kind.get(kind, 0) for kind in Kind}
        for line in lines
        if line.seq or line.opening or line.closing
    }


def _accounts(lines: Sequence[AccountLine]) -> dict[str, dict[str, int]]:
    return {line.account: {"opening": line.opening, "debits": line.debits, "credits": line.credits} for line in lines}


def _documents(entries: Sequence[SealedEntry], findings: Findings) -> Told:
    """Versions of policies; those of the tables' rules are the tables' to tell."""
    versions = PolicyVersion.objects.select_related("jackpot")
    stored = {made.ref: made.content for made in map(documents.policy, versions)}
    refs = {entry.id: entry.source_ref.split(":", 2)[-1] for entry in entries}
    return {pk: stored[ref] for pk, ref in refs.items() if ref in stored}


def _awards(refs: Iterable[str]) -> dict[str, Award]:
    """The awards that references name ("award:ID")."""
    ids = [pk for ref in refs if (pk := _uuid(ref.removeprefix("award:")))]
    found = Award.objects.filter(pk__in=ids).select_related("entry").defer("facts")
    return {f"award:{award.pk}": award for award in found}


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


_SETTLING = (EntryKind.SETTLEMENT, EntryKind.VOID)

OWN: Mapping[str, Callable[[Sequence[SealedEntry], Findings], Told]] = {
    EntryKind.RESET: _fundings,
    EntryKind.RESTORE: _fundings,
    EntryKind.AWARD_PAID: _payments,
    EntryKind.AWARD_RETURNED: _payments,
    EntryKind.AWARD_MOVE: _moves,
    EntryKind.DOCUMENT: _documents,
    EntryKind.DECLINED: _changes,
    EntryKind.DAY_CLOSED: _closings,
    **{EntryKind(kind): _changes for kind in ChangeKind},
}
