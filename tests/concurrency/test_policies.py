"""A policy is approved while a worker has the lane: what a batch is reckoned by is what stood when it began."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError

from jackpot.domain.errors import Refused
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.lanes import Lane
from jackpot.models.terms import TermsChange
from jackpot.services import lanes
from jackpot.services.changes import policies
from tables.services import settlement
from tables.services.settlement import Drained
from tests.concurrency.actors import Actor
from tests.factories import NOW, ask_policy, assert_books_agree, house, low, person, receive, reported, royal
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = NOW - timedelta(hours=1)


def two_royals() -> tuple[Jackpot, UUID]:
    """Two rounds wait that take the whole meter, and a request that would make its base 500.00."""
    link = house().jackpot
    receive(reported(royal(), table="UTH-01"), reported(royal(), table="UTH-02"))
    return link, ask_policy(link, base="500.00", at=BEFORE)


def approve(request_id: UUID, by: str = "ben") -> PolicyVersion:
    return policies.approve_policy(caller=person(by), request_id=request_id, now=BEFORE)


def a_bet_that_passes_the_limit() -> tuple[Jackpot, UUID, Actor]:
    """A limit of 10,000.10 was asked for; a worker has put 0.20 into the meter of 10,000.00, and has not committed."""
    link = house().jackpot
    receive(reported(low(), table="UTH-01"))
    request_id = ask_policy(link, base="500.00", limit="10000.10", at=BEFORE)
    return link, request_id, Actor(lambda: settlement.drain(link.lane.pk), hold=True)


def _hold_nothing(jackpot_id: int) -> Lane:
    return Lane.objects.select_related("jackpot__home_site").get(jackpot_id=jackpot_id)


def test_without_the_lanes_lock_an_approval_goes_by_a_meter_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: it finds the limit in order, and only the chain, which grew meanwhile, refuses it."""
    link, request_id, worker = a_bet_that_passes_the_limit()
    monkeypatch.setattr(lanes, "hold", _hold_nothing)
    approval = Actor(lambda: approve(request_id))
    approval.wait_until_blocked()
    worker.commit()
    with pytest.raises(IntegrityError, match="names another link"):
        approval.result()
    assert link.policies.count() == 1


def test_with_it_the_approval_goes_by_the_meter_the_batch_left() -> None:
    link, request_id, worker = a_bet_that_passes_the_limit()
    approval = Actor(lambda: approve(request_id))
    approval.wait_until_blocked()
    worker.commit()
    with pytest.raises(Refused, match="lies below its meter"):
        approval.result()
    assert link.policies.count() == 1
    assert_books_agree()


def test_an_approval_waits_for_the_batch_and_the_next_reset_brings_its_terms() -> None:
    link, request_id = two_royals()
    worker = Actor(lambda: settlement.drain(link.lane.pk, limit=1), hold=True)
    approval = Actor(lambda: approve(request_id))
    approval.wait_until_blocked()
    assert worker.commit() is Drained.SOME
    assert approval.result().version == 2
    assert not TermsChange.objects.exists()
    assert link.levels.get().base == usd("10000.00")
    settlement.drain(link.lane.pk)
    assert TermsChange.objects.count() == 1
    assert link.levels.get().base == usd("500.00")
    assert_books_agree()


def test_a_worker_finds_the_lane_taken_while_a_policy_is_approved() -> None:
    link, request_id = two_royals()
    approval = Actor(lambda: approve(request_id), hold=True)
    assert settlement.drain(link.lane.pk) is Drained.BUSY
    approval.commit()
    settlement.drain(link.lane.pk)
    assert list(link.awards.order_by("seq").values_list("amount", flat=True)) == [usd("10000.20"), usd("500.20")]
    assert_books_agree()


def test_of_two_approvals_at_once_the_second_finds_the_first() -> None:
    """Of one request: it is decided. Of two: the policy is not what the second was asked on top of."""
    link = house().jackpot
    first, second = ask_policy(link, base="500.00"), ask_policy(link, stake="2.00")
    one = Actor(lambda: approve(first), hold=True)
    others = [Actor(lambda: approve(first, by="cid")), Actor(lambda: approve(second))]
    for other in others:
        other.wait_until_blocked()
    one.commit()
    for other in others:
        with pytest.raises(Refused, match="illegal_move"):
            other.result()
    assert link.policies.count() == 2
    assert_books_agree()
