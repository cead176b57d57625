"""What is answered before Django reads a request: its ASGI handler would first take in the whole body, however long.

Requests that this refuses cost no disk and no thread. Behind WSGI the parser of the API refuses the same.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings
from django.http import HttpResponse

from jackpot.domain.errors import Refused, refuse
from jackpot.http import problems

_LONGEST = 18  # digits of a Content-Length that are worth reading

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class Edge:
    """An ASGI application in front of another one."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        if scope["type"] == "http":
            if refused := _unreadable(dict(scope["headers"])):
                await _answer(problems.response(refused, scope["path"]), send)
                return
            if scope["method"] == "HEAD":
                send = _without_body(send)
        await self._application(scope, receive, send)


def _unreadable(headers: dict[bytes, bytes]) -> Refused | None:
    length = headers.get(b"content-length")
    if length is None:
        chunked = b"transfer-encoding" in headers
        return refuse("malformed", "send the body with a Content-Length, not in chunks") if chunked else None
    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if not length.isdigit():
        return refuse("malformed", "Content-Length is no number")
    if len(length) > _LONGEST or int(length) > limit:
        return refuse("body_too_large", f"the body is larger than {limit} bytes")
    return None


async def _answer(answer: HttpResponse, send: Send) -> None:
    """The whole answer; the connection ends with it, since the body that follows is not read."""
    answer["Connection"] = "close"
    answer["Content-Length"] = str(len(answer.content))
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.items()]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})


def _without_body(send: Send) -> Send:
    async def send_head(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return send_head
