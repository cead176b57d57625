"""Rounds as stored, read back as plain facts."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol
from uuid import UUID

from django.db.models import Count, TextField
from django.db.models.functions import Cast

from jackpot.selectors.among import Among
from tables.domain.checks import Seats
from tables.domain.facts import AUTOMATIC_FOLD, Action, BoxFacts, Decision, RoundFacts, Street, VoidReason
from tables.models.rounds import Box

REF = Cast("round_id", TextField())
"""A row's round by its reference. Of rows by the thousand: to make and compare its id takes as long as all the rest."""
_FIELDS = (
    "box", "player", "ante", "trips", "progressive", "cards", "action", "street", "multiplier", "automatic",
    "void_reason", "void_note",
)  # fmt: skip


def cards_in(stored: str) -> tuple[str, ...] | None:
    """The cards of a stored run ("QsJsTs"); None where there are none."""
    return tuple([stored[n : n + 2] for n in range(0, len(stored), 2)]) or None


_pair_in = lru_cache(maxsize=4_096)(cards_in)
"""Of the 2,652 pairs there are, in the order dealt, each is read once."""

Stored = Sequence[Any]
"""A box as a row: the values of `_FIELDS`."""


def rows_of(round_ids: Iterable[UUID]) -> dict[str, list[Stored]]:
    """The boxes of some rounds as rows, in ascending order of their numbers, by the rounds' references; one query."""
    rows = Box.objects.filter(Among("round_id", round_ids)).order_by("round_id", "box").values_list(REF, *_FIELDS)
    found: dict[str, list[Stored]] = {}
    for ref, *values in rows.iterator(chunk_size=10_000):
        found.setdefault(ref, []).append(values)
    return found


def boxes_in(rows: Iterable[Stored]) -> list[BoxFacts]:
    """Rows read as facts. Raises ValueError where a row holds what is none."""
    return [_box(*row) for row in rows]


def notes_in(rows: Iterable[Stored]) -> dict[str, str]:
    """The words that were noted for void boxes, by the box's number; no rule reads them."""
    return {str(box): note for box, *_, note in rows if note}


def boxes_of(round_id: UUID) -> list[BoxFacts]:
    """The boxes of a round as facts, in ascending order of their numbers."""
    return boxes_in(Box.objects.filter(round_id=round_id).order_by("box").values_list(*_FIELDS))


def boxes_among(round_id: UUID, numbers: Iterable[int]) -> dict[int, BoxFacts]:
    """Those of these boxes that a round has, by number."""
    rows = Box.objects.filter(round_id=round_id, box__in=list(numbers)).values_list(*_FIELDS)
    return {box.box: box for box in boxes_in(rows)}


def seats_of(round_id: UUID, players: Iterable[str]) -> Seats:
    """The boxes of a round, counted: all, and those of some players."""
    boxes = Box.objects.filter(round_id=round_id)
    held = boxes.filter(player__in=set(players)).values_list("player").annotate(Count("box"))
    return Seats(boxes.count(), dict(held))


def boxes_counted(round_ids: Iterable[UUID]) -> dict[UUID, int]:
    """How many boxes each of some rounds has."""
    counted = Box.objects.filter(round_id__in=list(round_ids)).values_list("round_id").annotate(Count("box"))
    return dict(counted)


class Dealt(Protocol):
    """The columns of a stored round that are facts."""

    @property
    def flop(self) -> str: ...
    @property
    def turn(self) -> str: ...
    @property
    def river(self) -> str: ...
    @property
    def dealer(self) -> str: ...
    @property
    def player_cards(self) -> str: ...
    @property
    def void_reason(self) -> str: ...


def facts_of(rnd: Dealt, boxes: Iterable[BoxFacts]) -> RoundFacts:
    """A stored round and its boxes as facts."""
    return RoundFacts(
        boxes=tuple(boxes),
        flop=cards_in(rnd.flop),
        turn=rnd.turn or None,
        river=rnd.river or None,
        dealer=cards_in(rnd.dealer),
        player_cards=cards_in(rnd.player_cards),
        void=VoidReason(rnd.void_reason) if rnd.void_reason else None,
    )


def _box(
    box: int, player: str, ante: int, trips: int, progressive: int, cards: str, action: str, street: str,
    multiplier: int, automatic: bool, void_reason: str, _void_note: str,
) -> BoxFacts:  # fmt: skip
    return BoxFacts(
        box, player, ante, trips, progressive, _pair_in(cards), _decision(action, street, multiplier, automatic),
        VoidReason(void_reason) if void_reason else None,
    )  # fmt: skip


@cache
def _decision(action: str, street: str, multiplier: int, automatic: bool) -> Decision:
    """One of the few decisions there are; none yet is the automatic fold."""
    if not action:
        return AUTOMATIC_FOLD
    return Decision(Action(action), Street(street), multiplier or None, automatic)
