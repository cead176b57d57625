"""Receivers of webhooks on this machine, each in a way of its own: some take what comes, some hang, lie or die."""

import contextlib
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Way = Callable[[BaseHTTPRequestHandler, "Receiver"], None]


@dataclass
class Got:
    """One request as it came in."""

    headers: dict[str, str]
    body: str
    at: float


@dataclass
class Receiver:
    """A listening receiver; `way` may be changed while it listens."""

    way: Way
    url: str = ""
    got: list[Got] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def ids(self) -> list[str]:
        return [got.headers["webhook-id"] for got in self.got]


def takes(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
    answers(200)(handler, receiver)


def answers(status: int, **headers: str) -> Way:
    def way(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "2")
        handler.end_headers()
        handler.wfile.write(b"ok")

    return way


def hangs(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
    """Takes the request and says nothing."""
    receiver.closing.wait(60)


def dies(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
    """Hangs up without an answer."""
    handler.connection.close()


def drips(before: bytes, drop: bytes) -> Way:
    """Says something, then a little more again and again: never silent for long, and never done."""

    def way(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
        handler.wfile.write(before)
        while not receiver.closing.wait(0.05):
            handler.wfile.write(drop)

    return way


def floods(status: int) -> Way:
    """An answer without an end, as fast as it is read. Notes how much went out, before it was cut, as its last body."""

    def way(handler: BaseHTTPRequestHandler, receiver: Receiver) -> None:
        handler.wfile.write(b"HTTP/1.1 %d OK\r\nContent-Length: 100000000\r\n\r\n" % status)
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 100_000_000:
                sent += handler.wfile.write(b"x" * 65_536)
        receiver.got[-1].body = str(sent)

    return way


@contextmanager
def receiver(way: Way = takes, *, certificate: Path | None = None) -> Iterator[Receiver]:
    """A receiver on a free port of this machine, by TLS where it has a certificate."""
    here = Receiver(way)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            here.got.append(Got(headers, body, time.time()))
            with contextlib.suppress(OSError):
                here.way(self, here)

        def log_message(self, *_: Any) -> None:
            """It says nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: Any) -> None:
            """Senders hang up on some of these: that is what is tried."""

    server = Server(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    here.url = f"http://127.0.0.1:{server.server_port}/hook"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield here
    finally:
        here.closing.set()
        server.shutdown()
        server.server_close()
