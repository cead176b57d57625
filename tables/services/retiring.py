"""Retiring a jackpot: the tables say which of its rounds wait to be settled, and let none come in meanwhile.

Tables stay linked to a retired jackpot and in its lane, without a Progressive: their rounds go on there with the other
bets. Source: accounting.md §6; docs/decisions/0019-moves-of-pots.md.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from jackpot import services as jackpot
from tables.domain.round_state import OPEN, Phase
from tables.models.rounds import UNSETTLED, Box, Round
from tables.models.tables import Table, TableSetup


def approve_retirement(
    *, caller: jackpot.Caller, request_id: UUID, note: str = "", now: datetime
) -> jackpot.ChangeDecision:
    """Retire a jackpot that another person asked to retire (`jackpot.services.changes.retiring.ask_retirement`).

    Raises Refused as `jackpot.services.changes.retiring.approve_retirement` says.
    """
    return jackpot.approve_retirement(caller=caller, request_id=request_id, note=note, now=now, unsettled=_unsettled)


def _unsettled(lane: jackpot.Lane) -> Sequence[str]:
    """The game numbers of rounds whose Progressive bets were locked out and are not settled, oldest first; and of those
    reported void before their lock-out that wait for a second person: declined, their bets were locked out after all.

    Who brings in a whole round holds its table's row, who locks out a live one the round's: both are waited for here
    before it is looked, and wait from then on for the transaction's end. By then the jackpot takes no bet any more.
    """
    linked = TableSetup.objects.filter(lane=lane).values("table")  # or were: old rounds of theirs still come in here
    tables = Table.objects.filter(pk__in=linked).select_for_update(no_key=True, of=("self",)).order_by("id")
    played = Round.objects.filter(table__in=list(tables), live=True, phase__in=OPEN)
    list(played.select_for_update(no_key=True, of=("self",)).order_by("id"))
    staked = Exists(Box.objects.filter(round_id=OuterRef("pk"), progressive__gt=0))
    stands = Q(locked_at__isnull=False) | Q(phase=Phase.FAILED)
    rounds = Round.objects.filter(UNSETTLED, staked, stands, lane=lane)
    return list(rounds.order_by("id").values_list("game_number", flat=True))
