"""Corrections: the facts of a settled round were wrong. One person says how they were, another approves, and the round
is settled a second time. Source: accounting.md, section 6.

One transaction: lane, round, levels, days, the chain's head; then the facts and results of the new version.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, Violation, refuse
from tables.domain import checks, corrections
from tables.domain.corrections import Recorded
from tables.domain.facts import BoxFacts
from tables.models.rounds import Box, Round, Superseded
from tables.selectors import rounds, superseded
from tables.services import batch, telling, writing
from tables.services.batch import Work


def ask(
    *, caller: jackpot.Caller, round_id: UUID, corrected: Recorded, reason: str, note: str, now: datetime
) -> jackpot.ChangeRequest:  # fmt: skip
    """Ask for a settled round to be corrected: `corrected` are all its facts as they should be, or its void.

    Raises Refused: `person_required`, `not_found`, `wrong_phase` where the round is not settled, `invalid_value` for a
    reason that is not listed or facts that change nothing, and whatever would be refused of a round reported so.
    """
    with transaction.atomic():
        if not rounds.seen_by(caller).filter(pk=round_id).exists():
            raise refuse("not_found", "there is no such round")
        wanted = wanted_of(round_id=round_id, corrected=corrected)
        rnd = wanted.work.round
        return jackpot.ask_correction(
            caller=caller, site=rnd.site, jackpot=rnd.lane.jackpot, source_ref=rnd.id, reason=reason, note=note,
            document=wanted.document, before=wanted.before, now=now,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """A correction that may be asked for: the version in force, and the records of its facts and of those wanted."""

    work: Work
    corrected: Recorded
    before: dict[str, Any]
    document: dict[str, Any]


def wanted_of(*, round_id: UUID, corrected: Recorded) -> Wanted:
    """What `ask` would put on record. Raises Refused as it does of the round and its facts; writes nothing."""
    work = batch.load([round_id], lock=False)[round_id]
    rnd = work.round
    if not rnd.version:
        raise refuse("wrong_phase", f"the round is in phase {rnd.phase}; only one that is settled is corrected")
    currency = rnd.table.currency
    document = corrections.document(corrected, version=rnd.version, currency=currency)
    before = corrections.document(superseded.recorded(rnd, work.facts), version=rnd.version, currency=currency)
    if document == before:
        raise refuse("invalid_value", "these are the facts that stand; nothing would change")
    _check(work, corrected)
    return Wanted(work, corrected, before, document)


def standing(round_id: UUID) -> Recorded:
    """The facts in force of a round, as a correction would replace them."""
    work = batch.load([round_id], lock=False)[round_id]
    return superseded.recorded(work.round, work.facts)


def approve(*, caller: jackpot.Caller, request_id: UUID, note: str, now: datetime) -> UUID:
    """Approve a correction, as another person than who asked; answers with its round, whose next version is in force.

    Raises Refused: `not_found`, `person_required`, `second_person_required`, `illegal_move` where the request is
    decided already or the round was corrected since, and what `ask` refuses of the facts. Nothing is written then.
    """
    with transaction.atomic():
        case = _Case()
        done = jackpot.approve_correction(
            caller=caller, request_id=request_id, note=note, now=now, replacing=case.replacing
        )
        _store(case, done, now)
        rnd = case.was.round
        ended = batch.ended(case.becomes, _posted(rnd, done))
        told = telling.of_round(jackpot.EventType.ROUND_CORRECTED, rnd, at=done.at, ended=ended)
        telling.publish([told, *done.events])
        return rnd.id


@dataclass(slots=True, init=False)
class _Case:
    """A correction that is carried out: the request, the version in force, and the one that replaces it."""

    request: jackpot.ChangeRequest
    recorded: Recorded
    was: Work
    becomes: Work

    def replacing(self, request: jackpot.ChangeRequest) -> jackpot.Replacing:
        """What is to be posted, under the round's lock; the facts are checked once more."""
        self.request = request
        round_id = UUID(request.subject.partition(":")[2])
        self.was = batch.load([round_id])[round_id]
        rnd = self.was.round
        if rnd.version != request.document["version"]:
            raise refuse("illegal_move", "the round was corrected since this was asked; ask for what is wrong now")
        self.recorded = corrections.read(request.document, rnd.table.currency)
        _check(self.was, self.recorded)
        self.becomes = self.was.at(rnd.version + 1, self.recorded, entered_by=request.asked_by_id)
        return replacing(self.was, superseded.versions_of([round_id]).get(round_id, []), batch.settle(self.becomes))


