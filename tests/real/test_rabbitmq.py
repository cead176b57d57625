"""RabbitMQ answers and refuses: a request whose round is committed must not fail of it."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from kombu.connection import Connection

from tests.real import servers
from tests.real.workers import WAKER

SECONDS = 60
pytestmark = pytest.mark.parametrize("broker", ["RabbitMQ"], indirect=True)


def warning_of_a_wake(variables: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", WAKER], input="1\n",
        cwd=settings.BASE_DIR, env=os.environ | variables, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [warning] = done.stderr.splitlines()
    return warning


def test_a_refused_login_stops_no_request(broker: dict[str, str]) -> None:
    refused = {"BROKER_URL": servers.BROKERS["RabbitMQ"].replace("guest:guest", "guest:wrong")}
    assert "the sweep will find what waits" in warning_of_a_wake(broker | refused)


def test_a_queue_of_another_type_stops_no_request(broker: dict[str, str]) -> None:
    with Connection(broker["BROKER_URL"]) as before:
        before.default_channel.queue_declare(broker["QUEUE"], durable=True, auto_delete=False)
    warning = warning_of_a_wake(broker)
    assert "the sweep will find what waits" in warning
    assert "x-queue-type" in warning
