"""What must hold of the month: every day closed once, every figure footing, nothing different, nothing broken."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from django.db.models import Sum

from jackpot.domain.callers import Caller
from jackpot.models.closings import AccountClosing, Closing, PotClosing
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Leg
from jackpot.models.sites import GamingDay, Site
from tables.reports.daily_pack import DailyPack, daily_pack
from tests.month.clock import Clock

FIRST_DAY, LAST_DAY = date(2026, 3, 1), date(2026, 3, 31)
TURNS = [date(2026, 3, day) for day in (1, 8, 9, 12, 15, 20, 29, 31)]
"""The first and the last day, those on which clocks change, and those of the office's list."""


def days() -> list[date]:
    """The gaming days of the month."""
    return [FIRST_DAY + timedelta(days=n) for n in range((LAST_DAY - FIRST_DAY).days + 1)]


def days_not_closed_once() -> list[tuple[str, date]]:
    """Days of a site, in the month, that have not exactly one closing."""
    closed = set(Closing.objects.values_list("gaming_day__site__code", "gaming_day__day"))
    expected = {(site.code, day) for site in Site.objects.all() for day in days()}
    still_open = GamingDay.objects.filter(day__lte=LAST_DAY, closed_at=None).values_list("site__code", "day")
    return sorted(expected - closed) + sorted(still_open)


def gaps() -> list[str]:
    """Lines of closings that do not open with what the day before closed with; last ones that are not the books'."""
    found: list[str] = []
    last: dict[tuple[int, str], int] = {}
    lines = PotClosing.objects.order_by("closing_of__gaming_day__day", "id").select_related("closing_of__gaming_day")
    for line in lines:
        place = (line.level_id, line.pot)
        if line.opening != last.get(place, 0) or line.closing != line.opening + sum(line.by_kind.values()):
            found.append(f"{line.closing_of.gaming_day.day} {place}")
        last[place] = line.closing
    accounts: dict[int, int] = {}
    for one in AccountClosing.objects.order_by("closing_of__gaming_day__day", "id"):
        if one.opening != accounts.get(one.account_id, 0):
            found.append(f"account {one.account_id}")
        accounts[one.account_id] = one.opening + one.debits - one.credits
    legs = Leg.objects.filter(gaming_day__lte=LAST_DAY).values_list("account").annotate(total=Sum("amount"))
    found += [f"account {account} in the end" for account, total in legs if accounts.get(account, 0) != int(total)]
    return found


def totals_off() -> list[str]:
    """Levels whose pots are not what ledger and statement add up to."""
    found = []
    for level in Level.objects.select_related("jackpot"):
        for pot in ("meter", "reserve", "overflow"):
            code = f"{pot}:{level.jackpot.code}:{level.code}"
            booked = Leg.objects.filter(account__code=code).aggregate(total=Sum("amount"))["total"] or 0
            if -int(booked) != getattr(level, pot):
                found.append(code)
    return found


def packs(caller: Caller, clock: Clock, of: Sequence[date]) -> Iterator[DailyPack]:
    """The daily pack of every site and each of these days."""
    for site in Site.objects.order_by("code"):
        for day in of:
            yield daily_pack(site=site, day=day, caller=caller, made_at=clock.now, made_by="auditor")


def differing(pack: DailyPack) -> list[str]:
    """The checks of a pack whose two sides are not one."""
    return [f"{pack.site.code} {pack.day}: {check}" for check in pack.checks if not check.agrees]
