"""Requests behind ASGI: each crosses to a thread once, none waits for another, and what was opened for it is closed."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core import signals
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.answering import Answering

Message = dict[str, Any]
TOGETHER = 20
SECONDS = 30
STYLE = "jackpot/console.css"
met = threading.Barrier(TOGETHER)


def meeting(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that lets nobody on until all are there."""

    def wait(request: HttpRequest) -> HttpResponseBase:
        met.wait(SECONDS)
        return get_response(request)

    return wait


async def get(application: Answering, path: str, *, leaves: bool = False) -> list[Message]:
    """What is answered; to a client that `leaves` before all that it wanted to send was there."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"} if leaves else {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [(b"host", b"localhost")]}
    await application(scope, receive, send)
    return sent


@pytest.fixture
def crossings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Threads that are gone to from an event loop, one name for each time."""
    gone: list[str] = []
    into = asyncio.BaseEventLoop.run_in_executor

    def count(loop: Any, executor: Any, work: Any, *args: Any) -> Any:
        gone.append(str(executor))
        return into(loop, executor, work, *args)

    monkeypatch.setattr(asyncio.BaseEventLoop, "run_in_executor", count)
    return gone


def test_a_call_goes_to_a_thread_once(crossings: list[str]) -> None:
    began: list[int] = []
    ended: list[int] = []

    def begin(**_: object) -> None:
        began.append(threading.get_ident())

    def end(**_: object) -> None:
        ended.append(threading.get_ident())

    signals.request_started.connect(begin)
    signals.request_finished.connect(end)
    try:
        start, body = asyncio.run(get(Answering(), "/livez"))
    finally:
        signals.request_started.disconnect(begin)
        signals.request_finished.disconnect(end)
    assert (start["status"], body["body"]) == (200, b'{"status": "ok"}')
    assert len(crossings) == 1
    assert began == ended != [threading.get_ident()]


def test_nobody_waits_for_another(settings: Any) -> None:
    settings.MIDDLEWARE = [f"{__name__}.meeting"]

    async def together() -> list[list[Message]]:
        application = Answering()
        return await asyncio.gather(*(get(application, "/livez") for _ in range(TOGETHER)))

    assert [start["status"] for start, _ in asyncio.run(together())] == [200] * TOGETHER


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume synchronous iterators")
def test_a_file_is_sent_whole_and_closed() -> None:
    path = finders.find(STYLE)
    assert path is not None
    start, *parts = asyncio.run(get(Answering(), f"/static/{STYLE}"))
    assert start["status"] == 200
    assert b"".join(part.get("body", b"") for part in parts) == Path(path).read_bytes()
    assert path not in {str(one.resolve()) for one in Path("/proc/self/fd").iterdir()}


def test_who_leaves_early_is_not_answered(crossings: list[str]) -> None:
    assert asyncio.run(get(Answering(), "/livez", leaves=True)) == []
    assert crossings == []


def test_only_http_is_served() -> None:
    with pytest.raises(ValueError, match="lifespan"):
        asyncio.run(Answering()({"type": "lifespan"}, None, None))  # type: ignore[arg-type] # it asks for neither
