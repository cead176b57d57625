"""Betting on a live round: placing, changing and removing boxes while betting is open."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, Violation, refuse
from tables.domain import checks
from tables.domain.facts import BoxFacts
from tables.domain.round_state import Move
from tables.models.rounds import Box
from tables.selectors import loading
from tables.services import stepping
from tables.services.stepping import Step

_STAKES = ("player", "ante", "trips", "progressive")


@transaction.atomic
def place(*, caller: jackpot.Caller, round_id: UUID, boxes: Sequence[BoxFacts], now: datetime) -> Step:
    """Place or replace boxes, all or none: doubling, undoing and repeating bets is replacing a box.

    Raises Refused with `box_taken` for another player's box, and with all that `checks` finds; pointers are
    "/boxes", the box's place in `boxes`, and the field.
    """
    step = stepping.take(round_id, caller=caller, now=now)
    held = loading.boxes_among(round_id, [box.box for box in boxes])
    if all(_same(held.get(box.box), box) for box in boxes):
        return step
    step.move(Move.PLACE)
    step.check_clock()
    _check(step, held, boxes)
    rows = [
        Box(round_id=round_id, box=b.box, player=b.player, ante=b.ante, trips=b.trips, progressive=b.progressive)
        for b in boxes
        if not _same(held.get(b.box), b)
    ]
    Box.objects.bulk_create(rows, update_conflicts=True, update_fields=_STAKES, unique_fields=["round_id", "box"])
    changed = [[b.box, b.player, b.ante, b.trips, b.progressive] for b in rows]
    return step.save("bets_placed", boxes=changed)


@transaction.atomic
def remove(*, caller: jackpot.Caller, round_id: UUID, box: int, now: datetime) -> Step:
    """Take a box's bets back. Raises Refused with `unknown_box` where it never had any."""
    step = stepping.take(round_id, caller=caller, now=now)
    held = Box.objects.filter(round_id=round_id, box=box)
    if not held.exists():
        if step.round.events.filter(kind="bets_removed", data__box=box).exists():
            return step
        raise refuse("unknown_box", f"box {box} has no bets in this round")
    step.move(Move.PLACE)
    if held.exclude(void_reason="").exists():
        raise refuse("unknown_box", f"box {box} is void and out of this round")
    step.check_clock()
    held.delete()
    return step.save("bets_removed", box=box)


def _same(held: BoxFacts | None, wanted: BoxFacts) -> bool:
    return held is not None and all(getattr(held, name) == getattr(wanted, name) for name in _STAKES)


def _check(step: Step, held: dict[int, BoxFacts], boxes: Sequence[BoxFacts]) -> None:
    stake, rules = step.progressive_stake(), step.rules
    wrong: list[Violation] = list(_taken(held, boxes))
    for n, box in enumerate(boxes):
        wrong += checks.check_stakes(box, rules, progressive_stake=stake, at=f"/boxes/{n}")
    seats = loading.seats_of(step.round.id, (box.player for box in boxes))
    wrong += checks.check_seats(boxes, rules, beside=seats.without(held.values()))
    if wrong:
        raise Refused(wrong)


def _taken(held: dict[int, BoxFacts], boxes: Sequence[BoxFacts]) -> Iterable[Violation]:
    for n, box in enumerate(boxes):
        owner = held.get(box.box)
        if owner is not None and owner.void is not None:
            yield Violation("unknown_box", f"box {box.box} is void and out of this round", f"/boxes/{n}/box")
        elif owner is not None and owner.player != box.player:
            detail = f"box {box.box} belongs to another player"
            yield Violation("box_taken", detail, f"/boxes/{n}/player")
