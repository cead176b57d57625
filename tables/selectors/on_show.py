"""Rounds with everything they are shown with, read with a constant number of queries however many there are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from jackpot.selectors import awards
from jackpot.selectors.corrections import Owed
from jackpot.services import Award
from tables.models.rounds import Box, BoxResult, Round, RoundEvent
from tables.selectors.results import RETURNED, STAKED

MOST_BOXES = 100
"""Above so many boxes a round is shown without them; they have pages of their own."""

T = TypeVar("T", Box, BoxResult, RoundEvent)

_DONE = Q(version__gt=0) | Q(phase="failed")


@dataclass(frozen=True, slots=True)
class OnShow:
    """A round and its parts. A `wide` one has more than MOST_BOXES boxes, which are not read; only its totals are.

    `staked` and `returned` are those totals in ledger units, for a wide round only; Envy is not in `returned`.
    """

    round: Round
    boxes: Sequence[Box] = ()
    results: Mapping[int, BoxResult] = field(default_factory=dict)
    events: Sequence[RoundEvent] = ()
    awards: Sequence[Owed] = ()
    wide: bool = False
    staked: int = 0
    returned: int = 0


def on_show(rounds: Sequence[Round]) -> list[OnShow]:
    """These rounds (read with their table, site and versions), in their order."""
    ids = [rnd.id for rnd in rounds]
    settled = {rnd.id: rnd.version for rnd in rounds if rnd.version}
    boxes, wide = _boxes(ids)
    results = _by_round(BoxResult.objects.filter(round_id__in=settled.keys() - wide)) if settled else {}
    events = _by_round(RoundEvent.objects.filter(round_id__in=ids).order_by("id"))
    owed = awards.of_rounds(settled) if settled else {}
    staked, returned = _totals(wide)
    return [
        OnShow(
            round=rnd,
            boxes=boxes.get(rnd.id, ()),
            results={result.box: result for result in results.get(rnd.id, ()) if result.version == rnd.version},
            events=events.get(rnd.id, ()),
            awards=owed.get(rnd.id, ()),
            wide=rnd.id in wide,
            staked=staked.get(rnd.id, 0),
            returned=returned.get(rnd.id, 0),
        )
        for rnd in rounds
    ]


def everything_of(rnd: Round) -> OnShow:
    """One round with all its boxes, however many there are."""
    return OnShow(
        round=rnd,
        boxes=list(boxes_of(rnd).order_by("box")),
        results={result.box: result for result in _in_force().filter(round_id=rnd.id)},
        events=list(RoundEvent.objects.filter(round_id=rnd.id).order_by("id")),
        awards=awards.of_rounds({rnd.id: rnd.version}).get(rnd.id, ()),
    )


def boxes_of(rnd: Round) -> QuerySet[Box]:
    """The boxes of one round, for pages."""
    return Box.objects.filter(round_id=rnd.id)


def results_of(rnd: Round, boxes: Iterable[Box]) -> dict[int, BoxResult]:
    """The results in force of some boxes of one round, by box."""
    numbers = [box.box for box in boxes]
    return {row.box: row for row in BoxResult.objects.filter(round=rnd, version=rnd.version, box__in=numbers)}


def envy_of(rnd: Round) -> list[Owed]:
    """The Envy of one round, as the version in force owes it."""
    owed = awards.of_rounds({rnd.id: rnd.version}).get(rnd.id, [])
    return [one for one in owed if one.award.kind == Award.Kind.ENVY]


def is_done(round_id: UUID) -> bool:
    """Whether a round is settled (its void posted), or set aside: nothing more will come of waiting."""
    return bool(done_among([round_id]))


def done_among(round_ids: Iterable[UUID]) -> list[UUID]:
    """Those of some rounds that are done, as `is_done` says."""
    return list(Round.objects.filter(_DONE, pk__in=list(round_ids)).values_list("pk", flat=True))


def _in_force() -> QuerySet[BoxResult]:
    return BoxResult.objects.filter(version=F("round__version"))


def _boxes(ids: Sequence[UUID]) -> tuple[dict[UUID, list[Box]], set[UUID]]:
    """The boxes of those of some rounds that are not wide, and which are. Of wide ones no more are read than of as many
    others: only where there are more boxes it is asked whose they are.
    """
    most = MOST_BOXES * len(ids)
    found = list(Box.objects.filter(round_id__in=ids).order_by("round_id", "box")[: most + 1])
    if len(found) > most:
        counted = Box.objects.filter(round_id__in=ids).values_list("round_id").annotate(boxes=Count("box"))
        wide = {pk for pk, _ in counted.filter(boxes__gt=MOST_BOXES)}
        return _by_round(Box.objects.filter(round_id__in=set(ids) - wide).order_by("round_id", "box")), wide
    boxes = _by_round(found)
    wide = {pk for pk, rows in boxes.items() if len(rows) > MOST_BOXES}
    return {pk: rows for pk, rows in boxes.items() if pk not in wide}, wide


def _by_round(rows: Iterable[T]) -> dict[UUID, list[T]]:
    found: dict[UUID, list[T]] = {}
    for row in rows:
        found.setdefault(row.round_id, []).append(row)
    return found


def _totals(wide: set[UUID]) -> tuple[dict[UUID, int], dict[UUID, int]]:
    if not wide:
        return {}, {}
    staked = Box.objects.filter(round_id__in=wide).values_list("round_id").annotate(total=STAKED)
    returned = _in_force().filter(round_id__in=wide).values_list("round_id").annotate(total=RETURNED)
    return {pk: int(total) for pk, total in staked}, {pk: int(total) for pk, total in returned}
