"""Connections to receivers: to an address that was looked up once and found allowed, and cut at a deadline.

The address that is checked is the one that is called, so a name that answers differently a moment later gains nothing.
The name stays in the Host header and in TLS, against which the certificate is verified.
"""

import socket
import threading
import time
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from ssl import SSLContext
from typing import Any

import httpcore

from jackpot.domain.webhooks import is_public

CONNECT_SECONDS = 3.0


class NotCalled(Exception):
    """The receiver was not called, and why."""


class Deadline:
    """An instant after which nothing more is waited for."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self, most: float | None = None) -> float:
        """Seconds that are left, at most so many. Raises ReadTimeout where none are."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the time was over")
        return left if most is None else min(left, most)


class Backend(httpcore.NetworkBackend):
    """Opens connections to allowed addresses only. Each holds its own deadline, however slowly bytes come in."""

    def __init__(self, deadline: Deadline, *, private: bool) -> None:
        self._deadline, self._private = deadline, private
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        started = Deadline(self._deadline.left(CONNECT_SECONDS))
        allowed = [address for address in _looked_up(host, started) if self._private or is_public(address)]
        if not allowed:
            raise NotCalled("its name leads to private addresses only, which are not called")
        return self._first_that_answers(allowed, port, started)

    def _first_that_answers(
        self, addresses: list[IPv4Address | IPv6Address], port: int, started: Deadline
    ) -> httpcore.NetworkStream:
        for last, address in enumerate(addresses, start=1 - len(addresses)):
            try:
                return Stream(self._network.connect_tcp(str(address), port, timeout=started.left()), self._deadline)
            except httpcore.ConnectError:
                if not last:
                    raise
        raise AssertionError("unreachable")


class Stream(httpcore.NetworkStream):
    """A connection on which no read, write or handshake outlasts the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(CONNECT_SECONDS))
        return Stream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _looked_up(host: str, deadline: Deadline) -> list[IPv4Address | IPv6Address]:
    """The addresses of a name. A resolver that hangs is left behind: its call can't be broken off."""
    found: list[IPv4Address | IPv6Address] = []
    error: list[Exception] = []

    def look_up() -> None:
        try:
            answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            found.extend(ip_address(answer[4][0]) for answer in answers)
        except (OSError, UnicodeError) as failure:
            error.append(failure)

    looking = threading.Thread(target=look_up, daemon=True)
    looking.start()
    looking.join(deadline.left())
    if looking.is_alive():
        raise httpcore.ConnectTimeout("its name was not resolved in time")
    if error:
        raise NotCalled(f"its name was not resolved: {error[0]}")
    return list(dict.fromkeys(found))
