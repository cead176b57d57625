"""What the books hold of one round and its awards: entries, statement rows with those around them, and their seals."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Q

from jackpot.domain.accounts import Pot
from jackpot.models.awards import Award, AwardMove
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry, Leg, Link, StatementRow
from jackpot.selectors import award_moves, awards

AROUND = 5
"""How many rows of a statement are shown before and after each row of the round."""


@dataclass(frozen=True, slots=True)
class Posted:
    """An entry and its legs, in order, each with its account."""

    entry: Entry
    legs: Sequence[Leg]


@dataclass(frozen=True, slots=True)
class Around:
    """The rows of one pot that the round caused, and those around each of them, by seq, with their entries."""

    level: str
    pot: Pot
    own: frozenset[int]
    rows: Sequence[StatementRow]


@dataclass(frozen=True, slots=True)
class Seal:
    """A link of a lane's chain as it is stored, and its digest reckoned again from the rows as they stand now."""

    link: Link
    reckoned: bytes
    entries: Sequence[int]

    @property
    def holds(self) -> bool:
        return bytes(self.link.digest) == self.reckoned


@dataclass(frozen=True, slots=True)
class Books:
    """All that was posted of one round and of its awards since, and what was asked to be changed of it."""

    awards: Sequence[Award]
    changes: Sequence[ChangeRequest]
    posted: Sequence[Posted]
    statement: Sequence[Around]
    seals: Sequence[Seal]
    lanes: Sequence[Lane]


def award(award_id: UUID) -> Award | None:
    """An award with what it is shown with."""
    return awards.all_awards().filter(pk=award_id).first()


def books_of(source_ref: UUID, *, versions: int, subjects: Collection[str]) -> Books:
    """The books of one round that has so many versions of its settlement; change requests name it by `subjects`."""
    owed = list(
        awards.all_awards().defer(None).defer("hit__facts", "policy__document")
        .filter(source_ref=source_ref).prefetch_related(award_moves.TOLD).order_by("entry_id", "position")
    )  # fmt: skip
    changes = list(
        ChangeRequest.objects.filter(subject__in=subjects)
        .select_related("asked_by", "decided__by").order_by("asked_at", "id")
    )  # fmt: skip
    entries = _entries(source_ref, owed, changes, versions)
    lanes = list(Lane.objects.filter(pk__in={entry.lane_id for entry in entries}).select_related("jackpot", "site"))
    return Books(
        awards=owed,
        changes=changes,
        posted=with_legs(entries),
        statement=list(_statement([entry.pk for entry in entries])),
        seals=_seals(entries),
        lanes=lanes,
    )


def with_legs(entries: Sequence[Entry]) -> list[Posted]:
    """These entries, in the order given, each with its legs."""
    legs: dict[int, list[Leg]] = {entry.pk: [] for entry in entries}
    for leg in Leg.objects.filter(entry_id__in=legs).select_related("account").order_by("entry_id", "position"):
        legs[leg.entry_id].append(leg)
    return [Posted(entry, legs[entry.pk]) for entry in entries]


def _entries(source_ref: UUID, owed: Sequence[Award], changes: Sequence[ChangeRequest], versions: int) -> list[Entry]:
    """By their source references: the round's, its awards', those of changes; then what reverses any of them."""
    settled = [f"round:{source_ref}:v{version}" for version in range(1, versions + 1)]
    refs = [f"round:{source_ref}", *settled]
    hits = sum(1 for award in owed if award.kind == Award.Kind.HIT)
    refs += [f"{ref}:hit{n}" for ref in settled for n in range(1, hits + 1)]
    refs += [f"change:{change.pk}" for change in changes]
    refs += [f"award:{award.pk}" for award in owed]
    moves = AwardMove.objects.filter(award__in=owed).values_list("entry_id", flat=True)
    found = {entry.pk: entry for entry in _read(Q(source_ref__in=refs) | Q(pk__in=list(moves)))}
    while reversing := [entry for entry in _read(Q(reverses__in=list(found))) if entry.pk not in found]:
        found |= {entry.pk: entry for entry in reversing}
    return [found[pk] for pk in sorted(found)]


def _read(wanted: Q) -> Iterable[Entry]:
    return Entry.objects.filter(wanted).select_related("integrator")


def _statement(entry_ids: Collection[int]) -> Iterator[Around]:
    own: dict[tuple[int, str, str], set[int]] = {}
    rows = StatementRow.objects.filter(entry_id__in=entry_ids).order_by("level__position", "level_id", "seq")
    for level_id, code, pot, seq in rows.values_list("level_id", "level__code", "pot", "seq"):
        own.setdefault((level_id, code, pot), set()).add(seq)
    order = list(Pot)
    for level_id, code, pot in sorted(own, key=lambda place: (place[0], order.index(Pot(place[2])))):
        seqs = own[level_id, code, pot]
        near = {seq + n for seq in seqs for n in range(-AROUND, AROUND + 1)}
        found = StatementRow.objects.filter(level_id=level_id, pot=pot, seq__in=near).select_related("entry")
        yield Around(code, Pot(pot), frozenset(seqs), list(found.order_by("seq")))


def _seals(entries: Sequence[Entry]) -> list[Seal]:
    of_link: dict[tuple[int, int], list[int]] = {}
    for entry in entries:
        of_link.setdefault((entry.lane_id, entry.link_seq), []).append(entry.pk)
    wanted = Q()
    for lane_id, seq in of_link:
        wanted |= Q(lane_id=lane_id, seq=seq)
    links = Link.objects.filter(wanted).order_by("lane_id", "seq") if of_link else Link.objects.none()
    return [Seal(link, _reckoned(link), of_link[link.lane_id, link.seq]) for link in links]


def _reckoned(link: Link) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute("SELECT jackpot_link_digest(%s, %s, %s)", [link.lane_id, link.seq, bytes(link.previous)])
        return bytes(cursor.fetchone()[0])
