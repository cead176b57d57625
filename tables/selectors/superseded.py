"""The facts of rounds as they stood in each version."""

from collections.abc import Iterable
from uuid import UUID

from jackpot.money import Currency
from tables.domain.corrections import Recorded, read
from tables.domain.facts import RoundFacts
from tables.models.rounds import Box, Round, Superseded


def versions_of(round_ids: Iterable[UUID]) -> dict[UUID, list[Superseded]]:
    """What corrections replaced of some rounds, oldest first; one query. Rounds without a correction are left out."""
    found: dict[UUID, list[Superseded]] = {}
    rows = Superseded.objects.filter(round_id__in=list(round_ids)).select_related("change")
    for row in rows.order_by("round_id", "version"):
        found.setdefault(row.round_id, []).append(row)
    return found


def facts_in(row: Superseded, currency: Currency) -> RoundFacts:
    """The facts that a correction replaced."""
    return read(row.document, currency).facts


def recorded(rnd: Round, facts: RoundFacts) -> Recorded:
    """The facts in force of a round with what was noted of its voids."""
    notes = Box.objects.filter(round_id=rnd.id).exclude(void_note="").values_list("box", "void_note")
    return Recorded(facts, rnd.void_note, dict(notes))
