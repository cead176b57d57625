"""`Prefer: wait=N`: 200 once the round is settled, 202 when it is not in time or too many wait already."""

import threading
import time
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client

from tables.api import waiting
from tests.api.floor import ROUNDS, example, key_client, send
from tests.factories import house, settle_all


@pytest.fixture
def stranger(transactional_db: None, clock: object) -> Client:
    house()
    return key_client()


@pytest.fixture
def worker() -> Iterator[None]:
    """A worker in another thread, with a connection of its own."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            settle_all()
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


def test_settled_in_time(stranger: Client, worker: None) -> None:
    answer = send(stranger, ROUNDS, example(), Prefer="wait=10")
    assert answer.status_code == 200
    assert answer.json()["settlement"]["totals"]["returned"] == "13810.40"


def test_not_settled_in_time(stranger: Client) -> None:
    started = time.monotonic()
    answer = send(stranger, ROUNDS, example(), Prefer="respond-async, wait=1")
    assert (answer.status_code, answer.json()["phase"]) == (202, "complete")
    assert 1 <= time.monotonic() - started < 5


def test_prefer_is_no_content(stranger: Client) -> None:
    send(stranger, ROUNDS, example())
    assert send(stranger, ROUNDS, example(), Prefer="wait=0")["Idempotency-Replayed"] == "true"


@pytest.mark.parametrize("prefer", ["", "wait=0", "wait=-1", "wait=x", "wait", "await=5", "return=minimal", "wait=1e3"])
def test_preferences_that_ask_for_no_waiting(prefer: str, stranger: Client) -> None:
    started = time.monotonic()
    assert send(stranger, ROUNDS, example(), Prefer=prefer).status_code == 202
    assert time.monotonic() - started < 1


def test_a_round_that_is_set_aside_is_not_waited_for(stranger: Client) -> None:
    started = time.monotonic()
    answer = send(stranger, ROUNDS, example(void={"reason": "card_count"}), Prefer="wait=9")
    assert (answer.status_code, answer.json()["phase"]) == (202, "failed")
    assert time.monotonic() - started < 5


def test_above_the_cap_of_waiters_the_answer_comes_at_once(stranger: Client) -> None:
    for _ in range(waiting.MOST_WAITERS):
        assert waiting._places.acquire(blocking=False)
    try:
        started = time.monotonic()
        assert send(stranger, ROUNDS, example(), Prefer="wait=9").status_code == 202
        assert time.monotonic() - started < 5
    finally:
        for _ in range(waiting.MOST_WAITERS):
            waiting._places.release()
