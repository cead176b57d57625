"""Which gaming day something is entered under. A closed day, or one never opened, takes nothing more."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Max

from jackpot.domain.days import gaming_day
from jackpot.models.sites import GamingDay, Site


class Place(NamedTuple):
    """The gaming day an event is entered under; `late` when its own day takes nothing more."""

    day: date
    late: bool


class Calendar:
    """The open days of some sites as this transaction sees them.

    Today's is open, or is opened here; see `open_today` for who opens it without making others wait. No day is opened
    before one that is closed: where a clock says so, the day after the last closed one stands for today.

    With `hold`, for who posts: every day that was named stays open until the transaction ends, and who closes it waits.
    """

    def __init__(self, sites: Iterable[Site], *, now: datetime, hold: bool = False) -> None:
        self._sites = {site.pk: (ZoneInfo(site.timezone), site.day_starts_at) for site in sites}
        self._today = {pk: gaming_day(now, zone, start) for pk, (zone, start) in self._sites.items()}
        self._hold = hold
        self._held: set[tuple[int, date]] = set()
        self._open = self._load()
        while missing := {pk: day for pk, day in self._today.items() if not self._takes(pk, day)}:
            first = _not_before_a_closed(missing)
            self._today |= first
            if to_open := first.items() - self._open:
                _open(to_open, now)
                self._open = self._load()
        self._known: dict[tuple[int, datetime], Place] = {}

    def _load(self) -> set[tuple[int, date]]:
        days = GamingDay.objects.filter(site_id__in=self._sites, closed_at=None)
        return set(days.values_list("site_id", "day"))

    def _takes(self, site_id: int, day: date) -> bool:
        """Whether a day is open; where it is to be held, whether it still is under its lock."""
        key = (site_id, day)
        if self._hold and key in self._open and key not in self._held:
            if _stays_open(site_id, day):
                self._held.add(key)
            else:
                self._open.discard(key)
        return key in self._open

    def place(self, site_id: int, at: datetime) -> Place:
        """The day an event of that instant is entered under at a site. What a client's clock puts into tomorrow is
        entered under today, and is not late.
        """
        key = (site_id, at)
        if key not in self._known:
            zone, start = self._sites[site_id]
            day, today = gaming_day(at, zone, start), self._today[site_id]
            open_day = self._takes(site_id, day)
            self._known[key] = Place(day if open_day else today, late=not open_day and day < today)
        return self._known[key]

    def not_before(self, site_id: int, day: date, last: date | None) -> date:
        """An open day, but none before `last`, the latest that was used: where that is closed by now, it is today."""
        latest = day if last is None else max(day, last)
        return latest if self._takes(site_id, latest) else self._today[site_id]


def open_today(*, now: datetime) -> None:
    """Open today's gaming day of every site where it is not, in a transaction of its own.

    The sweep does, so that a day is open before a longer transaction needs it: two that open the same day wait for each
    other, and a worker's batch would hold up every round that comes in.
    """
    today = {
        site.pk: gaming_day(now, ZoneInfo(site.timezone), site.day_starts_at) for site in Site.objects.order_by("id")
    }
    found = GamingDay.objects.filter(site_id__in=today, day__in=set(today.values())).values_list("site_id", "day")
    if missing := dict(set(today.items()) - set(found)):
        _open(_not_before_a_closed(missing).items(), now)


def _not_before_a_closed(days: Mapping[int, date]) -> dict[int, date]:
    """These days of sites, but none up to the last closed day of its site: then it is the day after that."""
    closed = GamingDay.objects.filter(site_id__in=days, closed_at__isnull=False)
    last = dict(closed.order_by("site_id").values_list("site_id").annotate(last=Max("day")))
    return {pk: max(day, last[pk] + timedelta(days=1)) if pk in last else day for pk, day in days.items()}


def _open(days: Iterable[tuple[int, date]], now: datetime) -> None:
    """In one order: two transactions that open the days of the same sites must not wait for each other in a circle."""
    opened = [GamingDay(site_id=site_id, day=day, opened_at=now) for site_id, day in sorted(days)]
    GamingDay.objects.bulk_create(opened, ignore_conflicts=True)


def _stays_open(site_id: int, day: date) -> bool:
    """Whether a day is open, under a lock that lets others post under it too, but nobody close it meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT FROM jackpot_gamingday WHERE site_id = %s AND day = %s AND closed_at IS NULL FOR SHARE",
            [site_id, day],
        )
        return cursor.rowcount == 1
