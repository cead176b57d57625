"""What the two embedded servers have in common: start, become ready, stop, leave no one behind."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

START_SECONDS = 60.0
_LOG_LIMIT = 5_000_000
_KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR")


class EmbeddedError(RuntimeError):
    """An embedded server could not be started; the message ends with its log's last lines."""


def environment() -> dict[str, str]:
    """A server's environment: nothing of PG*, locale or secrets that the command happened to have."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {"PATH": os.defpath, **kept, "LC_ALL": "C.UTF-8", "TZ": "UTC"}


class Server:
    """One running server process and how to end it. Its home folder is its working directory while it runs."""

    def __init__(self, name: str, *, log: Path, stop_signals: Mapping[signal.Signals, float]) -> None:
        self.name = name
        self.log = log
        self._stop_signals = stop_signals
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, command: list[str], *, ready: Callable[[], bool]) -> None:
        """Start and wait until `ready()`. Raises EmbeddedError if it ends or is not ready in time."""
        with open_log(self.log) as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(), cwd="/"
            )
        try:
            self._wait_until(ready, self._process)
        except BaseException:
            self.stop()
            raise

    def _wait_until(self, ready: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not ready():
            if process.poll() is not None:
                raise EmbeddedError(f"{self.name} ended with code {process.returncode}\n{tail(self.log)}")
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{self.name} was not ready after {START_SECONDS:.0f} s\n{tail(self.log)}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End it: each signal in turn, with so many seconds to obey; at last SIGKILL."""
        if self._process is None or self._process.poll() is not None:
            return
        for number, seconds in self._stop_signals.items():
            self._process.send_signal(number)
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return
        self._process.kill()
        self._process.wait()


def wait_until_unused(folder: Path, *, seconds: float = 30.0) -> None:
    """Wait for the processes of a former server of this folder, which end by themselves when their keeper died.

    Raises EmbeddedError if one is still there after so many seconds.
    """
    deadline = time.monotonic() + seconds
    while users := processes_in(folder):
        if time.monotonic() > deadline:
            raise EmbeddedError(f"{folder} is still used by process {', '.join(map(str, users))}")
        time.sleep(0.05)


def processes_in(folder: Path) -> list[int]:
    """Ids of the processes whose working directory is this folder: a process id alone may have been reused."""
    try:
        wanted = folder.stat()
    except FileNotFoundError:
        return []
    entries = Path("/proc").iterdir()
    return [int(entry.name) for entry in entries if entry.name.isdecimal() and _works_in(entry, wanted)]


def _works_in(process: Path, wanted: os.stat_result) -> bool:
    try:
        return os.path.samestat((process / "cwd").stat(), wanted)
    except OSError:
        return False


def open_log(path: Path) -> BinaryIO:
    """The log, to append to; a large one is put aside first, once."""
    if path.exists() and path.stat().st_size > _LOG_LIMIT:
        path.replace(path.with_suffix(path.suffix + ".old"))
    return path.open("ab")


def tail(path: Path, lines: int = 20) -> str:
    """The last lines of a log, or a note that there is none."""
    try:
        text = path.read_text(errors="replace").splitlines()[-lines:]
    except OSError as error:
        return f"(no log: {error})"
    return "\n".join([f"last lines of {path}:", *text])
