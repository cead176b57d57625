"""Lanes: taking one, its queue, and the wake-up a committed place in it is worth.

Lock order everywhere: lane, then rounds (by id), levels (by id), gaming days, the chain's head (in the lane's row), and
last the event counters.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

from jackpot.models.lanes import Lane, Queued


def take(lane_id: int) -> Lane | None:
    """The lane, locked for this transaction; None while another worker drains it."""
    lanes = Lane.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    return lanes.select_related("jackpot__home_site", "site").filter(pk=lane_id).first()


def hold(jackpot_id: int) -> Lane:
    """A jackpot's lane, locked for this transaction; waits for the worker that drains it."""
    lanes = Lane.objects.select_for_update(no_key=True, of=("self",)).select_related("jackpot__home_site", "site")
    return lanes.get(jackpot_id=jackpot_id)


def hold_together(jackpot_ids: Iterable[int]) -> dict[int, Lane]:
    """The lanes of several jackpots, by jackpot: locked in order of their ids, so that nobody waits in a circle."""
    lanes = Lane.objects.select_for_update(no_key=True, of=("self",)).select_related("jackpot__home_site", "site")
    return {lane.jackpot_id or 0: lane for lane in lanes.filter(jackpot_id__in=list(jackpot_ids)).order_by("id")}


def hold_of_site(site_id: int) -> Lane:
    """The lane of a site's tables without a jackpot, locked for this transaction; waits as `hold` does."""
    lanes = Lane.objects.select_for_update(no_key=True, of=("self",)).select_related("site")
    return lanes.get(site_id=site_id)


def clock(lane: Lane) -> datetime:
    """Posting time: the database's clock under the lane's lock, never before the lane's last one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return max(now, lane.posted_at) if lane.posted_at else now


def enqueue(places: Iterable[tuple[int, str, UUID]]) -> None:
    """Give rounds their places, as (lane, kind, round), in this order. What waits there already keeps its place."""
    rows = [Queued(lane_id=lane_id, kind=kind, source_ref=ref) for lane_id, kind, ref in places]
    Queued.objects.bulk_create(rows, ignore_conflicts=True)


def next_places(lane: Lane, limit: int) -> list[Queued]:
    """The first places of a lane that was taken."""
    return list(Queued.objects.filter(lane=lane).order_by("id")[:limit])


def leave(places: Sequence[Queued]) -> None:
    """Remove places whose work is done in this transaction."""
    Queued.objects.filter(pk__in=[place.pk for place in places]).delete()
