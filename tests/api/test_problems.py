"""Every refusal is problem+json of one shape, whatever it is that refuses."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from jackpot.domain.callers import Scope
from jackpot.domain.errors import Refused, Violation
from jackpot.http.problems import render
from jackpot.http.reading import MAX_VIOLATIONS

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.api.probe")]
Caller = Callable[..., Client]
THINGS = "/api/v1/things/"


def problem(answer: Any, status: int, code: str, pointer: str | None = None) -> dict[str, Any]:
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = json.loads(answer.content)
    assert list(document) == ["type", "title", "status", "detail", "code", "instance", "errors"]
    assert (document["type"], document["status"], document["code"]) == (f"/errors/{code}", status, code)
    assert document["errors"][0]["code"] == code
    assert pointer in (None, document["errors"][0]["pointer"])
    assert all(list(error) == ["pointer", "code", "detail"] for error in document["errors"])
    return document


def send(client: Client, raw: bytes | str, address: str = THINGS, **how: Any) -> Any:
    return client.generic("POST", address, raw, content_type=how.pop("content_type", "application/json"), **how)


def test_the_exact_document(caller: Caller) -> None:
    answer = send(caller(), "{}", "/api/v1/trouble/rules/")
    assert problem(answer, 422, "bet_limit") == {
        "type": "/errors/bet_limit",
        "title": "Outside the bet limits",
        "status": 422,
        "detail": "too much",
        "code": "bet_limit",
        "instance": "/api/v1/trouble/rules/",
        "errors": [
            {"pointer": "/ante", "code": "bet_limit", "detail": "too much"},
            {"pointer": "/flop/0", "code": "duplicate_card", "detail": "twice"},
        ],
    }


def test_a_document_names_its_instance_and_at_most_a_hundred_errors() -> None:
    refused = Refused(Violation("box_taken", "twice", f"/boxes/{n}") for n in range(500))
    document = render(refused, "/api/v1/rounds/batch/#/rounds/1")
    assert document["instance"] == "/api/v1/rounds/batch/#/rounds/1"
    assert isinstance(document["errors"], list)
    assert len(document["errors"]) == MAX_VIOLATIONS


def test_a_good_body_is_read(caller: Caller) -> None:
    answer = send(caller(), '{"number": 7}', content_type='application/json; charset="UTF-8"')
    assert (answer.status_code, answer.json()) == (201, {"number": 7, "note": ""})


def test_unreadable_bodies(caller: Caller) -> None:
    client = caller()
    for raw in (b"{", b"[]", b'{"number":\xff}', b'{"number":NaN}', b"[" * 10**5):
        problem(send(client, raw), 400, "malformed")


@pytest.mark.parametrize(
    ("raw", "code", "pointer"),
    [
        ("{}", "missing_field", "/number"),
        ('{"number":1,"number":1}', "repeated_field", "/number"),
        ('{"number":1,"nota":"x"}', "unknown_field", "/nota"),
        ('{"number":1,"note":"a\\u0000"}', "invalid_value", "/note"),
        ('{"number":1e400}', "invalid_value", "/number"),
        ('{"number":' + "9" * 5_000 + "}", "invalid_value", "/number"),
    ],
)
def test_wrong_fields(caller: Caller, raw: str, code: str, pointer: str) -> None:
    assert problem(send(caller(), raw), 400, code)["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "identity, gzip", "x", "GZIP"])
def test_a_body_in_another_coding(caller: Caller, coding: str) -> None:
    problem(send(caller(), '{"number":1}', headers={"Content-Encoding": coding}), 415, "unsupported_media_type")


def test_a_body_as_it_is(caller: Caller) -> None:
    assert send(caller(), '{"number":1}', headers={"Content-Encoding": "Identity"}).status_code == 201


def test_no_header_changes_the_method(caller: Caller) -> None:
    client = caller("Acme", Scope.ROUNDS_READ)
    for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        problem(send(client, "{}", headers={name: "GET"}), 403, "scope_required")
        assert client.get(THINGS, headers={name: "POST"}).status_code == 200


def test_no_body_counts_as_an_empty_object(caller: Caller) -> None:
    problem(send(caller(), b""), 400, "missing_field")
    problem(send(caller(), b"", content_type="multipart/form-data"), 400, "missing_field")


@pytest.mark.parametrize(
    "content_type",
    [
        *("", "text/plain", "text/json", "application/xml", "multipart/form-data; boundary=x", "application/*", "*/*"),
        *("application/json; charset=latin-1", "application/json-patch+json", "application/x-www-form-urlencoded"),
    ],
)
def test_other_content_types(caller: Caller, content_type: str) -> None:
    problem(send(caller(), '{"number":1}', content_type=content_type), 415, "unsupported_media_type")


def test_a_body_has_its_limit(caller: Caller) -> None:
    client, address = caller(), "/api/v1/trouble/echo/"
    assert send(client, json.dumps({"a": "x" * 22}), address).status_code == 200
    problem(send(client, json.dumps({"a": "x" * 24}), address), 413, "body_too_large")
    problem(send(client, b"{}", address, CONTENT_LENGTH=str(10**12)), 413, "body_too_large")


def test_a_body_in_chunks_is_not_taken_for_an_empty_one(caller: Caller) -> None:
    problem(send(caller(), b"", headers={"Transfer-Encoding": "chunked"}), 400, "malformed")


def test_nul_in_addresses_and_headers(caller: Caller) -> None:
    client = caller()
    problem(send(client, "{}", "/api/v1/trouble/a%00b/"), 400, "malformed")
    problem(client.get(THINGS, headers={"Prefer": "a\0"}), 400, "malformed")
    problem(client.get(THINGS + "?prefix=%00"), 400, "invalid_value")
    problem(client.get(THINGS + "?%00=1"), 400, "invalid_value")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        *(("prefiks=a", "unknown_field"), ("prefix=a&prefix=a", "repeated_field"), ("prefix=", "invalid_value")),
        *(("page_size=0", "invalid_value"), ("page_size=-1", "invalid_value"), ("page_size=501", "invalid_value")),
        *(("page_size=1e2", "invalid_value"), ("page_size=1000000", "invalid_value"), ("cursor=x", "invalid_value")),
        *(("prefix=%ff", "malformed"), ("format=json", "unknown_field"), ("&".join(["a"] * 2_000), "malformed")),
    ],
)
def test_wrong_queries(caller: Caller, query: str, code: str) -> None:
    client = caller()
    problem(client.get(f"{THINGS}?{query}"), 400, code)


def test_a_call_without_parameters_takes_none(caller: Caller) -> None:
    problem(send(caller(), '{"number":1}', THINGS + "?dry_run=1"), 400, "unknown_field")


def test_unknown_addresses_answer_problems_but_to_browsers_elsewhere(client: Client) -> None:
    assert "end with a slash" in problem(client.get("/api/v1/nothing"), 404, "not_found")["detail"]
    for misspelt in ("/api", "/API/v1/things/", "/api/v1/../x/", "/api/v1/%ff%00/", "/api%2Fv2/"):
        problem(client.get(misspelt, headers={"Accept": "text/html"}), 404, "not_found")
    problem(client.get("/", PATH_INFO="//api/v1/things/", headers={"Accept": "text/html"}), 404, "not_found")
    problem(client.post("/nothing/"), 404, "not_found")
    assert client.get("/nothing/", headers={"Accept": "text/html"})["Content-Type"].startswith("text/html")


def test_other_methods(caller: Caller) -> None:
    client = caller()
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"):
        answer = client.generic(method, THINGS)
        problem(answer, 405, "method_not_allowed")
        assert answer["Allow"] == "GET, HEAD, POST"


def test_a_method_that_is_not_there_comes_before_anything_else(client: Client) -> None:
    problem(client.delete(THINGS + "?unknown=1"), 405, "method_not_allowed")


def test_other_formats(caller: Caller) -> None:
    problem(caller().get(THINGS, headers={"Accept": "text/html"}), 406, "not_acceptable")


def test_who_waits_is_told_how_long(caller: Caller) -> None:
    client = caller()
    throttled = send(client, "{}", "/api/v1/trouble/throttled/")
    problem(throttled, 429, "throttled")
    assert throttled["Retry-After"] == "7"
    busy = send(client, "{}", "/api/v1/trouble/busy/")
    problem(busy, 503, "busy")
    assert busy["Retry-After"] == "1"


def test_a_value_the_database_cannot_store_is_no_server_error(caller: Caller) -> None:
    problem(send(caller(), "{}", "/api/v1/trouble/data/"), 400, "invalid_value")


def test_a_fault_of_ours_is_a_problem_too(caller: Caller) -> None:
    problem(send(caller(), "{}", "/api/v1/trouble/bug/"), 500, "server_error")


def test_a_wrong_host_is_a_problem_too(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["example.com"]
    problem(client.get("/api/v1/nothing/", headers={"Host": "evil.example"}), 400, "malformed")
