"""Adjustments, transfers and retirements while others approve, post and bring bets in."""

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import Error, OperationalError

from jackpot.domain.accounts import Pot
from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry
from jackpot.services import lanes
from jackpot.services.changes import adjustments, jackpot_states, transfers
from jackpot.services.changes.retiring import ask_retirement
from tables.models.rounds import Round
from tables.services import ingest, retiring, settlement
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import (
    NOW,
    assert_books_agree,
    caller,
    jackpot_with,
    low,
    person,
    receive,
    reported,
    settle_all,
)
from tests.factories.live import LiveRound
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db(transaction=True)
USER_NAMES = ("ben", "cleo", "dora", "emil")


@pytest.fixture
def link(transactional_db: None) -> Jackpot:
    return jackpot_with()


@pytest.fixture
def other(link: Jackpot) -> Jackpot:
    return jackpot_with(code="OTHER", site=link.home_site, tables=())


def adjustment(link: Jackpot, amount: str) -> UUID:
    level = Level.objects.select_related("jackpot").get(jackpot=link)
    return adjustments.ask_adjustment(
        caller=person("ann"), level=level, pot=Pot.METER, amount=amount, reason="meter_fault", now=NOW
    ).pk


def shift(source: str, target: str, amount: str = "1.00") -> UUID:
    return transfers.ask_transfer(
        caller=person("ann"), source=f"meter:{source}:main", target=f"meter:{target}:main", amount=amount,
        reason="split", now=NOW,
    ).pk  # fmt: skip


def retirement(link: Jackpot, other: Jackpot) -> UUID:
    return ask_retirement(
        caller=person("ann"), jackpot=link.code, to=other.code, levels={"main": "main"}, reason="replaced", now=NOW
    ).pk


def suspend(link: Jackpot) -> None:
    jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=link.pk, now=NOW)


def outcome(call: Callable[[], Any]) -> str:
    """What a call comes to: done, or the code of its refusal."""
    try:
        call()
    except Refused as refused:
        return refused.code
    return "done"


def meter(link: Jackpot) -> int:
    return int(Level.objects.get(jackpot=link).meter)


def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes are found and not locked: for negative controls."""
    found = Lane.objects.select_related("jackpot__home_site", "site")
    monkeypatch.setattr(lanes, "hold", lambda jackpot_id: found.get(jackpot_id=jackpot_id))


def adjusted(asked: UUID, by: str = "ben") -> ChangeDecision:
    return adjustments.approve_adjustment(caller=person(by), request_id=asked, now=NOW)


class TestTwoApprovals:
    def test_without_the_lane_only_the_database_stops_the_second(
        self, link: Jackpot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = adjustment(link, "-1.00")
        unlocked(monkeypatch)
        late = Actor(lambda: adjusted(asked), pause_after="jackpot_changedecision")  # has looked whether it is decided
        adjusted(asked, "cleo")
        with pytest.raises(Error, match="entry_once"):
            late.commit()
        assert meter(link) == usd("9999.00")

    def test_with_it_one_is_carried_out_and_the_others_hear_of_it(self, link: Jackpot) -> None:
        asked = adjustment(link, "-1.00")
        people = [person(name) for name in USER_NAMES]

        def approve(by: Any) -> str:
            return outcome(lambda: adjustments.approve_adjustment(caller=by, request_id=asked, now=NOW))

        answers = all_at_once([lambda by=by: approve(by) for by in people])  # type: ignore[misc]
        assert Counter(answers) == {"done": 1, "illegal_move": 3}
        assert (meter(link), Entry.objects.filter(kind="adjustment").count()) == (usd("9999.00"), 1)
        assert_books_agree()

    def test_two_that_would_be_too_much_together(self, link: Jackpot) -> None:
        asked = [adjustment(link, "-6000.00") for _ in range(2)]
        answers = all_at_once([lambda one=one: outcome(lambda: adjusted(one)) for one in asked])  # type: ignore[misc]
        assert sorted(answers) == ["done", "invalid_value"]
        assert meter(link) == usd("4000.00")
        assert_books_agree()


class TestABatch:
    """An approval against a worker that posts 0.20 into the same meter."""

    def test_without_the_lane_it_would_be_entered_beside_the_batch(
        self, link: Jackpot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The negative control: it reckons with a lane that the worker has sealed meanwhile, and a guard stops it."""
        receive(reported(low(1), table="T-01"))
        asked = adjustment(link, "-1.00")
        unlocked(monkeypatch)
        late = Actor(lambda: adjusted(asked), pause_after="jackpot_changedecision")  # has read the lane, not the level
        assert settlement.drain(link.lane.pk) is settlement.Drained.SOME
        with pytest.raises(Error, match="seals next"):
            late.commit()
        assert meter(link) == usd("10000.20")
        assert_books_agree()

    def test_with_it_the_approval_waits_and_takes_from_what_is_there_then(self, link: Jackpot) -> None:
        receive(reported(low(1), table="T-01"))
        asked = adjustment(link, "-1.00")
        worker = Actor(lambda: settlement.drain(link.lane.pk), hold=True)
        approval = Actor(lambda: adjusted(asked))
        approval.wait_until_blocked()
        worker.commit()
        assert approval.result().before == {"meter:LINK:main": "10000.20000000"}
        assert meter(link) == usd("9999.20")
        assert_books_agree()

    def test_and_the_worker_leaves_a_lane_that_is_held(self, link: Jackpot) -> None:
        receive(reported(low(1), table="T-01"))
        asked = adjustment(link, "-1.00")
        approval = Actor(lambda: adjusted(asked), hold=True)
        assert settlement.drain(link.lane.pk) is settlement.Drained.BUSY
        approval.commit()
        settle_all()
        assert meter(link) == usd("9999.20")
        assert_books_agree()


