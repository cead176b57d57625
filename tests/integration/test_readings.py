"""Readings of signs: held against what was true at that instant, and found under the day they were read in."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from jackpot.domain.callers import READ_SCOPES, Caller
from jackpot.domain.errors import Refused
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import StatementRow
from jackpot.models.readings import Reading
from jackpot.reports import REPORTS, Asked
from jackpot.selectors import readings
from jackpot.selectors.days import day_of
from jackpot.services.readings import enter_reading, sign_reading
from tests.api.floor import rows
from tests.factories import caller, jackpot_with, low, play, reported
from tests.owner import as_owner
from tests.unit.builders import usd

MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
def reader(db: None) -> User:
    return staff("reader")


def staff(name: str, *permissions: str) -> User:
    """A member of staff with these permissions; without any who may enter and sign readings."""
    user = User.objects.create_user(name, is_staff=True)
    codes = permissions or ("enter_reading", "sign_reading")
    user.user_permissions.set(Permission.objects.filter(codename__in=codes))
    return user


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
    guest, clerk = User.objects.create_user("guest"), staff("clerk", "close_day")
    before = rows()
    wrong: list[tuple[dict[str, object], str, str]] = [
        ({"shown": -usd("1.00")}, "invalid_value", "/shown"),
        ({"shown": 1}, "invalid_value", "/shown"),
        ({"read_at": now + MICROSECOND}, "invalid_value", "/read_at"),
        ({"read_at": funded - MICROSECOND}, "invalid_value", "/read_at"),
        ({"by": guest}, "person_required", ""),
        ({"by": clerk}, "forbidden", ""),
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


def off(level: Level, reader: User) -> Reading:
    """A reading that is 0.10 too high, with a tolerance of nothing."""
    now = timezone.now()
    reading, compared = enter_reading(level=level, shown=usd("10000.70"), read_at=now, by=reader, now=now)
    assert compared.variance == usd("0.10")
    return reading


def test_a_variance_is_signed_by_two(level: Level, reader: User) -> None:
    """Who entered it may be one of them; the other did not."""
    reading, auditor = off(level, reader), staff("auditor", "sign_reading")
    seen = []
    for number, by in enumerate((reader, auditor), start=1):
        seen.append(readings.placed(Reading.objects.filter(pk=reading.pk))[0].signed)
        signature = sign_reading(reading_id=reading.pk, by=by, now=timezone.now(), note="the sign hung")
        assert (signature.number, signature.variance, signature.signed_by) == (number, usd("0.10"), by)
    [placed] = readings.placed(Reading.objects.filter(pk=reading.pk))
    assert [*seen, placed.signed] == ["0 of 2", "1 of 2", "2 of 2"]
    assert [one.signed_by for one in placed.signatures] == [reader, auditor]
    assert placed.signatures[1].note == "the sign hung"


def test_two_others_sign_as_well(level: Level, reader: User) -> None:
    reading = off(level, reader)
    for name in ("ann", "ben"):
        sign_reading(reading_id=reading.pk, by=staff(name, "sign_reading"), now=timezone.now())
    assert readings.placed(Reading.objects.all())[0].signed == "2 of 2"


def test_who_may_not_sign(level: Level, reader: User) -> None:
    """Nobody twice, nobody as the third, nobody what is right."""
    reading, now = off(level, reader), timezone.now()
    exact, _ = enter_reading(level=level, shown=usd("10000.60"), read_at=now, by=reader, now=now)
    ann, ben, clerk = staff("ann"), staff("ben"), staff("clerk", "enter_reading")
    guest = User.objects.create_user("guest")
    steps: list[tuple[int, User, str]] = [
        (reading.pk, guest, "person_required"), (reading.pk, clerk, "forbidden"), (0, ann, "not_found"),
        (exact.pk, ann, "illegal_move"), (reading.pk, ann, ""), (reading.pk, ann, "second_person_required"),
        (reading.pk, ben, ""), (reading.pk, reader, "illegal_move"),
    ]  # fmt: skip
    for reading_id, by, code in steps:
        before = rows()
        if not code:
            sign_reading(reading_id=reading_id, by=by, now=timezone.now())
            continue
        with pytest.raises(Refused) as refused:
            sign_reading(reading_id=reading_id, by=by, now=timezone.now())
        assert refused.value.code == code
        assert rows() == before


def test_the_report_shows_who_signed_to_staff_only(level: Level, reader: User) -> None:
    reading = off(level, reader)
    for by in (reader, staff("auditor", "sign_reading")):
        sign_reading(reading_id=reading.pk, by=by, now=timezone.now())
    day = day_of(level.jackpot.home_site, reading.read_at)
    key = caller(scopes=("reports:read",))
    for who, names in ((Caller(READ_SCOPES, user_id=reader.pk), ["reader", "auditor"]), (key, [None, None])):
        asked = Asked(caller=who, day=day, made_at=reading.read_at, made_by="", linked=lambda sites: (),
                      jackpot=level.jackpot)  # fmt: skip
        report = REPORTS["readings"](asked)
        cells = dict(zip([column.name for column in report.columns], report.lines[0].cells, strict=True))
        assert cells["signed"] == "2 of 2"
        assert [cells["first_signed_by"], cells["second_signed_by"]] == names
        assert (cells["signed_at"] is not None, cells["variance"], cells["variance_percent"]) == (
            True, usd("0.10"), 10,
        )  # fmt: skip
