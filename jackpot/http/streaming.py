"""Streams that outlive Django's answer: thousands of idle ones cost neither a thread nor a database connection.

A view checks the call like any other and leaves, with `begin`, what is to be streamed. Once Django is done with the
request, its thread and its connection included, `Streams` goes on where the answer's head ended.
"""

import asyncio
import signal
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any, Protocol

from django.http import HttpRequest

from jackpot.domain.callers import Caller, Scope
from jackpot.domain.errors import refuse
from jackpot.http.event_stream import RETRY
from jackpot.http.keys import still_calling
from jackpot.live.asking import Asking
from jackpot.live.following import Following, Told
from jackpot.live.hub import Hub
from jackpot.selectors.live import Place

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

WRITE_SECONDS = 60.0
"""A client that takes nothing for so long is let go."""

CALLERS_SECONDS = 30.0
"""How often it is asked whether those who hold streams may still call."""

_KEY = "jackpot.streams"


class Wire(Protocol):
    """How news go over the wire to one kind of follower."""

    def tell(self, told: Told) -> bytes:
        """A piece of news, written; nothing where this kind is not told it."""

    def still_here(self) -> bytes:
        """What is written where there was nothing to tell for `seconds`."""

    @property
    def seconds(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """A jackpot to be followed, from a place on: by a caller, who may lose the right to, or by an address."""

    code: str
    after: Place | None
    holder: Caller | str
    wire: Wire


class _Places:
    """How many streams are open, together and for each holder: no one may hold more than half of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[Caller | str] = Counter()
        self._lock = threading.Lock()

    def take(self, holder: Caller | str) -> None:
        with self._lock:
            if self._held.total() >= self._most:
                raise refuse("busy", "this process holds as many streams as it may; try again later")
            if self._held[holder] >= (self._most + 1) // 2:
                raise refuse("busy", "this caller holds half of the streams of this process; let some of them go")
            self._held[holder] += 1

    def give_back(self, holder: Caller | str) -> None:
        with self._lock:
            self._held[holder] -= 1
            if not self._held[holder]:
                del self._held[holder]


class _Handover:
    """What a view leaves behind for after Django's answer. Used from Django's thread."""

    def __init__(self, *, callers: _Places, anybody: _Places) -> None:
        self.wanted: Wanted | None = None
        self._callers, self._anybody = callers, anybody

    def leave(self, wanted: Wanted) -> None:
        self._places(wanted).take(wanted.holder)
        self.wanted = wanted

    def give_back(self) -> None:
        if self.wanted is not None:
            self._places(self.wanted).give_back(self.wanted.holder)

    def _places(self, wanted: Wanted) -> _Places:
        return self._anybody if isinstance(wanted.holder, str) else self._callers


def begin(request: HttpRequest, wanted: Wanted) -> None:
    """Stream what is wanted once the answer to this request, 200 with the stream's headers, has gone out.

    Raises Refused (busy) where too many streams are open, and in a process that cannot stream.
    """
    handover = getattr(request, "scope", {}).get(_KEY)
    if handover is None:
        raise refuse("busy", "streams are served by the service's ASGI processes; this request came to another one")
    handover.leave(wanted)


class Streams:
    """An ASGI application around Django's, which holds the streams: at a time `most` of callers and, so that neither
    takes the other's places, `signs` of those that anybody may open.
    """

    def __init__(self, django: Application, *, most: int, signs: int) -> None:
        self._django = django
        self._callers, self._anybody = _Places(most), _Places(signs)
        self._hub = Hub()
        self._open: dict[Following, Caller] = {}
        self._watching: asyncio.Task[None] | None = None
        self._asking = Asking(1)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._django(scope, receive, send)
            return
        handover = _Handover(callers=self._callers, anybody=self._anybody)
        incoming, outgoing = _Incoming(receive), _Outgoing(send)
        try:
            await self._django({**scope, _KEY: handover}, incoming.receive, outgoing.sender(handover))
            if handover.wanted is not None and outgoing.headed:
                if scope["method"] != "HEAD":
                    await self._stream(handover.wanted, incoming, send)
                await send({"type": "http.response.body"})
        finally:
            incoming.close()
            handover.give_back()

    async def _stream(self, wanted: Wanted, incoming: "_Incoming", send: Send) -> None:
        """Until the client goes, may not listen any more or takes nothing, or the process is to stop."""
        self._watch()
        async with self._hub.follow(wanted.code, after=wanted.after) as following:
            if not isinstance(wanted.holder, str):
                self._open[following] = wanted.holder
            writing: asyncio.Future[Any] = asyncio.ensure_future(_write(following, wanted.wire, send))
            try:
                await asyncio.wait({writing, incoming.gone()}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._open.pop(following, None)
                writing.cancel()
                with suppress(asyncio.CancelledError, TimeoutError):
                    await writing

    def _watch(self) -> None:
        if self._watching is None:
            loop = asyncio.get_running_loop()
            self._watching = loop.create_task(self._end_of_callers())
            _on_sigterm(lambda: loop.call_soon_threadsafe(self._hub.end))

    async def _end_of_callers(self) -> None:
        """End the streams of keys that were revoked or have expired, and of people who left: one query for them all."""
        while True:
            await asyncio.sleep(CALLERS_SECONDS)
            asked = set(self._open.values())
            if asked:
                live = await self._asking.ask(still_calling, asked, Scope.JACKPOTS_READ)
                for following, caller in list(self._open.items()):
                    if caller in asked - live:
                        following.end()


class _Incoming:
    """What comes from the client: the request, and behind it that it has left."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self._gone: asyncio.Future[Any] | None = None

    def gone(self) -> "asyncio.Future[Any]":
        """Done once the client has left; the request must have been read."""
        if self._gone is None:
            self._gone = asyncio.ensure_future(self.receive())
        return self._gone

    def close(self) -> None:
        if self._gone is not None:
            self._gone.cancel()


class _Outgoing:
    """What Django answers. Of the answer that begins a stream only the head goes out."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.headed = False

    def sender(self, handover: _Handover) -> Send:
        async def send(message: Message) -> None:
            if handover.wanted is not None and message["type"] == "http.response.start" and message["status"] == 200:
                self.headed = True
                message["headers"] = [pair for pair in message["headers"] if pair[0].lower() != b"content-length"]
            elif self.headed:
                return
            await self._send(message)

        return send


async def _write(following: Following, wire: Wire, send: Send) -> None:
    await _chunk(send, RETRY)
    async for news in following.news(every=wire.seconds):
        await _chunk(send, b"".join(map(wire.tell, news)) or wire.still_here())


async def _chunk(send: Send, body: bytes) -> None:
    async with asyncio.timeout(WRITE_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": True})


def _on_sigterm(call: Callable[[], object]) -> None:
    """Call before whatever else handles SIGTERM. An event loop is told of signals beside Python's own handlers."""
    if threading.current_thread() is not threading.main_thread():
        return
    before = signal.getsignal(signal.SIGTERM)

    def handle(number: int, at: FrameType | None) -> None:
        call()
        if callable(before):
            before(number, at)

    signal.signal(signal.SIGTERM, handle)
