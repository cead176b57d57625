"""Closing a gaming day: what it keeps, what it refuses, whom it tells, and that it happens once."""

import json
from datetime import date, datetime, timedelta
from hashlib import sha256

import pytest
from django.contrib.auth.models import Permission, User

from jackpot.domain.closings import StaysOpen, Why
from jackpot.domain.errors import Refused
from jackpot.models.closings import Closing, PotClosing, UnpaidAward
from jackpot.models.events import Event
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Leg
from jackpot.models.sites import GamingDay
from jackpot.selectors import closings
from jackpot.selectors.days import bounds_of
from tables.domain.facts import VoidReason
from tables.models.rounds import Round
from tables.services.closing import close_day
from tests.api.floor import rows
from tests.api.reporting import AFTER, BEFORE, DAY, NOON, small_day
from tests.factories import (
    assert_books_agree,
    caller,
    close_until,
    low,
    play,
    receive,
    reported,
    settle_all,
)
from tests.integration.test_reports_random import past_the_guards
from tests.unit.builders import usd


@pytest.fixture
def link(db: None) -> Jackpot:
    return small_day()


@pytest.fixture
def closer(db: None) -> User:
    user = User.objects.create_user("closer", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="close_day"))
    return user


def end(link: Jackpot, day: date = DAY) -> datetime:
    return bounds_of(link.home_site, day)[1]


def test_what_a_closing_keeps(link: Jackpot, closer: User) -> None:
    """Figures of the small day, which `test_reports` knows; sealed by an entry whose facts are its record."""
    close_until(link.home_site, BEFORE)
    closed = close_day(site=link.home_site, day=DAY, by=closer, now=end(link))
    stored = closed.closing
    assert (closed.now, stored.closed_by, stored.previous.gaming_day.day) == (True, closer, BEFORE)  # type: ignore[union-attr]
    meter = stored.pot_lines.get(pot="meter")
    assert (meter.opening, meter.closing) == (usd("10000.00"), usd("10000.40"))
    assert {kind: amount for kind, amount in meter.by_kind.items() if amount} == {
        "contribution": usd("0.80"), "award": -usd("10000.40"), "reset": usd("10000.00"),
    }  # fmt: skip
    owed = stored.account_lines.get(account__code="awards:LINK")
    assert (owed.opening, owed.debits, owed.credits, owed.closing) == (0, 0, usd("11000.40"), -usd("11000.40"))
    assert set(stored.unpaid_lines.values_list("award__kind", "owed_day")) == {("hit", DAY), ("envy", DAY)}
    entry = stored.entry
    assert (entry.kind, entry.source_ref, entry.leg_count) == ("day_closed", f"day:HOME:{DAY}", 0)
    assert (entry.actor, entry.lane, entry.posted_at) == (f"user:{closer.pk}", link.home_site.lane, stored.closed_at)
    again = closings.read(Closing.objects.get(pk=stored.pk))
    assert sha256(again.record()).digest() == bytes(entry.facts_digest or b"")
    assert GamingDay.objects.get(site=link.home_site, day=DAY).closed_at == stored.closed_at
    assert_books_agree()


def test_days_follow_one_another(link: Jackpot) -> None:
    """Opening is the closing before, and what stays unpaid is listed again, a day older."""
    close_until(link.home_site, AFTER)
    first, second = (closings.of_day(link.home_site_id, day) for day in (DAY, AFTER))
    assert first is not None and second is not None
    for line in PotClosing.objects.filter(closing_of=second):
        assert line.opening == PotClosing.objects.get(closing_of=first, level=line.level, pot=line.pot).closing
    unpaid = [set(UnpaidAward.objects.filter(closing_of=one).values_list("award", "owed_day")) for one in (first, second)]
    assert unpaid[0] == unpaid[1] != set()
    ages = {one[-1] for one in json.loads(closings.read(second).record())["unpaid"]}
    assert ages == {1}


def test_a_day_is_closed_once(link: Jackpot) -> None:
    close_until(link.home_site, DAY)
    before = rows()
    found = close_day(site=link.home_site, day=DAY, by=None, now=end(link))
    assert (found.now, found.events, found.closing.gaming_day.day) == (False, (), DAY)
    assert rows() == before


def test_what_stays_open(link: Jackpot) -> None:
    """Nothing is written then."""
    before = rows()
    site, long_ago = link.home_site, date(2020, 1, 1)
    refused = [
        (DAY, end(link) - timedelta(microseconds=1), Why.NOT_OVER),
        (DAY, end(link), Why.EARLIER_OPEN),
        (long_ago, end(link), Why.NEVER_OPENED),
    ]
    for day, now, why in refused:
        with pytest.raises(StaysOpen) as stays:
            close_day(site=site, day=day, by=None, now=now)
        assert (stays.value.why, stays.value.differences) == (why, ())
    assert rows() == before


