"""kill -9 of a command, of the keeper, of a server: nothing is left behind, nothing committed is lost."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import leases, places
from config.embedded.servers import processes_in
from tests.holders import Holder, ask, eventually, nothing_is_left


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(leases, "LINGER_SECONDS", 0.3)
    yield tmp_path / "data"
    assert eventually(lambda: nothing_is_left(tmp_path / "data"))


def start_again(data: Path) -> None:
    """The next command finds what was committed."""
    with Holder(data) as holder:
        holder.wait_until_held()
        assert ask(data, "SELECT answer FROM kept") == 42


def test_a_killed_command_leaves_nothing(data: Path) -> None:
    with Holder(data) as holder:
        holder.wait_until_held()
        ask(data, "CREATE TABLE kept AS SELECT 42 AS answer")
        holder.kill()
    assert eventually(lambda: nothing_is_left(data), seconds=10)
    start_again(data)


def test_a_command_killed_in_its_first_start_leaves_nothing(data: Path) -> None:
    with Holder(data) as holder:
        assert eventually(lambda: bool(processes_in(data / "postgres.new")), seconds=10)
        holder.kill()
    assert eventually(lambda: nothing_is_left(data), seconds=10)
    with Holder(data) as holder:
        holder.wait_until_held()
        assert ask(data, "SELECT 1") == 1


def test_a_killed_keeper_takes_its_servers_along(data: Path) -> None:
    with Holder(data) as holder:
        keeper = holder.wait_until_held()["keeper"]
        ask(data, "CREATE TABLE kept AS SELECT 42 AS answer")
        os.kill(keeper, signal.SIGKILL)
        assert eventually(lambda: nothing_is_left(data), seconds=10)
        start_again(data)


def test_a_keeper_killed_in_its_first_start_does_not_spoil_the_next(data: Path) -> None:
    with Holder(data) as holder:
        assert eventually(lambda: bool(processes_in(data / "postgres.new")), seconds=10)
        keepers = [int(line) for line in _keepers_of(data)]
        for keeper in keepers:
            os.kill(keeper, signal.SIGKILL)
        assert len(keepers) == 1
        assert holder.wait_until_held()["keeper"] not in keepers
        assert ask(data, "SELECT 1") == 1


@pytest.mark.parametrize("victim", ["postgres", "broker"])
def test_a_killed_server_is_back_for_the_next_connection(data: Path, victim: str) -> None:
    lease = leases.take(data, "postgres"), leases.take(data, "broker")
    try:
        leases.hold(data, victim)
        ask(data, "CREATE TABLE kept AS SELECT 42 AS answer")
        pid = _server_pid(data, victim)
        os.kill(pid, signal.SIGKILL)
        assert eventually(lambda: leases.lost(data, victim), seconds=10)
        leases.hold(data, victim)
        assert _server_pid(data, victim) != pid
        leases.hold(data, "postgres")
        assert ask(data, "SELECT answer FROM kept") == 42
    finally:
        for held in lease:
            held.close()
        leases.release(data)


def _server_pid(data: Path, name: str) -> int:
    if name == "postgres":
        return int((data / "postgres" / "postmaster.pid").read_text().split()[0])
    return processes_in(data / "broker")[0]


def _keepers_of(data: Path) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"embedded.keeper" in words and os.fsencode(places.of(data).data) in words:
            found.append(entry.name)
    return found
