"""`manage.py serve`: the whole service, up with one command and gone with it."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from tests.holders import ask, eventually, nothing_is_left

ROOT = Path(__file__).resolve().parents[2]


class Served:
    """A `manage.py serve` on a free port. `environment`: of it, and of commands beside it."""

    def __init__(self, data: Path, **environment: str) -> None:
        self._data = data
        self.environment = {"PATH": os.environ["PATH"], "JACKPOT_DATA": str(data), **environment}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", "0"],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def wait_until_ready(self) -> str:
        """Its address."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if line.startswith("ready"):
                break
        found = re.search(r"^console +(http://\S+)/admin/$", self.said, re.MULTILINE)
        assert found, self.said
        return found[1]

    def processes(self) -> dict[str, list[int]]:
        """Ids of all its processes by what they are, found by the data directory in their environment."""
        found: dict[str, list[int]] = {"gunicorn": [], "worker": [], "beat": []}
        for entry in Path("/proc").iterdir():
            try:
                if os.fsencode(f"JACKPOT_DATA={self._data}") in (entry / "environ").read_bytes().split(b"\0"):
                    words = (entry / "cmdline").read_bytes().decode().split("\0")
                    for kind in found.keys() & set(words):
                        found[kind].append(int(entry.name))
            except OSError:
                continue
        return found

    def is_gone(self) -> bool:
        return not any(self.processes().values()) and nothing_is_left(self._data)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture
def served(data: Path) -> Iterator[Served]:
    with Served(data) as service:
        yield service
    assert eventually(service.is_gone)


def test_everything_is_ready_until_interrupted(served: Served) -> None:
    address = served.wait_until_ready()
    with urllib.request.urlopen(f"{address}/readyz") as page:  # noqa: S310
        checks = json.load(page)["checks"]
    assert checks == dict.fromkeys(("database", "schema", "broker", "worker"), "ok")
    sessions = "SELECT string_agg(DISTINCT usename, ',') FROM pg_stat_activity WHERE application_name LIKE 'jackpot%'"
    assert ask(served._data, sessions) == "jackpot_app"
    login = re.search(r"^login +admin +(\S+)", served.said, re.MULTILINE)
    assert login, served.said
    remembered = served._data / "first-login"
    assert remembered.read_text().strip() == login[1]
    assert remembered.stat().st_mode & 0o077 == 0
    served.process.send_signal(signal.SIGINT)
    said, _ = served.process.communicate(timeout=30)
    assert served.process.returncode == 0, said
    assert "Traceback" not in said
    assert not any(served.processes().values()), "serve leaves before its processes do"


def test_killed_it_leaves_nothing(served: Served) -> None:
    served.wait_until_ready()
    assert all(served.processes().values())
    served.process.kill()
    assert eventually(served.is_gone)


def test_a_process_that_dies_ends_the_service_with_an_error(served: Served) -> None:
    served.wait_until_ready()
    os.kill(min(served.processes()["worker"]), signal.SIGKILL)
    said, _ = served.process.communicate(timeout=30)
    assert served.process.returncode == 1
    assert "worker ended with code -9" in said
