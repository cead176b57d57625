"""Who calls too often waits as long as he is told, whichever process he asked; a count that fails refuses nobody."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import redis
from django.contrib.auth.models import User
from django.test import Client

from config import tallies as server_of
from jackpot.http import tallies as module
from jackpot.http.tallies import Tallies
from jackpot.models.clients import Tally
from tests.api.test_problems import problem

THINGS = "/api/v1/things/"
START = 1_800_000_000.0
"""The beginning of a span of ten seconds."""

Caller = Callable[..., Client]


class Seconds:
    """A clock in seconds that a test sets."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Seconds:
    """Ten calls in ten seconds for everybody, on a clock that stands still."""
    settings.THROTTLES = dict.fromkeys(("key", "staff", "failed"), 1)
    settings.TALLY_PREFIX = f"{settings.TALLY_PREFIX}-{id(settings)}"
    clock = Seconds()
    monkeypatch.setattr("jackpot.http.throttles.tallies", Tallies(clock=clock))
    return clock


def nothing() -> None:
    """Stands for a deployment without a Redis."""


def nowhere() -> Any:
    return redis.Redis(connection_pool=redis.ConnectionPool.from_url("unix:///nowhere/at-all.sock"))


@pytest.fixture(params=["Redis", "PostgreSQL"])
def counted_in(request: pytest.FixtureRequest, db: None, settings: Any) -> None:
    if request.param == "PostgreSQL":
        settings.TALLY_SERVER = f"{__name__}.nothing"


@pytest.mark.urls("tests.api.probe")
class TestThrottles:
    def test_a_key_waits_for_the_end_of_the_span(self, counted_in: None, caller: Caller, seconds: Seconds) -> None:
        client, other = caller("Acme"), caller("Acme")
        seconds.now += 3.2
        assert [client.get(THINGS).status_code for _ in range(10)] == [200] * 10
        refused = client.get(THINGS)
        problem(refused, 429, "throttled")
        assert refused["Retry-After"] == "7"
        assert other.get(THINGS).status_code == 200
        seconds.now += 7
        assert client.get(THINGS).status_code == 200

    def test_calls_that_are_refused_count_too(self, counted_in: None, caller: Caller, seconds: Seconds) -> None:
        client = caller("Acme")
        assert {client.patch(THINGS).status_code for _ in range(10)} == {405}
        problem(client.get(THINGS), 429, "throttled")

    def test_a_member_of_staff(self, counted_in: None, seconds: Seconds) -> None:
        ann, bob = Client(), Client()
        for client, name in ((ann, "ann"), (bob, "bob")):
            client.force_login(User.objects.create(username=name, is_staff=True))
        assert [ann.get(THINGS).status_code for _ in range(11)] == [200] * 10 + [429]
        assert bob.get(THINGS).status_code == 200

    def test_an_address_that_is_not_recognised(self, counted_in: None, caller: Caller, seconds: Seconds) -> None:
        """Its good keys still pass: many callers may share an address."""
        good, bad = caller("Acme"), Client(headers={"Authorization": "Bearer nonsense"})
        assert [bad.get(THINGS).status_code for _ in range(6)] == [401] * 6
        assert [Client().get(THINGS).status_code for _ in range(6)] == [401] * 4 + [429] * 2
        assert bad.get(THINGS)["Retry-After"] == "10"
        assert Client(REMOTE_ADDR="10.0.0.9").get(THINGS).status_code == 401
        assert good.get(THINGS).status_code == 200

    def test_zero_is_without_limit(self, caller: Caller, seconds: Seconds, settings: Any) -> None:
        settings.THROTTLES = dict.fromkeys(settings.THROTTLES, 0)
        client = caller("Acme")
        assert {client.get(THINGS).status_code for _ in range(12)} == {200}

    def test_a_redis_that_is_down_refuses_nobody_and_is_said_once_a_minute(
        self, caller: Caller, seconds: Seconds, settings: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.TALLY_SERVER = f"{__name__}.nowhere"
        client = caller("Acme")
        with caplog.at_level(logging.WARNING, "jackpot.http.tallies"):
            assert {client.get(THINGS).status_code for _ in range(12)} == {200}
            assert len(caplog.records) == 1
            seconds.now += module.WARN_EVERY
            assert client.get(THINGS).status_code == 200
            assert len(caplog.records) == 2
        assert "nobody is throttled" in caplog.text

    def test_a_redis_that_failed_is_left_alone_for_a_while(
        self, caller: Caller, seconds: Seconds, settings: Any
    ) -> None:
        works = settings.TALLY_SERVER
        settings.TALLY_SERVER = f"{__name__}.nowhere"
        client = caller("Acme")
        client.get(THINGS)
        settings.TALLY_SERVER = works
        assert {client.get(THINGS).status_code for _ in range(12)} == {200}
        seconds.now += 10
        assert [client.get(THINGS).status_code for _ in range(11)] == [200] * 10 + [429]


def test_the_tests_own_redis_is_the_embedded_broker() -> None:
    found = server_of.server()
    assert found is not None and found.ping()


def test_counts_nobody_needs_any_more_are_removed(db: None, settings: Any) -> None:
    settings.TALLY_SERVER = f"{__name__}.nothing"
    Tallies().count("key:1", seconds=10)
    Tally.objects.update(counted_at="2026-01-01T00:00:00Z")
    Tallies().count("key:2", seconds=10)
    assert [tally.name.partition(":")[2] for tally in Tally.objects.all()] == ["key:2"]


COUNTING = """
import django; django.setup()
from django.conf import settings
settings.TALLY_SERVER, settings.TALLY_PREFIX = {server!r}, {prefix!r}
from jackpot.http.tallies import Tallies
print(max(Tallies(clock=lambda: {clock}).count("key:1", seconds=10)[0] for _ in range(300)))
"""


@pytest.mark.parametrize("server", ["config.tallies.server", f"{__name__}.nothing"])
def test_two_processes_share_a_count(
    server: str, service_environment: dict[str, str], settings: Any, request: pytest.FixtureRequest
) -> None:
    program = COUNTING.format(server=server, prefix=f"{settings.TALLY_PREFIX}-{id(request)}", clock=START)
    started = [
        subprocess.Popen([sys.executable, "-c", program], env={**os.environ, **service_environment}, stdout=-1)
        for _ in range(2)
    ]
    counts = sorted(int(process.communicate(timeout=60)[0]) for process in started)
    assert counts[1] == 600
