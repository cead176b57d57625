"""Reading what a jackpot's followers are told: how its meters stand, and every hit and reset since some place.

A *place* in what happened is a link of the lane's chain, and within it a number. Links are sealed batches and never
change, so a place means the same for ever, in every process and after every restart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Sum, TextField, Value, Window
from django.db.models.functions import Cast, Concat

from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind
from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Entry, StatementRow
from jackpot.money import Currency

ALL = 2**31 - 1
"""The number behind everything that happened in a link."""

PAGE = 200
"""Hits read at a time; those of one link always come together."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Behind the `n`th thing that happened in a link; behind all of the link where no `n` is named."""

    link: int
    n: int = ALL


@dataclass(frozen=True, slots=True)
class Meter:
    """A level's meter as it stands behind a link: true since `as_of`. In ledger units."""

    place: Place
    level: str
    units: int
    base: int
    seq: int
    as_of: datetime | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A share taken from a meter, by one award or split between several; `award` is the first of these.

    `paid`: it was too small to be verified, and paid at once; otherwise it was pending. In ledger units.
    """

    place: Place
    level: str
    seq: int
    hand: str
    amount: int
    meter_before: int
    meter_after: int
    award: UUID
    awards: int
    paid: bool
    hit_at: datetime
    as_of: datetime


@dataclass(frozen=True, slots=True)
class Reset:
    """A meter that starts again: from `to` ledger units, waiting overflow inside."""

    place: Place
    level: str
    seq: int
    to: int
    as_of: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """How a jackpot stands behind its lane's last link. `marks` are equal where no hit or reset lies between two."""

    jackpot_id: int
    lane_id: int
    code: str
    currency: Currency
    link: int
    meters: tuple[Meter, ...]
    marks: tuple[object, ...] = field(repr=False)


def standing(code: str) -> Standing:
    """A jackpot's meters and its lane's last link, of one instant. Raises LookupError for a code that is none's."""
    found = Level.objects.filter(jackpot__code=code).select_related("jackpot__lane").order_by("position")
    levels = list(found)  # one statement: levels and lane are of the same commit
    if not levels:
        raise LookupError(f"there is no jackpot {code!r} with levels")
    jackpot, lane = levels[0].jackpot, levels[0].jackpot.lane
    place = Place(lane.sealed)
    return Standing(
        jackpot_id=jackpot.pk,
        lane_id=lane.pk,
        code=code,
        currency=jackpot.currency,
        link=lane.sealed,
        meters=tuple(Meter(place, lv.code, lv.meter, lv.base, lv.meter_seq, lv.posted_at) for lv in levels),
        marks=tuple((level.hits, level.reset_seq) for level in levels),
    )


def happened(now: Standing, after: Place, *, limit: int = PAGE) -> tuple[list[Hit | Reset], Place]:
    """Hits and resets behind a place, in order, and the place they reach to: that of `now` where there are no more.

    Four queries. More than about `limit` are left for another call; each link is whole.
    """
    if after >= Place(now.link):
        return [], Place(now.link)
    # By (link_seq, id): an order that only the index of links serves, however many entries there are.
    entries = Entry.objects.filter(lane_id=now.lane_id, link_seq__gte=after.link).order_by("link_seq", "id")
    first = entries.values_list("id", flat=True).first()
    if first is None:
        return [], Place(now.link)
    scope = {"entry_id__gte": first, "entry__link_seq__gte": after.link}
    hits = Award.objects.filter(jackpot_id=now.jackpot_id, kind=Award.Kind.HIT, difference_of=None, **scope)
    links = hits.filter(entry__link_seq__gt=after.link).order_by("entry_id").values_list("entry__link_seq", flat=True)
    reached = min(now.link, next(iter(links[limit - 1 : limit]), now.link))
    resets = StatementRow.objects.filter(
        level__jackpot_id=now.jackpot_id, pot=Pot.METER, kind__in=[Kind.RESET, Kind.OVERFLOW_IN], **scope
    )
    found = [*_hits(hits, reached), *_resets(resets, reached)]
    return [event for event in _in_order(found) if event.place > after], Place(reached)


_SHARE = ("entry_id", "level_id", "seq", "meter_before")
"""Awards alike in these took the same share of a meter."""


def _hits(hits: QuerySet[Award], until: int) -> list["_Found"]:
    paid = Entry.objects.filter(
        kind="award_paid",
        source_ref=Concat(Value("award:"), Cast(OuterRef("pk"), TextField())),
        link_seq=OuterRef("entry__link_seq"),
    )
    rows = (
        hits.filter(entry__link_seq__lte=until)
        .select_related("level", "entry")
        .defer("facts")
        .annotate(
            share=Window(Sum("amount"), partition_by=[F(name) for name in _SHARE]),
            parts=Window(Count("pk"), partition_by=[F(name) for name in _SHARE]),
            paid=Exists(paid),
        )
        .order_by(*_SHARE, "position")
        .distinct(*_SHARE)
    )
    return [_Found(row.entry, row.level.code, row.seq or 0, row.position, row) for row in rows if row.level]


def _resets(rows: QuerySet[StatementRow], until: int) -> list["_Found"]:
    """A reset's last row: waiting overflow comes in with it, by the same entry."""
    last = (
        rows.filter(entry__link_seq__lte=until)
        .select_related("level", "entry")
        .order_by("entry_id", "level_id", "-seq")
        .distinct("entry_id", "level_id")
    )
    return [_Found(row.entry, row.level.code, row.seq, 0, row) for row in last]


@dataclass(frozen=True, slots=True)
class _Found:
    """Something that happened, before it has its place."""

    entry: Entry
    level: str
    seq: int
    position: int
    row: Any

    def at(self, place: Place) -> Hit | Reset:
        row, posted_at = self.row, self.entry.posted_at
        if isinstance(row, StatementRow):
            return Reset(place, self.level, self.seq, row.after, posted_at)
        return Hit(
            place=place,
            level=self.level,
            seq=self.seq,
            hand=row.hand,
            amount=int(row.share),
            meter_before=row.meter_before,
            meter_after=row.meter_after,
            award=row.pk,
            awards=row.parts,
            paid=row.paid,
            hit_at=row.hit_at,
            as_of=posted_at,
        )


def _in_order(found: Sequence[_Found]) -> list[Hit | Reset]:
    """Numbers what happened link by link: of one level as its statement says, of several by the entries they reach.

    One round may hit a level twice with a reset between: both hits stand in its settlement, the reset in a later entry.
    """
    reached: dict[tuple[int, str], int] = {}
    ranked = []
    for event in sorted(found, key=attrgetter("entry.link_seq", "seq", "position")):
        key = (event.entry.link_seq, event.level)
        reached[key] = max(reached.get(key, 0), event.entry.pk)
        ranked.append((event.entry.link_seq, reached[key], event.level, event.seq, event.position, event))
    numbers: dict[int, int] = {}
    placed = []
    for link, *_, event in sorted(ranked, key=lambda rank: rank[:-1]):
        numbers[link] = numbers.get(link, 0) + 1
        placed.append(event.at(Place(link, numbers[link])))
    return placed
