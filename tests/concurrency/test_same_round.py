"""The same round sent many times at once, and one external id used for two rounds at once."""

import pytest

from jackpot.domain.errors import Refused
from jackpot.models.lanes import Queued
from tables.models.rounds import Box, Round, RoundEvent
from tables.services import ingest, rounds
from tables.services.ingest import Received
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import NOW, caller, house, low, reported

pytestmark = pytest.mark.django_db(transaction=True)


def test_twenty_equal_calls_at_once_make_one_round() -> None:
    """Known failure 50: every caller gets the same round and no error."""
    house()
    by, report = caller(), reported(low(), external_id="gs-1")

    answers = all_at_once([lambda: ingest.receive(caller=by, reports=[report], now=NOW)] * 20)

    received = [answer for [answer] in answers]
    assert all(isinstance(answer, Received) for answer in received), received
    assert sorted(answer.replayed for answer in received) == [False] + [True] * 19
    [rnd] = Round.objects.all()
    assert {answer.round_id for answer in received} == {rnd.id}
    assert (Box.objects.count(), RoundEvent.objects.count(), Queued.objects.count()) == (1, 1, 1)


def test_a_call_that_arrives_while_the_first_is_not_committed_waits_and_is_a_replay() -> None:
    house()
    by, report = caller(), reported(low(), external_id="gs-1")
    first = Actor(lambda: ingest.receive(caller=by, reports=[report], now=NOW), hold=True)
    second = Actor(lambda: ingest.receive(caller=by, reports=[report], now=NOW))
    second.wait_until_blocked()
    [made] = first.commit()
    assert second.result() == [Received(made.round_id, made.lane_id, replayed=True)]


def test_one_external_id_at_two_tables_at_once_is_one_round_and_one_conflict() -> None:
    """No lock is common to both: the unique key decides (known failure 98)."""
    house()
    by = caller()
    first, other = (reported(low(), external_id="gs-1", table=table) for table in ("UTH-01", "UTH-02"))
    winner = Actor(lambda: ingest.receive(caller=by, reports=[first], now=NOW), hold=True)
    loser = Actor(lambda: ingest.receive(caller=by, reports=[other], now=NOW))
    loser.wait_until_blocked()
    [made] = winner.commit()
    [refused] = loser.result()

    assert isinstance(made, Received) and not made.replayed
    assert isinstance(refused, Refused) and refused.violations[0].code == "idempotency_conflict"
    assert (Round.objects.count(), Box.objects.count(), Queued.objects.count()) == (1, 1, 1)


def test_the_loser_of_one_id_keeps_the_rest_of_its_batch() -> None:
    house()
    by = caller()
    taken = reported(low(), external_id="b", table="UTH-01")
    batch = [reported(low(), external_id=name, table="UTH-02") for name in "abc"]
    winner = Actor(lambda: ingest.receive(caller=by, reports=[taken], now=NOW), hold=True)
    loser = Actor(lambda: ingest.receive(caller=by, reports=batch, now=NOW))
    loser.wait_until_blocked()
    winner.commit()

    assert [isinstance(answer, Received) for answer in loser.result()] == [True, False, True]
    assert Round.objects.count() == 3


def test_batches_with_the_same_ids_in_opposite_order_do_not_deadlock() -> None:
    """Known failure 56: locks are taken in one order, whatever the order of the batch."""
    house()
    by = caller()
    names = [f"id-{n:03}" for n in range(200)]

    def send(table: str, ids: list[str]) -> list[Received | Refused]:
        reports = [reported(low(), external_id=name, table=table) for name in ids]
        return ingest.receive(caller=by, reports=reports, now=NOW)

    for attempt in range(5):
        fresh = [f"{attempt}-{name}" for name in names]
        one, other = all_at_once(
            [lambda ids=fresh: send("UTH-01", ids), lambda ids=fresh: send("UTH-02", ids[::-1])]  # type: ignore[misc]
        )
        accepted = [isinstance(answer, Received) for answer in [*one, *other]]
        assert sum(accepted) == len(names)
    assert Round.objects.count() == 5 * len(names)


def test_the_places_of_a_batch_keep_its_order_whatever_their_ids() -> None:
    house()
    answers = ingest.receive(
        caller=caller(), reports=[reported(low(), external_id=name) for name in ("c", "a", "b")], now=NOW
    )
    order = list(Queued.objects.order_by("id").values_list("source_ref", flat=True))
    assert order == [answer.round_id for answer in answers if isinstance(answer, Received)]


def test_opening_a_live_round_with_an_id_that_comes_in_elsewhere_is_a_conflict() -> None:
    house()
    by = caller()
    report = reported(low(), external_id="gs-1", table="UTH-01")
    winner = Actor(lambda: ingest.receive(caller=by, reports=[report], now=NOW), hold=True)
    loser = Actor(lambda: rounds.open_round(caller=by, table_code="UTH-02", external_id="gs-1", now=NOW))
    loser.wait_until_blocked()
    winner.commit()
    with pytest.raises(Refused) as refused:
        loser.result()
    assert refused.value.violations[0].code == "idempotency_conflict"
