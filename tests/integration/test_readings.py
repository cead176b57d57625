"""Readings of signs: held against what was true at that instant, and found under the day they were read in."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from jackpot.domain.errors import Refused
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import StatementRow
from jackpot.models.readings import Reading
from jackpot.selectors import readings
from jackpot.services.readings import enter_reading
from tests.api.floor import rows
from tests.factories import caller, jackpot_with, low, play, reported
from tests.owner import as_owner
from tests.unit.builders import usd

MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
def reader(db: None) -> User:
    return User.objects.create_user("reader", is_staff=True)


@pytest.fixture
def level(db: None) -> Level:
    """A level after three contributions of 0.20, each posted by itself."""
    link = jackpot_with()
    for _ in range(3):
        play(reported(low(1), table="T-01"), by=caller())
    return Level.objects.select_related("jackpot").get(jackpot=link)


def rows_of(level: Level) -> list[tuple[int, int, datetime]]:
    found = StatementRow.objects.filter(level=level, pot="meter").order_by("seq")
    return list(found.values_list("seq", "after", "entry__posted_at"))


def test_the_value_is_the_one_that_was_true_then(level: Level, reader: User) -> None:
    """Up to the very instant of a posting the old one, from it on the new one."""
    stated = rows_of(level)
    assert [after for _, after, _ in stated] == [usd(f"10000.{cents}") for cents in ("00", "20", "40", "60")]
    for (seq, after, since), (following, _, until) in pairwise(stated):
        for at in (since, until - MICROSECOND):
            _, compared = enter_reading(level=level, shown=after, read_at=at, by=reader, now=timezone.now())
            assert (compared.value, compared.variance, compared.within) == (after, 0, True)
            placed = readings.placed(Reading.objects.filter(read_at=at))[-1]
            assert (placed.seq, placed.since, placed.next_seq, placed.until) == (seq, since, following, until)


def test_what_can_be_no_reading(level: Level, reader: User) -> None:
    now, funded = timezone.now(), rows_of(level)[0][2]
    before = rows()
    wrong: list[tuple[dict[str, object], str, str]] = [
        ({"shown": -usd("1.00")}, "invalid_value", "/shown"),
        ({"shown": 1}, "invalid_value", "/shown"),
        ({"read_at": now + MICROSECOND}, "invalid_value", "/read_at"),
        ({"read_at": funded - MICROSECOND}, "invalid_value", "/read_at"),
        ({"by": User.objects.create_user("guest")}, "person_required", ""),
    ]
    for change, code, pointer in wrong:
        with pytest.raises(Refused) as refused:
            enter_reading(**({"level": level, "shown": 0, "read_at": now, "by": reader, "now": now} | change))  # type: ignore[arg-type]
        assert [(v.code, v.pointer) for v in refused.value.violations] == [(code, pointer)]
    assert rows() == before


def test_a_reading_keeps_the_tolerance_it_was_entered_under(level: Level, reader: User) -> None:
    now = timezone.now()
    reading, compared = enter_reading(level=level, shown=usd("10000.70"), read_at=now, by=reader, now=now)
    assert not compared.within
    with as_owner():
        Jackpot.objects.update(reading_tolerance=usd("1.00"))
    reading.refresh_from_db()
    assert not readings.placed(Reading.objects.all())[0].compared.within
    _, later = enter_reading(
        level=Level.objects.select_related("jackpot").get(), shown=usd("10000.70"), read_at=now, by=reader, now=now
    )
    assert later.within
