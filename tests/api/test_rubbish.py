"""Whatever comes in: no fault of the service, every refusal a problem, and no round half written."""

from random import Random
from typing import Any

from django.test import Client

from tables.models.rounds import Round
from tests.api.floor import rows
from tests.api.rubbish import Call, calls, wrong
from tests.factories import House, assert_books_agree, settle_all

CALLS = 500


def test_rubbish(demo: House, acme: Client) -> None:
    """One call after the other from a fixed seed; what is taken is settled afterwards, and the books agree."""
    chance, known, statuses = Random(3), ["00000000-0000-7000-8000-000000000000"], set()
    made = calls(3, lambda: chance.choice(known))
    for call in (next(made) for _ in range(CALLS)):
        before = rows() if call.method == "POST" and chance.random() < 0.1 else None
        answer = send(acme, call)
        assert not (trouble := wrong(answer.status_code, answer["Content-Type"], answer.content, call.method)), (
            f"{trouble}: {call}"
        )
        if before and answer.status_code >= 400:
            assert rows() == before, str(call)
        statuses.add(answer.status_code)
        if answer.status_code in (201, 202) and "id" in answer.json():
            known = [*known[-10:], answer.json()["id"]]
    assert {200, 201, 202, 400, 401, 404, 405, 406, 409, 415, 422} <= statuses
    settle_all()
    found = list(Round.objects.values_list("phase", "problem"))
    assert len(found) > 20
    assert {phase for phase, _ in found} <= {
        "betting",
        "locked",
        "preflop",
        "flop",
        "river",
        "settled",
        "void",
        "failed",
        "suspended",
    }
    assert {problem["code"] for _, problem in found if problem} <= {"second_person_required"}
    assert_books_agree()


def send(client: Client, call: Call) -> Any:
    headers = {name: value for name, value in call.headers.items() if name != "Content-Type"}
    kind = call.headers.get("Content-Type", "application/json")
    return client.generic(call.method, call.path, call.body, content_type=kind, headers=headers)
