"""Days are closed once, by however many at once, beside workers that go on and awards that are moved.

Known failures 53 and 74.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from jackpot import services as jackpot
from jackpot.domain.awards import Move
from jackpot.models.awards import Award
from jackpot.models.closings import Closing
from jackpot.models.events import Event
from jackpot.models.ledger import Entry
from jackpot.models.sites import GamingDay, Site
from jackpot.selectors import closings, liabilities, queue
from jackpot.selectors.days import bounds_of
from jackpot.services import award_moves
from tables.models.rounds import Round
from tables.services import closing, settlement
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import (
    NOW,
    assert_books_agree,
    caller,
    close_until,
    house,
    low,
    person,
    play,
    receive,
    reported,
    settle_all,
    straight_flush,
)

pytestmark = pytest.mark.django_db(transaction=True)
DAY = NOW.date()


def close() -> bool:
    """Whether this call closed DAY and told integrators of it; those before it are closed."""
    site = Site.objects.get(code="DEMO")
    return closing.close_day(site=site, day=DAY, by=None, now=bounds_of(site, DAY)[1]).now


@pytest.fixture
def site(transactional_db: None) -> Site:
    demo = house()
    play(reported(straight_flush(1), low(2)), by=caller())
    close_until(demo.site, DAY - timedelta(days=1))  # whatever today is
    return demo.site


def test_many_at_once_close_a_day_once(site: Site) -> None:
    """Two beats, an operator and their neighbour: one closes, the others find it closed."""
    assert sorted(all_at_once([close] * 4)) == [False, False, False, True]
    assert Closing.objects.filter(gaming_day__day=DAY, gaming_day__site=site).count() == 1
    assert Entry.objects.filter(source_ref=f"day:DEMO:{DAY}").count() == 1
    assert Event.objects.filter(type="day.closed", data__gaming_day=str(DAY)).count() == 1
    assert_books_agree()


def test_who_comes_second_waits_for_the_first(site: Site) -> None:
    first = Actor(close, hold=True)
    second = Actor(close)
    second.wait_until_blocked()
    assert first.commit() is True
    assert second.result() is False


def test_without_the_lane_the_second_waits_for_the_day(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lock alone would do: the day is looked at once more under its own."""
    lane = jackpot.lane_of(site=site, jackpot=None, currency_code="USD")
    monkeypatch.setattr("jackpot.services.lanes.hold_of_site", lambda _site_id: lane)
    first = Actor(close, hold=True)
    second = Actor(close)
    second.wait_until_blocked()
    assert first.commit() is True
    assert second.result() is False


def test_without_any_lock_postgresql_refuses_the_second(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control of both: two would close the day, and one name in the books stops one of them."""
    lane = jackpot.lane_of(site=site, jackpot=None, currency_code="USD")
    monkeypatch.setattr("jackpot.services.lanes.hold_of_site", lambda _site_id: lane)
    row = GamingDay.objects.get(site=site, day=DAY)
    monkeypatch.setattr("jackpot.services.closing._locked", lambda _site, _day: row)
    first = Actor(close, pause_after="clock_timestamp", wait=False)
    first.wait_until_paused()
    assert close() is True
    with pytest.raises(IntegrityError) as refused:
        first.commit()
    cause = refused.value.__cause__
    assert isinstance(cause, psycopg.Error)
    assert cause.diag.constraint_name == "entry_once"
    assert Closing.objects.filter(gaming_day__day=DAY, gaming_day__site=site).count() == 1
    assert_books_agree()


def test_a_close_that_fails_leaves_the_day_open_for_the_next(site: Site) -> None:
    """Cut off after all was written: nothing is closed, and nothing of it is left."""

    def cut() -> None:
        close()
        connection.connection.close()

    broken = Actor(cut, hold=True)
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the driver says of a connection that is gone
        broken.commit()
    assert not Closing.objects.filter(gaming_day__day=DAY).exists()
    assert GamingDay.objects.get(site=site, day=DAY).closed_at is None
    assert close() is True
    assert_books_agree()


def test_an_award_that_is_paid_meanwhile_is_unpaid_at_the_close(site: Site) -> None:
    """What is paid while a day is closed is paid under a later one: its closing owes it still, and agrees."""
    staff = [person("ann"), person("ben")]
    hit = Award.objects.get(kind="hit")
    for one in staff:
        award_moves.move(caller=one, award_id=hit.pk, move=Move.APPROVE, note="", now=timezone.now())
    closing_day = Actor(close, pause_after="jackpot_unpaidaward", wait=False)
    closing_day.wait_until_paused()
    award_moves.move(caller=staff[0], award_id=hit.pk, move=Move.PAY, note="slip 1", now=timezone.now())
    assert closing_day.commit() is True
    found = closings.of_day(site.pk, DAY)
    assert found is not None
    paid_on = max(Entry.objects.get(kind="award_paid").legs.values_list("gaming_day", flat=True))
    assert set(found.unpaid_lines.values_list("award__kind", flat=True)) == (
        {"hit", "envy"} if paid_on > DAY else {"envy"}
    )
    jackpots = [hit.jackpot]
    for day in (DAY, paid_on):
        unpaid = liabilities.unpaid_at(Award.objects.all(), day)
        assert sum(award.amount for award in unpaid) == liabilities.owed_at(jackpots, day)
    assert_books_agree()


def test_rounds_go_on_while_a_day_is_closed(site: Site) -> None:
    """Workers settle rounds of the day and of the next beside four who close it; each round is in one day, and the
    closing and what was entered later are together the ledger.
    """
    me, end = caller(), bounds_of(site, DAY)[1]
    GamingDay.objects.get_or_create(site=site, day=DAY + timedelta(days=1), defaults={"opened_at": NOW})
    old = [reported(low(1), table="UTH-01", at=NOW + timedelta(seconds=n)) for n in range(12)]
    new = [reported(low(1), table="UTH-02", at=end + timedelta(seconds=n)) for n in range(12)]
    ids = receive(*(one for pair in zip(old, new, strict=True) for one in pair), by=me)

    def work() -> int:
        rounds = 0
        while waiting := queue.lanes_waiting():
            for lane_id in waiting:
                rounds += settlement.drain(lane_id, limit=3) is settlement.Drained.SOME
        return rounds

    answers: list[Any] = all_at_once([work, close, work, close])
    assert [answers[1], answers[3]].count(True) == 1
    settle_all()
    found = closings.of_day(site.pk, DAY)
    assert found is not None
    by_day = {rnd.pk: rnd for rnd in Round.objects.filter(pk__in=ids)}
    assert {rnd.phase for rnd in by_day.values()} == {"settled"}
    listed = {UUID(one["ref"]) for one in found.rounds}
    for rnd in by_day.values():
        if rnd.completed_at is not None and rnd.completed_at < end:
            assert rnd.late == (rnd.gaming_day != DAY)
            assert (rnd.pk in listed) or not rnd.late
        else:
            assert not rnd.late
    assert_books_agree()
    close_until(site, GamingDay.objects.filter(site=site).latest("day").day)
