"""Who may hold a stream and for how long, and what becomes of clients that take nothing."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from jackpot.http import event_stream, streaming
from jackpot.live.following import MOST_WAITING
from jackpot.models.clients import ApiKey
from jackpot.models.jackpots import Level
from jackpot.services import clients
from tests.factories import House, house, receive, reported, royal, settle_all
from tests.holders import eventually
from tests.live.conftest import new_key
from tests.live.loops import Call, Served
from tests.owner import as_owner

METER = b"event: meter"
BUSY = b'"code": "busy"'


@pytest.fixture
def demo(transactional_db: None) -> House:
    return house()


@pytest.fixture
def key(demo: House) -> str:
    return new_key()


@pytest.fixture
def served(demo: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(streaming, "CALLERS_SECONDS", 0.2)
    monkeypatch.setattr(event_stream, "HEARTBEAT_SECONDS", 0.1)
    before = sessions()
    with Served(most=4) as application:
        yield application
    assert eventually(lambda: sessions() <= before), "it left a session behind"


def sessions() -> set[int]:
    """Whose clients' sessions use the test's database, by process; the server's own, autovacuum, come and go."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
        )
        return {pid for (pid,) in cursor.fetchall()}


def over(call: Call) -> bool:
    return call.over


def test_it_says_when_to_come_back_and_that_it_lives(served: Served, key: str) -> None:
    call = served.get(key).wait_for(METER).wait_for(b": still here\n\n", 3)
    assert call.body.startswith(b"retry: 2000\n\nid: MAIN:1\nevent: meter\ndata: {")
    call.leave()
    call.wait(over, "the end of a stream whose client left")


def test_only_so_many_at_a_time_and_half_of_them_for_one_caller(served: Served, key: str) -> None:
    first, _ = [served.get(key).wait_for(METER) for _ in range(2)]
    refused = served.get(key).wait_for(BUSY)
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    assert b"this caller holds half" in refused.body
    other = new_key()
    for _ in range(2):
        served.get(other).wait_for(METER)
    assert b"this process holds as many" in served.get(new_key()).wait_for(BUSY).body
    first.leave()
    first.wait(over, "the end of the first")
    served.get(key).wait_for(METER)


def test_refusals_come_before_the_stream_and_take_no_place(served: Served, key: str) -> None:
    for _ in range(3):
        for path, after, status in (
            ("/api/v1/jackpots/NONE/stream/", "", 404), ("/api/v1/jackpots/MAIN/stream/", "x", 400),
        ):  # fmt: skip
            refused = served.get(key, path=path, after=after).wait_for(b'"code"')
            assert (refused.status, refused.headers["content-type"]) == (status, "application/problem+json")
    served.get(key).wait_for(METER)


def test_head_is_the_head_of_it(served: Served, key: str) -> None:
    for _ in range(3):
        call = served.get(key, method="HEAD")
        call.wait(over, "its end")
        assert (call.status, call.headers["content-type"], call.body) == (200, "text/event-stream", b"")
        assert "content-length" not in call.headers


@pytest.mark.parametrize("end", ["revoked", "expired", "narrowed"])
def test_a_key_that_may_no_longer_read_loses_its_stream(served: Served, key: str, end: str) -> None:
    other = served.get(new_key("Rival")).wait_for(METER)
    call = served.get(key).wait_for(METER)
    row = ApiKey.objects.filter(prefix=key.partition(".")[0])
    match end:
        case "revoked":
            clients.revoke(prefix=row.get().prefix, now=timezone.now())
        case "expired":
            with as_owner():
                row.update(expires_at=timezone.now(), created_at=timezone.now() - timedelta(days=1))
        case _:
            with as_owner():
                row.update(scopes=["rounds:read"])
    call.wait(over, "the end of its stream")
    assert not other.over


def test_a_client_that_takes_nothing_is_let_go_and_misses_nothing(served: Served, key: str) -> None:
    slow, quick = served.get(key).wait_for(METER), served.get(key).wait_for(METER)
    slow.hold()
    rounds = MOST_WAITING // 2 + 2  # each is a hit and a reset
    for batch in (rounds, rounds):
        receive(*(reported(royal()) for _ in range(batch)))
        settle_all()
        seq = Level.objects.get().meter_seq  # a batch ends with a reset, and then the meter
        quick.wait_for(f'"seq":{seq},'.encode(), 2)
    assert not slow.over
    assert not quick.over
    assert len(quick.ids()) == 4 * rounds
    slow.go_on()
    slow.wait(over, "the end of the slow one's stream")
    told = slow.ids()
    assert told == quick.ids()[: len(told)]
    assert len(told) <= 2 * rounds
    last = slow.body.decode().rpartition("id: ")[2].partition("\n")[0]
    again = served.get(key, after=last).wait_for(METER)
    assert told + again.ids() == quick.ids()
