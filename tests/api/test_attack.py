"""Attacks with fixed seeds: right calls in wrong orders and at the same time, and cursors that no page gave.

Whatever comes, it is refused as the contract says, nothing is half written, and the books agree afterwards.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from jackpot.models.events import Event
from tables.models.rounds import Round
from tests.api.attack_sequences import API, MINE, STEPS, THEIRS, Attack, Call, wrong
from tests.api.floor import Json, example, key_client, rows, send, settled
from tests.api.live import LiveRound
from tests.api.rubbish import wrong as unlike_an_answer
from tests.concurrency.actors import all_at_once
from tests.factories import NOW, House, assert_books_agree, settle_all

CALLS = 350


@pytest.mark.parametrize("seed", [1, 2])
def test_right_calls_in_any_order(seed: int, acme: Client, rival: Client) -> None:
    clients, chance, outcomes = {MINE: acme, THEIRS: rival}, Random(seed), Counter[str]()
    attack = Attack(seed, at=NOW)
    for n, call in enumerate(attack):
        before = rows() if call.outcome.status >= 400 and chance.random() < 0.1 else None
        answer = sent(clients[call.who], call)
        assert not (trouble := wrong(call, answer.status_code, answer.json())), trouble
        assert before is None or rows() == before, call
        outcomes[call.outcome.code or str(call.outcome.status)] += 1
        if chance.random() < 0.04:
            settle_all()
            attack.settled(hit["id"] for hit in acme.get(f"{API}awards/?kind=hit&page_size=500").json()["results"])
        if n == CALLS:
            break
    assert {
        "200", "201", "202", "round_open", "wrong_phase", "step_conflict", "already_settled", "idempotency_conflict",
        "illegal_move", "not_found", "unknown_table",
    } <= outcomes.keys(), outcomes  # fmt: skip
    settle_all()
    told = {live.id: live.phase.replace("complete", "settled") for live in attack.rounds}
    assert {str(pk): phase for pk, phase in Round.objects.filter(live=True).values_list("pk", "phase")} == told
    assert_nothing_is_half_done()


@pytest.mark.django_db(transaction=True)
def test_right_calls_at_the_same_time(transactional_db: None, demo: House) -> None:
    """Bursts at one round after another, from two of its integrator's systems and a stranger."""
    chance, clients, statuses = Random(4), [key_client("Acme"), key_client("Acme"), key_client("Rival")], Counter[int]()
    for _ in range(6):
        live = LiveRound(clients[0], "UTH-02")
        for onward in ("boxes", "lock", "deal", "flop", "river", "showdown"):
            burst = [onward, onward, *chance.choices(list(STEPS), k=2)]
            calls = [partial(stepped, live, chance.choice(clients), name, content(name, chance)) for name in burst]
            for client, status in all_at_once(calls):
                assert status in ((404,) if client is clients[2] else (200, 409)), status
                statuses[status] += 1
        live.call("void", {"reason": "other", "note": "the end"})
        settle_all()
        assert live.read()["phase"] in ("void", "settled")
    assert {200, 404, 409} == statuses.keys()
    assert_nothing_is_half_done()


MADE_UP = [
    "", "0", "-1", "9" * 10, "9" * 19, "9" * 300, "1e5", "Infinity", "None", "x", "\ud800", "\0", "٣", " 1", "1_0",
    "2026-11-30", "2026-11-30T00:00:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-02-30",
    "ffffffff-ffff-ffff-ffff-ffffffffffff", "{00000000000000000000000000000000}", "urn:uuid:x",
]  # fmt: skip
LISTS = ["rounds/", "awards/", "tables/", "events/", "jackpots/MAIN/statement/"]


@pytest.mark.parametrize("address", LISTS)
def test_cursors_with_values_that_no_page_gave(address: str, acme: Client) -> None:
    for n in range(2):
        settled(acme, example(external_id=f"r-{n}"))
    following = acme.get(f"{API}{address}?page_size=1").json()["next"]
    mark, _, *values = json.loads(urlsafe_b64decode(following.partition("cursor=")[2] + "=="))
    for back in (0, 1):
        for place in range(len(values)):
            for value in MADE_UP:
                cursor = json.dumps([mark, back, *values[:place], value, *values[place + 1 :]]).encode()
                answer = acme.get(f"{API}{address}?cursor={urlsafe_b64encode(cursor).decode().rstrip('=')}")
                assert answer.status_code in (200, 400), (value, answer.content)
                assert not unlike_an_answer(answer.status_code, answer["Content-Type"], answer.content)


def sent(client: Client, call: Call) -> Any:
    headers = {"Idempotency_Key": call.key} if call.key else {}
    return send(client, API + call.path, call.body, call.method.lower(), **headers)


def content(step: str, chance: Random) -> Json:
    return chance.choice(list(STEPS[step].values()))


def stepped(live: LiveRound, client: Client, name: str, body: Json) -> tuple[Client, int]:
    """Take a step of a round as this client; from a thread of its own."""
    try:
        return client, send(client, f"{live.address}{name}/", body, "put" if name == "boxes" else "post").status_code
    finally:
        connection.close()


def assert_nothing_is_half_done() -> None:
    """Every round has its events, every whole one its boxes, events are numbered without a gap, and the books agree."""
    assert not Round.objects.filter(events=None).exists()
    assert not Round.objects.filter(live=False, boxes=None).exists()
    numbers: dict[int, list[int]] = {}
    for integrator, seq in Event.objects.order_by("seq").values_list("integrator_id", "seq"):
        numbers.setdefault(integrator, []).append(seq)
    assert all(seqs == list(range(1, len(seqs) + 1)) for seqs in numbers.values())
    assert_books_agree()