def test_who_may_close(link: Jackpot) -> None:
    people = [User.objects.create_user("guest"), User.objects.create_user("clerk", is_staff=True)]
    before = rows()
    for person, code in zip(people, ("person_required", "forbidden"), strict=True):
        with pytest.raises(Refused) as refused:
            close_day(site=link.home_site, day=BEFORE, by=person, now=end(link))
        assert refused.value.code == code
    assert rows() == before


FALSIFIED = {
    "ledger": "UPDATE jackpot_leg SET amount = amount - 7 FROM jackpot_account AS account WHERE account.id = account_id"
    " AND account.code = 'meter:LINK:main' AND gaming_day = '2026-11-28'",
    "statement": "UPDATE jackpot_statementrow SET after = after + 7, before = before + 7"
    " WHERE pot = 'reserve' AND seq = 3",
    "unpaid awards": "UPDATE jackpot_award SET amount = amount - 7 WHERE kind = 'envy'",
    "meter": "UPDATE jackpot_level SET reserve = reserve + 7",
}


@pytest.mark.parametrize("what", FALSIFIED)
def test_a_day_whose_books_differ_is_not_closed(link: Jackpot, what: str) -> None:
    """Falsified past the guards, as only the owner of the database can."""
    before_that = [] if what in ("ledger", "meter") else close_until(link.home_site, BEFORE)
    past_the_guards(FALSIFIED[what])
    before = rows()
    with pytest.raises(StaysOpen) as stays:
        close_until(link.home_site, DAY)
    assert stays.value.why is Why.BOOKS_DIFFER
    assert what in {found.what for found in stays.value.differences}
    assert abs(stays.value.differences[0].expected - stays.value.differences[0].found) == 7
    assert rows() == before
    assert Closing.objects.count() == len(before_that)


def test_rounds_that_are_not_settled_are_listed_and_come_late(link: Jackpot) -> None:
    """One that waits for a worker and one whose void waits for a second person; who is played still is no late one."""
    acme, rival = caller("HOME", integrator="Acme"), caller("HOME", integrator="Rival")
    [waiting] = receive(reported(low(1), table="T-01", at=end(link) - timedelta(microseconds=1)), by=acme)
    [later] = receive(reported(low(1), table="T-01", at=end(link) + timedelta(seconds=1)), by=rival)
    void = reported(low(1), table="T-01", at=NOON + timedelta(hours=4), void=VoidReason.OTHER, note="why")
    receive(void, by=rival)
    close_until(link.home_site, DAY)
    closing = closings.of_day(link.home_site_id, DAY)
    assert closing is not None
    assert {(one["ref"], one["comes_late"]) for one in closing.rounds if one["ref"] in (str(waiting), str(later))} == {
        (str(waiting), True), (str(later), False),
    }  # fmt: skip
    told = {event.integrator.name: event.data for event in Event.objects.filter(
        type="day.closed", data__gaming_day=str(DAY)).select_related("integrator")}  # fmt: skip
    assert told["Acme"] == {
        "site": "HOME", "gaming_day": str(DAY), "mode": "live", "rounds_open": 1, "rounds_late": 1,
    }  # fmt: skip
    assert told["Rival"]["rounds_open"] == sum(one["integrator_id"] == rival.integrator_id for one in closing.rounds)
    settle_all()
    rnd, other = Round.objects.get(pk=waiting), Round.objects.get(pk=later)
    assert (rnd.late, rnd.gaming_day is not None and rnd.gaming_day > DAY) == (True, True)
    assert (other.late, other.gaming_day) == (False, AFTER)
    assert not Leg.objects.filter(entry__source_ref__startswith=f"round:{waiting}", gaming_day__lte=DAY).exists()
    assert_books_agree()
    close_until(link.home_site, AFTER)


def test_only_who_plays_there_is_told(link: Jackpot) -> None:
    close_until(link.home_site, BEFORE)
    told = Event.objects.filter(type="day.closed")
    assert {event.integrator.name for event in told} == {"Acme"}
    assert {event.site_id for event in told} == {link.home_site_id}


def test_a_quiet_day_that_was_never_opened_is_passed_over(link: Jackpot) -> None:
    """The service was down all day: nothing was entered under it, and it is never opened any more."""
    far = AFTER + timedelta(days=3)
    GamingDay.objects.create(site=link.home_site, day=far, opened_at=NOON)
    play(reported(low(1), table="T-01", at=NOON + timedelta(days=4)), by=caller("HOME"))
    made = close_until(link.home_site, far)
    last = made[-1]
    assert last.gaming_day.day == far
    assert last.previous is not None and last.previous.gaming_day.day < far
    assert_books_agree()
