"""A lane's chain as it is stored: links in their order, each with everything it seals, a bounded number at a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Max, Min, OuterRef, Subquery, TextField
from django.db.models.functions import Cast

from jackpot.domain.chain import BEGINNING, sealed_text
from jackpot.models.awards import Award, AwardMove, CarriedAward
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Account, Entry, Leg, Link, StatementRow

WINDOW = 1_000
"""Entries read at a time; all of a link are read together, however many it has."""


class SealedLeg(NamedTuple):
    position: int
    account_id: int
    amount: int
    gaming_day: date


class SealedRow(NamedTuple):
    level_id: int
    pot: str
    seq: int
    kind: str
    amount: int
    before: int
    after: int
    gaming_day: date

    @property
    def place(self) -> tuple[int, int, int]:
        """Where the digest takes it: by level, the letter of its pot, seq."""
        return self.level_id, ord(self.pot[0]), self.seq


class SealedAward(NamedTuple):
    id: UUID
    jackpot_id: int
    position: int
    kind: str
    hit_id: UUID | None
    source_ref: UUID
    table_ref: str
    box: int
    player: str
    hand: str
    amount: int
    level_id: int | None
    policy_id: int
    meter_before: int | None
    meter_after: int | None
    reset_to: int | None
    seq: int | None
    late: bool
    facts: str | None
    hit_at: datetime


class SealedMove(NamedTuple):
    id: int
    award_id: UUID
    number: int
    move: str
    before: str
    state: str
    stage: int
    approvals: int
    user_id: int | None
    key_id: int | None
    note: str
    at: datetime


class SealedCarried(NamedTuple):
    id: int
    award_id: UUID
    position: int
    amount: int
    hand: str
    from_box: int | None
    seq: int | None


@dataclass(slots=True)
class SealedEntry:
    """An entry with everything that is sealed with it; `facts` of an award is the text that is stored."""

    id: int
    link_seq: int
    kind: str
    source_ref: str
    table_ref: str
    integrator_id: int | None
    leg_count: int
    event_at: datetime
    posted_at: datetime
    actor: str
    reason: str
    reverses_id: int | None
    facts_digest: bytes | None
    legs: list[SealedLeg] = field(default_factory=list)
    rows: list[SealedRow] = field(default_factory=list)
    awards: list[SealedAward] = field(default_factory=list)
    moves: list[SealedMove] = field(default_factory=list)
    differences: list[tuple[UUID, UUID]] = field(default_factory=list)
    carried: list[SealedCarried] = field(default_factory=list)

    def __str__(self) -> str:
        return f"entry {self.id} ({self.kind} {self.source_ref})"


@dataclass(slots=True)
class SealedLink:
    """A link and its entries; without a digest it names entries that no link seals."""

    seq: int
    previous: bytes | None = None
    digest: bytes | None = None
    posted_at: datetime | None = None
    entries: list[SealedEntry] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """What it seals, a line for each row, in the order of the digest."""
        for e in self.entries:
            yield sealed_text(
                "entry", e.id, e.kind, e.source_ref, e.table_ref, e.integrator_id, e.leg_count, e.event_at, e.posted_at,
                e.actor, e.reason, e.reverses_id, e.facts_digest,
            )  # fmt: skip
        for e in self.entries:
            yield from (sealed_text("leg", e.id, *leg) for leg in e.legs)
        rows = [(row, e.id) for e in self.entries for row in e.rows]
        for row, entry_id in sorted(rows, key=lambda placed: placed[0].place):
            *before, day = row
            yield sealed_text("row", *before, entry_id, day)
        for e in self.entries:
            for award in e.awards:
                award_id, jackpot_id, *rest = award
                yield sealed_text("award", award_id, jackpot_id, e.id, *rest)
        for e in self.entries:
            yield from (sealed_text("move", *move, e.id) for move in e.moves)
        for e in self.entries:
            yield from (sealed_text("difference", *difference) for difference in e.differences)
        for e in self.entries:
            for carried in e.carried:
                carried_id, award_id, *rest = carried
                yield sealed_text("carried", carried_id, award_id, e.id, *rest)


class AccountPlace(NamedTuple):
    """What an account's id stands for."""

    code: str
    side: str
    site_id: int


def accounts() -> dict[int, AccountPlace]:
    """Every account by its id."""
    rows = Account.objects.values_list("id", "code", "side", "site_id")
    return {pk: AccountPlace(code, side, site_id) for pk, code, side, site_id in rows.iterator()}


def entry_count(lane: Lane) -> int:
    return Entry.objects.filter(lane=lane).count()


def windows(lane: Lane) -> Iterator[list[SealedLink]]:
    """A lane's links in their order, as many at a time as have about `WINDOW` entries."""
    entries, links = Entry.objects.filter(lane=lane), Link.objects.filter(lane=lane)
    ends = entries.aggregate(Min("link_seq"), Max("link_seq")) | links.aggregate(Min("seq"), Max("seq"))
    found = [seq for seq in ends.values() if seq is not None]
    last, end = min(found, default=1) - 1, max(found, default=0)
    while last < end:
        ahead = entries.filter(link_seq__gt=last).order_by("link_seq").values_list("link_seq", flat=True)
        upto = next(iter(ahead[WINDOW - 1 : WINDOW]), end)
        yield _read(lane, last, upto)
        last = upto


