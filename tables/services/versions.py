"""The versions of rounds, each as it can be settled again: what audits and reports look at."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from uuid import UUID

from jackpot import services as jackpot
from jackpot.selectors.corrections import owed_by
from tables.domain.round_state import Phase
from tables.models.rounds import Box, Round, Superseded
from tables.selectors import superseded
from tables.selectors.on_show import OnShow
from tables.selectors.results import results_at
from tables.services import batch, writing
from tables.services.batch import Work


@dataclass(frozen=True, slots=True)
class Counted:
    """A version as a gaming day counts it: `sign` is 1 where it was posted, -1 where a correction took it back."""

    work: Work
    sign: int

    @property
    def ref(self) -> str:
        """The reference of its settlement."""
        return f"round:{self.work.round.id}:v{self.work.version}"


Changed = tuple[Superseded, Counted, Counted]
"""A correction: its record, what it took back, and what it put in its place."""


class Versions:
    """Some rounds with all their versions, read without locks; two queries more than `batch.load` makes."""

    def __init__(self, round_ids: Iterable[UUID]) -> None:
        self.in_force = batch.load(round_ids, lock=False)
        corrected = (pk for pk, work in self.in_force.items() if work.round.version > batch.FIRST_VERSION)
        self._superseded = superseded.versions_of(corrected)
        for work in self.in_force.values():
            work.entered_by = self._entered_by(work.round.id, work.version)

    def at(self, round_id: UUID, version: int) -> Work | None:
        """A version of a round, from the facts it was settled on; None where there is no such version."""
        work = self.in_force.get(round_id)
        if work is None or version == work.version:
            return work
        row = next((row for row in self._superseded.get(round_id, ()) if row.version == version), None)
        if row is None:
            return None
        facts = superseded.facts_in(row, work.round.table.currency)
        return work.at(version, facts, entered_by=self._entered_by(round_id, version))

    def change_to(self, round_id: UUID, version: int) -> jackpot.ChangeRequest | None:
        """The correction that brought a version; none for the first."""
        return next((row.change for row in self._superseded.get(round_id, ()) if row.version == version - 1), None)

    def _entered_by(self, round_id: UUID, version: int) -> int | None:
        """Who entered the facts of a version, where a person did."""
        change = self.change_to(round_id, version)
        return change.asked_by_id if change is not None else None


def as_it_stood(rnd: Round, version: int) -> OnShow | None:
    """A version of a round as it was shown while it was in force: its facts, results and awards, of a round read with
    its table, site and versions. None where it is not one that was replaced.
    """
    row = next((row for row in superseded.versions_of([rnd.id]).get(rnd.id, ()) if row.version == version), None)
    if row is None:
        return None
    stood = superseded.facts_in(row, rnd.table.currency)
    facts = stood.facts
    then = copy(rnd)
    then.version, then.settled_at = version, row.settled_at
    then.phase = Phase.VOID if facts.void else Phase.SETTLED
    then.flop, then.turn, then.river = writing.joined(facts.flop), facts.turn or "", facts.river or ""
    then.dealer, then.player_cards = writing.joined(facts.dealer), writing.joined(facts.player_cards)
    then.void_reason, then.void_note = facts.void or "", stood.void_note
    boxes = [
        Box(round_id=rnd.id, **writing.box_columns(box), void_note=stood.notes.get(box.box, ""))
        for box in sorted(facts.boxes, key=lambda box: box.box)
    ]
    results = results_at([(rnd.id, version)])[rnd.id, version]
    source = f"round:{rnd.id}:v{version}"
    return OnShow(round=then, boxes=boxes, results=results, awards=owed_by([source])[source])


def first_of(round_ids: Iterable[UUID]) -> dict[UUID, Work]:
    """The first versions of some rounds: what they were settled on, whatever was corrected since."""
    versions = Versions(round_ids)
    return {pk: versions.at(pk, batch.FIRST_VERSION) or work for pk, work in versions.in_force.items()}


def changed_by(rows: Iterable[Superseded]) -> list[Changed]:
    """What some corrections took back, and what they put in its place."""
    kept = list(rows)
    versions = Versions({row.round_id for row in kept})
    found = []
    for row in kept:
        was, becomes = versions.at(row.round_id, row.version), versions.at(row.round_id, row.version + 1)
        if was is not None and becomes is not None:
            found.append((row, Counted(was, -1), Counted(becomes, 1)))
    return found
