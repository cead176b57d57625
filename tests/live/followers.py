"""Clients of a jackpot's stream: one in a thread that keeps all it is told, and very many in one event loop."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

SECONDS = 20.0
STREAM = "/api/v1/jackpots/MAIN/stream/"


@dataclass(frozen=True)
class Event:
    """An event as it came, and when."""

    name: str
    id: str | None
    data: dict[str, Any]
    at: float = field(compare=False)


class Follower:
    """Reads a stream until it ends or is left. `comments` are heartbeats."""

    def __init__(self, address: str, key: str, *, after: str | None = None, path: str = STREAM) -> None:
        self.events: list[Event] = []
        self.comments: list[str] = []
        self.ended = threading.Event()
        self._told = threading.Condition()
        web = http.client.HTTPConnection(urlsplit(address).netloc, timeout=SECONDS + 20)
        headers = {"Authorization": f"Bearer {key}", "Accept": "text/event-stream"}
        web.request("GET", path, headers=headers | ({"Last-Event-ID": after} if after else {}))
        self._socket = web.sock
        self.answer = web.getresponse()
        assert self.answer.status == 200, self.answer.read()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Cut the connection, as a client does that goes away."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(SECONDS)

    def named(self, *names: str) -> list[Event]:
        return [event for event in list(self.events) if event.name in names]

    def wait(self, happened: Callable[[Self], Any], what: str = "", seconds: float = SECONDS) -> Any:
        """What `happened` says of this follower once it is true."""
        deadline = time.monotonic() + seconds
        with self._told:
            while not (found := happened(self)):
                left = deadline - time.monotonic()
                assert left > 0, f"{what}: not within {seconds:.0f} s; told so far: {self.events}"
                self._told.wait(left)
        return found

    def wait_for(self, name: str, count: int = 1) -> Event:
        """The `count`th event of a name."""
        found: list[Event] = self.wait(lambda me: len(me.named(name)) >= count and me.named(name), f"{count} {name}")
        return found[count - 1]

    def wait_for_meter(self, displayed: str) -> Event:
        found: list[Event] = self.wait(
            lambda me: [event for event in me.named("meter") if event.data["displayed"] == displayed], displayed
        )
        return found[0]

    def _read(self) -> None:
        lines: dict[str, str] = {}
        try:
            for raw in self.answer:
                line = raw.decode().rstrip("\n")
                name, _, value = line.partition(": ")
                if line.startswith(":"):
                    self._tell(lambda line=line: self.comments.append(line))  # type: ignore[misc]
                elif line:
                    lines[name] = value
                elif "data" in lines:
                    event = Event(lines["event"], lines.get("id"), json.loads(lines["data"]), time.monotonic())
                    self._tell(lambda event=event: self.events.append(event))  # type: ignore[misc]
                    lines = {}
        except (OSError, http.client.HTTPException, ValueError):
            return
        finally:
            self._tell(self.ended.set)

    def _tell(self, note: Callable[[], object]) -> None:
        with self._told:
            note()
            self._told.notify_all()
