"""One event sent to one endpoint, signed as Standard Webhooks say, and what its answer was."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from ssl import SSLContext

import httpcore
from standardwebhooks import Webhook

from jackpot.domain.webhooks import read_url
from jackpot.webhooks.connecting import Backend, Deadline, NotCalled
from jackpot.webhooks.deliveries import Sending

TOTAL_SECONDS = 10.0
MOST_READ = 64 * 1024
"""What is read of an answer at most; nothing of it is used but its status."""

_TROUBLE = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, httpcore.UnsupportedProtocol)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it: a status, or none and why."""

    status: int | None
    error: str = ""

    @property
    def taken(self) -> bool:
        """Only 2xx says that the receiver has it; a redirect is not followed."""
        return self.status is not None and 200 <= self.status < 300


def send(sending: Sending, *, private: bool, now: datetime, seconds: float = TOTAL_SECONDS) -> Answer:
    """POST it. Comes back within `seconds`, whatever the receiver does; raises nothing for what it does."""
    body = body_of(sending)
    try:
        read_url(sending.url, private=private)
        return _post(sending.url, body, headers_of(sending, body, now=now), Deadline(seconds), private=private)
    except (NotCalled, ValueError) as error:
        return Answer(None, str(error))
    except (*_TROUBLE, OSError) as error:
        return Answer(None, f"{type(error).__name__}: {error}".replace("\0", ""))


def body_of(sending: Sending) -> str:
    """What is sent: the event as `/events/` shows it, in the words of Standard Webhooks."""
    at = sending.at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    event = {"type": sending.type, "timestamp": at, "seq": sending.seq, "data": sending.data}
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def headers_of(sending: Sending, body: str, *, now: datetime) -> dict[str, str]:
    """The event's id is the same at every attempt, the timestamp is the attempt's; every live secret signs."""
    at = now.astimezone(UTC)  # the library takes any other zone's clock for UTC
    signatures = [Webhook(secret).sign(str(sending.event_id), at, body) for secret in sending.secrets]
    return {
        "content-type": "application/json",
        "user-agent": "jackpot-webhooks/1",
        "webhook-id": str(sending.event_id),
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _post(url: str, body: str, headers: dict[str, str], deadline: Deadline, *, private: bool) -> Answer:
    backend = Backend(deadline, private=private)
    with (
        httpcore.ConnectionPool(ssl_context=_certificates(), network_backend=backend) as pool,
        pool.stream("POST", url, headers=list(headers.items()), content=body.encode()) as answer,
    ):
        _read_politely(answer)
        return Answer(answer.status, "" if 200 <= answer.status < 300 else f"it answered {answer.status}")


def _read_politely(answer: httpcore.Response) -> None:
    """Take what it says, up to a limit and the deadline, so that it is not cut off in the middle of a short answer."""
    read = 0
    try:
        for part in answer.iter_stream():
            read += len(part)
            if read >= MOST_READ:
                return
    except (*_TROUBLE, OSError):
        return  # its status stands


@cache
def _certificates() -> SSLContext:
    return httpcore.default_ssl_context()
