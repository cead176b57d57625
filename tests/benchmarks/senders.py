"""Clients of the service: threads of this process that mostly wait. What they send is bytes before the clock runs, and
of an answer they read no more than its status.
"""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from tests.benchmarks import world
from tests.benchmarks.world import Dealer

CLIENTS = 8
_SEED = 100
_APART = timedelta(milliseconds=100)
"""Between two rounds of the house: a table of 32 ends one every 3.2 seconds."""
_SECONDS = 60


class Client:
    """One kept connection, with a key."""

    def __init__(self, address: str, key: str) -> None:
        self._web = http.client.HTTPConnection(urlsplit(address).netloc, timeout=_SECONDS)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def call(self, method: str, path: str, body: bytes | None = None) -> bytes:
        """The answer to a call. Raises RuntimeError where it is refused."""
        self._web.request(method, f"/api/v1{path}", body, self._headers)
        answer = self._web.getresponse()
        content = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:500]!r}")
        return content

    def send(self, path: str, body: Any, *, method: str = "POST") -> Any:
        """The document that answers this one."""
        return json.loads(self.call(method, path, json.dumps(body).encode()))

    def leave(self) -> None:
        self._web.close()


@contextmanager
def arrived(addresses: Sequence[str], key: str) -> Iterator[list[Client]]:
    """Clients, as many at each of these addresses, to all of whom something was answered."""
    clients = [Client(addresses[number % len(addresses)], key) for number in range(CLIENTS)]
    try:
        for client in clients:
            client.call("GET", "/tables/")
        yield clients
    finally:
        for client in clients:
            client.leave()


def together(clients: Sequence[Client], work: Callable[[Client], None]) -> None:
    """The same work by all clients at the same time, until it is done. Raises what one of them raised."""
    with ThreadPoolExecutor(len(clients)) as threads:
        list(threads.map(work, clients))


class Systems:
    """Table systems that have some of these tables each, and send in turn: no two calls at the same time are about the
    same table. They never run out of rounds.
    """

    def __init__(self, tables: Sequence[str]) -> None:
        dealers = (
            Dealer(_SEED + place, tables[place::CLIENTS], apart=_APART * CLIENTS)
            for place in range(min(CLIENTS, len(tables)))
        )
        self._turns = cycle(list(dealers))
        self._one_deals = Lock()

    def batch(self, size: int = world.BATCH) -> bytes:
        """The next call, with so many rounds."""
        with self._one_deals:
            return json.dumps({"rounds": list(next(self._turns).rounds(size))}).encode()


def batches(rounds: int, tables: Sequence[str]) -> list[bytes]:
    """Calls of a batch each with so many rounds together, as such systems send them."""
    systems = Systems(tables)
    return [systems.batch(min(world.BATCH, rounds - sent)) for sent in range(0, rounds, world.BATCH)]


def send_all(clients: Sequence[Client], bodies: Sequence[bytes]) -> None:
    """Batches in order, each by the next client that has its answer."""
    left = iter(bodies)  # one for all: a list's is safe between threads

    def send(client: Client) -> None:
        for body in left:
            client.call("POST", "/rounds/batch/", body)

    together(clients, send)


@dataclass(frozen=True, slots=True)
class Call:
    """When a call was due and when it was answered, by `time.monotonic`."""

    due: float
    answered: float


def paced(clients: Sequence[Client], calls: Sequence[tuple[str, bytes]], *, a_second: float) -> list[Call]:
    """POST to these paths with these bodies, so many a second whatever the answers take. A call that could not be sent
    in time, because all clients waited for answers, was due all the same.
    """
    answers: list[Call | None] = [None] * len(calls)
    left = iter(range(len(calls)))
    began = time.monotonic()

    def send(client: Client) -> None:
        for place in left:
            due = began + place / a_second
            time.sleep(max(0.0, due - time.monotonic()))
            path, body = calls[place]
            client.call("POST", path, body)
            answers[place] = Call(due, time.monotonic())

    together(clients, send)
    return [call for call in answers if call is not None]
