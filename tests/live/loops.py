"""The service's ASGI application in an event loop of this process, so that a test can set its times and its limits."""

import asyncio
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Self

from config.answering import Answering
from jackpot.http.streaming import Streams
from tests.live.followers import SECONDS, STREAM

Message = dict[str, Any]


class Served:
    """The application in a thread of its own, until the block is left."""

    def __init__(self, *, most: int = 100, signs: int = 100) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._application = Streams(Answering(), most=most, signs=signs)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()

    def get(self, key: str, *, path: str = STREAM, method: str = "GET", after: str = "", seen: str = "") -> "Call":
        """`seen`: the address that a proxy in front saw."""
        headers = {
            "host": "localhost", "authorization": f"Bearer {key}", "last-event-id": after, "x-forwarded-for": seen,
        }  # fmt: skip
        scope = {
            "type": "http", "method": method, "path": path, "query_string": b"", "http_version": "1.1",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value],
        }  # fmt: skip
        call = Call(self._loop)
        asyncio.run_coroutine_threadsafe(call.run(self._application, scope), self._loop)
        return call

    async def _end(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Call:
    """A request and what is answered to it. A client that is `held` takes nothing until it is let go on."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.over = False
        self._loop = loop
        self._taking, self._left, self._asked = asyncio.Event(), asyncio.Event(), False
        self._taking.set()

    async def run(self, application: Any, scope: Message) -> None:
        await application(scope, self._receive, self._send)
        self.over = True

    def hold(self) -> None:
        self._loop.call_soon_threadsafe(self._taking.clear)

    def go_on(self) -> None:
        self._loop.call_soon_threadsafe(self._taking.set)

    def leave(self) -> None:
        self._loop.call_soon_threadsafe(self._left.set)

    def wait(self, happened: Callable[[Self], Any], what: str) -> None:
        deadline = time.monotonic() + SECONDS
        while not happened(self):
            assert time.monotonic() < deadline, f"{what}: not in time: {self.status} {self.body[-500:]!r}"
            time.sleep(0.01)

    def wait_for(self, text: bytes, times: int = 1) -> Self:
        self.wait(lambda me: me.body.count(text) >= times, f"{times} × {text!r}")
        return self

    def ids(self) -> list[str]:
        """The ids of the hits and resets that were told, as they came."""
        lines = self.body.decode().split("\n")
        return [line.removeprefix("id: ") for line, name in pairwise(lines) if name in ("event: hit", "event: reset")]

    async def _receive(self) -> Message:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            await self._taking.wait()
            self.body += message.get("body", b"")
