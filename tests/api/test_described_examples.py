"""Every example of the description is sent to the service, and what it shows is what comes back."""

import json
from base64 import b64encode
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from config import description
from jackpot.domain.callers import Scope
from jackpot.http import event_stream
from jackpot.http.schemas import ref
from jackpot.live.following import Source, Told
from jackpot.models.awards import Award
from jackpot.models.events import Event
from jackpot.money import currency
from jackpot.selectors.live import Hit, Meter, Place, Reset
from jackpot.webhooks import sending
from jackpot.webhooks.deliveries import Sending
from tests.api.described import validator
from tests.api.floor import EXAMPLE, Json, key_client, send, settled
from tests.api.people import person
from tests.factories import House, settle_all

_WHOLE = ["sendRound", "sendRounds"]
_LIVE = [
    "openRound", "placeBet", "placeBets", "suspendRound", "resumeRound", "lockRound", "dealCards", "decide", "dealFlop",
    "dealRiver", "showDown",
]  # fmt: skip
_VOID = ["openRound", "placeBet", "voidBox", "voidRound"]
_MOVES = ["approveAward", "disputeAward", "upholdAward", "rejectAward", "payAward"]
_BY_CHANCE = {"id", "at", "settled_at"}

OPERATIONS: dict[str, Json] = {
    operation["operationId"]: operation | {"method": method, "path": path}
    for path, methods in description.document()["paths"].items()
    for method, operation in methods.items()
}


def sent_examples(operation: Json) -> list[Any]:
    """The examples of its body."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return [example["value"] for example in content.get("examples", {}).values()]


def address(operation: Json, **known: str) -> str:
    """The call's address, with what is known and the examples of its other parameters."""
    values = {
        parameter["name"]: next(iter(parameter["examples"].values()))["value"]
        for parameter in operation["parameters"]
        if parameter["in"] == "path" and "examples" in parameter
    }
    return str(operation["path"].format(**values | known))


def call(client: Client, name: str, **known: str) -> Any:
    operation = OPERATIONS[name]
    (body,) = sent_examples(operation)
    headers = {
        parameter["name"]: next(iter(parameter["examples"].values()))["value"]
        for parameter in operation["parameters"]
        if parameter["in"] == "header" and parameter["required"]
    }
    answer = send(client, address(operation, **known), body, operation["method"], **headers)
    assert 200 <= answer.status_code < 300, answer.content
    return answer.json()


def without_chance(shown: Any) -> Any:
    """What is shown, without the ids and times that are others each time."""
    if isinstance(shown, dict):
        return {name: without_chance(part) for name, part in shown.items() if name not in _BY_CHANCE}
    return [without_chance(part) for part in shown] if isinstance(shown, list) else shown


def test_every_example_is_sent_below() -> None:
    assert {name for name, operation in OPERATIONS.items() if sent_examples(operation)} == {
        *_WHOLE, *_LIVE, *_VOID, *_MOVES
    }  # fmt: skip


def test_whole_rounds(acme: Client) -> None:
    sent = call(acme, "sendRound")
    settle_all()
    (shown,) = OPERATIONS["readRound"]["responses"]["200"]["content"]["application/json"]["examples"].values()
    found = acme.get(address(OPERATIONS["readRound"], round_id=sent["id"])).json()
    assert json.dumps(without_chance(found)) == json.dumps(without_chance(shown["value"]))
    again = send(acme, "/api/v1/rounds/", *sent_examples(OPERATIONS["sendRound"]), Prefer="wait=10")
    (shown,) = OPERATIONS["sendRound"]["responses"]["200"]["content"]["application/json"]["examples"].values()
    assert (again.status_code, without_chance(again.json())) == (200, without_chance(shown["value"]))


def test_a_batch(acme: Client) -> None:
    results = call(acme, "sendRounds")["results"]
    assert [result["status"] for result in results] == [202, 422]
    assert results[1]["problem"]["code"] == "duplicate_card"


