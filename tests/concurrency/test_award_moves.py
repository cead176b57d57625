"""One award moved many times at once: one posting, whoever asks and however often."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from jackpot.models.awards import Award, AwardMove
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry
from jackpot.models.requests import AnsweredRequest
from jackpot.services import lanes
from tests.api.floor import key_client
from tests.api.people import move, moved, person
from tests.api.test_problems import problem
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import assert_books_agree, caller, house, play, reported, royal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hit() -> str:
    """A hit that two people have approved."""
    house()
    play(reported(royal(1)), by=caller())
    found = str(Award.objects.get(kind="hit").pk)
    for name in ("ann", "ben"):
        moved(person(name), found, "approve")
    return found


def payments() -> int:
    return Entry.objects.filter(kind="award_paid").count()


def outcomes(answers: list[Any]) -> Counter[str]:
    """Answers by what they are: paid, a replay, or the code of a refusal."""
    return Counter(
        answer.json()["code"] if answer.status_code != 200 else "replay" if "Idempotency-Replayed" in answer else "paid"
        for answer in answers
    )


def test_without_the_lane_only_the_database_stops_the_second_payment(hit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: both find it approved, and the later one meets a guard instead of a refusal."""
    unlocked = Lane.objects.select_related("jackpot__home_site", "site")
    monkeypatch.setattr(lanes, "hold", lambda jackpot_id: unlocked.get(jackpot_id=jackpot_id))
    clients = [key_client("Acme"), key_client("Acme")]
    late = Actor(lambda: move(clients[0], hit, "pay"), pause_after="clock_timestamp()")
    assert move(clients[1], hit, "pay").status_code == 200
    assert late.commit().status_code == 500
    assert payments() == 1


def test_twenty_equal_payments_at_once_are_one(hit: str) -> None:
    """Known failure 50: one posting; all others get the same answer, or hear that the first still runs."""
    clients = [key_client("Acme") for _ in range(20)]

    def pay(client: Client) -> Any:
        return move(client, hit, "pay", key="k")

    answers = all_at_once([lambda client=client: pay(client) for client in clients])  # type: ignore[misc]
    found = outcomes(answers)
    assert found["paid"] == 1
    assert found["replay"] + found["in_progress"] == 19
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    assert (payments(), AnsweredRequest.objects.filter(key="k").count()) == (1, 1)
    assert move(clients[0], hit, "pay", key="k")["Idempotency-Replayed"] == "true"
    assert_books_agree()


def test_ten_payments_under_keys_of_their_own_are_one(hit: str) -> None:
    clients = [key_client("Acme") for _ in range(10)]
    answers = all_at_once([lambda client=client: move(client, hit, "pay") for client in clients])  # type: ignore[misc]
    assert outcomes(answers) == {"paid": 1, "illegal_move": 9}
    assert payments() == 1
    assert_books_agree()


def test_nobody_waits_for_the_first_of_two_equal_requests(hit: str) -> None:
    acme = key_client("Acme")
    first = Actor(lambda: move(acme, hit, "pay", key="k"), hold=True)
    problem(move(key_client("Acme"), hit, "pay", key="k"), 409, "in_progress")
    assert first.commit().status_code == 200
    assert move(acme, hit, "pay", key="k")["Idempotency-Replayed"] == "true"
    assert payments() == 1


def test_a_first_request_that_is_undone_leaves_the_key_free(hit: str) -> None:
    """Known failure 98: without any row before."""
    acme = key_client("Acme")

    def pay_and_die() -> None:
        assert move(acme, hit, "pay", key="k").status_code == 200
        transaction.set_rollback(True)

    Actor(pay_and_die, hold=True).commit()
    assert payments() == 0
    answer = move(acme, hit, "pay", key="k")
    assert (answer.status_code, "Idempotency-Replayed" in answer) == (200, False)


def test_two_people_who_approve_at_once_are_two_approvals(hit: str) -> None:
    moved(key_client("Acme"), hit, "dispute")
    people = [person(name) for name in ("cleo", "dora", "emil")]
    answers = all_at_once([lambda who=who: move(who, hit, "uphold") for who in people])  # type: ignore[misc]
    assert Counter(answer.status_code for answer in answers) == {200: 2, 409: 1}
    assert list(AwardMove.objects.filter(move="uphold").values_list("approvals", flat=True)) == [1, 2]
    assert Award.objects.get(pk=hit).state == "approved"
    assert_books_agree()


def test_one_person_twice_at_once_is_one(hit: str) -> None:
    moved(key_client("Acme"), hit, "dispute")
    cleo = [person("cleo")] * 2
    answers = all_at_once([lambda who=who: move(who, hit, "uphold") for who in cleo])  # type: ignore[misc]
    assert sorted(answer.status_code for answer in answers) == [200, 403]
    assert Award.objects.get(pk=hit).state == "disputed"


def test_a_dispute_and_a_payment_at_once_are_one_or_the_other(hit: str) -> None:
    clients = [key_client("Acme"), key_client("Acme")]
    calls: list[Callable[[], Any]] = [lambda: move(clients[0], hit, "pay"), lambda: move(clients[1], hit, "dispute")]
    answers = all_at_once(calls)
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert Award.objects.get(pk=hit).state == ("paid" if payments() else "disputed")
    assert_books_agree()


def test_a_lock_that_is_not_to_be_had_is_no_refusal(hit: str) -> None:
    """Known failure 103: 503 with Retry-After, and the same request goes through afterwards."""
    acme = key_client("Acme")
    lane = Lane.objects.get(jackpot__code="MAIN").pk
    worker = Actor(lambda: Lane.objects.select_for_update().get(pk=lane), hold=True)

    def pay() -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        return move(acme, hit, "pay", key="k")

    answer = Actor(pay).result()
    problem(answer, 503, "busy")
    assert int(answer["Retry-After"]) >= 1
    worker.commit()
    assert (payments(), Award.objects.get(pk=hit).state) == (0, "approved")
    again = move(acme, hit, "pay", key="k")
    assert (again.status_code, "Idempotency-Replayed" in again) == (200, False)


def test_a_payment_waits_for_the_batch_that_is_being_posted(hit: str) -> None:
    lane = Lane.objects.get(jackpot__code="MAIN").pk
    acme = key_client("Acme")
    worker = Actor(lambda: Lane.objects.select_for_update(no_key=True).get(pk=lane), hold=True)
    payment = Actor(lambda: move(acme, hit, "pay"))
    payment.wait_until_blocked()
    worker.commit()
    assert payment.result().status_code == 200
