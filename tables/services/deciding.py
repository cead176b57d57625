"""Decisions on a live round: play, check or fold, each on its street and within its clock."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, Violation, refuse
from tables.domain import checks
from tables.domain.facts import Action, Decision, Street
from tables.domain.round_state import STREET_OF, Move
from tables.models.rounds import Box
from tables.services import stepping
from tables.services.stepping import Step


@dataclass(frozen=True, slots=True)
class Choice:
    """What a box wants: `multiplier` with a play only."""

    box: int
    action: Action
    multiplier: int | None = None


@transaction.atomic
def decide(*, caller: jackpot.Caller, round_id: UUID, choices: Sequence[Choice], now: datetime) -> Step:
    """Record decisions, all or none. A decision that stands already is a repeat; a second, other one is a conflict.

    Pointers are "/decisions", the place in `choices`, and the field.
    Raises Refused: `wrong_multiple`, `wrong_street`, `unknown_box`, `time_expired`, `step_conflict`, `wrong_phase`.
    """
    step = stepping.take(round_id, caller=caller, now=now)
    held = {box.box: box for box in Box.objects.filter(round_id=round_id, box__in=[choice.box for choice in choices])}
    street = STREET_OF.get(step.phase)
    fresh = [(n, choice) for n, choice in enumerate(choices) if not _stands(held.get(choice.box), choice, street)]
    if choices and not fresh:
        return step
    step.move(Move.DECIDE)
    if street is None:
        raise refuse("wrong_phase", f"in phase {step.phase} nothing is decided")
    _check(step, street, held, fresh)
    step.check_clock()
    _record(round_id, [choice for _, choice in fresh], street)
    made = [[choice.box, choice.action, choice.multiplier] for _, choice in fresh]
    return step.save("decided", street=street, decisions=made)


def _stands(box: Box | None, choice: Choice, street: Street | None) -> bool:
    """Whether the box has decided so; of a check, on this street, or where nothing is to be decided on any."""
    if box is None:
        return False
    if choice.action is Action.CHECK and street is None:
        return bool(box.checked) and choice.multiplier is None
    if choice.action is Action.CHECK:
        return box.checked == street and not box.action and choice.multiplier is None
    return (box.action, box.multiplier) == (choice.action, choice.multiplier or 0) and not box.automatic


def _check(step: Step, street: Street, held: dict[int, Box], fresh: list[tuple[int, Choice]]) -> None:
    wrong: list[Violation] = []
    seen: set[int] = set()
    for n, choice in fresh:
        pointer = f"/decisions/{n}"
        box = held.get(choice.box)
        if box is None or box.void_reason:
            wrong.append(Violation("unknown_box", f"box {choice.box} is not in play in this round", f"{pointer}/box"))
        elif box.action and box.street != street:
            detail = f"box {choice.box} has decided on an earlier street; it decides once"
            wrong.append(Violation("wrong_street", detail, f"{pointer}/action"))
        elif box.action or box.checked == street or choice.box in seen:
            raise stepping.conflict(f"the decision of box {choice.box} on this street")
        seen.add(choice.box)
        wrong += checks.check_decision(Decision(choice.action, street, choice.multiplier), step.rules, at=pointer)
    if wrong:
        raise Refused(wrong)


def _record(round_id: UUID, choices: Iterable[Choice], street: Street) -> None:
    """One statement for all boxes that want the same, and there is little to want: thousands may decide at once."""
    boxes: dict[tuple[Action, int], list[int]] = defaultdict(list)
    for choice in choices:
        boxes[choice.action, choice.multiplier or 0].append(choice.box)
    for (action, multiplier), numbers in boxes.items():
        deciding = Box.objects.filter(round_id=round_id, box__in=numbers)
        if action is Action.CHECK:
            deciding.update(checked=street)
        else:
            deciding.update(action=action, street=street, multiplier=multiplier)