@pytest.mark.parametrize(("calls", "phase"), [(_LIVE, "settled"), (_VOID, "void")], ids=["live", "void"])
def test_a_live_round(acme: Client, calls: list[str], phase: str) -> None:
    opened = call(acme, calls[0])["id"]
    for name in calls[1:]:
        call(acme, name, round_id=opened)
    settle_all()
    assert acme.get(address(OPERATIONS["readRound"], round_id=opened)).json()["phase"] == phase


@pytest.mark.parametrize("moves", [["approve", "dispute", "uphold", "pay"], ["dispute", "reject"]], ids=["paid", "not"])
def test_awards_are_moved(acme: Client, moves: list[str]) -> None:
    """Each call by somebody else, since all send the same key."""
    call(acme, "sendRound")
    settle_all()
    hit = str(Award.objects.get(kind="hit").pk)
    for name in moves:
        for who in ("ann", "ben")[: 1 if name in ("dispute", "pay") else 2]:
            shown = call(person(f"{who}-{name}"), f"{name}Award", award_id=hit)
    assert shown["state"] == {"pay": "paid", "reject": "rejected"}[moves[-1]]


@pytest.mark.parametrize("name", ["readJackpot", "readStatement", "readRuleSet"])
def test_the_codes_in_addresses_are_there(acme: Client, name: str) -> None:
    assert acme.get(address(OPERATIONS[name])).status_code == 200


def test_the_scope_that_is_named_is_enough(demo: House) -> None:
    for operation in OPERATIONS.values():
        if operation["method"] == "get" and operation["security"]:
            (scope,) = operation["security"][0]["key"]
            answer = key_client("Acme", scopes=[Scope(scope)]).get(address(operation, **_UNKNOWN))
            assert answer.status_code not in {401, 403}, operation["operationId"]


_UNKNOWN = dict.fromkeys(("round_id", "award_id"), "00000000-0000-4000-8000-000000000000")


_LINK, _AT = Place(17, 1), datetime(2026, 11, 29, 14, 24, 11, tzinfo=UTC)
_AWARD = UUID("01939a3c-7e5c-7a7e-9a51-6f1d5b5f0c01")


@pytest.mark.parametrize(
    ("told", "component"),
    [
        (Source(lost=True, since=_AT), "SourceTold"),
        (Meter(_LINK, "main", 123_456_789, 10**12, 3, None), "MeterTold"),
        (Hit(_LINK, "main", 3, "royal_flush", 10**8, 10**12, 0, _AWARD, 1, False, _AT, _AT), "HitTold"),
        (Reset(_LINK, "main", 4, 10**12, _AT), "ResetTold"),
    ],
)
def test_what_a_stream_tells(told: Told, component: str) -> None:
    """Each event and the data in it: a validator looks at the first only."""
    lines = event_stream.frame("MAIN", currency("USD"), told).decode().strip().splitlines()
    event = dict(line.split(": ", 1) for line in lines)
    validator(ref("StreamEvent")).validate(event)
    validator(ref(component)).validate(json.loads(event["data"]))


def test_what_a_webhook_says(acme: Client) -> None:
    settled(acme, EXAMPLE)
    secret = f"whsec_{b64encode(bytes(24)).decode()}"
    described = description.document()["webhooks"]["event"]["post"]["parameters"]
    kinds = set()
    for event in Event.objects.all():
        told = Sending(1, "https://example.com/", (secret,), event.id, event.type, event.seq, event.at, event.data)
        body = sending.body_of(told)
        validator(ref("WebhookEvent")).validate(json.loads(body))
        headers = sending.headers_of(told, body, now=_AT)
        assert [validator(one["schema"]).is_valid(headers[one["name"]]) for one in described] == [True] * 3
        kinds.add(event.type)
    assert kinds == {"round.settled", "jackpot.hit", "jackpot.reset", "envy.awarded"}
