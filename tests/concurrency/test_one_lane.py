"""One worker at a time drains a lane, in order. What goes wrong without that is shown first."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from jackpot import services as jackpot
from jackpot.models.awards import Award
from jackpot.models.lanes import Lane, Queued
from jackpot.models.ledger import Entry
from jackpot.selectors import queue
from tables import tasks
from tables.models.rounds import Round
from tables.services import batch, settlement
from tables.services.settlement import Drained
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import house, low, receive, reported, royal
from tests.owner import as_owner
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db(transaction=True)


def _a_bet_and_then_a_royal() -> tuple[int, UUID, UUID]:
    """Two rounds wait in a lane: the first adds 0.20 to the meter, the second takes it all. Nothing is settled yet."""
    demo = house()
    bet, hit = receive(reported(low(), table="UTH-01"), reported(royal(), table="UTH-02"))
    return demo.jackpot.lane.pk, bet, hit


def _settle_without_the_lane(next_place: Callable[[int], Queued], lane_id: int) -> None:
    """What a drain does, but for the lane's lock: read a place, load, compute, post."""
    with transaction.atomic():
        place = next_place(lane_id)
        lane = Lane.objects.select_related("jackpot__home_site", "site").get(pk=lane_id)
        [work] = batch.load({place.source_ref}).values()
        jackpot.post(lane=lane, batch=[batch.lock_out(work), batch.settle(work)])


def _any_free_place(lane_id: int) -> Queued:
    with as_owner():  # nobody else may lock places one by one
        return Queued.objects.select_for_update(skip_locked=True).filter(lane_id=lane_id).order_by("id")[0]


def _first_place(lane_id: int) -> Queued:
    return Queued.objects.filter(lane_id=lane_id).order_by("id")[0]


def test_without_the_lanes_lock_a_hit_overtakes_the_bet_that_was_locked_out_before_it() -> None:
    """The negative control: workers that share a queue place by place pay 0.20 too little, and nothing refuses it."""
    lane_id, _, hit = _a_bet_and_then_a_royal()

    slow = Actor(lambda: _settle_without_the_lane(_any_free_place, lane_id), pause_after="FOR UPDATE SKIP LOCKED")
    _settle_without_the_lane(_any_free_place, lane_id)
    slow.commit()

    assert Award.objects.get(source_ref=hit).amount == usd("10000.20")


def test_with_it_the_hit_waits_its_turn() -> None:
    lane_id, bet, hit = _a_bet_and_then_a_royal()

    slow = Actor(lambda: settlement.drain(lane_id, limit=1), hold=True)
    assert settlement.drain(lane_id) is Drained.BUSY
    assert slow.commit() is Drained.SOME
    assert settlement.drain(lane_id) is Drained.SOME

    assert Award.objects.get(source_ref=hit).amount == usd("10000.40")
    assert set(Round.objects.filter(pk__in=[bet, hit]).values_list("phase", flat=True)) == {"settled"}


def test_without_the_lanes_lock_two_workers_settle_one_round_and_the_database_refuses_the_second() -> None:
    """The negative control: it is a unique key alone that stands between this worker and a round paid twice."""
    lane_id, bet, _ = _a_bet_and_then_a_royal()

    slow = Actor(lambda: _settle_without_the_lane(_first_place, lane_id), pause_after='FROM "jackpot_queued"')
    _settle_without_the_lane(_first_place, lane_id)
    with pytest.raises(IntegrityError, match="entry_once"):
        slow.commit()

    assert Entry.objects.filter(source_ref__startswith=f"round:{bet}").count() == 2


def test_with_it_many_workers_settle_each_round_once() -> None:
    demo = house()
    lane_id = demo.jackpot.lane.pk
    rounds = receive(*(reported(low(), table=f"UTH-0{n % 4 + 1}") for n in range(40)))

    def work() -> None:
        while queue.waits(lane_id):
            settlement.drain(lane_id, limit=3)

    all_at_once([work] * 4)

    assert Round.objects.filter(pk__in=rounds, phase="settled", version=1).count() == 40
    assert Entry.objects.filter(kind="settlement").count() == 40
    assert demo.jackpot.levels.get().contributed == 40 * usd("0.22")


def _worker_that_looks_once(lane_id: int) -> None:
    while settlement.drain(lane_id) is Drained.SOME:
        pass


def _a_round_comes_in_while(lane_id: int, worker: Callable[[int], None]) -> None:
    """A worker has found the queue empty and still has the lane; now a round comes in, and wakes another worker."""
    looking = Actor(lambda: worker(lane_id), pause_after='FROM "jackpot_queued"')
    receive(reported(low()))
    worker(lane_id)
    assert queue.waits(lane_id), "the woken worker found the lane busy"
    looking.commit()


def test_a_worker_that_does_not_look_again_leaves_a_round_that_came_in_meanwhile() -> None:
    """The negative control."""
    lane_id = house().jackpot.lane.pk
    _a_round_comes_in_while(lane_id, _worker_that_looks_once)
    assert queue.waits(lane_id)


def test_a_round_that_comes_in_while_its_lane_is_found_empty_is_settled_at_once() -> None:
    lane_id = house().jackpot.lane.pk
    _a_round_comes_in_while(lane_id, tasks.drain)
    assert not queue.waits(lane_id)
