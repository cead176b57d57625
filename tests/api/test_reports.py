"""Every report of a small day whose figures were reckoned by hand."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from jackpot.models.jackpots import Jackpot, Level
from jackpot.selectors.days import day_of
from jackpot.services.changes import change_requests, jackpot_states
from jackpot.services.readings import enter_reading
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.services import void_decisions
from tests.api.floor import key_client
from tests.api.reporting import AFTER, ALL, BEFORE, DAY, NOON, link_of_two_sites, report, small_day, table
from tests.factories import (
    ask_policy,
    caller,
    change_policy,
    low,
    person,
    play,
    receive,
    reported,
    settle_all,
    straight_flush,
)
from tests.owner import as_owner
from tests.unit.builders import FOLD, usd


@pytest.fixture
def staff(db: None) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("auditor", is_staff=True))
    return client


@pytest.fixture
def link(staff: Client) -> Jackpot:
    return small_day()


def test_roll_forward(staff: Client, link: Jackpot) -> None:
    found = report(staff, "roll-forward")
    columns = ("pot", "opening", "contribution", "award", "reset", "closing", "statement", "ledger", "difference")
    zero = "0.00000000"
    assert table(found, *columns) == [
        ("meter", "10000.00000000", "0.80000000", "-10000.40000000", "10000.00000000", "10000.40000000",
         "10000.40000000", "10000.40000000", zero),
        ("reserve", zero, "0.08000000", zero, "-0.04000000", "0.04000000", "0.04000000", "0.04000000", zero),
        ("overflow", zero, zero, zero, zero, zero, zero, zero, zero),
    ]  # fmt: skip
    assert found["totals"]["closing"] == "10000.44000000"
    assert found["totals"]["currency"] == "USD"
    after, before = report(staff, "roll-forward", day=AFTER), report(staff, "roll-forward", day=BEFORE)
    assert table(before, "reset", "closing")[0] == ("10000.00000000", "10000.00000000")
    assert table(before, "closing") == table(found, "opening")
    assert table(found, "closing") == table(after, "opening")
    assert table(after, "contribution", "closing", "difference")[0] == ("0.20000000", "10000.60000000", zero)
    assert report(staff, "roll-forward", "site=HOME")["rows"] == found["rows"]
    assert report(staff, "roll-forward", "site=AWAY")["rows"] == []


def test_expected_and_posted(staff: Client, link: Jackpot) -> None:
    found = report(staff, "expected-posted")
    pairs = ("contribution", "returned", "envy")
    columns = [f"{name}_{side}" for name in pairs for side in ("expected", "posted")]
    assert table(found, "table", "boxes", *columns, "difference") == [
        ("T-01", 2, *["0.44000000"] * 2, *["12810.40"] * 2, *["1000.00"] * 2, "0.00000000"),
        ("T-02", 2, *["0.44000000"] * 2, *["157.50"] * 2, *["0.00"] * 2, "0.00000000"),
    ]
    assert found["totals"]["returned_posted"] == "12967.90"
    assert len(report(staff, "expected-posted", "site=AWAY")["rows"]) == 1


def test_tables(staff: Client, link: Jackpot) -> None:
    found = report(staff, "tables")
    columns = ("table", "bet", "rounds", "wagers", "handle", "returned", "result", "hold_percent")
    assert table(found, *columns) == [
        ("T-01", "ante", 1, 2, "10.00", "10.00", "0.00", "0.0000"),
        ("T-01", "blind", 1, 2, "10.00", "2505.00", "-2495.00", "-24950.0000"),
        ("T-01", "play", 1, 1, "20.00", "40.00", "-20.00", "-100.0000"),
        ("T-01", "trips", 1, 1, "5.00", "255.00", "-250.00", "-5000.0000"),
        ("T-01", "progressive", 1, 2, "2.00", "10000.40", "-9998.40", "-499920.0000"),
        ("T-02", "ante", 1, 2, "10.00", "20.00", "-10.00", "-100.0000"),
        ("T-02", "blind", 1, 2, "10.00", "17.50", "-7.50", "-75.0000"),
        ("T-02", "play", 1, 2, "40.00", "80.00", "-40.00", "-100.0000"),
        ("T-02", "trips", 0, 0, "0.00", "0.00", "0.00", None),
        ("T-02", "progressive", 1, 2, "2.00", "40.00", "-38.00", "-1900.0000"),
    ]
    by_accrual = [row for row in table(found, "contributed", "envy", "accrual_result") if row != (None, None, None)]
    # 2.00 staked less 0.44 to the pots, less Envy of 1,000.00; the same less a flush of 40.00
    assert by_accrual == [("0.44000000", "1000.00", "-998.44000000"), ("0.44000000", "0.00", "-38.44000000")]
    # hold: 109.00 staked, 12,967.90 returned
    assert {name: found["totals"][name] for name in ("wagers", "handle", "result", "hold_percent")} == {
        "wagers": 16, "handle": "109.00", "result": "-12858.90", "hold_percent": "-11797.1560",
    }  # fmt: skip


def test_awards_and_liabilities(staff: Client, link: Jackpot) -> None:
    columns = ("kind", "table", "box", "player", "amount", "state")
    owed = [
        ("hit", "T-01", 1, "P-1", "10000.40", "pending"),
        ("envy", "T-01", 2, "P-2", "1000.00", "pending"),
    ]
    found = report(staff, "awards")
    assert table(found, *columns) == owed
    assert table(found, "meter_before", "meter_after", "reset_to", "seq", "from_box") == [
        ("10000.40", "0.00", "10000.00", 3, None), (None, None, None, None, 1),
    ]  # fmt: skip
    assert found["totals"]["amount"] == "11000.40"
    assert report(staff, "awards", "site=AWAY")["rows"] == []

    for day, age in ((DAY, 0), (AFTER, 1)):
        unpaid = report(staff, "liabilities", day=day)
        assert table(unpaid, *columns) == owed
        assert table(unpaid, "owed_since", "age_days") == [(str(DAY), age)] * 2
        assert unpaid["totals"] == {
            "currency": "USD", "amount": "11000.40", "ledger": "11000.40", "difference": "0.00",
        }  # fmt: skip
    assert report(staff, "liabilities", day=BEFORE)["totals"] == {
        "currency": "USD", "amount": "0.00", "ledger": "0.00", "difference": "0.00",
    }  # fmt: skip


def test_by_site(staff: Client, link: Jackpot) -> None:
    found = report(staff, "by-site")
    columns = ("site", "contributed", "hits", "awarded", "envies", "envy")
    assert table(found, *columns) == [
        ("AWAY", "0.44000000", 0, "0.00000000", 0, "0.00"),
        ("HOME", "0.44000000", 1, "10000.40000000", 1, "1000.00"),
    ]
    assert table(report(staff, "by-site", "site=AWAY"), "jackpot", *columns) == [("LINK", *table(found, *columns)[0])]


def test_readings(staff: Client, link: Jackpot) -> None:
    level = Level.objects.select_related("jackpot").get(jackpot=link)
    with as_owner():
        Jackpot.objects.update(reading_tolerance=usd("0.20"))
    level.jackpot.refresh_from_db()
    by, now = User.objects.get(), level.posted_at
    by.user_permissions.add(Permission.objects.get(codename="enter_reading"))
    assert now is not None
    enter_reading(level=level, shown=usd("10000.80"), read_at=now, by=by, now=now, note="pit 3")
    enter_reading(level=level, shown=usd("9900.00"), read_at=now, by=by, now=now)
    day = jackpot_day(link)
    found = report(staff, "readings", day=day)
    columns = ("shown", "value", "variance", "variance_percent", "tolerance", "within_tolerance", "exact", "seq")
    assert table(found, *columns, "next_seq", "entered_by", "note") == [
        ("10000.80", "10000.60", "0.20", "0.0020", "0.20", "yes", "10000.60000000", 6, None, "auditor", "pit 3"),
        ("9900.00", "10000.60", "-100.60", "-1.0059", "0.20", "no", "10000.60000000", 6, None, "auditor", ""),
    ]
    assert table(found, "signed", "first_signed_by", "second_signed_by", "signed_at") == [
        ("not needed", None, None, None), ("0 of 2", None, None, None),
    ]  # fmt: skip


def jackpot_day(link: Jackpot) -> str:
    """The gaming day of a reading that is made now: statement times are those of the database's clock."""
    at = Level.objects.get(jackpot=link).posted_at
    assert at is not None
    return str(day_of(link.home_site, at))


