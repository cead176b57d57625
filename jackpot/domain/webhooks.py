"""Webhooks: which addresses may be called, and when what failed is tried again. Pure; source: api.md, "Webhooks"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

TRIED_FOR = timedelta(days=3)
"""How long a delivery is tried before it is parked."""

PASSED_AFTER = timedelta(minutes=5)
"""How long a delivery that fails holds up later ones of its jackpot."""

MOST_URL = 500
PORTS = {"https": (443, 8443)}
"""Where the public internet is called: HTTPS at its own port, and at the usual one of servers beside another."""

_FIRST_WAIT, _LONGEST_WAIT = timedelta(seconds=5), timedelta(hours=6)
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=1), timedelta(minutes=5)
_JITTER = 0.2
_NAME = re.compile(r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_ENDS_IN_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")
_NAT64, _GLOBAL_IPV6 = IPv6Network("64:ff9b::/96"), IPv6Network("2000::/3")
# Reachable by their look, but relays and tunnels to somewhere else, or set aside for protocols.
_NOT_PUBLIC = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20")))


@dataclass(frozen=True, slots=True)
class Url:
    """An endpoint's address, taken apart."""

    scheme: str
    host: str
    port: int


def read_url(text: str, *, private: bool) -> Url:
    """Where an endpoint lies. `private`: the deployment allows private addresses, plain HTTP and any port.

    Raises ValueError, saying what is wrong with it.
    """
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text or len(text) > MOST_URL:
        raise ValueError(f"an address of at most {MOST_URL} printable ASCII characters is expected")
    parts = urlsplit(text)
    schemes = ("https", "http") if private else ("https",)
    if parts.scheme not in schemes or not parts.netloc:
        raise ValueError(f"an address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)} is expected")
    if "@" in parts.netloc:
        raise ValueError("an address holds no user and no password")
    if parts.fragment or "#" in text:
        raise ValueError("an address holds no fragment")
    host = parts.hostname or ""
    if "[" in parts.netloc and not isinstance(_literal(host), IPv6Address):
        raise ValueError("only an IPv6 address stands in brackets")
    port = {"https": 443, "http": 80}[parts.scheme] if parts.port is None else parts.port
    if not port or (not private and port not in PORTS[parts.scheme]):
        raise ValueError(f"only the ports {', '.join(map(str, PORTS[parts.scheme]))} are called")
    _check_host(host, private=private)
    return Url(parts.scheme, host, port)


def _check_host(host: str, *, private: bool) -> None:
    literal = _literal(host)
    if literal is None:
        # 127.1, 0x7f000001 and 2130706433 are addresses too, to some resolvers.
        if not _NAME.fullmatch(host) or _ENDS_IN_NUMBER.fullmatch(host.rpartition(".")[2]):
            raise ValueError("a host name, an IPv4 address of four numbers or an IPv6 address is expected")
        if not private and (host == "localhost" or host.endswith(".localhost")):
            raise ValueError("private addresses are not called")
    elif not private and not is_public(literal):
        raise ValueError("private addresses are not called")


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public internet: no loopback, private, link-local, shared, multicast, reserved
    or unspecified one, nor one of these inside an IPv6 address that stands for it.
    """
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return False
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in _NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in _GLOBAL_IPV6:
            return False
    elsewhere = any(address in network for network in _NOT_PUBLIC if network.version == address.version)
    return address.is_global and not address.is_multicast and not address.is_reserved and not elsewhere


def next_attempt(failures: int, *, now: datetime, until: datetime, jitter: float) -> datetime | None:
    """When a delivery that failed for the `failures`-th time is tried again; None: never, it is parked.

    The wait doubles from 5 seconds to 6 hours, longer or shorter by up to a fifth: `jitter` is from 0 to 1. The last
    attempt is at the end of the time, `until`.
    """
    if now >= until:
        return None
    return min(now + _spread(_doubled(_FIRST_WAIT, failures, _LONGEST_WAIT), jitter), until)


def pause(failures: int, *, jitter: float) -> timedelta:
    """How long an endpoint is left alone after so many failures one after the other: from 1 second to 5 minutes."""
    return _spread(_doubled(_FIRST_PAUSE, failures, _LONGEST_PAUSE), jitter)


def schedule(*, start: datetime, jitter: float = 0.5) -> Iterator[datetime]:
    """The attempts of a delivery that always fails, but for the time they take."""
    at: datetime | None = start
    failures = 0
    while at is not None:
        yield at
        failures += 1
        at = next_attempt(failures, now=at, until=start + TRIED_FOR, jitter=jitter)


def _doubled(first: timedelta, times: int, longest: timedelta) -> timedelta:
    return min(first * (1 << min(times - 1, 30)), longest)


def _spread(wait: timedelta, jitter: float) -> timedelta:
    return wait * (1 - _JITTER + 2 * _JITTER * jitter)
