"""What is refused before a stream begins. These clients do not come through ASGI: to the rightful one that is said."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from jackpot import services as jackpot
from jackpot.domain.callers import Scope
from tests.api.floor import key_client, rows
from tests.api.test_problems import problem
from tests.factories import House, jackpot_with

STREAM = "/api/v1/jackpots/MAIN/stream/"


def test_a_process_that_cannot_stream_says_so(acme: Client) -> None:
    answer = acme.get(STREAM)
    assert "ASGI" in problem(answer, 503, "busy")["detail"]
    assert answer["Retry-After"] == "1"


def test_staff_may_follow(demo: House) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("s", is_staff=True))
    problem(client.get(STREAM), 503, "busy")
    client.force_login(User.objects.create_user("t"))
    problem(client.get(STREAM), 401, "unauthenticated")


def test_who_may_not(acme: Client) -> None:
    before = rows()
    problem(Client().get(STREAM), 401, "unauthenticated")
    problem(Client(headers={"Authorization": "Bearer x"}).get(STREAM), 401, "unauthenticated")
    assert rows() == before
    problem(key_client("Acme", scopes=[Scope.ROUNDS_READ]).get(STREAM), 403, "scope_required")
    jackpot.open_site(code="THERE", name="There")
    problem(key_client("Rival", sites=["THERE"]).get(STREAM), 404, "not_found")


@pytest.mark.parametrize("code", ["NONE", "ELSEWHERE", "main", "M%20AIN", "x" * 200])
def test_a_jackpot_that_is_not_seen(code: str, acme: Client) -> None:
    jackpot_with(code="ELSEWHERE")
    problem(acme.get(f"/api/v1/jackpots/{code}/stream/"), 404, "not_found")


@pytest.mark.parametrize(
    "sent",
    [
        *("x", "17", "MAIN", "MAIN:", "MAIN:x", "MAIN:-1", "MAIN:017", "MAIN:1.0", "MAIN:1.", "MAIN:1.1.1"),
        *("main:1", "OTHER:1", "MAIN: 1", "MAIN:1 ", "MAIN:" + "9" * 19, "MAIN:1." + "9" * 10, "x" * 5_000),
    ],
)  # fmt: skip
def test_ids_that_are_none_of_this_stream(sent: str, acme: Client) -> None:
    assert "Last-Event-ID" in problem(acme.get(STREAM, headers={"Last-Event-ID": sent}), 400, "invalid_value")["detail"]


@pytest.mark.parametrize("sent", ["", "MAIN:0", "MAIN:1", "MAIN:1.1", "MAIN:999999999999999999", "MAIN:1.999999999"])
def test_ids_that_are(sent: str, acme: Client) -> None:
    problem(acme.get(STREAM, headers={"Last-Event-ID": sent}), 503, "busy")


def test_strictness(acme: Client) -> None:
    problem(acme.get(f"{STREAM}?last_event_id=MAIN:1"), 400, "unknown_field")
    problem(acme.get(f"{STREAM}?%00=1"), 400, "invalid_value")
    problem(acme.get(STREAM, headers={"Last-Event-ID": "MAIN:1\0"}), 400, "malformed")
    problem(acme.get("/api/v1/jackpots/MA%00IN/stream/"), 400, "malformed")
    for accept in ("application/json", "text/html", "nonsense"):
        problem(acme.get(STREAM, headers={"Accept": accept}), 406, "not_acceptable")
    for accept in ("text/event-stream", "text/*", "*/*", "application/json, text/event-stream;q=0.1"):
        problem(acme.get(STREAM, headers={"Accept": accept}), 503, "busy")
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        answer = acme.generic(method, STREAM)
        problem(answer, 405, "method_not_allowed")
        assert "GET" in answer["Allow"]
