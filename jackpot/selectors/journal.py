"""Reading a lane's journal from its first entry on, in chunks: entries with legs, statement rows, awards and moves."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.domain.postings import EntryKind
from jackpot.models.awards import Award, AwardMove, CarriedAward
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry, Leg, StatementRow
from jackpot.models.terms import TermsChange

CHUNK = 1_000
"""Entries read at a time."""

_ROW = ("entry_id", "level__code", "pot", "seq", "kind", "amount", "before", "after")
FROZEN = (
    "jackpot_id", "kind", "source_ref", "table_ref", "box", "player", "hand", "amount", "level_id", "policy_id",
    "meter_before", "meter_after", "reset_to", "seq", "late", "facts", "hit_at", "difference_of_id",
)  # fmt: skip
"""What an award freezes; `hit__position` beside it says which hit an Envy stands under."""

CARRIED = ("amount", "hand", "from_box", "seq")
"""What is stored of an award that carries over."""

_MOVE = (
    "entry_id", "award_id", "number", "move", "before", "state", "stage", "approvals", "user_id", "key_id", "note",
    "at",
)  # fmt: skip


@dataclass(slots=True)
class Stored:
    """An entry as it is stored: its legs in order as (account code, amount), rows by (level, pot, seq), awards by
    position, moves of awards in order, what carries over by (position, award), the terms it brings by level."""

    entry: Entry
    legs: list[tuple[str, int]] = field(default_factory=list)
    rows: dict[tuple[str, str, int], dict[str, Any]] = field(default_factory=dict)
    awards: dict[int, dict[str, Any]] = field(default_factory=dict)
    moves: list[dict[str, Any]] = field(default_factory=list)
    carried: dict[tuple[int, str], dict[str, Any]] = field(default_factory=dict)
    terms: dict[str, dict[str, Any]] = field(default_factory=dict)


def entry_ids(wanted: Iterable[tuple[EntryKind, str]]) -> dict[tuple[EntryKind, str], int]:
    """The entries of these kinds and source references. Raises KeyError for one that there is not, once it is asked."""
    refs = {ref for _, ref in wanted}
    rows = Entry.objects.filter(source_ref__in=refs) if refs else Entry.objects.none()
    return {(EntryKind(kind), ref): pk for kind, ref, pk in rows.values_list("kind", "source_ref", "pk")}


def entry_count(lane: Lane) -> int:
    return Entry.objects.filter(lane=lane).count()


def chunks(lane: Lane) -> Iterator[list[Stored]]:
    """A lane's entries in the order in which they were posted, `CHUNK` of them at a time."""
    last = 0
    ordered = Entry.objects.select_related("reverses").order_by("id")
    while entries := list(ordered.filter(lane=lane, id__gt=last)[:CHUNK]):
        last = entries[-1].pk
        yield with_parts(entries)


def with_parts(entries: list[Entry]) -> list[Stored]:
    """Entries with their legs, statement rows, awards and moves: a constant number of queries."""
    found = {entry.pk: Stored(entry) for entry in entries}
    legs = Leg.objects.filter(entry_id__in=found).order_by("entry_id", "position")
    for entry_id, code, amount in legs.values_list("entry_id", "account__code", "amount"):
        found[entry_id].legs.append((code, amount))
    for row in StatementRow.objects.filter(entry_id__in=found).values(*_ROW):
        place = (row.pop("level__code"), row.pop("pot"), row.pop("seq"))
        found[row.pop("entry_id")].rows[place] = row
    awards = Award.objects.filter(entry_id__in=found).values(
        "entry_id", "position", "id", "state", "hit__position", *FROZEN
    )
    for award in awards:
        found[award.pop("entry_id")].awards[award.pop("position")] = award
    for row in CarriedAward.objects.filter(entry_id__in=found).values("entry_id", "position", "award_id", *CARRIED):
        carried_at = (row.pop("position"), str(row.pop("award_id")))
        found[row.pop("entry_id")].carried[carried_at] = row
    for move in AwardMove.objects.filter(entry_id__in=found).order_by("id").values(*_MOVE):
        found[move.pop("entry_id")].moves.append(move)
    for change in TermsChange.objects.filter(entry_id__in=found).select_related("level"):
        found[change.entry_id].terms[change.level.code] = {"policy_id": change.policy_id}
    return list(found.values())


def strays(jackpot: Jackpot, lane: Lane) -> Iterator[tuple[str, str]]:
    """What is booked on a jackpot without an entry of its own lane, as (what, where)."""
    own = Exists(Entry.objects.filter(pk=OuterRef("entry_id"), lane=lane))
    for row in StatementRow.objects.filter(~own, level__jackpot=jackpot).select_related("level"):
        yield "statement row", f"{row.level.code} {row.pot} {row.seq}"
    for award in Award.objects.filter(~own, jackpot=jackpot):
        yield "award", f"award {award.pk} of round {award.source_ref}"
    for move in AwardMove.objects.filter(~own, award__jackpot=jackpot):
        yield "award move", f"award {move.award_id}, {move.number}"
    for change in TermsChange.objects.filter(~own, level__jackpot=jackpot).select_related("level", "policy__jackpot"):
        yield "terms", f"level {change.level.code}, {change.policy}"
    for leg in Leg.objects.filter(~own, account__code__in=_accounts(jackpot)).select_related("account"):
        yield "leg", f"entry {leg.entry_id}, {leg.account.code}"


def _accounts(jackpot: Jackpot) -> list[str]:
    levels = [level.code for level in jackpot.levels.all()]
    pots = [accounts.pot_of(jackpot.code, level, pot) for level in levels for pot in Pot]
    return [accounts.awards_of(jackpot.code), accounts.house_of(jackpot.code), *pots]


def sealed_documents(lane: Lane, refs: Collection[str]) -> set[str]:
    """Which of these documents have an entry in a lane."""
    sources = {f"{EntryKind.DOCUMENT}:{lane.pk}:{ref}": ref for ref in refs}
    entries = Entry.objects.filter(kind=EntryKind.DOCUMENT, source_ref__in=list(sources))
    return {sources[source_ref] for source_ref in entries.values_list("source_ref", flat=True)} if refs else set()


def posted(refs: list[str]) -> set[str]:
    """Which of these source references have an entry."""
    return set(Entry.objects.filter(source_ref__in=refs).values_list("source_ref", flat=True))


def facts_digests(refs: Collection[str]) -> dict[str, bytes]:
    """The digests of facts that the settlements and voids of these references seal."""
    kinds = (EntryKind.SETTLEMENT, EntryKind.VOID)
    found = Entry.objects.filter(kind__in=kinds, source_ref__in=refs).values_list("source_ref", "facts_digest")
    return {ref: bytes(digest) for ref, digest in found if digest is not None}
