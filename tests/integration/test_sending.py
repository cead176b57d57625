"""One event on its way to a receiver that takes it, hangs, drips, lies or dies."""

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import UUID

import httpcore
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from jackpot.webhooks import sending
from jackpot.webhooks.deliveries import Sending
from tests import receivers
from tests.receivers import Receiver, Way, receiver

SECRETS = ("whsec_" + "A" * 43 + "=", "whsec_" + "B" * 43 + "=")
SECONDS = 0.6
NAME = "hooks.example.com"
CERTIFICATE = Path(__file__).parent.parent / "hooks-example-com.pem"
"""For that name, signed by itself, with its key."""


@pytest.fixture
def here() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


def an_event(url: str, **changes: Any) -> Sending:
    made: dict[str, Any] = {
        "delivery_id": 1, "url": url, "secrets": SECRETS[:1], "event_id": UUID(int=7), "type": "round.settled",
        "seq": 12, "at": datetime(2026, 11, 29, 14, 24, 10, tzinfo=UTC), "data": {"round": "ä", "amount": "10000.40"},
    }  # fmt: skip
    return Sending(**made | changes)


def send(url: str, *, private: bool = True, now: datetime | None = None, **changes: Any) -> sending.Answer:
    now = now or datetime.now(UTC)
    return sending.send(an_event(url, **changes), private=private, now=now, seconds=SECONDS)


def test_what_is_sent(here: Receiver) -> None:
    answer = send(here.url)
    assert (answer.taken, answer.status) == (True, 200)
    [got] = here.got
    assert got.body == (
        '{"type":"round.settled","timestamp":"2026-11-29T14:24:10Z","seq":12,"data":{"round":"ä","amount":"10000.40"}}'
    )
    assert got.headers["webhook-id"] == str(UUID(int=7))
    assert got.headers["content-type"] == "application/json"
    assert got.headers["host"] == here.url.split("/")[2]


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=-8)), timezone(timedelta(hours=5, minutes=45))])
def test_a_standard_library_verifies_it(here: Receiver, zone: timezone) -> None:
    """Whatever the zone of the clock: signatures are over UTC."""
    send(here.url, now=datetime.now(zone))
    [got] = here.got
    assert Webhook(SECRETS[0]).verify(got.body, got.headers)["seq"] == 12
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRETS[1]).verify(got.body, got.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRETS[0]).verify(got.body.replace("12", "13"), got.headers)


def test_while_there_are_two_secrets_either_verifies_it(here: Receiver) -> None:
    send(here.url, secrets=SECRETS)
    [got] = here.got
    assert got.headers["webhook-signature"].count("v1,") == 2
    for secret in SECRETS:
        Webhook(secret).verify(got.body, got.headers)


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_2xx_means_that_it_was_taken(here: Receiver, status: int) -> None:
    here.way = receivers.answers(status)
    assert send(here.url) == sending.Answer(status)


@pytest.mark.parametrize("status", [300, 304, 400, 401, 404, 410, 429, 500, 503])
def test_any_other_status_means_that_it_was_not(here: Receiver, status: int) -> None:
    here.way = receivers.answers(status)
    answer = send(here.url)
    assert (answer.taken, answer.status, answer.error) == (False, status, f"it answered {status}")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(here: Receiver, status: int) -> None:
    with receiver() as elsewhere:
        here.way = receivers.answers(status, Location=elsewhere.url)
        assert send(here.url).status == status
        assert elsewhere.got == []


@pytest.mark.parametrize(
    ("way", "error"),
    [
        (receivers.hangs, "ReadTimeout"),
        (receivers.dies, "RemoteProtocolError"),
        (receivers.drips(b"HTTP/1.1 200 OK\r\nX-A: ", b"x"), "ReadTimeout"),
        (receivers.drips(b"HTTP/1.1 200 OK\r\n", b"X-A: x\r\n"), "ReadTimeout"),
        (receivers.drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), "ReadTimeout"),
        (receivers.drips(b"SSH-2.0-server\r\n\r\n", b"x"), "RemoteProtocolError"),
    ],
    ids=["hangs", "dies", "drips a header", "drips headers", "drips interim answers", "speaks something else"],
)
def test_who_does_not_answer_is_cut_at_the_deadline(here: Receiver, way: Way, error: str) -> None:
    here.way = way
    began = time.monotonic()
    answer = send(here.url)
    assert (answer.taken, answer.status) == (False, None)
    assert answer.error.startswith(error)
    assert time.monotonic() - began < SECONDS + 0.5


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_that_never_ends_is_cut_and_the_status_stands(here: Receiver, status: int) -> None:
    began = time.monotonic()
    here.way = receivers.drips(b"HTTP/1.1 %d OK\r\nContent-Length: 1000000\r\n\r\n" % status, b"x")
    assert send(here.url).status == status
    assert time.monotonic() - began < SECONDS + 0.5


