"""The stream of a jackpot, from a real web process, while this process posts."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection

from jackpot.live.listening import SESSION_NAME
from jackpot.models.jackpots import Level
from jackpot.services import journal
from tests.factories import jackpot_with, low, play, receive, reported, royal, settle_all, straight_flush
from tests.factories.moves import adjust, transfer
from tests.live.conftest import Service
from tests.live.followers import Event, Follower
from tests.owner import as_owner

MAIN = {"jackpot": "MAIN", "level": "main", "currency": "USD"}


def contribute() -> None:
    """One round that adds 0.20 to the meter."""
    play(reported(low(progressive="1.00")))


def names(events: list[Event]) -> list[str]:
    return [event.name for event in events]


def test_what_happens_is_told_in_order(service: Service) -> None:
    with service.follow() as follower:
        follower.wait_for("meter")
        play(reported(royal(), low(2)))
        meter = follower.wait_for("meter", 2)
    level = Level.objects.get()
    at = {"as_of": meter.data["as_of"]}
    expected = [
        Event("meter", "MAIN:1", MAIN | {
            "displayed": "10000.00", "exact": "10000.00000000", "base": "10000.00", "seq": 1,
            "as_of": follower.events[0].data["as_of"],
        }, 0),
        Event("hit", "MAIN:2.1", MAIN | {
            "hand": "royal_flush", "amount": "10000.40", "meter_before": "10000.40", "meter_after": "0.00", "seq": 3,
            "awards": 1, "state": "pending", "hit_at": "2026-11-29T14:24:10Z",
        } | at, 0),
        Event("reset", "MAIN:2.2", MAIN | {"to": "10000.00", "seq": 4, "at": at["as_of"]}, 0),
        Event("meter", "MAIN:2", MAIN | {
            "displayed": "10000.00", "exact": "10000.00000000", "base": "10000.00", "seq": 4,
        } | at, 0),
    ]  # fmt: skip
    assert follower.events == expected
    assert level.posted_at is not None
    assert at["as_of"] == level.posted_at.isoformat().replace("+00:00", "Z")
    headers = follower.answer.headers
    assert (headers["Content-Type"], headers["Cache-Control"], headers["X-Accel-Buffering"]) == (
        "text/event-stream", "no-store", "no",
    )  # fmt: skip
    assert headers["Content-Length"] is None


def test_a_storm_is_told_at_most_five_times_a_second_and_to_its_end(service: Service) -> None:
    with service.follow() as follower:
        follower.wait_for("meter")
        rounds = 40
        receive(*(reported(low(progressive="1.00")) for _ in range(rounds)))
        settle_all(limit=1)
        follower.wait_for_meter(f"{10_000 + rounds / 5:.2f}")
        meters = follower.named("meter")
    assert len(meters) < rounds, "the storm was none"
    times = [event.at for event in meters]
    assert max(sum(start <= at < start + 1 for at in times) for start in times) <= 5
    assert [event.data["seq"] for event in meters] == sorted({event.data["seq"] for event in meters})


def test_whoever_comes_back_is_told_every_hit_and_reset_it_missed(service: Service) -> None:
    with service.follow() as follower:
        follower.wait_for("meter")
        play(reported(royal()))
        first = follower.wait_for("reset")
    contribute()
    play(reported(straight_flush()), reported(royal(), straight_flush(2)))  # in one batch
    contribute()
    with service.follow(after=first.id) as resumed:
        resumed.wait_for_meter(show_meter())
        play(reported(straight_flush()))
        live = resumed.wait_for("hit", 4)
    missed = [(event.name, event.id, event.data["seq"]) for event in resumed.named("hit", "reset")][:4]
    assert missed == [
        ("hit", "MAIN:4.1", 7), ("hit", "MAIN:4.2", 9), ("hit", "MAIN:4.3", 10), ("reset", "MAIN:4.4", 11),
    ]  # fmt: skip
    assert names(resumed.events)[:5] == ["hit", "hit", "hit", "reset", "meter"]
    assert live.id == "MAIN:6.1"

    with service.follow(after="MAIN:4.2") as middle, service.follow(after="MAIN:0") as all_of_it:
        middle.wait_for("meter")
        all_of_it.wait_for("meter")
    assert [event.id for event in middle.events] == ["MAIN:4.3", "MAIN:4.4", "MAIN:6.1", "MAIN:6"]
    assert all_of_it.events[3:] == [*resumed.named("hit", "reset")[:4], live, middle.events[-1]]
    assert [event.id for event in all_of_it.events[:3]] == ["MAIN:1.1", "MAIN:2.1", first.id]


def test_after_a_meter_and_after_what_is_still_to_come_there_is_the_meter_alone(service: Service) -> None:
    play(reported(royal()))
    for after in ("MAIN:2", "MAIN:999999999999999999", None):
        with service.follow(after=after) as follower:
            follower.wait_for("meter")
            contribute()
            follower.wait_for("meter", 2)
        assert set(names(follower.events)) == {"meter"}


def test_a_lost_announcement_is_made_up_for_within_seconds(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with service.follow() as follower:
        follower.wait_for("meter")
        with monkeypatch.context() as patch:
            patch.setattr(journal, "_announce", lambda code, link: None)
            play(reported(royal()))
        follower.wait_for("hit")
        follower.wait_for("meter", 2)
        assert names(follower.events) == ["meter", "hit", "reset", "meter"]


def test_a_connection_that_is_cut_is_made_anew_and_misses_nothing(service: Service) -> None:
    with service.follow() as follower:
        follower.wait_for("meter")
        for _ in range(3):
            with as_owner() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s"
                    " AND datname = current_database()", [SESSION_NAME],
                )  # fmt: skip
                assert cursor.fetchall() == [(True,)]
            play(reported(royal()))
            follower.wait_for("hit", len(follower.named("hit")) + 1)
            follower.wait(listening_again)
        assert [event.data["seq"] for event in follower.named("hit")] == [3, 6, 9]
        assert follower.named("source") == []


def test_the_database_lost_is_told_and_what_was_missed_as_it_comes_back(service: Service) -> None:
    with service.follow() as follower:
        follower.wait_for("meter")
        with nobody_else_connects():
            play(reported(royal()))
            lost = follower.wait_for("source")
            assert (lost.data["jackpot"], lost.data["lost"], lost.id) == ("MAIN", True, None)
        assert follower.wait_for("source", 2).data["lost"] is False
        follower.wait_for("meter", 2)
        assert sorted(names(follower.events)[1:]) == sorted(["source", "hit", "reset", "meter", "source"])


def show_meter() -> str:
    return f"{Level.objects.get().meter // 1_000_000 / 100:.2f}"


def listening_again(follower: Follower) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [SESSION_NAME])
        return cursor.fetchone() == (1,)


@contextmanager
def nobody_else_connects() -> Iterator[None]:
    """PostgreSQL cuts every connection to the test's database but this one, and lets nobody in."""
    entry = connection.settings_dict
    name = connection.ops.quote_name(entry["NAME"])
    where = {key: str(entry[key.upper()]) for key in ("host", "port", "user", "password") if entry[key.upper()]}
    with psycopg.connect(dbname="postgres", autocommit=True, **where) as session:  # type: ignore[arg-type]
        session.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        try:
            session.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s",
                [entry["NAME"], own_backend()],
            )
            yield
        finally:
            session.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def own_backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        found: int = cursor.fetchone()[0]
    return found


def test_a_meter_that_falls_by_an_adjustment_or_a_transfer_is_told(service: Service) -> None:
    other = jackpot_with(code="OTHER", site=service.house.site, tables=())
    with service.follow() as follower:
        follower.wait_for("meter")
        adjust(service.house.jackpot, "-0.20")
        assert follower.wait_for_meter("9999.80").id == "MAIN:2"
        transfer("meter:OTHER:main", "meter:MAIN:main", "1.00")
        assert follower.wait_for_meter("10000.80").id == "MAIN:3"
    assert names(follower.events) == ["meter"] * 3
    assert (Level.objects.get(jackpot=other).meter, other.lane.entries.count()) == (999_900_000_000, 2)
