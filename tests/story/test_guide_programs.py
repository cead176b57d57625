"""The integration guide's client repeats what must be repeated, and its receiver takes nothing that is not signed."""

import base64
import importlib.util
import json
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from standardwebhooks import Webhook

from tests.receivers import Receiver, Way, dies, receiver
from tests.story.test_integration_guide import PROGRAMS

SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
BODY = '{"type":"round.settled","data":{"external_id":"é"}}'


def program(name: str, folder: Path) -> ModuleType:
    """One of the guide's programs, imported."""
    path = folder / f"{name}.py"
    (text,) = [block.text for block in PROGRAMS if block.text.startswith(f"# {path.name}\n")]
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"guide_{name}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def says(status: int, document: object, retry_after: str = "") -> Way:
    def way(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
        handler.send_response(status)
        if retry_after:
            handler.send_header("Retry-After", retry_after)
        handler.end_headers()
        handler.wfile.write(json.dumps(document).encode())

    return way


def cut_off(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
    """Half an answer."""
    handler.wfile.write(b'HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\n{"id"')


def one_after_the_other(*ways: Way) -> Way:
    def way(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
        ways[len(receiver.got) - 1](handler, receiver)

    return way


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client would have slept."""
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    return waits


def sent_by_client(way: Way, folder: Path, patch: pytest.MonkeyPatch) -> tuple[Any, list[str]]:
    """What the guide's client makes of it, and the bodies it sent."""
    with receiver(way) as server:
        patch.setenv("BASE", server.url)
        patch.setenv("KEY", "a-key")
        status, _, document = program("client", folder).call("POST", "/rounds/", {"external_id": "x-1"})
        return (status, document), [got.body for got in server.got]


def test_the_client_sends_the_same_until_there_is_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    way = one_after_the_other(
        dies, says(503, {"code": "busy"}, "7"), says(429, {"code": "throttled"}, "3"), cut_off,
        says(409, {"code": "in_progress"}), says(502, "a proxy's"), says(202, {"id": "1"}),
    )  # fmt: skip
    found, bodies = sent_by_client(way, tmp_path, monkeypatch)
    assert found == (202, {"id": "1"})
    assert bodies == ['{"external_id": "x-1"}'] * 7
    assert len(slept) == 6
    assert slept[1] >= 7 and slept[2] >= 3
    assert max(slept) <= 60


@pytest.mark.parametrize(("status", "code"), [(409, "idempotency_conflict"), (422, "bet_limit"), (400, "malformed")])
def test_the_client_repeats_nothing_that_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slept: list[float], status: int, code: str
) -> None:
    found, bodies = sent_by_client(says(status, {"code": code}), tmp_path, monkeypatch)
    assert found == (status, {"code": code})
    assert len(bodies) == 1
    assert slept == []


def signed(*, at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    now = at or datetime.now(UTC)
    return {
        "webhook-id": "evt-1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign("evt-1", now, BODY),
    }


@pytest.fixture
def verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("SECRETS", f"whsec_{base64.b64encode(b'n' * 32).decode()} {SECRET}")
    return program("receiver", tmp_path).verified


def test_the_receiver_knows_what_is_signed_with_one_of_its_secrets(verified: Any) -> None:
    genuine = signed()
    both = genuine | {"webhook-signature": f"v1a,other v1,AAAA {genuine['webhook-signature']}"}
    assert verified(genuine, BODY.encode())
    assert verified(both, BODY.encode())


def test_the_receiver_takes_nothing_else(verified: Any) -> None:
    genuine = signed()
    others = [
        {}, genuine | {"webhook-id": "evt-2"}, genuine | {"webhook-timestamp": str(int(time.time()) + 1)},
        genuine | {"webhook-timestamp": "soon"}, genuine | {"webhook-signature": ""},
        genuine | {"webhook-signature": "v1,é"}, signed(secret="whsec_" + base64.b64encode(b"x" * 32).decode()),
        signed(at=datetime.now(UTC) - timedelta(minutes=6)), signed(at=datetime.now(UTC) + timedelta(minutes=6)),
    ]  # fmt: skip
    assert [headers for headers in others if verified(headers, BODY.encode())] == []
    assert not verified(genuine, BODY.encode() + b" ")
