"""What is answered before Django reads a request: nothing of it is taken in."""

import asyncio
import json
from typing import Any

import pytest

from config.edge import Edge, Message

LIMIT = 32 * 1024 * 1024


def call(*headers: tuple[str, str], method: str = "POST", kind: str = "http") -> tuple[list[Message], list[str]]:
    """What is sent to the client, and what the application behind did."""
    sent: list[Message] = []
    done: list[str] = []

    async def application(scope: Message, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"{}"})

    async def receive() -> Message:
        done.append("read")
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "method": method,
        "path": "/api/v1/rounds/",
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    asyncio.run(Edge(application)(scope, receive, send))
    return sent, done


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ([("content-length", str(LIMIT + 1))], 413, "body_too_large"),
        ([("content-length", "9" * 400)], 413, "body_too_large"),
        ([("content-length", "two")], 400, "malformed"),
        ([("content-length", "-1")], 400, "malformed"),
        ([("transfer-encoding", "chunked")], 400, "malformed"),
        ([("transfer-encoding", "gzip, chunked")], 400, "malformed"),
    ],
)
def test_what_is_refused_unread(headers: list[tuple[str, str]], status: int, code: str) -> None:
    (start, body), done = call(*headers)
    assert done == []
    assert start["status"] == status
    given = dict(start["headers"])
    assert given[b"content-type"] == b"application/problem+json"
    assert (given[b"connection"], given[b"content-length"]) == (b"close", str(len(body["body"])).encode())
    problem = json.loads(body["body"])
    assert (problem["code"], problem["instance"]) == (code, "/api/v1/rounds/")


@pytest.mark.parametrize("headers", [[], [("content-length", "0")], [("content-length", str(LIMIT))]])
def test_what_goes_on(headers: list[tuple[str, str]]) -> None:
    (start, body), done = call(*headers)
    assert (start["status"], body["body"], done) == (200, b"{}", ["read"])


def test_head_has_the_head_of_get_and_no_body() -> None:
    (start, body), _ = call(method="HEAD")
    assert (start["headers"], body["body"]) == ([(b"content-length", b"2")], b"")


def test_no_websocket_is_opened() -> None:
    (closed,), done = call(kind="websocket")
    assert (closed["type"], done) == ("websocket.close", [])