class TestCrossingTransfers:
    """One from LINK to OTHER and one from OTHER to LINK at the same time."""

    def test_without_an_order_they_wait_for_each_other_in_a_circle(
        self, link: Jackpot, other: Jackpot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = shift("LINK", "OTHER"), shift("OTHER", "LINK")
        monkeypatch.setattr(lanes, "hold_together", lambda _: {})
        ben = person("ben")

        def approve(one: UUID) -> Any:
            return transfers.approve_transfer(caller=ben, request_id=one, now=NOW)

        pair = [Actor(lambda one=one: approve(one), pause_after="jackpot_changedecision") for one in asked]  # type: ignore[misc]
        for actor in pair:
            actor.go_on()
        failed = [actor for actor in pair if _deadlocked(actor)]
        assert len(failed) == 1
        assert_books_agree()

    def test_in_order_of_their_lanes_all_are_carried_out(self, link: Jackpot, other: Jackpot) -> None:
        asked = [shift(*way) for way in (("LINK", "OTHER"), ("OTHER", "LINK")) for _ in range(3)]
        ben = person("ben")

        def approve(one: UUID) -> str:
            return outcome(lambda: transfers.approve_transfer(caller=ben, request_id=one, now=NOW))

        answers = all_at_once([lambda one=one: approve(one) for one in asked])  # type: ignore[misc]
        assert answers == ["done"] * 6
        assert (meter(link), meter(other)) == (usd("10000.00"), usd("10000.00"))
        assert_books_agree()


class TestRetiringAgainstBets:
    """A bet that was on its way when the jackpot was suspended is in play, and retiring waits for it."""

    def approve(self, asked: UUID) -> str:
        ben = person("ben")
        return outcome(lambda: retiring.approve_retirement(caller=ben, request_id=asked, now=NOW))

    def test_a_lock_out_under_way_stands_and_is_waited_for(self, link: Jackpot, other: Jackpot) -> None:
        live = LiveRound(reported(low(1), table="T-01"), by=caller(), now=NOW)
        locking = Actor(lambda: live.lock(now=NOW), hold=True)
        suspend(link)
        asked = retirement(link, other)
        approval = Actor(lambda: self.approve(asked))
        approval.wait_until_blocked()
        locking.commit()
        assert approval.result() == "illegal_move"
        live.complete(now=NOW)
        settle_all()
        assert self.approve(asked) == "done"
        assert meter(other) == usd("20000.20")
        assert_books_agree()

    def test_without_that_lock_its_stake_would_have_no_meter(
        self, link: Jackpot, other: Jackpot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The negative control: the database refuses the lock-out then, and the round is stuck."""
        live = LiveRound(reported(low(1), table="T-01"), by=caller(), now=NOW)
        locking = Actor(lambda: live.lock(now=NOW), hold=True)
        suspend(link)
        asked = retirement(link, other)
        locked = Round.objects.filter(version=0, locked_at__isnull=False).values_list("game_number", flat=True)
        monkeypatch.setattr(retiring, "_unsettled", lambda lane: list(locked.filter(lane=lane)))
        assert self.approve(asked) == "done"
        locking.commit()
        settle_all()
        assert list(Round.objects.get().events.filter(kind="failed").values_list("data__code", flat=True)) == [
            "not_settled"
        ]
        assert Entry.objects.filter(kind="lockout").count() == 0
        assert_books_agree()

    def test_a_whole_round_coming_in_is_waited_for(self, link: Jackpot, other: Jackpot) -> None:
        by = caller()
        suspend(link)
        asked = retirement(link, other)
        coming = Actor(lambda: ingest.receive_one(caller=by, report=reported(low(1), table="T-01"), now=NOW), hold=True)
        approval = Actor(lambda: self.approve(asked))
        approval.wait_until_blocked()
        coming.commit()
        assert approval.result() == "illegal_move"
        settle_all()
        assert self.approve(asked) == "done"
        assert_books_agree()

    def test_one_that_comes_second_finds_the_jackpot_retired(self, link: Jackpot, other: Jackpot) -> None:
        by, report = caller(), reported(low(1), table="T-01")
        suspend(link)
        asked = retirement(link, other)
        approval = Actor(lambda: self.approve(asked), hold=True)
        coming = Actor(lambda: outcome(lambda: ingest.receive_one(caller=by, report=report, now=NOW)))
        coming.wait_until_blocked()
        approval.commit()
        assert coming.result() == "no_progressive"
        assert Round.objects.count() == 0
        assert_books_agree()

    def test_two_who_suspend_at_once(self, link: Jackpot) -> None:
        ann = person("ann")

        def stop() -> str:
            return outcome(lambda: jackpot_states.suspend_jackpot(caller=ann, jackpot_id=link.pk, now=NOW))

        assert sorted(all_at_once([stop] * 4)) == ["done", *["illegal_move"] * 3]
        assert link.state_changes.count() == 1


def _deadlocked(actor: Actor) -> bool:
    """Whether it was the one that PostgreSQL broke off."""
    try:
        actor.result()
    except OperationalError as error:
        return "deadlock" in str(error)
    return False