def test_of_a_flood_only_its_beginning_is_read(here: Receiver) -> None:
    here.way = receivers.floods(200)
    assert send(here.url).status == 200
    deadline = time.monotonic() + 10
    while not here.got[0].body.isdigit():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    # What lies in the buffers of two sockets went out too.
    assert int(here.got[0].body) < 20_000_000


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as was:
        port = was.getsockname()[1]
    answer = send(f"http://127.0.0.1:{port}/")
    assert answer.error.startswith("ConnectError")


def test_one_who_does_not_even_accept() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        began = time.monotonic()
        answer = send(f"http://127.0.0.1:{full.getsockname()[1]}/")
        assert answer.error.startswith(("ConnectTimeout", "ReadTimeout"))
        assert time.monotonic() - began < SECONDS + 0.5
        for each in waiting:
            each.close()


class TestPrivateAddresses:
    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "0x7f.1"])
    def test_literals_are_not_called(self, here: Receiver, host: str) -> None:
        port = here.url.split(":")[2].split("/")[0]
        answer = send(f"https://{host}:{port}/", private=False)
        assert (answer.taken, answer.status, here.got) == (False, None, [])

    def test_a_name_that_leads_to_one_is_not_called(self, here: Receiver, names: Callable[..., None]) -> None:
        names(["127.0.0.1", "::1", "10.1.2.3", "::ffff:192.168.0.1", "64:ff9b::7f00:1"])
        answer = send("https://hooks.example.com/", private=False)
        assert "private addresses" in answer.error
        assert here.got == []

    def test_a_name_is_looked_up_once_and_that_address_is_called(
        self, here: Receiver, names: Callable[..., Any]
    ) -> None:
        """A name that leads elsewhere the second time gains nothing: it is not asked a second time."""
        asked = names(["127.0.0.1"], ["127.0.0.2"])
        port = here.url.split(":")[2].split("/")[0]
        assert send(f"http://hooks.example.com:{port}/hook").taken
        assert asked == [NAME]
        assert here.got[0].headers["host"] == f"hooks.example.com:{port}"

    def test_of_mixed_addresses_the_public_ones_are_called(
        self, names: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        called: list[str] = []

        def connect(self: Any, host: str, port: int, **_: Any) -> Any:
            called.append(host)
            raise httpcore.ConnectError("refused")

        monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
        names(["10.0.0.1", "8.8.8.8", "fe80::1", "2606:4700::1111"])
        assert send("https://hooks.example.com/", private=False).error == "ConnectError: refused"
        assert called == ["8.8.8.8", "2606:4700::1111"]


class TestTls:
    """The address is pinned, and the name is what is asked for and verified."""

    @pytest.fixture
    def port(self, names: Callable[..., Any]) -> Iterator[int]:
        names(["127.0.0.1"])
        with receiver(certificate=CERTIFICATE) as made:
            yield int(made.url.split(":")[2].split("/")[0])

    @pytest.fixture
    def trusted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        context = ssl.create_default_context(cafile=CERTIFICATE)
        monkeypatch.setattr(sending, "_certificates", lambda: context)

    def test_a_certificate_that_nobody_vouches_for_is_refused(self, port: int) -> None:
        assert "certificate verify failed" in send(f"https://{NAME}:{port}/").error

    @pytest.mark.usefixtures("trusted")
    def test_the_name_is_what_is_verified(self, port: int) -> None:
        assert send(f"https://{NAME}:{port}/").taken

    @pytest.mark.usefixtures("trusted")
    def test_another_name_at_the_same_address_is_refused(self, port: int) -> None:
        assert "certificate verify failed" in send(f"https://localhost:{port}/").error


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A resolver that answers for one name as told, one list after the other."""
    real = socket.getaddrinfo

    def tell(*answers: list[str]) -> list[str]:
        left, asked = list(answers), list[str]()

        def look_up(host: Any, *args: Any, **options: Any) -> list[Any]:
            if host != NAME:
                return real(host, *args, **options)
            asked.append(host)
            return [(0, 0, 0, "", (address, 0)) for address in left.pop(0)]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    return tell


def test_a_resolver_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: Any, **__: Any) -> list[Any]:
        time.sleep(2)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    began = time.monotonic()
    assert "not resolved in time" in send("https://hooks.example.com/").error
    assert time.monotonic() - began < SECONDS + 0.5


def test_a_name_that_is_none() -> None:
    assert "not resolved" in send("https://nowhere.invalid/").error


def test_the_body_is_json_of_the_event() -> None:
    assert json.loads(sending.body_of(an_event("https://x.example/")))["data"] == {"round": "ä", "amount": "10000.40"}
