"""The facts of rounds as they stood in each version."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from jackpot.money import Currency
from tables.domain.corrections import Recorded, read
from tables.domain.facts import RoundFacts
from tables.models.rounds import Box, Round, Superseded

FIRST_BOXES = """
    SELECT made.box, player, ante, trips, progressive FROM tables_box AS made
     WHERE made.round_id = round.id AND round.version = 1 AND round.void_reason = '' AND made.void_reason = ''
    UNION ALL
    SELECT (made ->> 'box')::integer, made ->> 'player',
           replace(made ->> 'ante', '.', '')::bigint * 1000000, replace(made ->> 'trips', '.', '')::bigint * 1000000,
           replace(made ->> 'progressive', '.', '')::bigint * 1000000
      FROM tables_superseded AS first, jsonb_array_elements(first.document -> 'boxes') AS made
     WHERE round.version > 1 AND first.round_id = round.id AND first.version = 1
       AND first.document -> 'void' = 'null' AND made -> 'void' = 'null'
"""
"""The boxes of a `round` in which nothing is void, as it was settled first: SQL for a lateral join. A decimal string of
a currency without its point counts minor units, each a million ledger units.
"""


def versions_of(round_ids: Iterable[UUID]) -> dict[UUID, list[Superseded]]:
    """What corrections replaced of some rounds, oldest first; one query. Rounds without a correction are left out."""
    found: dict[UUID, list[Superseded]] = {}
    rows = Superseded.objects.filter(round_id__in=list(round_ids)).select_related("change")
    for row in rows.order_by("round_id", "version"):
        found.setdefault(row.round_id, []).append(row)
    return found


def facts_in(row: Superseded, currency: Currency) -> Recorded:
    """The facts that a correction replaced."""
    return read(row.document, currency)


def recorded(rnd: Round, facts: RoundFacts) -> Recorded:
    """The facts in force of a round with what was noted of its voids."""
    notes = Box.objects.filter(round_id=rnd.id).exclude(void_note="").values_list("box", "void_note")
    return Recorded(facts, rnd.void_note, dict(notes))


def notes_of(versions: Iterable[tuple[Round, int]]) -> dict[tuple[UUID, int], tuple[str, Mapping[int, str]]]:
    """What was noted of the voids of some versions: of the round's, and of its boxes'; two queries."""
    wanted = list(versions)
    found: dict[tuple[UUID, int], tuple[str, dict[int, str]]] = {
        (rnd.id, version): (rnd.void_note, {}) for rnd, version in wanted
    }
    in_force = [rnd.id for rnd, version in wanted if version == max(rnd.version, 1)]
    noted = Box.objects.filter(round_id__in=in_force).exclude(void_note="")
    at = {rnd.id: version for rnd, version in wanted}
    for round_id, box, note in noted.values_list("round_id", "box", "void_note"):
        found[round_id, at[round_id]][1][box] = note
    kept = versions_of(rnd.id for rnd, version in wanted if version < rnd.version)
    for rnd, version in wanted:
        for row in kept.get(rnd.id, ()):
            if row.version == version:
                recorded_then = read(row.document, rnd.table.currency)
                found[rnd.id, version] = (recorded_then.void_note, dict(recorded_then.notes))
    return dict(found)
