"""A gaming day is closed while a batch is entered under it: either the batch is in it, or the batch goes to the next.

Known failure 53. Who posts holds the days it enters under with a shared lock; the guard `day_is_open` takes it too.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import pytest

from jackpot import services as jackpot
from jackpot.models.ledger import Leg, StatementRow
from jackpot.models.sites import GamingDay, Site
from jackpot.selectors import queue
from jackpot.selectors.days import bounds_of
from jackpot.services import days
from tables.models.rounds import Round
from tables.services import settlement
from tests.concurrency.actors import Actor
from tests.factories import (
    NOW,
    assert_books_agree,
    caller,
    close_until,
    house,
    low,
    receive,
    reported,
    settle_all,
)
from tests.factories.live import LiveRound
from tests.owner import as_owner

pytestmark = pytest.mark.django_db(transaction=True)
DAY = NOW.date()


@pytest.fixture
def round_id(transactional_db: None) -> UUID:
    """A round of an open day that waits to be settled, the level funded and its last row entered under that day."""
    demo = house()
    receive(reported(low(1), external_id="first"), by=caller())
    settle_all()
    assert Round.objects.get().gaming_day == DAY
    [waiting] = receive(reported(low(1), table="UTH-02"), by=caller())
    assert demo.site.days.filter(day=DAY, closed_at=None).exists()
    return waiting


def close() -> bool:
    """Whether this call closes DAY. Nobody is told of it: who tells waits for whoever tells the same integrator, and
    then it would not be the day's row that decides.
    """
    site = Site.objects.get(code="DEMO")
    close_until(site, DAY - timedelta(days=1))  # whatever today is
    now = bounds_of(site, DAY)[1]
    return jackpot.close_day(site=site, day=DAY, by=None, now=now, unsettled=lambda _site, _end: ()).now


def drain() -> Any:
    [lane_id] = queue.lanes_waiting()
    return settlement.drain(lane_id)


def entered(round_id: UUID) -> set[date]:
    """The days under which the table's float was booked for the round. (A pot's rows never go back before the day of
    its funding, which is today by the clock of whoever runs this.)
    """
    legs = Leg.objects.filter(entry__source_ref__startswith=f"round:{round_id}", account__code__startswith="float:")
    return set(legs.values_list("gaming_day", flat=True))


def test_who_closes_waits_for_the_batch_that_is_entered_under_the_day(round_id: UUID) -> None:
    posting = Actor(drain, hold=True)
    closing = Actor(close)
    closing.wait_until_blocked()
    posting.commit()
    assert closing.result() == 1
    assert (entered(round_id), Round.objects.get(pk=round_id).late) == ({DAY}, False)
    assert_books_agree()


def test_a_batch_that_waited_for_the_close_is_late_and_under_an_open_day(round_id: UUID) -> None:
    """Its rows too, though the last one of their pot stands under the day that is closed."""
    closing = Actor(close, hold=True)
    posting = Actor(drain)
    posting.wait_until_blocked()
    closing.commit()
    posting.result()
    rnd = Round.objects.get(pk=round_id)
    assert (rnd.phase, rnd.late) == ("settled", True)
    assert entered(round_id) == {rnd.gaming_day}
    rows = StatementRow.objects.filter(entry__source_ref__startswith=f"round:{round_id}")
    assert {row.gaming_day for row in rows} == {rnd.gaming_day}
    assert rnd.gaming_day is not None and rnd.gaming_day > DAY
    assert GamingDay.objects.filter(day=rnd.gaming_day, closed_at=None).exists()
    assert_books_agree()


def test_without_its_hold_a_batch_is_planned_under_a_day_that_closes_and_the_guard_refuses_it(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the hold: a round would be set aside for a day that was closed beside it."""
    house()
    receive(reported(low(1), table="UTH-02"), by=caller())  # opens the day
    live = LiveRound(reported(low(1)), by=caller(), now=NOW)
    live.lock(now=NOW)
    settle_all()
    live.complete(now=NOW)
    assert GamingDay.objects.filter(day=DAY, closed_at=None).exists()
    monkeypatch.setattr(days, "_stays_open", lambda _site_id, _day: True)
    posting = Actor(drain, pause_after='FROM "jackpot_gamingday"')
    assert close() == 1
    posting.commit()
    rnd = Round.objects.get(pk=live.id)
    assert rnd.phase == "failed"
    assert "is closed, or was never opened" in (rnd.problem or {})["detail"]


@pytest.fixture(params=[True, False])
def guarded(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[bool]:
    """With the guard, and as the tables' owner without it."""
    triggers = [f"ALTER TABLE {table} {{}} TRIGGER under_open_day" for table in ("jackpot_leg", "jackpot_statementrow")]

    def turn(switch: str) -> None:
        with as_owner() as cursor:
            for trigger in triggers:
                cursor.execute(trigger.format(switch))

    if not request.param:
        turn("DISABLE")
    yield request.param
    turn("ENABLE")


def test_the_guard_itself_lets_nobody_close_before_the_commit(
    round_id: UUID, guarded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And without it, the negative control: a batch is committed under a day that is closed by then."""
    monkeypatch.setattr(days, "_stays_open", lambda _site_id, _day: True)
    posting = Actor(drain, hold=True)
    closing = Actor(close)
    if guarded:
        closing.wait_until_blocked()
    else:
        assert closing.result() == 1
    posting.commit()
    assert (closing.result(), entered(round_id)) == (1, {DAY})


def test_two_workers_enter_under_one_day_at_once(round_id: UUID) -> None:
    """The lock is shared: who posts under a day waits for nobody else who does."""
    site_id = GamingDay.objects.get(day=DAY).site_id
    posting = Actor(drain, hold=True)
    assert Actor(lambda: days._stays_open(site_id, DAY)).result() is True
    posting.commit()


def test_today_can_be_closed_before_its_end(transactional_db: None) -> None:
    """All that comes until then is entered under the day that follows."""
    demo = house()
    receive(reported(low(1)), by=caller())
    close_until(demo.site, GamingDay.objects.latest("day").day)
    days.open_today(now=NOW)
    settle_all()
    rnd = Round.objects.get()
    open_day = GamingDay.objects.get(site=demo.site, closed_at=None)
    assert (rnd.phase, rnd.late, rnd.gaming_day) == ("settled", True, open_day.day)
    assert_books_agree()