def test_changes(staff: Client, link: Jackpot) -> None:
    change_policy(link, at=NOON, note="from the board", increment_ppm=250_000, verify_from="100.00")
    jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=link.pk, now=NOON + timedelta(hours=1))
    found = report(staff, "changes")
    assert table(found, "what", "at", "subject", "parameter", "before", "after") == [
        ("policy", "2026-11-29T12:00:00Z", "LINK@2", "levels.main.increment_ppm", "200000", "250000"),
        ("policy", "2026-11-29T12:00:00Z", "LINK@2", "verify_from", None, "100.00"),
        ("state", "2026-11-29T13:00:00Z", "LINK", "state", "active", "suspended"),
    ]
    assert table(found, "by", "approver", "reason") == [
        ("ann", "ben", "rates: from the board"), ("ann", "ben", "rates: from the board"), ("ann", None, None),
    ]  # fmt: skip
    assert report(staff, "changes", "site=HOME")["rows"] == found["rows"]
    assert report(staff, "changes", day=AFTER)["rows"] == []
    first = report(staff, "changes", day="2019-12-31")  # midnight, before 06:00
    assert ("rule set", "casino-progressive@1", "version", "1") in table(first, "what", "subject", "parameter", "after")


def test_requests_that_came_to_nothing_stand_in_the_changes_and_keys_learn_of_nobody(
    staff: Client, link: Jackpot
) -> None:
    change_policy(link, at=NOON, stake="2.00")
    refused, withdrawn = (ask_policy(link, stake=stake, at=NOON, reason="house_rules") for stake in ("3.00", "4.00"))
    change_requests.refuse_change(caller=person("ben"), request_id=refused, note="", now=NOON)
    change_requests.withdraw_change(caller=person("ann"), request_id=withdrawn, note="", now=NOON)
    told = ("what", "subject", "parameter", "after", "by", "approver", "reason")
    assert table(report(staff, "changes"), *told) == [
        ("policy", "LINK", "refused", None, "ann", "ben", "house_rules"),
        ("policy", "LINK", "withdrawn", None, "ann", None, "house_rules"),
        ("policy", "LINK@2", "stake", "2.00", "ann", "ben", "rates"),
    ]
    key = key_client("Acme", sites=["HOME"])
    assert table(report(key, "changes"), *told) == [("policy", "LINK@2", "stake", "2.00", None, None, None)]


