"""Rounds that are not settled when their gaming day is closed."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef

from jackpot.services import OpenRound, Site
from tables.models.rounds import UNSETTLED, Round
from tables.models.voids import WaitingVoid


def unsettled(site: Site, end: datetime) -> Sequence[OpenRound]:
    """The rounds of a site that began before an instant and are not settled, oldest first: still played, waiting for a
    worker, or set aside; of each whether a void waits for a second person. One whose betting closed without a bet is
    over.
    """
    rounds = Round.objects.filter(UNSETTLED, site_id=site.pk, started_at__lt=end)
    rounds = rounds.annotate(void_waits=Exists(WaitingVoid.objects.filter(round=OuterRef("pk"), decided=None)))
    return [
        OpenRound(
            ref=str(rnd.pk),
            integrator_id=rnd.integrator_id,
            table=rnd.table.code,
            game_number=rnd.game_number,
            phase=rnd.phase,
            started_at=rnd.started_at,
            comes_late=rnd.completed_at is not None and rnd.completed_at < end,
            void_waits=rnd.void_waits,
        )
        for rnd in rounds.select_related("table").order_by("started_at", "id")
    ]
