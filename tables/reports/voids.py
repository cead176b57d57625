"""Voids: boxes and rounds that went dead, why, what was given back, and the prizes that were cancelled with them.

What a void cancelled is what its hand would have won, from the pots as they stood when the round was settled. Envy for
a dead hand is counted with it; Envy that a dead wager missed, with that wager. A key reads its own rounds. A void that
still waits for a second person has no day yet: its round is `failed`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q

from jackpot import services as jackpot
from jackpot.reports import Asked, Line, Report, line, money, numbers, text, times
from tables.domain.alive import progressive_alive
from tables.domain.facts import BoxFacts
from tables.domain.settlement import progressive_hand_of
from tables.models.rounds import Box, BoxResult
from tables.reports import scope
from tables.selectors import results
from tables.services import batch
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
    found = scope.rounds_of(asked).filter(Q(phase="void") | Exists(dead_box))
    ids = list(found.order_by("table__code", "started_at", "id").values_list("id", flat=True))
    works = batch.load(ids, lock=False)
    played = {pk: _as_played(work) for pk, work in works.items() if work.round.policy_id and work.round.locked_at}
    terms = jackpot.Terms({posting.policy_id for posting in played.values() if posting.policy_id})
    outcomes = jackpot.expect_outcomes(list(played.values()), terms)
    notes, returned = _notes(ids), _returned(ids)
    lines = [made for pk in ids for made in _lines(works[pk], outcomes.get(str(pk)), notes[pk], returned[pk])]
    return asked.report(NAME, COLUMNS, lines)


def _as_played(work: Work) -> jackpot.Settlement:
    """The Progressive of a round as it would have been without its voids."""
    facts, rules, rnd = work.facts, work.rules, work.round
    claims = tuple(
        jackpot.Claim(box.box, box.player, box.progressive, progressive_hand_of(facts, box))
        for box in facts.boxes
        if progressive_alive(replace(box, void=None), rules)
    )
    return jackpot.Settlement(
        source=work.source, policy_id=rnd.policy_id, version=rnd.version, main_net=0, trips_net=0, claims=claims,
        shared=rules.shared_hand,
    )  # fmt: skip


def _notes(ids: Sequence[UUID]) -> dict[UUID, dict[int, str]]:
    found: dict[UUID, dict[int, str]] = defaultdict(dict)
    for round_id, box, note in Box.objects.filter(round_id__in=ids).values_list("round_id", "box", "void_note"):
        found[round_id][box] = note
    return found


def _returned(ids: Sequence[UUID]) -> dict[UUID, dict[int, int]]:
    found: dict[UUID, dict[int, int]] = defaultdict(dict)
    rows = BoxResult.objects.filter(round_id__in=ids, version=F("round__version"))
    for row in rows:
        found[row.round_id][row.box] = sum(results.returned_to(row).values())
    return found


def _lines(
    work: Work, outcome: jackpot.Outcome | None, notes: Mapping[int, str], returned: Mapping[int, int]
) -> Iterator[Line]:
    """A line for each dead box; for a void round without boxes one for the round."""
    rnd, facts = work.round, work.facts
    head = (rnd.table.code, rnd.table.currency_code, rnd.game_number)
    dead = [box for box in facts.boxes if facts.void or box.void]
    envy = _envy_of(outcome, {box.box for box in dead})
    for box in dead:
        prize = outcome.prizes.get(box.box) if outcome else None
        void = ("round", facts.void, rnd.void_note) if facts.void else ("box", box.void, notes.get(box.box, ""))
        kind, reason, note = void
        yield line(
            rnd.table.currency, *head, kind, box.box, box.player, reason, note, rnd.completed_at, box.staked,
            returned.get(box.box, 0), _hand(work, box), prize.returned if prize else 0, envy[box.box], str(rnd.id),
        )  # fmt: skip
    if not facts.boxes:
        cells = ("round", None, None, rnd.void_reason, rnd.void_note, rnd.completed_at, 0, 0, None, 0, 0, str(rnd.id))
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
