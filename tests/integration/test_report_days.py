"""Which day a report counts something to: half-open days by the site's own clock, whatever their length."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission, User

from jackpot.domain.callers import READ_SCOPES, Caller
from jackpot.models.jackpots import Jackpot, Level
from jackpot.reports import REPORTS, Asked, Report
from jackpot.services.readings import enter_reading
from tables.reports import REPORTS as OF_ROUNDS
from tests.api.reporting import site_with_days
from tests.factories import caller, change_policy, jackpot_with, low, play, reported

MICROSECOND, DAY = timedelta(microseconds=1), timedelta(days=1)
NEW_YORK = ZoneInfo("America/New_York")

Borders = tuple[date, list[datetime]]


@pytest.fixture(
    params=[(date(2026, 10, 31), 25), (date(2026, 11, 1), 24), (date(2026, 3, 7), 23)],
    ids=["the clock goes back", "the day after", "the clock goes forward"],
)
def borders(request: pytest.FixtureRequest) -> Borders:
    """A day, and the last instant before it, its first, its last, and the first of the next."""
    day, hours = request.param
    first = datetime(day.year, day.month, day.day, 6, tzinfo=NEW_YORK).astimezone(UTC)
    end = first + timedelta(hours=hours)
    assert end.astimezone(NEW_YORK).time() == datetime(2026, 1, 1, 6).time()
    return day, [first - MICROSECOND, first, end - MICROSECOND, end]


@pytest.fixture
def link(borders: Borders, db: None) -> Jackpot:
    day = borders[0]
    site = site_with_days("NYC", day - DAY, day, day + DAY, timezone="America/New_York")
    return jackpot_with(site=site, now=borders[1][0] - timedelta(hours=1))


def made(name: str, link: Jackpot, day: date) -> Report:
    staff = Caller(scopes=READ_SCOPES, user_id=1)
    asked = Asked(caller=staff, day=day, made_at=datetime.now(UTC), made_by="", linked=lambda sites: (), jackpot=link)
    return {**REPORTS, **OF_ROUNDS}[name](asked)


def cells(report: Report, column: str) -> list[Any]:
    n = [column.name for column in report.columns].index(column)
    return [line.cells[n] for line in report.lines]


def test_rounds_and_contributions_at_the_border_of_a_day(link: Jackpot, borders: Borders) -> None:
    """Known failure 47. A round counts to the day it was complete in, its contribution to that of its lock-out, 72
    seconds before; all days together are the ledger.
    """
    day, instants = borders
    play(*(reported(low(1), table="T-01", at=at) for at in instants), by=caller("NYC"))
    days = [day - DAY, day, day + DAY]
    assert [len(made("expected-posted", link, one).lines) for one in days] == [1, 2, 1]
    rolled = [made("roll-forward", link, one) for one in days]
    contributed = [sum(cells(roll, "contribution")) for roll in rolled]
    share = sum(contributed) // 4
    assert contributed == [2 * share, 2 * share, 0]
    assert [cells(roll, "difference") for roll in rolled] == [[0, 0, 0]] * 3
    assert cells(rolled[0], "closing") == cells(rolled[1], "opening")
    assert cells(rolled[2], "closing")[0] == Level.objects.get().meter


def test_versions_that_come_into_force_at_the_border_of_a_day(link: Jackpot, borders: Borders) -> None:
    day, instants = borders
    for number, at in enumerate(instants, start=2):
        change_policy(link, at=at, verify_from=f"{number}.00")
    found = [cells(made("changes", link, one), "subject") for one in (day - DAY, day, day + DAY)]
    assert found == [["LINK@2"], ["LINK@3", "LINK@4"], ["LINK@5"]]


def test_readings_of_a_day(db: None) -> None:
    """A reading stands in the report of the day in which the sign was read, and in no other."""
    site = site_with_days("NYC", timezone="America/New_York")
    level = Level.objects.select_related("jackpot").get(jackpot=jackpot_with(site=site))
    assert level.posted_at is not None
    reader = User.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="enter_reading"))
    enter_reading(level=level, shown=0, read_at=level.posted_at, by=reader, now=level.posted_at)
    local = level.posted_at.astimezone(NEW_YORK)
    day = local.date() - (DAY if local.hour < 6 else timedelta())
    found = [len(made("readings", level.jackpot, one).lines) for one in (day - DAY, day, day + DAY)]
    assert found == [0, 1, 0]
