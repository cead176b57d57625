"""Very many clients of one stream, in one event loop of one thread: they connect, read and count."""

import asyncio
import resource
import threading
import time
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import urlsplit

from tests.live.followers import SECONDS, STREAM

AT_ONCE = 64


class Crowd:
    """Clients that hold their streams until the block is left. `told` counts how many were told each event."""

    def __init__(self, address: str, key: str) -> None:
        self.told: dict[str, int] = {}
        self._host = urlsplit(address)
        self._request = (
            f"GET {STREAM} HTTP/1.1\r\nHost: {self._host.netloc}\r\nAuthorization: Bearer {key}\r\n"
            "Accept: text/event-stream\r\n\r\n"
        ).encode()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._readers: list[asyncio.Task[None]] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._leave(), self._loop).result(SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()

    def arrive(self, count: int) -> None:
        """So many more clients; returns once each has been told the meter."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * count + 256)), hard))
        before = self.told.get("meter", 0)
        asyncio.run_coroutine_threadsafe(self._arrive(count), self._loop).result(60)
        self.wait(lambda: self.told.get("meter", 0) >= before + count, f"{count} clients told the meter")

    def wait(self, happened: Callable[[], Any], what: str) -> None:
        deadline = time.monotonic() + SECONDS
        while not happened():
            assert time.monotonic() < deadline, f"{what}: not in time; told: {self.told}"
            time.sleep(0.02)

    async def _arrive(self, count: int) -> None:
        room = asyncio.Semaphore(AT_ONCE)

        async def connect() -> None:
            async with room:
                reader, writer = await asyncio.open_connection(self._host.hostname, self._host.port)
                writer.write(self._request)
                status = await reader.readline()
                assert b" 200 " in status, status
                self._readers.append(asyncio.create_task(self._read(reader, writer)))

        await asyncio.gather(*(connect() for _ in range(count)))

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    name = line.decode().removeprefix("event: ").strip()
                    self.told[name] = self.told.get(name, 0) + 1
        finally:
            writer.close()

    async def _leave(self) -> None:
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
