"""Evidence of a hit: all that a dispute about it needs, as one moment's value. Source: accounting.md, section 4.

The round and its boxes in every version of their settlement, the documents of rules and policy, what was posted with
the statement rows around it, awards with what was done to them, the seals, and the round performed again. An Envy is
proved by the pack of its hit. Whoever reads a pack sees all of its round: it is for staff.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from jackpot import services as jackpot
from jackpot.reports import Report
from jackpot.selectors import award_moves, evidence, readings
from jackpot.selectors.snapshots import snapshot
from jackpot.selectors.statements import StatementRow
from tables.domain import record
from tables.models.rounds import Round
from tables.reports import expected_posted
from tables.selectors import on_show
from tables.selectors.on_show import OnShow
from tables.selectors.people import Names
from tables.services import versions


@dataclass(frozen=True, slots=True)
class Frozen:
    """The facts that were kept with the hit, and how they compare with the digest in the entry of the settlement."""

    document: dict[str, Any]
    sha256: bytes
    entry_id: int
    entry_sha256: bytes | None

    @property
    def agrees(self) -> bool:
        return self.sha256 == self.entry_sha256


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pack of `hit`. `earlier` are the versions that corrections replaced, in order, each as it stood; `asked_for`
    is the award that was named; `entered_by` names who entered a version that the hit stands in. A late hit has
    `meter_at_event`: the meter's row that was in force when it happened.
    """

    asked_for: UUID
    hit: jackpot.Award
    shown: OnShow
    earlier: Sequence[OnShow]
    entered_by: Sequence[str]
    books: evidence.Books
    meter_at_event: StatementRow | None
    facts: Frozen | None
    performed: Report
    made_at: datetime
    made_by: str

    @property
    def round(self) -> Round:
        return self.shown.round


def evidence_of(award_id: UUID, *, made_at: datetime, made_by: str) -> Evidence | None:
    """The pack of an award's hit, read in one snapshot; None where there is no such award."""
    with snapshot():
        asked = evidence.award(award_id)
        if asked is None:
            return None
        hit_id = asked.hit_id or asked.pk
        rounds = Round.objects.select_related("table", "site", "rule_set__rule_set", "policy__jackpot", "integrator")
        rnd = rounds.get(pk=asked.source_ref)
        books = evidence.books_of(rnd.id, versions=rnd.version, subjects=(f"round:{rnd.id}",))
        hit = next(award for award in books.awards if award.pk == hit_id)
        return Evidence(
            asked_for=award_id,
            hit=hit,
            shown=on_show.everything_of(rnd),
            earlier=[stood for n in range(1, rnd.version) if (stood := versions.as_it_stood(rnd, n)) is not None],
            entered_by=_entered_by(hit),
            books=books,
            meter_at_event=readings.meter_at(hit.level, hit.hit_at) if hit.late and hit.level else None,
            facts=_frozen(hit, books),
            performed=expected_posted.report_of([rnd.id], made_at=made_at, made_by=made_by),
            made_at=made_at,
            made_by=made_by,
        )


def _entered_by(hit: jackpot.Award) -> list[str]:
    """By name, where they are of the staff: none of them decides on the hit."""
    actors = sorted(award_moves.entered_by(hit))
    names = Names(actors)
    return [names.of(actor) for actor in actors]


def _frozen(hit: jackpot.Award, books: evidence.Books) -> Frozen | None:
    """The facts are kept once an entry, with its first hit."""
    kept = [award.facts for award in books.awards if award.entry_id == hit.entry_id and award.facts is not None]
    if not kept:
        return None
    digest = hit.entry.facts_digest
    return Frozen(kept[0], record.fingerprint(kept[0]), hit.entry_id, bytes(digest) if digest is not None else None)
