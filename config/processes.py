"""The service's processes as children of this one: web, workers, beat. They end when this process does.

    with processes.Fleet(log_dir=folder) as fleet:
        address = fleet.web()
        fleet.worker()
        fleet.wait_until_ready()

Start them from the main thread: the kernel ends them with the thread that started them.
"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import urlsplit

from config import env
from config.embedded import launch, servers

Kind = Literal["web", "beat", "worker"]

_ROOT = Path(__file__).resolve().parent.parent
# In this order: first no new requests, then no new wake-ups, then the workers finish what they have.
_STOP_ORDER: tuple[Kind, ...] = ("web", "beat", "worker")
_STOP_SECONDS = 15.0
_START_SECONDS = 60.0
_LOOPBACK = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}  # noqa: S104
_STREAM_SECONDS = 3  # how long open streams may hold up a stop
_KEEP_ALIVE_SECONDS = 75  # longer than clients keep what is idle: none is closed while its next call is on the way
_LONGEST_REQUEST_LINE = 8190  # bytes, gunicorn's most: every filter at once fits, in any script
_WEB_ENVIRONMENT = {"DATABASE_POOL": "8", "DATABASE_STATEMENT_TIMEOUT": "30000"}


class ProcessError(RuntimeError):
    """A process did not start, or ended by itself; the message says which, and its log's last lines."""


class Child:
    """One started process. `pid` is that of the gunicorn, Celery worker or beat itself."""

    def __init__(self, kind: Kind, name: str, process: subprocess.Popen[bytes], log: Path | None) -> None:
        self.kind = kind
        self.name = name
        self.log = log
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative: the signal that ended it."""
        return self._process.poll()

    def ask_to_stop(self) -> None:
        if self.exit_code is None:
            self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL to it alone, as a crash would; its own children notice and end."""
        self._process.kill()
        self._process.wait()

    def await_stop(self, deadline: float) -> None:
        """Wait until it ended; after the deadline kill it with all it started."""
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()

    def describe_end(self) -> str:
        end = f"{self.name} ended with code {self.exit_code}"
        return f"{end}\n{servers.tail(self.log)}" if self.log else end


class Fleet:
    """Starts processes and stops them on leaving the `with` block.

    `log_dir`: one log file for each process there; None lets them write to this process's output.
    `environment`: variables on top of this process's own, for all of them.
    """

    def __init__(self, *, log_dir: Path | None = None, environment: Mapping[str, str] | None = None) -> None:
        self.children: list[Child] = []
        self.address = ""
        self._log_dir = log_dir
        self._environment = {**os.environ, **(environment or {})}
        self._environment.pop("DATABASE_OWNER_URL", None)  # who owns the schema only migrates it

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def web(self, *, host: str = "127.0.0.1", port: int = 0, processes: int = 1) -> str:
        """Serve on host:port (0: a free one) and return the address, "http://127.0.0.1:8000", once it answers.

        Raises OSError if the port is taken, ProcessError if the web server does not start.
        """
        with socket.create_server((host, port), backlog=2048) as listener:
            port = listener.getsockname()[1]
            command = [
                *(sys.executable, "-m", "gunicorn", "config.asgi:application", "--worker-class", "asgi"),
                *("--workers", str(processes), "--bind", f"fd://{listener.fileno()}"),
                *("--graceful-timeout", str(_STREAM_SECONDS), "--no-control-socket", "--log-level", "warning"),
                *("--limit-request-line", str(_LONGEST_REQUEST_LINE), "--keep-alive", str(_KEEP_ALIVE_SECONDS)),
            ]
            environment = {**_WEB_ENVIRONMENT, **self._environment}
            child = self._start("web", "web", command, environment, keep=[listener.fileno()])
        self.address = f"http://{_LOOPBACK.get(host, host)}:{port}"
        self._wait_for_page("/livez", child)
        return self.address

    def worker(self, *, name: str = "worker", concurrency: int = 1, pool: str = "prefork") -> Child:
        """Start a Celery worker that settles; it returns at once, `wait_until_ready` waits for it."""
        return self._worker(name, concurrency, pool)

    def webhooks(self, *, name: str = "webhooks", threads: int = 4) -> Child:
        """Start a Celery worker that sends webhooks and does nothing else, so many at the same time."""
        queue = f"{self._environment.get('QUEUE', env.QUEUE)}-webhooks"
        return self._worker(name, threads, "threads", "--queues", queue)

    def _worker(self, name: str, concurrency: int, pool: str, *options: str) -> Child:
        command = [
            *self._celery("worker"),
            *("--pool", pool, "--concurrency", str(concurrency), "--hostname", f"{name}-{os.getpid()}@%h"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            *options,
        ]
        return self._start("worker", name, command, self._environment)

    def beat(self) -> Child:
        """Start Celery's clock. One is enough for the whole service; two do no harm."""
        return self._start("beat", "beat", [*self._celery("beat"), "--pidfile="], self._environment)

    def wait_until_ready(self) -> None:
        """Wait until `/readyz` of the web process says 200. Raises ProcessError after a minute."""
        self._wait_for_page("/readyz", *self.children)

    def wait(self) -> Child:
        """Wait until some child ends by itself, and return it."""
        while True:
            for child in self.children:
                if child.exit_code is not None:
                    return child
            time.sleep(0.2)

    def stop(self) -> None:
        """Stop all, kind by kind: ask, wait, at last kill."""
        for kind in _STOP_ORDER:
            stopping = [child for child in self.children if child.kind == kind]
            for child in stopping:
                child.ask_to_stop()
            deadline = time.monotonic() + _STOP_SECONDS
            for child in stopping:
                child.await_stop(deadline)

    @staticmethod
    def _celery(role: Kind) -> Sequence[str]:
        """Quiet: no banner, and no word about root, which is a container's usual user; only JSON is read anyway."""
        python = (sys.executable, "-W", "ignore:You're running the worker with superuser privileges")
        return *python, "-m", "celery", "--quiet", "--app", "config", role, "--loglevel", "WARNING"

    def _start(
        self, kind: Kind, name: str, command: Sequence[str], environment: Mapping[str, str], keep: Sequence[int] = ()
    ) -> Child:
        with ExitStack() as stack:
            log = output = None
            if self._log_dir is not None:
                self._log_dir.mkdir(parents=True, exist_ok=True)
                log = self._log_dir / f"{name}.log"
                output = stack.enter_context(servers.open_log(log))
            process = subprocess.Popen(
                launch.wrap(command, death_signal=signal.SIGTERM if kind == "beat" else signal.SIGQUIT),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                cwd=_ROOT,
                pass_fds=keep,
            )
        child = Child(kind, name, process, log)
        self.children.append(child)
        return child

    def _wait_for_page(self, path: str, *needed: Child) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while (status := _status(self.address, path)) != 200:
            for child in needed:
                if child.exit_code is not None:
                    raise ProcessError(child.describe_end())
            if time.monotonic() > deadline:
                logs = "\n".join(servers.tail(child.log) for child in needed if child.log)
                raise ProcessError(f"{path} still says {status} after {_START_SECONDS:.0f} s\n{logs}")
            time.sleep(0.05)


def _status(address: str, path: str) -> int | str:
    """The page's status, or why there is none."""
    parts = urlsplit(address)
    web = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    try:
        web.request("GET", path)
        return web.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return str(error)
    finally:
        web.close()
