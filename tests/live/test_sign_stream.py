"""The sign's stream: what it tells, and that signs and callers of the API never take each other's places."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from django.utils import timezone

from config.processes import Fleet
from jackpot.live.following import Source
from jackpot.money import currency
from jackpot.sign import telling
from jackpot.sign.telling import Wire
from tests.factories import House, house, low, play, reported, royal
from tests.live.conftest import new_key
from tests.live.loops import Call, Served

SIGN = "/sign/MAIN/stream"
BUSY = b'"code": "busy"'


@pytest.fixture
def demo(transactional_db: None) -> House:
    return house()


@pytest.fixture
def served(demo: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(telling, "HEARTBEAT_SECONDS", 0.2)
    with Served(most=2, signs=4) as application:
        yield application


def told(call: Call) -> list[tuple[str, dict[str, object]]]:
    frames = [frame.split("\n") for frame in call.body.decode().split("\n\n") if "event: " in frame]
    assert all(len(lines) == 2 for lines in frames), "a name and its data, no id"
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in frames]


def test_it_tells_meters_hits_and_that_it_is_there(served: Served) -> None:
    play(reported(royal()))
    call = served.get("", path=SIGN, after="MAIN:0").wait_for(b"event: meter")
    assert (call.status, call.headers["content-type"]) == (200, "text/event-stream")
    play(reported(royal(), low(2, pair="4d 8h")))
    call.wait_for(b"event: hit").wait_for(b"event: alive")
    news = told(call)
    keys = {name: data.keys() for name, data in news}
    assert keys == {"meter": {"level", "displayed", "as_of"}, "hit": {"level", "hand", "amount", "at"}, "alive": {"at"}}
    hits = [data for name, data in news if name == "hit"]
    assert [(hit["hand"], hit["amount"]) for hit in hits] == [("royal_flush", "10000.40")], "the books are not replayed"
    for hidden in (b"P-1", b"UTH-01", b"DEMO", b"MAIN"):
        assert hidden not in call.body
    call.leave()
    call.wait(lambda one: one.over, "the end")


def test_it_says_that_its_source_is_lost_and_not_who_knows() -> None:
    wire = Wire(currency("USD"), ZoneInfo("UTC"))
    assert wire.tell(Source(lost=True, since=timezone.now())) == b'event: source\ndata: {"lost":true}\n\n'


def test_signs_and_callers_have_places_of_their_own(served: Served) -> None:
    signs = [served.get("", path=SIGN).wait_for(b"event: meter") for _ in range(2)]
    refused = served.get("", path=SIGN).wait_for(BUSY)
    assert refused.status == 503, "one address holds half of them at most"
    callers = [served.get(new_key(name)).wait_for(b"event: meter") for name in ("Acme", "Other")]
    served.get(new_key("Third")).wait_for(BUSY)
    for call in signs:
        call.leave()
        call.wait(lambda one: one.over, "the end")
    again = served.get("", path=SIGN).wait_for(b"event: meter")
    for call in (again, *callers):
        call.leave()


def test_without_a_database_the_page_tries_again(tmp_path: Path) -> None:
    nowhere = {"DATABASE_URL": "postgresql://a@127.0.0.1:1/b"}
    with Fleet(log_dir=tmp_path, environment=nowhere) as fleet, httpx.Client(base_url=fleet.web()) as web:
        page = web.get("/sign/MAIN/")
        assert (page.status_code, '<meta http-equiv="refresh" content="5">' in page.text) == (503, True)
        for path in ("now", "stream"):
            answer = web.get(f"/sign/MAIN/{path}")
            assert (answer.status_code, answer.json()["code"]) == (503, "busy")


def test_behind_a_proxy_each_address_has_its_half(served: Served, settings: Any) -> None:
    """All come from the proxy's own address: taken for one, half of the places would be all that there are."""
    settings.PROXIES = 1
    one = [served.get("", path=SIGN, seen="203.0.113.1").wait_for(b"event: meter") for _ in range(2)]
    assert served.get("", path=SIGN, seen="203.0.113.1").wait_for(BUSY).status == 503
    other = [served.get("", path=SIGN, seen="203.0.113.2").wait_for(b"event: meter") for _ in range(2)]
    for call in (*one, *other):
        call.leave()
        call.wait(lambda call: call.over, "the end")
