"""The service's processes on a test's database, with whatever database and broker the tests run on."""

import http.client
import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config.processes import Fleet, ProcessError


def page(address: str, path: str) -> tuple[int, dict[str, object]]:
    web = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    web.request("GET", path)
    answer = web.getresponse()
    return answer.status, json.loads(answer.read())


def test_a_fleet_is_ready_while_it_has_a_worker(service_environment: dict[str, str], tmp_path: Path) -> None:
    with Fleet(log_dir=tmp_path, environment=service_environment) as fleet:
        address = fleet.web()
        status, answer = page(address, "/readyz")
        assert status == 503
        assert answer["checks"] == {"database": "ok", "schema": "ok", "broker": "ok", "worker": "failed"}
        worker = fleet.worker(concurrency=2)
        fleet.beat()
        fleet.wait_until_ready()
        worker.kill()
        assert fleet.wait() is worker
    assert {child.name: child.exit_code for child in fleet.children} == {"web": 0, "worker": -9, "beat": 0}
    with pytest.raises(ConnectionRefusedError):
        page(address, "/livez")


def test_without_its_servers_it_lives_but_is_not_ready(tmp_path: Path) -> None:
    nowhere = {"DATABASE_URL": "postgresql://a@127.0.0.1:1/b", "BROKER_URL": "redis://127.0.0.1:1/0"}
    with Fleet(log_dir=tmp_path, environment=nowhere) as fleet:
        address = fleet.web()
        status, answer = page(address, "/readyz")
        assert status == 503
        assert answer["checks"] == dict.fromkeys(("database", "schema", "broker", "worker"), "failed")


def test_a_web_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    wrong = {"DATABASE_URL": "mysql://a@b/c"}
    with Fleet(log_dir=tmp_path, environment=wrong) as fleet, pytest.raises(ProcessError, match="DATABASE_URL is not"):
        fleet.web()


def test_a_taken_port_is_an_error(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        Fleet(log_dir=tmp_path) as fleet,
        pytest.raises(OSError, match="in use"),
    ):
        fleet.web(port=other.getsockname()[1])