def test_duplicates(staff: Client) -> None:
    link_of_two_sites()
    me = caller("HOME")
    play(reported(low(1), low(2, "3d 8d", player="other"), table="T-01", at=NOON), by=me)
    again = [
        reported(low(3, player="P-1"), table="T-01", at=NOON + timedelta(seconds=20)),  # known failure 88
        reported(low(1, player="P-1", ante="6.00"), table="T-01", at=NOON + timedelta(seconds=30)),  # other stakes
        reported(low(1, player="P-1"), table="T-01", at=NOON + timedelta(seconds=80)),  # a minute after the second
        reported(low(1, player="P-1"), table="T-01", at=NOON + timedelta(seconds=141)),  # 61 s after the third
    ]
    play(*again, by=me)
    found = report(staff, "duplicates")
    assert table(found, "player", "first_box", "second_box", "seconds_apart", "ante") == [
        ("P-1", 1, 3, 20, "5.00"), ("P-1", 3, 1, 60, "5.00"),
    ]  # fmt: skip


def test_a_duplicate_across_the_border_of_two_days_stands_in_both(staff: Client) -> None:
    link_of_two_sites()
    border = NOON + timedelta(hours=18)
    play(*(reported(low(1), table="T-01", at=border + timedelta(seconds=s)) for s in (-10, 10)), by=caller("HOME"))
    for day in (DAY, AFTER):
        assert table(report(staff, "duplicates", day=day), "seconds_apart") == [(20,)]
    assert report(staff, "duplicates", day=BEFORE)["rows"] == []


