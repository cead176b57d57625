"""Reading lanes and what waits in them."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane, Queued
from jackpot.models.sites import Site


def lanes_waiting() -> list[int]:
    """Lanes in whose queue something waits, the longest waiting first. Looks at one place a lane, however many wait."""
    first = Queued.objects.filter(lane=OuterRef("pk")).order_by("id").values("id")[:1]
    lanes = Lane.objects.annotate(first=Subquery(first)).filter(first__isnull=False)
    return list(lanes.order_by("first").values_list("pk", flat=True))


def waits(lane_id: int) -> bool:
    """Whether anything waits in a lane."""
    return Queued.objects.filter(lane_id=lane_id).exists()


def lanes_of(*, jackpots: Collection[Jackpot] = (), ids: Collection[int] = ()) -> QuerySet[Lane]:
    """The lanes of these jackpots and those of these ids, by id, each with its jackpot or site."""
    return Lane.objects.filter(Q(jackpot__in=jackpots) | Q(pk__in=ids)).select_related("jackpot", "site").order_by("pk")


def every_lane() -> QuerySet[Lane]:
    """All lanes, by id, each with its jackpot or site."""
    return Lane.objects.select_related("jackpot", "site").order_by("pk")


def lane_ids(*, jackpots: Collection[str] = (), sites: Collection[str] = ()) -> set[int]:
    """The lanes of jackpots and sites by their codes."""
    named = Lane.objects.filter(Q(jackpot__code__in=jackpots) | Q(site__code__in=sites))
    return set(named.values_list("pk", flat=True))


def not_there(*, lanes: Iterable[int] = (), jackpots: Iterable[str] = (), sites: Iterable[str] = ()) -> list[str]:
    """Those of these lanes, jackpots and sites that do not exist, each in words."""
    asked: tuple[tuple[str, QuerySet[Any], str, Iterable[Any]], ...] = (
        ("lane", Lane.objects.all(), "pk", lanes),
        ("jackpot", Jackpot.objects.all(), "code", jackpots),
        ("site", Site.objects.all(), "code", sites),
    )
    found = []
    for what, rows, name, values in asked:
        there = set(rows.filter(**{f"{name}__in": list(values)}).values_list(name, flat=True))
        found += [f"there is no {what} {value!r}" for value in values if value not in there]
    return found
