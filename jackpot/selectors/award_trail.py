"""The trail of one award: what was posted of it, the rows of statements it made, what reset its meter was paid from."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from jackpot.domain.meter import Funded
from jackpot.models.awards import Award, AwardMove
from jackpot.models.ledger import Entry, StatementRow
from jackpot.selectors import award_moves
from jackpot.selectors.evidence import Posted, with_legs


@dataclass(frozen=True, slots=True)
class Trail:
    """Moves in order, entries from the settlement on, rows by pot and number. `funded`: what its reset or restore put
    into the meter, and from where.
    """

    moves: Sequence[AwardMove]
    posted: Sequence[Posted]
    rows: Sequence[StatementRow]
    funded: Funded


def trail_of(award: Award) -> Trail:
    """The trail of an award, read with its entry."""
    moves = list(award.moves.select_related("user", "key", "entry").order_by("number"))
    settled = [award.entry.source_ref, *award.carried.values_list("entry__source_ref", flat=True)]
    own = [f"{ref}:hit{award.position}" for ref in settled] if award.kind == Award.Kind.HIT else []
    wanted = Q(source_ref__in=[*settled, *own, f"award:{award.pk}"]) | Q(pk__in=[move.entry_id for move in moves])
    entries = list(Entry.objects.filter(wanted).order_by("pk"))
    rows = StatementRow.objects.filter(entry__in=entries).select_related("level", "entry")
    funded = Funded() if award.level is None else award_moves.funded_by(award, award_moves.parts_of(award))
    return Trail(
        moves=moves,
        posted=with_legs(entries),
        rows=list(rows.order_by("level_id", "pot", "seq")),
        funded=funded,
    )