def test_late(staff: Client) -> None:
    link_of_two_sites()
    (round_id,) = play(reported(low(1, decision=FOLD), table="T-01", at=NOON - timedelta(days=3)), by=caller("HOME"))
    entered = Round.objects.get(pk=round_id).gaming_day
    found = report(staff, "late", day=str(entered))
    assert table(found, "table", "own_day", "entered_day", "staked", "returned") == [
        ("T-01", "2026-11-26", str(entered), "11.00", "0.00")
    ]


def test_voids_with_the_prizes_they_cancelled(staff: Client) -> None:
    link_of_two_sites()
    void = VoidReason.MALFUNCTION
    dead = straight_flush(1, void=void)
    (waiting,) = receive(reported(dead, low(2), low(3, "3d 8d"), table="T-01", at=NOON), by=caller("HOME"))
    (row,) = report(staff, "voids")["rows"]
    assert (row["void"], row["returned"]) == ("waiting: box", "0.00")
    void_decisions.confirm(caller=person("sue"), round_id=waiting, note="", now=NOON)
    play(reported(low(1), table="T-01", void=void, note="the shoe jammed", at=NOON), by=caller("HOME"))
    settle_all()
    found = report(staff, "voids")
    # 10% of 10,000.60 and Envy of 300.00 to each of two others
    columns = ("void", "box", "note", "staked", "returned", "progressive_hand", "cancelled_prize", "cancelled_envy")
    assert table(found, *columns) == [
        ("box", 1, "", "31.00", "31.00", "straight_flush", "1000.06", "600.00"),
        ("round", 1, "the shoe jammed", "31.00", "31.00", "high_card", "0.00", "0.00"),
    ]
    assert {row["reason"] for row in found["rows"]} == {"malfunction"}


@pytest.mark.parametrize("name", ALL)
def test_nothing_happened(name: str, staff: Client) -> None:
    link_of_two_sites()
    found = report(staff, name, day="2026-11-20")
    if name != "roll-forward":  # a pot stands there every day
        assert found["rows"] == []
    sums = [value for column, value in found["totals"].items() if column != "currency"]
    assert {str(value).strip("0.") or "0" for value in sums if value is not None} <= {"0"}
    csv = staff.get(f"/api/v1/reports/{name}/?day=2026-11-20&jackpot=LINK", headers={"accept": "text/csv"})
    assert ("# No activity" in csv.content.decode()) == (found["rows"] == [])


QUERIES = {
    "roll-forward": 16, "expected-posted": 25, "readings": 9, "tables": 21, "awards": 9, "liabilities": 19,
    "changes": 13, "duplicates": 9, "late": 12, "voids": 25, "by-site": 11,
}  # fmt: skip
"""Nine are those of any report: session, user, second factor, name; the jackpot with its levels and policies; how the
day stands; the report's first.
"""


@pytest.mark.parametrize("name", ALL)
def test_the_number_of_queries_does_not_grow(
    name: str, staff: Client, link: Jackpot, django_assert_num_queries: Callable[..., Any]
) -> None:
    me, void = caller("HOME"), VoidReason.MALFUNCTION
    report(staff, name)  # Once in a while a call also notes that its session is in use.
    for minute in (1, 2):
        at = NOON + timedelta(minutes=minute)
        play(reported(straight_flush(1), low(2), table="T-01", at=at), by=me)
        play(*(reported(low(1), table="T-01", at=at, void=void) for _ in range(minute)), by=me)
        with django_assert_num_queries(QUERIES[name]):
            report(staff, name)
