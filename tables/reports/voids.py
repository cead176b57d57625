"""Voids: boxes and rounds that went dead, why, what was given back, and the prizes that were cancelled with them.

What a void cancelled is what its hand would have won, from the pots as they stood when the round was settled. Envy for
a dead hand is counted with it; Envy that a dead wager missed, with that wager. A key reads its own rounds. A void that
waits for a second person stands on every day until it is decided on, with nothing returned yet. A correction that
brought or undid a void shows so on its own day.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from jackpot import services as jackpot
from jackpot.reports import Asked, Line, Report, line, money, numbers, text, times
from tables.domain.alive import progressive_alive
from tables.domain.facts import BoxFacts
from tables.domain.settlement import progressive_hand_of
from tables.models.rounds import Box
from tables.reports import scope
from tables.selectors import results, superseded, waiting_voids
from tables.services import versions
from tables.services.batch import Work

NAME = "voids"
COLUMNS = (
    *text("table", "currency", "game_number", "void"),
    *numbers("box"),
    *text("player", "reason", "note"),
    *times("completed_at"),
    *money("staked", "returned"),
    *text("progressive_hand"),
    *money("cancelled_prize", "cancelled_envy"),
    *text("round"),
)


def build(asked: Asked) -> Report:
    dead_box = Box.objects.filter(round_id=OuterRef("pk")).exclude(void_reason="")
    found = scope.rounds_of(asked).filter(Q(phase="void") | Exists(dead_box) | Q(version__gt=1))
    works = versions.first_of(found.order_by("table__code", "started_at", "id").values_list("id", flat=True))
    lines = [made for work, drawn in _drawn(works.values()) for made in _lines(work, drawn, _dead(work))]
    for _, was, becomes in versions.changed_by(scope.corrections_of(asked)):
        lines += _changed(was.work, becomes.work)
    lines += _waiting(asked)
    return asked.report(NAME, COLUMNS, lines)


def _waiting(asked: Asked) -> Iterator[Line]:
    """Voids that waited for a second person at the end of the day, with the prizes that they would cancel; a share of a
    meter is nothing yet: it is priced when its round is settled.
    """
    rounds = scope.seen_of(asked)
    found = list(waiting_voids.waiting(rounds, asked.bounds[1]))
    works = versions.first_of({one.round_id for one in found})
    named: dict[UUID, set[int]] = {pk: set() for pk in works}
    for one in found:
        named[one.round_id] |= {box.box for box in works[one.round_id].facts.boxes if one.box in (None, box.box)}
    for work in works.values():
        boxes = named[work.round.id]
        for _, drawn in _drawn([work]):
            dead = [box for box in work.facts.boxes if box.box in boxes and (work.facts.void or box.void)]
            yield from _lines(work, drawn, dead, label="waiting: ")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What the boxes of a version would have won without its voids, what was noted of them, and what came back."""

    outcome: jackpot.Outcome | None
    notes: Mapping[int, str]
    void_note: str
    returned: Mapping[int, int]


def _drawn(works: Iterable[Work]) -> list[tuple[Work, _Drawn]]:
    """One version of each of some rounds that have voids, in their order."""
    wanted = [work for work in works if _dead(work) or work.facts.void]
    played = [_as_played(work) for work in wanted if work.round.policy_id and work.round.locked_at]
    terms = jackpot.Terms({posting.policy_id for posting in played if posting.policy_id})
    outcomes = jackpot.expect_outcomes(played, terms)
    rows = results.results_at((work.round.id, work.version) for work in wanted)
    notes = superseded.notes_of((work.round, work.version) for work in wanted)
    drawn = []
    for work in wanted:
        place = (work.round.id, work.version)
        returned = {box: sum(results.returned_to(row).values()) for box, row in rows[place].items()}
        void_note, boxes = notes[place]
        drawn.append((work, _Drawn(outcomes.get(str(work.round.id)), boxes, void_note, returned)))
    return drawn


def _dead(work: Work) -> list[BoxFacts]:
    return [box for box in work.facts.boxes if work.facts.void or box.void]


def _changed(was: Work, becomes: Work) -> list[Line]:
    """Voids that a correction brought; and those that it undid, with what they had cancelled taken off."""
    before, after = {box.box for box in _dead(was)}, {box.box for box in _dead(becomes)}
    lines: list[Line] = []
    for work, boxes, sign in ((becomes, after - before, 1), (was, before - after, -1)):
        for _, drawn in _drawn([work]):
            lines += _lines(work, drawn, [box for box in _dead(work) if box.box in boxes], sign)
    return lines


def _as_played(work: Work) -> jackpot.Showdown:
    """The Progressive of a round as it would have been without its voids."""
    facts, rules, rnd = work.facts, work.rules, work.round
    claims = tuple(
        jackpot.Claim(box.box, box.player, box.progressive, progressive_hand_of(facts, box))
        for box in facts.boxes
        if progressive_alive(box._replace(void=None), rules)
    )
    return jackpot.Showdown(str(rnd.id), rnd.policy_id, claims, rules.shared_hand)


def _lines(work: Work, drawn: _Drawn, dead: Sequence[BoxFacts], sign: int = 1, label: str = "") -> Iterator[Line]:
    """A line for each of these dead boxes; for a void round without boxes one for the round. With a negative `sign` the
    void was undone.
    """
    rnd, facts = work.round, work.facts
    label = "undone: " if sign < 0 else label
    head = (rnd.table.code, rnd.table.currency_code, rnd.game_number)
    outcome = drawn.outcome
    envy = _envy_of(outcome, {box.box for box in _dead(work)})
    for box in dead:
        prize = outcome.prizes.get(box.box) if outcome else None
        void = ("box", box.void, drawn.notes.get(box.box, ""))
        kind, reason, note = ("round", facts.void, drawn.void_note) if facts.void else void
        yield line(
            rnd.table.currency, *head, f"{label}{kind}", box.box, box.player, reason, note, rnd.completed_at,
            sign * box.staked, sign * drawn.returned.get(box.box, 0), _hand(work, box),
            sign * prize.returned if prize else 0, sign * envy[box.box], str(rnd.id),
        )  # fmt: skip
    if not facts.boxes and sign > 0:
        cells = ("round", None, None, facts.void, drawn.void_note, rnd.completed_at, 0, 0, None, 0, 0, str(rnd.id))
        yield line(rnd.table.currency, *head, *cells)


def _hand(work: Work, box: BoxFacts) -> str | None:
    return progressive_hand_of(work.facts, box) if box.progressive else None


def _envy_of(outcome: jackpot.Outcome | None, dead: set[int]) -> dict[int, int]:
    """The Envy that was cancelled, by the dead box that it is counted with."""
    found: dict[int, int] = defaultdict(int)
    for envy in outcome.envy if outcome else ():
        hit_box = outcome.hits[envy.hit].claim.box if outcome else 0
        counted_with = hit_box if hit_box in dead else envy.claim.box
        if counted_with in dead:
            found[counted_with] += envy.amount
    return found