def replacing(was: Work, earlier: Iterable[Superseded], settlement: jackpot.Settlement) -> jackpot.Replacing:
    """The settlement that replaces a version, with what the versions before it staked."""
    rows, currency = list(earlier), was.round.table.currency
    past = [was.at(row.version, superseded.facts_in(row, currency)) for row in rows]
    return jackpot.Replacing(
        settlement=settlement,
        stakes=(*map(batch.staked, past), batch.staked(was)),
        changes=tuple(row.change_id for row in rows),
    )


def _check(work: Work, corrected: Recorded) -> None:
    """Raises Refused with all that is wrong with the facts, as of a round that is reported so."""
    rnd, facts = work.round, corrected.facts
    if rnd.locked_at is None and facts.void is None:
        raise refuse("illegal_move", "the bets of this round never stood: report the round that was played instead")
    if wrong := [*_void_twice(corrected), *checks.check(facts, work.rules, progressive_stake=_stake(work))]:
        raise Refused(wrong)


def _void_twice(corrected: Recorded) -> Iterator[Violation]:
    void = {box.box for box in corrected.facts.boxes if box.void}
    if set(corrected.notes) - void:
        yield Violation("invalid_value", "a note stands with a box that is void", "/boxes")


def _stake(work: Work) -> int | None:
    """The one Progressive stake of the round's policy; None where its bets were not taken then."""
    rnd = work.round
    if rnd.policy is None:
        return None
    taken = any(box.progressive for box in work.facts.boxes)
    offered = rnd.policy.jackpot.takes_bets(rnd.locked_at or rnd.started_at)
    return rnd.policy.read().stake if taken or offered else None


def _posted(rnd: Round, done: jackpot.Replaced) -> jackpot.Posted:
    """As the round is told of: its own gaming day stays, whenever it is corrected."""
    if rnd.gaming_day is None:
        raise ValueError("a settled round has its gaming day")
    return jackpot.Posted(done.prizes, rnd.gaming_day, rnd.late, done.envy)


def _store(case: _Case, done: jackpot.Replaced, now: datetime) -> None:
    """Keep the facts that were, put the next version in force, and write its results. The gaming day stays."""
    rnd, becomes, facts = case.was.round, case.becomes, case.recorded.facts
    if rnd.settled_at is None:
        raise ValueError("a settled round has its time")
    Superseded.objects.create(
        round=rnd, version=rnd.version, document=case.request.before, settled_at=rnd.settled_at,
        replaced_at=done.at, replaced_day=done.gaming_day, change=case.request,
    )  # fmt: skip
    _store_boxes(rnd, facts.boxes, case.recorded.notes)
    Round.objects.filter(pk=rnd.id).update(
        version=becomes.version, settled_at=done.at, phase=batch.phase_of(becomes), flop=writing.joined(facts.flop),
        turn=facts.turn or "", river=facts.river or "", dealer=writing.joined(facts.dealer),
        player_cards=writing.joined(facts.player_cards), void_reason=facts.void or "",
        void_note=case.recorded.void_note if facts.void else "",
    )  # fmt: skip
    writing.store_results(batch.results(becomes, done.prizes))
    data = {"version": becomes.version, "reason": case.request.reason}
    writing.store_events([(rnd.id, "corrected", now, data)])
    batch.check_deferred()


def _store_boxes(rnd: Round, boxes: Iterable[BoxFacts], notes: Mapping[int, str]) -> None:
    """Boxes as they are now; those that stay as they were are left alone."""
    stored = {box.box: box for box in Box.objects.filter(round_id=rnd.id)}
    wanted = {box.box: box for box in boxes}
    if gone := stored.keys() - wanted.keys():
        Box.objects.filter(round_id=rnd.id, box__in=gone).delete()
    for number in wanted.keys() & stored.keys():
        columns = writing.box_columns(wanted[number]) | {"void_note": notes.get(number, "")}
        del columns["box"]
        if any(getattr(stored[number], name) != value for name, value in columns.items()):
            Box.objects.filter(round_id=rnd.id, box=number).update(**columns)
    added = [wanted[number] for number in sorted(wanted.keys() - stored.keys())]
    Box.objects.bulk_create(
        Box(round_id=rnd.id, **writing.box_columns(box), void_note=notes.get(box.box, "")) for box in added
    )