class LinkSize(NamedTuple):
    """A link, and how many entries it seals."""

    seq: int
    digest: bytes
    posted_at: datetime
    entries: int


def link_sizes(lane: Lane, count: int) -> list[LinkSize]:
    """The last links of a lane, newest first."""
    sealed = Entry.objects.filter(lane=OuterRef("lane"), link_seq=OuterRef("seq")).order_by()
    size = Subquery(sealed.values("link_seq").annotate(n=Count("id")).values("n"))
    links = Link.objects.filter(lane=lane, seq__gt=lane.sealed - count, seq__lte=lane.sealed)
    rows = links.annotate(entries=size).order_by("-seq").values_list("seq", "digest", "posted_at", "entries")
    return [LinkSize(seq, bytes(digest), at, entries or 0) for seq, digest, at, entries in rows]


def last_links(lane: Lane, count: int) -> list[SealedLink]:
    """The last links of a lane with everything they seal, newest first; of a lane without any none."""
    return _read(lane, max(0, lane.sealed - count), lane.sealed)[::-1]


def _read(lane: Lane, after: int, upto: int) -> list[SealedLink]:
    links = {
        seq: SealedLink(seq, bytes(previous), bytes(digest), at)
        for seq, previous, digest, at in Link.objects.filter(lane=lane, seq__gt=after, seq__lte=upto).values_list(
            "seq", "previous", "digest", "posted_at"
        )
    }
    entries = list(_entries(lane, after, upto))
    _add_parts({entry.id: entry for entry in entries})
    for entry in entries:
        links.setdefault(entry.link_seq, SealedLink(entry.link_seq)).entries.append(entry)
    return [links[seq] for seq in sorted(links)]


def entries_of(lane: Lane, ids: Iterable[int]) -> list[SealedEntry]:
    """Some entries of a lane, with everything that is sealed with each."""
    found = [
        _sealed(values) for values in Entry.objects.filter(lane=lane, pk__in=list(ids)).order_by("id").values(*_ENTRY)
    ]
    _add_parts({entry.id: entry for entry in found})
    return found


_ENTRY = (
    "id", "link_seq", "kind", "source_ref", "table_ref", "integrator_id", "leg_count", "event_at", "posted_at", "actor",
    "reason", "reverses_id", "facts_digest",
)  # fmt: skip


def _entries(lane: Lane, after: int, upto: int) -> Iterator[SealedEntry]:
    found = Entry.objects.filter(lane=lane, link_seq__gt=after, link_seq__lte=upto).order_by("id")
    yield from map(_sealed, found.values(*_ENTRY))


def _sealed(values: dict[str, Any]) -> SealedEntry:
    digest = values.pop("facts_digest")
    return SealedEntry(**values, facts_digest=None if digest is None else bytes(digest))


def _add_parts(entries: Mapping[int, SealedEntry]) -> None:
    """Legs by position, awards by position, moves by id, as the digest takes them."""
    ids = list(entries)
    legs = Leg.objects.filter(entry_id__in=ids).order_by("position")
    for entry_id, *leg in legs.values_list("entry_id", *SealedLeg._fields).iterator():
        entries[entry_id].legs.append(SealedLeg(*leg))
    for entry_id, *row in StatementRow.objects.filter(entry_id__in=ids).values_list("entry_id", *SealedRow._fields):
        entries[entry_id].rows.append(SealedRow(*row))
    frozen = [name for name in SealedAward._fields if name != "facts"]
    awards = Award.objects.filter(entry_id__in=ids).annotate(text=Cast("facts", TextField())).order_by("position")
    for row in awards.values("entry_id", "text", *frozen):
        entry_id, text = row.pop("entry_id"), row.pop("text")
        entries[entry_id].awards.append(SealedAward(**row, facts=text))
    differing = Award.objects.filter(entry_id__in=ids, difference_of__isnull=False).order_by("position")
    for entry_id, award_id, paid_id in differing.values_list("entry_id", "id", "difference_of_id"):
        entries[entry_id].differences.append((award_id, paid_id))
    kept = CarriedAward.objects.filter(entry_id__in=ids).order_by("id")
    for entry_id, *carried in kept.values_list("entry_id", *SealedCarried._fields):
        entries[entry_id].carried.append(SealedCarried(*carried))
    moves = AwardMove.objects.filter(entry_id__in=ids).order_by("id")
    for entry_id, *move in moves.values_list("entry_id", *SealedMove._fields):
        entries[entry_id].moves.append(SealedMove(*move))


def digests(lane_id: int, seqs: Iterable[int]) -> dict[int, bytes]:
    """The digests of some links of a lane; before the first one lies the beginning of every chain."""
    rows = Link.objects.filter(lane_id=lane_id, seq__in=list(seqs)).values_list("seq", "digest")
    return {0: BEGINNING} | {seq: bytes(digest) for seq, digest in rows}


def grouped(accounts_of: Mapping[int, AccountPlace], legs: Iterable[SealedLeg]) -> dict[str, int]:
    """Legs summed by their account's code; an account that is not there goes by its id."""
    sums: dict[str, int] = defaultdict(int)
    for leg in legs:
        place = accounts_of.get(leg.account_id)
        sums[place.code if place else f"account {leg.account_id}"] += leg.amount
    return dict(sums)
