"""The keeper: the one process of a data directory that owns its embedded servers.

A lease is a connection to the keeper's socket, so it ends with its holder, however that dies. The keeper starts
a server at the first lease on it, and when no lease has been held for a while stops the servers and ends.
It is started by `leases` with the data directory's lock, which it holds for life; its servers die with it.

Run as `python -S -m embedded.keeper DATA_DIR LOCK_FD LINGER_SECONDS NAME=FOLDER...`: standard library only.
"""

import json
import logging
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from . import broker, places, postgres
from .servers import EmbeddedError, Server

_REQUEST_SECONDS = 5.0
_STARTERS: Mapping[str, Callable[[places.Places, Path], Server]] = {"postgres": postgres.start, "broker": broker.start}
_log = logging.getLogger("keeper")


class Keeper:
    """Servers, leases and the loop that minds both. Single-threaded: the servers die with the thread that forked."""

    def __init__(self, where: places.Places, folders: Mapping[str, Path], linger: float) -> None:
        self._linger = linger
        self._where = where
        self._folders = folders
        self._servers: dict[str, Server] = {}
        self._events = selectors.DefaultSelector()
        self._leases: set[socket.socket] = set()
        self._idle_since = time.monotonic()
        self._asked_to_stop = False

    def run(self) -> int:
        """Serve leases until none is left or a server ends by itself. The exit code."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)
        self._where.keeper_socket.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self._where.keeper_socket))
        listener.listen(128)
        self._events.register(listener, selectors.EVENT_READ)
        try:
            while not self._should_end():
                for key, _ in self._events.select(timeout=0.25):
                    if key.fileobj is listener:
                        self._admit(listener.accept()[0])
                    else:
                        self._dismiss(key.fileobj)  # type: ignore[arg-type]
            return 0 if all(server.running for server in self._servers.values()) else 1
        finally:
            listener.close()
            self._where.keeper_socket.unlink(missing_ok=True)
            for lease in self._leases:
                lease.close()
            for name, server in self._servers.items():
                server.stop()
                _log.info("%s stopped", name)

    def _ask_to_stop(self, *_: object) -> None:
        self._asked_to_stop = True

    def _should_end(self) -> bool:
        dead = [name for name, server in self._servers.items() if not server.running]
        if dead:
            _log.error("%s ended by itself", ", ".join(dead))
        if self._leases:
            self._idle_since = time.monotonic()
        idle = time.monotonic() - self._idle_since > self._linger
        return self._asked_to_stop or idle or bool(dead)

    def _admit(self, lease: socket.socket) -> None:
        """Read which server is wanted, see that it runs, answer, and keep the connection as the lease."""
        lease.settimeout(_REQUEST_SECONDS)
        try:
            name = lease.recv(64).decode().strip()
            problem = self._see_that_it_runs(name)
            lease.sendall(json.dumps({"problem": problem}).encode() + b"\n")
        except OSError as error:
            _log.info("a lease was given up before it began: %s", error)
            lease.close()
            return
        if problem:
            lease.close()
            return
        self._leases.add(lease)
        self._events.register(lease, selectors.EVENT_READ)

    def _dismiss(self, lease: socket.socket) -> None:
        self._events.unregister(lease)
        self._leases.discard(lease)
        lease.close()
        self._idle_since = time.monotonic()

    def _see_that_it_runs(self, name: str) -> str | None:
        """None, or why it does not."""
        if name not in self._folders:
            return f"there is no server called {name!r}"
        if name in self._servers:
            return None
        began = time.monotonic()
        try:
            self._servers[name] = _STARTERS[name](self._where, self._folders[name])
        except (EmbeddedError, OSError) as error:
            _log.exception("%s did not start", name)
            return str(error)
        _log.info("%s ready after %.2f s", name, time.monotonic() - began)
        return None


def main(arguments: Sequence[str]) -> int:
    data_dir, lock, linger, *folders = arguments
    os.set_inheritable(int(lock), False)  # its servers must not hold the lock beyond its life
    os.setsid()
    os.umask(0o077)
    where = places.of(Path(data_dir))
    where.make()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(process)d %(levelname)s %(message)s")
    pairs = (folder.split("=", 1) for folder in folders)
    return Keeper(where, {name: Path(folder) for name, folder in pairs}, float(linger)).run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
