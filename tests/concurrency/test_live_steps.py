"""Steps of live rounds that come at the same time: each waits for the one before it, and sees what that one did."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from jackpot.domain.callers import Caller
from jackpot.domain.errors import Refused
from jackpot.models.ledger import Entry, StatementRow
from jackpot.selectors import queue
from tables.domain.facts import BoxFacts, VoidReason
from tables.models.rounds import Box, BoxResult, Round
from tables.selectors import loading
from tables.services import betting, dealing, rounds, settlement, stepping, voiding
from tables.services.ingest import Received
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import NOW, caller, house, low, receive, reported, settle_all
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def by(transactional_db: None) -> Caller:
    """The demo house's integrator."""
    house()
    return caller()


def _opened(by: Caller, *boxes: BoxFacts, table: str = "UTH-01") -> UUID:
    """A live round with these bets, betting still open."""
    round_id = rounds.open_round(caller=by, table_code=table, external_id=None, now=NOW).round_id
    betting.place(caller=by, round_id=round_id, boxes=boxes, now=NOW)
    return round_id


def _place(by: Caller, round_id: UUID, *boxes: BoxFacts) -> Any:
    return betting.place(caller=by, round_id=round_id, boxes=boxes, now=NOW)


def _refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refused:
        call()
    return refused.value.code


def test_two_opens_of_one_table_make_one_round(by: Caller) -> None:
    def open_one() -> Received | str:
        try:
            return rounds.open_round(caller=by, table_code="UTH-01", external_id=None, now=NOW)
        except Refused as refused:
            return refused.code

    answers = all_at_once([open_one] * 8)
    assert sorted(answer for answer in answers if isinstance(answer, str)) == ["round_open"] * 7
    assert Round.objects.get().phase == "betting"


def test_eight_opens_with_one_external_id_are_one_round_and_its_repeats(by: Caller) -> None:
    calls = [lambda: rounds.open_round(caller=by, table_code="UTH-01", external_id="live-1", now=NOW)] * 8
    answers = all_at_once(calls)
    assert {answer.round_id for answer in answers} == {Round.objects.get().id}
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 7


def test_a_bet_that_is_placed_before_the_lock_out_contributes(by: Caller) -> None:
    round_id = _opened(by, low(1))
    placing = Actor(lambda: _place(by, round_id, low(2, "4c 8d")), hold=True)
    locking = Actor(lambda: dealing.lock(caller=by, round_id=round_id, now=NOW))
    locking.wait_until_blocked()
    placing.commit()
    locking.result()
    settle_all()
    assert StatementRow.objects.get(pot="meter", kind="contribution").amount == 2 * usd("0.20")


def test_a_bet_that_comes_while_betting_closes_is_refused_and_contributes_nothing(by: Caller) -> None:
    round_id = _opened(by, low(1))
    locking = Actor(lambda: dealing.lock(caller=by, round_id=round_id, now=NOW), hold=True)
    placing = Actor(lambda: _place(by, round_id, low(2, "4c 8d")))
    placing.wait_until_blocked()
    locking.commit()
    assert _refusal(placing.result) == "wrong_phase"
    settle_all()
    assert Box.objects.count() == 1
    assert StatementRow.objects.get(pot="meter", kind="contribution").amount == usd("0.20")


def test_a_step_that_waited_for_the_lock_out_sees_the_versions_pinned_by_it(by: Caller) -> None:
    """PostgreSQL hands a waiting SELECT ... FOR UPDATE the new row, but not the rows newly joined to it."""
    round_id = _opened(by, low(1))
    locking = Actor(lambda: dealing.lock(caller=by, round_id=round_id, now=NOW), hold=True)

    def look() -> tuple[str, Any, Any]:
        from django.db import transaction

        with transaction.atomic():
            step = stepping.take(round_id, caller=by, now=NOW)
            return step.phase, step.round.rule_set, step.policy()

    looking = Actor(look)
    looking.wait_until_blocked()
    locking.commit()
    phase, rule_set, policy = looking.result()
    assert phase == "locked"
    assert rule_set is not None
    assert policy is not None


def test_one_box_is_taken_by_one_of_two_players(by: Caller) -> None:
    round_id = _opened(by, low(1))
    first = Actor(lambda: _place(by, round_id, low(2, player="Ann")), hold=True)
    second = Actor(lambda: _place(by, round_id, low(2, player="Bob")))
    second.wait_until_blocked()
    first.commit()
    assert _refusal(second.result) == "box_taken"
    assert Box.objects.get(box=2).player == "Ann"


def test_two_lock_outs_at_once_are_one(by: Caller) -> None:
    round_id = _opened(by, low(1))
    all_at_once([lambda: dealing.lock(caller=by, round_id=round_id, now=NOW)] * 8)
    settle_all()
    assert Entry.objects.filter(kind="lockout").count() == 1


def test_a_void_that_comes_while_its_round_is_being_settled_comes_too_late(by: Caller) -> None:
    [round_id] = receive(reported(low()), by=by)
    [lane_id] = queue.lanes_waiting()
    settling = Actor(lambda: settlement.drain(lane_id), hold=True)
    voiding_it = Actor(lambda: _void(by, round_id))
    voiding_it.wait_until_blocked()
    settling.commit()
    assert _refusal(voiding_it.result) == "already_settled"
    assert Round.objects.get().phase == "settled"


def test_a_round_that_is_voided_while_a_worker_waits_for_it_is_settled_as_void_and_once(by: Caller) -> None:
    [round_id] = receive(reported(low()), by=by)
    [lane_id] = queue.lanes_waiting()
    voiding_it = Actor(lambda: _void(by, round_id), hold=True)
    settling = Actor(lambda: settlement.drain(lane_id))
    settling.wait_until_blocked()
    voiding_it.commit()
    settling.result()
    settle_all()

    assert (Round.objects.get().phase, Round.objects.get().version) == ("void", 1)
    posted = Entry.objects.exclude(kind__in=["reset", "document"]).values_list("kind", flat=True)
    assert sorted(posted) == ["lockout", "void"]
    assert BoxResult.objects.get().outcomes == "rrr-r"
    assert not queue.waits(lane_id)


def test_a_box_that_is_voided_while_a_worker_waits_for_its_round_is_refunded(by: Caller) -> None:
    """The worker reads the boxes under the round's lock, not before it."""
    [round_id] = receive(reported(low(1), low(2, "4c 8d")), by=by)
    [lane_id] = queue.lanes_waiting()
    reason = VoidReason.CARD_EXPOSED_HOLE
    voiding_it = Actor(
        lambda: voiding.void_box(caller=by, round_id=round_id, box=2, reason=reason, note="", now=NOW), hold=True
    )
    settling = Actor(lambda: settlement.drain(lane_id))
    settling.wait_until_blocked()
    voiding_it.commit()
    settling.result()
    assert dict(BoxResult.objects.values_list("box", "outcomes"))[2] == "rrr-r"
    assert loading.boxes_of(round_id)[1].void is reason


def _void(by: Caller, round_id: UUID) -> Any:
    return voiding.void_round(caller=by, round_id=round_id, reason=VoidReason.MALFUNCTION, note="", now=NOW)
