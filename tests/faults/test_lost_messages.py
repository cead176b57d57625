"""The broker only wakes: messages that are lost, or never sent, delay a round by a sweep and no more."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from config.celery import app
from config.processes import Fleet
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Queued
from tables import tasks
from tests.factories import house, low, receive, reported
from tests.faults import service

WAKE = "import django; django.setup(); from tables import tasks; tasks.wake([1, 2]); print('went on')"
"""What a request does after its commit."""
WAKE_SECONDS = 45


@pytest.fixture
def fleet(transactional_db: None, tmp_path: Path) -> Iterator[Fleet]:
    with service.processes(tmp_path) as started:
        yield started


@pytest.fixture
def jackpot(transactional_db: None) -> Jackpot:
    """MAIN, with rounds waiting in its lane."""
    main = house().jackpot
    receive(*(reported(low()) for _ in range(5)))
    return main


@pytest.mark.django_db(transaction=True)
def test_rounds_whose_wake_up_was_never_sent_are_swept_up(fleet: Fleet, jackpot: Jackpot) -> None:
    fleet.worker(pool="solo")
    fleet.beat()
    service.wait_until_settled(jackpot)
    service.check_each_settled_once(jackpot, 5)


@pytest.mark.django_db(transaction=True)
def test_rounds_whose_wake_up_was_lost_with_the_brokers_memory_are_swept_up(fleet: Fleet, jackpot: Jackpot) -> None:
    tasks.wake([jackpot.lane.pk])
    with app.connection_for_write() as broker:
        assert broker.default_channel.queue_purge(settings.CELERY_TASK_DEFAULT_QUEUE) >= 1
    fleet.worker(pool="solo")
    fleet.beat()
    service.wait_until_settled(jackpot)
    service.check_each_settled_once(jackpot, 5)


@pytest.mark.django_db(transaction=True)
def test_a_batch_whose_connection_is_cut_is_settled_later_and_no_round_is_blamed(
    fleet: Fleet, jackpot: Jackpot
) -> None:
    """Known failure 103: the database's trouble is never a round's problem. The same worker goes on."""
    worker = fleet.worker(pool="solo")
    with service.meters_held(jackpot):
        tasks.wake([jackpot.lane.pk])
        backend = service.backend_that_waits_for_me()
        service.terminate(backend)
    service.wait_until_gone(backend)
    assert Queued.objects.count() == 5

    fleet.beat()
    service.wait_until_settled(jackpot)
    assert worker.exit_code is None
    service.check_each_settled_once(jackpot, 5)


@pytest.mark.django_db(transaction=True)
def test_a_session_that_is_cut_between_two_tasks_fails_none(fleet: Fleet, jackpot: Jackpot) -> None:
    """A worker keeps its session from task to task. No sweep is there to help: the wake-up alone settles."""
    fleet.worker(pool="solo")
    with service.meters_held(jackpot):
        tasks.wake([jackpot.lane.pk])
        backend = service.backend_that_waits_for_me()
    service.wait_until_settled(jackpot)
    service.terminate(backend)
    service.wait_until_gone(backend)

    receive(reported(low()))
    tasks.wake([jackpot.lane.pk])
    service.wait_until_settled(jackpot)
    service.check_each_settled_once(jackpot, 6)


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        yield listener.getsockname()[1]


@pytest.fixture
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
@pytest.mark.parametrize("fault", ["closed_port", "silent_port"])
def test_a_broker_that_is_away_stops_no_request(scheme: str, fault: str, request: pytest.FixtureRequest) -> None:
    """The process ends in time and without an error, whatever the broker does."""
    url = f"{scheme}://127.0.0.1:{request.getfixturevalue(fault)}//"
    environment = os.environ | {"BROKER_URL": url, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    done = subprocess.run(
        [sys.executable, "-c", WAKE], env=environment, cwd=settings.BASE_DIR, timeout=WAKE_SECONDS,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "went on\n"), done.stderr
    assert "the sweep will find what waits" in done.stderr
