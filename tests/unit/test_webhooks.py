"""Which addresses webhooks may call, and when what failed is tried again."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from itertools import pairwise

import pytest

from jackpot.domain import webhooks
from jackpot.domain.webhooks import is_public, read_url

NOW = datetime(2026, 11, 29, tzinfo=UTC)

PRIVATE = """
127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
100.127.255.255 192.0.0.8 192.0.0.170 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.1.1.1
240.0.0.1 255.255.255.255
:: ::1 fe80::1 fec0::1 fc00::1 fd12:3456::1 ff02::1 2001:db8::1 2001::1 2002:7f00:1:: 3fff::1 100::1 5f00::1
::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::10.0.0.1
64:ff9b::a9fe:a9fe 64:ff9b:1::1 fe80::1%eth0 2606:4700::1%eth0
""".split()
PUBLIC = "8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 2606:4700::1111 2a00:1450::1 64:ff9b::808:808"


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public_addresses(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", [*(f"[{one}]" if ":" in one else one for one in PRIVATE if "%" not in one)])
def test_a_private_literal_is_refused_at_once(address: str) -> None:
    with pytest.raises(ValueError, match=r"private addresses|host name"):
        read_url(f"https://{address}/hook", private=False)
    assert read_url(f"http://{address}:8080/hook", private=True).port == 8080


@pytest.mark.parametrize(
    "host",
    ["localhost", "x.localhost", "LOCALHOST", "2130706433", "0x7f000001", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.01",
     "1.2.3.4.5", "example.1", "example.0x", "127.0.0.1.", "localhost.", "ex ample.com", "exa%6dple.com", "",
     "[fe80::1%25eth0]", "[::1", "a..b", "-a.com", "\uff11\uff12\uff17.0.0.1", "ｌocalhost", "a" * 254],
)  # fmt: skip
def test_other_notations_of_an_address_are_refused(host: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any of the reasons
        read_url(f"https://{host}/hook", private=False)


@pytest.mark.parametrize(
    "url",
    ["http://example.com/", "ftp://example.com/", "example.com", "//example.com", "https:/example.com",
     "https://user@example.com/", "https://user:word@example.com/", "https://@example.com/", "https://example.com/#a",
     "https://example.com:80/", "https://example.com:22/", "https://example.com:99999/", "https://example.com:x/", "https://example.com:0/",
     "https://[v1.x]/", "https://[example.com]/",
     "https://example.com/\n", "https://exa\tmple.com/", "https://example.com\\@10.0.0.1/", "file:///etc/passwd",
     "https://example.com/" + "a" * 500],
)  # fmt: skip
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_url(url, private=False)


@pytest.mark.parametrize(
    "url",
    ["https://example.com", "https://example.com/a/b?c=d", "https://Example.COM:443/", "https://a.b.example.com:8443/x",
     "https://8.8.8.8/", "https://[2606:4700::1111]/hook"],
)  # fmt: skip
def test_addresses_that_may_be_called(url: str) -> None:
    assert read_url(url, private=False).scheme == "https"


@pytest.mark.parametrize("jitter", [0.0, 0.5, 1.0])
def test_attempts_grow_further_apart_over_three_days_and_end(jitter: float) -> None:
    attempts = list(webhooks.schedule(start=NOW, jitter=jitter))
    waits = [after - before for before, after in pairwise(attempts)]
    assert waits[:-1] == sorted(waits[:-1])
    assert timedelta(seconds=4) <= waits[0] <= timedelta(seconds=6)
    assert max(waits) <= timedelta(hours=7.2)
    assert attempts[-1] == NOW + timedelta(days=3)
    assert 20 <= len(attempts) <= 30


def test_nothing_is_tried_when_the_time_is_over() -> None:
    until = NOW + timedelta(days=3)
    assert webhooks.next_attempt(5, now=until, until=until, jitter=0.5) is None
    assert webhooks.next_attempt(99, now=until - timedelta(seconds=1), until=until, jitter=1) == until


def test_an_endpoint_that_fails_is_left_alone_for_at_most_five_minutes() -> None:
    pauses = [webhooks.pause(failures, jitter=0.5) for failures in range(1, 200)]
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (timedelta(seconds=1), timedelta(minutes=5))
