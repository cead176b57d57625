"""Publishing events: into the outbox, in the transaction that posts what they tell of.

Each integrator's events are numbered without a gap. The number comes from a counter row that stays locked until the
commit, so a lower number is never committed after a higher one was read (decision 0009).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from django.db import connection
from uuid_utils.compat import uuid7

from jackpot.domain import events as domain
from jackpot.domain.events import Event
from jackpot.selectors import clients
from jackpot.services import bulk

SeenAt = Callable[[Collection[int]], Mapping[int, Collection[int]]]
"""Answers for some jackpots at which sites tables are linked to each: whoever knows the tables gives it."""

_EVENT = (
    ("id", "uuid"), ("integrator_id", "int8"), ("seq", "int8"), ("type", "varchar"), ("at", "timestamptz"),
    ("site_id", "int8"), ("jackpot_id", "int8"), ("data", "jsonb"),
)  # fmt: skip


def nobody(jackpot_ids: Collection[int]) -> Mapping[int, Collection[int]]:
    """For events that are no jackpot's: nobody else hears of them."""
    return {}


def publish(events: Sequence[Event], *, seen_at: SeenAt = nobody) -> None:
    """Tell integrators of these events, in this order, as the last thing of the caller's transaction.

    It takes the counters of those who hear of them, by integrator, and nothing may be waited for under these. An event
    of a jackpot is also for every integrator that has a live key at a site where a table is linked to it, for those
    without what caused it. The number of statements does not grow with the events.
    """
    told = _with_others(events, seen_at)
    if not told:
        return
    left = Counter(integrator_id for integrator_id, _ in told)
    last = _count(left)

    def row(integrator_id: int, event: Event) -> Sequence[Any]:
        left[integrator_id] -= 1
        seq = last[integrator_id] - left[integrator_id]
        where = (event.site_id, event.jackpot_id)
        return (uuid7(), integrator_id, seq, event.type.value, event.at, *where, dict(event.data))

    bulk.copy_rows("jackpot_event", _EVENT, (row(integrator_id, event) for integrator_id, event in told))


def _with_others(events: Sequence[Event], seen_at: SeenAt) -> list[tuple[int, Event]]:
    """Each event with everyone who hears of it: who caused it, then the others that see its jackpot."""
    seeing = _seeing([event for event in events if event.type.of_jackpot], seen_at)
    told: list[tuple[int, Event]] = []
    for event in events:
        if event.integrator_id is not None:
            told.append((event.integrator_id, event))
        if event.type.of_jackpot and event.jackpot_id is not None:
            others = sorted(seeing[event.jackpot_id] - {event.integrator_id})
            told += [(other, domain.for_other(event, other)) for other in others]
    return told


def _seeing(events: Sequence[Event], seen_at: SeenAt) -> Mapping[int, set[int]]:
    """The integrators that see each of these events' jackpots."""
    seeing: dict[int, set[int]] = defaultdict(set)
    sites = seen_at({event.jackpot_id for event in events if event.jackpot_id is not None}) if events else {}
    if sites:
        now = max(event.at for event in events)
        at_site = clients.with_live_keys_at({pk for pks in sites.values() for pk in pks}, now=now)
        for jackpot_id, site_ids in sites.items():
            seeing[jackpot_id].update(*(at_site.get(site_id, ()) for site_id in site_ids))
    return seeing


def _count(events: Mapping[int, int]) -> dict[int, int]:
    """Take this many numbers of each integrator; the last one of each. The rows are locked in order of their ids."""
    ids = sorted(events)
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO jackpot_eventcounter AS counter (integrator_id, last)
            SELECT * FROM unnest(%s::bigint[], %s::bigint[]) AS came (integrator_id, events) ORDER BY integrator_id
            ON CONFLICT (integrator_id) DO UPDATE SET last = counter.last + excluded.last
            RETURNING integrator_id, last
            """,
            [ids, [events[pk] for pk in ids]],
        )
        return dict(cursor.fetchall())
