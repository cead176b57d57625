"""Every code of the catalogue is met at the service's own addresses, with the status the catalogue gives it.

A code without a case fails, so that none is listed that nobody can meet.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from jackpot.domain.callers import Scope
from jackpot.http.catalogue import CATALOGUE
from jackpot.http.tallies import Tallies
from tables.models.tables import Table
from tests.api.conftest import Clock
from tests.api.floor import EXAMPLE, ROUNDS, Json, box, example, key_client, rows, send, settled
from tests.api.live import LiveRound
from tests.api.people import move, person
from tests.api.test_problems import problem
from tests.concurrency.actors import Actor
from tests.factories import House, house

OPENING = "/api/v1/tables/UTH-01/rounds/"

ELSEWHERE = {
    "in_progress": "tests/concurrency/test_award_moves.py: the first call with an Idempotency-Key still runs",
    "server_error": "tests/api/test_problems.py, by a view made to fail: no client can cause it",
}
"""Codes that are met by other tests, and why not here."""


class Floor(NamedTuple):
    """What a case may use."""

    client: Client
    clock: Clock
    settings: Any
    patch: pytest.MonkeyPatch


def sent(body: object, address: str = ROUNDS) -> Callable[[Floor], Any]:
    return lambda floor: send(floor.client, address, body)


def with_box(**changes: Any) -> Callable[[Floor], Any]:
    return sent(example(boxes=[EXAMPLE["boxes"][0], box(2, **changes)]))


def raw(body: bytes, **how: Any) -> Callable[[Floor], Any]:
    given = {"content_type": "application/json", **how}
    return lambda floor: floor.client.generic("POST", ROUNDS, body, **given)


def throttled(floor: Floor) -> Any:
    floor.settings.THROTTLES = floor.settings.THROTTLES | {"key": 1}
    floor.patch.setattr("jackpot.http.throttles.tallies", Tallies(clock=lambda: 1_900_000_000.0))
    for _ in range(10):
        floor.client.get(ROUNDS)
    refused = floor.client.get(ROUNDS)
    assert refused["Retry-After"] == "10"
    return refused


def without_a_token(floor: Floor) -> Any:
    person = Client(enforce_csrf_checks=True)
    person.force_login(User.objects.create(username="ann", is_staff=True))
    return send(person, ROUNDS, example())


def hit_of(client: Client) -> str:
    """The award of a royal flush, which waits for approval."""
    award: str = settled(client, example())["settlement"]["awards"][0]["id"]
    return award


def approved_twice_by_one(floor: Floor) -> Any:
    ann, award = person("ann"), hit_of(floor.client)
    assert move(ann, award, "approve").status_code == 200
    return move(ann, award, "approve")


def out_of_phase(floor: Floor) -> Any:
    return LiveRound(floor.client).call("flop", {"cards": ["Qs", "Js", "Ts"]})


def too_late(floor: Floor) -> Any:
    live = LiveRound(floor.client, "LIVE-01")
    live.bet(1)
    floor.clock.advance(3_600)
    return live.call("boxes/1", {}, "delete")


def void_once_settled(floor: Floor) -> Any:
    found = settled(floor.client, example())
    return send(floor.client, f"{ROUNDS}{found['id']}/void/", {"reason": "other"})


def another_flop(floor: Floor) -> Any:
    live = LiveRound(floor.client)
    live.bet(1)
    live.to_the_flop("As Ks")
    return live.call("flop", {"cards": ["Qs", "Js", "9s"]})


def opened_twice(floor: Floor) -> Any:
    LiveRound(floor.client)
    return send(floor.client, OPENING, {})


def other_content(floor: Floor) -> Any:
    send(floor.client, ROUNDS, example())
    return send(floor.client, ROUNDS, example(turn="4c"))


def at_a_suspended_table(floor: Floor) -> Any:
    Table.objects.filter(code="UTH-01").update(state=Table.State.SUSPENDED)
    return send(floor.client, OPENING, {})


def paid_before_it_is_approved(floor: Floor) -> Any:
    return move(floor.client, hit_of(floor.client), "pay")


def approved_by_a_key(floor: Floor) -> Any:
    return move(floor.client, hit_of(floor.client), "approve")


def many_boxes(floor: Floor) -> Any:
    boxes = [{"box": n, "player": f"P-{n}", "ante": "5.00"} for n in range(1, 40)]
    return LiveRound(floor.client).call("boxes", {"boxes": boxes}, "put")


CASES: dict[str, Callable[[Floor], Any]] = {
    "malformed": raw(b"{"),
    "unknown_field": sent(example(tripz="5.00")),
    "repeated_field": raw(b'{"table": "UTH-01", "table": "UTH-02"}'),
    "missing_field": sent(example(external_id=...)),
    "invalid_money": with_box(ante="1e2"),
    "invalid_time": sent(example(started_at="2026-11-29T14:22:33")),
    "invalid_card": sent(example(turn="1c")),
    "invalid_value": with_box(box=0),
    "unauthenticated": lambda floor: Client().get(ROUNDS),
    "forbidden": without_a_token,
    "scope_required": lambda floor: key_client(scopes=[Scope.ROUNDS_WRITE]).get(ROUNDS),
    "person_required": approved_by_a_key,
    "second_person_required": approved_twice_by_one,
    "not_found": lambda floor: floor.client.get(f"{ROUNDS}00000000-0000-7000-8000-000000000000/"),
    "method_not_allowed": lambda floor: floor.client.patch(ROUNDS),
    "not_acceptable": lambda floor: floor.client.get(ROUNDS, headers={"Accept": "text/html"}),
    "round_open": opened_twice,
    "wrong_phase": out_of_phase,
    "time_expired": too_late,
    "already_settled": void_once_settled,
    "step_conflict": another_flop,
    "idempotency_conflict": other_content,
    "illegal_move": paid_before_it_is_approved,
    "table_suspended": at_a_suspended_table,
    "body_too_large": raw(b"{}", CONTENT_LENGTH=str(33 * 1024 * 1024)),
    "unsupported_media_type": raw(b"{}", content_type="text/plain"),
    "wrong_card_count": sent(example(flop=["Qs", "Js", "Ts", "9s"])),
    "duplicate_card": sent(example(turn="As")),
    "unknown_table": sent(example(table="UTH-99")),
    "unknown_box": with_box(box=100_001),
    "wrong_multiple": with_box(decision={"action": "play", "street": "preflop", "multiplier": 5}),
    "wrong_street": with_box(decision={"action": "fold", "street": "preflop"}),
    "blind_mismatch": with_box(blind="10.00"),
    "bet_limit": with_box(ante="4.99"),
    "too_many_boxes": many_boxes,
    "box_taken": with_box(box=1),
    "ante_required": with_box(ante="0.00"),
    "player_required": with_box(player=""),
    "no_progressive": sent(example(table="PRAC-01")),
    "wrong_progressive_stake": with_box(progressive="2.00"),
    "time_order": sent(example(locked_at="2026-11-29T14:22:32Z")),
    "amount_too_large": with_box(ante="1000000000.00"),
    "throttled": throttled,
}
BUSY = "busy"
"""Has a test of its own: it needs a second connection that sees what is committed."""


def test_every_code_has_a_case() -> None:
    assert sorted([*CASES, *ELSEWHERE, BUSY]) == sorted(CATALOGUE)


@pytest.mark.parametrize("code", CASES)
def test_a_code(code: str, acme: Client, clock: Clock, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found: Json = problem(CASES[code](Floor(acme, clock, settings, monkeypatch)), CATALOGUE[code].status, code)
    assert found["title"] == CATALOGUE[code].title


@pytest.mark.django_db(transaction=True)
def test_busy_while_another_holds_the_lock(clock: Clock) -> None:
    """Known failures 80 and 103: never a refusal of the business, and nothing is half written."""
    made: House = house()
    client = key_client()
    client.get(ROUNDS)  # its first use is noted, so that no row is written by what follows
    before = rows()
    tables = Table.objects.select_for_update(no_key=True).filter(site=made.jackpot.home_site)
    holder = Actor(lambda: list(tables), hold=True)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    try:
        for address, body in ((ROUNDS, example()), (OPENING, {"external_id": "x"})):
            answer = send(client, address, body)
            problem(answer, 503, BUSY)
            assert answer["Retry-After"] == "1"
        assert rows() == before
    finally:
        holder.commit()
        connection.close()
    assert send(client, ROUNDS, example()).status_code == 202
