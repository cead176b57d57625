"""What the office does in the month: it closes days, reads signs, moves money between pots, changes terms, retires OLD.

Each site's day is closed two hours after its end. Rounds that come after that are late.
"""

from collections.abc import Callable
from datetime import date, timedelta

from django.contrib.auth.models import Permission, User

from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.sites import GamingDay, Site
from jackpot.money import UNITS_PER_MINOR
from jackpot.selectors.days import bounds_of
from jackpot.services.readings import enter_reading, sign_reading
from tables.models.rounds import Round
from tables.selectors import waiting_voids
from tables.services import closing, void_decisions
from tests.factories import change_policy, settle_all
from tests.factories.moves import adjust, retire, transfer
from tests.month.cashing import Cashier
from tests.month.clock import Clock
from tests.month.house import Floor
from tests.month.mending import Mender

AFTER = timedelta(hours=2)
RETIRED_ON = date(2026, 3, 20)


class Office:
    """Works through the month's list, once a day, and closes what is over."""

    def __init__(self, floor: Floor, clock: Clock, cashier: Cashier, mender: Mender) -> None:
        self._floor, self._clock, self._cashier, self._mender = floor, clock, cashier, mender
        self._done: set[date] = set()
        self._readers = [self._reader(name) for name in ("cleo", "dan")]
        self.closed = 0
        self.decided = 0

    def work(self) -> None:
        """Close what is over by now; once a day read every sign, and do what is on the list for it."""
        self.close_days()
        today = self._clock.now.date()
        if today in self._done or self._clock.now.hour < 12:
            return
        self._done.add(today)
        self._decide_voids()
        self._cashier.work()
        self._mender.work()
        self._read_signs(off=today.day % 7 == 0)
        if planned := self._list().get(today):
            planned()

    def close_days(self) -> None:
        """Close each site's days that ended two hours ago, oldest first."""
        for site in self._floor.sites.values():
            for day in GamingDay.objects.filter(site=site, closed_at=None).order_by("day"):
                if bounds_of(site, day.day)[1] + AFTER <= self._clock.now:
                    self._close(site, day.day)

    def _close(self, site: Site, day: date) -> None:
        closed = closing.close_day(site=site, day=day, by=None, now=self._clock.tick())
        self.closed += closed.now

    def _list(self) -> dict[date, Callable[[], object]]:
        atlas, old = self._jackpot("ATLAS"), self._jackpot("OLD")
        return {
            date(2026, 3, 5): lambda: adjust(old, "0.75", at=self._clock.tick()),
            date(2026, 3, 9): lambda: adjust(atlas, "-0.25", at=self._clock.tick(), reason="reading_variance"),
            date(2026, 3, 12): lambda: change_policy(
                atlas, at=self._clock.tick(), base="9500.00", limit="10100.00", increment_ppm=250_000
            ),
            date(2026, 3, 15): lambda: transfer("meter:OLD:main", "meter:NOVA:main", "100.00", at=self._clock.tick()),
            RETIRED_ON: self._retire,
        }

    def _decide_voids(self) -> None:
        """Voids that would cancel a prize wait for dan: he confirms one and declines the next."""
        waiting = waiting_voids.waiting(Round.objects.all(), self._clock.tick())
        for round_id in dict.fromkeys(waiting.values_list("round_id", flat=True)):
            decide = void_decisions.decline if self.decided % 2 else void_decisions.confirm
            decide(caller=self._floor.staff["dan"], round_id=round_id, note="seen on tape", now=self._clock.tick())
            self.decided += 1
        settle_all()

    def _retire(self) -> None:
        """Once everything it owes is paid, OLD goes into NOVA, whose limit leaves room."""
        self._cashier.finish("OLD")
        retire(self._jackpot("OLD"), self._jackpot("NOVA"), at=self._clock.tick())

    def _read_signs(self, *, off: bool) -> None:
        cleo, dan = self._readers
        for level in Level.objects.select_related("jackpot").order_by("id"):
            if level.jackpot.state == Jackpot.State.RETIRED:
                continue
            shown = level.meter - level.meter % UNITS_PER_MINOR + (UNITS_PER_MINOR if off else 0)
            now = self._clock.tick()
            reading, compared = enter_reading(level=level, shown=shown, read_at=now, by=cleo, now=now)
            if not compared.within:
                for by in (cleo, dan):
                    sign_reading(reading_id=reading.pk, by=by, now=self._clock.tick())

    def _reader(self, name: str) -> User:
        user = User.objects.get(username=name)
        user.user_permissions.set(Permission.objects.filter(codename__in=("enter_reading", "sign_reading")))
        return user

    def _jackpot(self, code: str) -> Jackpot:
        return Jackpot.objects.get(code=code)
