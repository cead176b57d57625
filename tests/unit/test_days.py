"""Gaming days: half-open, in the site's own time, with every clock change. Source: accounting.md §5."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jackpot.domain.days import gaming_day, starts_at

NEW_YORK = ZoneInfo("America/New_York")
SIX = time(6)


@pytest.mark.parametrize(
    ("local", "day"),
    [
        ("2026-07-02T05:59:59.999999", date(2026, 7, 1)),
        ("2026-07-02T06:00:00", date(2026, 7, 2)),  # the start itself is the first instant of its day
        ("2026-07-02T23:59:59", date(2026, 7, 2)),
        ("2026-07-03T00:00:00", date(2026, 7, 2)),
    ],
)
def test_a_day_runs_from_its_start_to_the_next(local, day):
    assert gaming_day(datetime.fromisoformat(local).replace(tzinfo=NEW_YORK), NEW_YORK, SIX) == day


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        (date(2026, 3, 7), 23),  # 2026-03-08 02:00 becomes 03:00: the night is an hour short
        (date(2026, 3, 8), 24),
        (date(2026, 10, 31), 25),  # 2026-11-01 02:00 becomes 01:00
        (date(2026, 11, 1), 24),
    ],
)
def test_a_day_with_a_clock_change_is_an_hour_longer_or_shorter(day, hours):
    following = starts_at(day + timedelta(days=1), NEW_YORK, SIX)
    assert following - starts_at(day, NEW_YORK, SIX) == timedelta(hours=hours)


def test_the_repeated_hour_belongs_to_one_day():
    # 01:30 comes twice on 2026-11-01; with a start at 06:00 both lie in the day before
    for at in (datetime(2026, 11, 1, 5, 30, tzinfo=UTC), datetime(2026, 11, 1, 6, 30, tzinfo=UTC)):
        assert at.astimezone(NEW_YORK).time() == time(1, 30)
        assert gaming_day(at, NEW_YORK, SIX) == date(2026, 10, 31)


def test_a_start_that_comes_twice_counts_the_first_time():
    start = time(1, 30)
    assert starts_at(date(2026, 11, 1), NEW_YORK, start) == datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
    # 01:15 the second time is an hour and three quarters into the day, and does not fall back into the one before
    assert gaming_day(datetime(2026, 11, 1, 6, 15, tzinfo=UTC), NEW_YORK, start) == date(2026, 11, 1)


def test_a_start_that_is_skipped_is_read_by_the_clock_before_the_change():
    # 02:30 does not exist on 2026-03-08; by the old clock (UTC−5) it is 07:30 UTC, which the new one calls 03:30
    start = time(2, 30)
    assert starts_at(date(2026, 3, 8), NEW_YORK, start) == datetime(2026, 3, 8, 7, 30, tzinfo=UTC)
    assert gaming_day(datetime(2026, 3, 8, 7, 29, tzinfo=UTC), NEW_YORK, start) == date(2026, 3, 7)
    assert gaming_day(datetime(2026, 3, 8, 7, 30, tzinfo=UTC), NEW_YORK, start) == date(2026, 3, 8)


ZONES = st.sampled_from(
    ["UTC", "America/New_York", "Europe/Malta", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Beirut",
     "America/Nuuk", "Pacific/Apia", "Asia/Kathmandu"]
).map(ZoneInfo)  # fmt: skip
INSTANTS = st.datetimes(datetime(2010, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))


@given(at=INSTANTS, zone=ZONES, start=st.times())
@example(at=datetime(2024, 3, 31, 1, 15, tzinfo=UTC), zone=ZoneInfo("America/Nuuk"), start=time(23, 30))
def test_an_instant_lies_in_its_day(at, zone, start):
    day = gaming_day(at, zone, start)
    assert starts_at(day, zone, start) <= at


@given(at=INSTANTS, later=st.timedeltas(timedelta(0), timedelta(days=3)), zone=ZONES, start=st.times())
def test_days_never_go_back(at, later, zone, start):
    assert gaming_day(at, zone, start) <= gaming_day(at + later, zone, start)


@given(at=INSTANTS, zone=ZONES, start=st.times(max_value=time(12)))
def test_days_leave_no_gap_and_no_overlap(at, zone, start):
    # from the morning to noon no zone skips a date's start over midnight (Apia once skipped a whole date)
    day = gaming_day(at, zone, start)
    if (zone.key, day) not in {("Pacific/Apia", date(2011, 12, 29)), ("Pacific/Apia", date(2011, 12, 30))}:
        assert at < starts_at(day + timedelta(days=1), zone, start)
