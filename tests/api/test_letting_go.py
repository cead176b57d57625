"""A body is let go of with its answer: the collector, which counts objects and not bytes, may come by much later."""

import gc
import json
from collections.abc import Iterator

import pytest
from django.test import Client

from tests.api.floor import BATCH, ROUNDS, example, send
from tests.api.live import LiveRound

SENT = {"box": 1, "player": "who-is-nowhere-else", "ante": "5.00"}
TAKEN = json.dumps(example(boxes=[SENT], void={"reason": "other", "note": ""}))
BODIES = {
    "taken": (ROUNDS, TAKEN, 202),
    "against a rule": (ROUNDS, TAKEN.replace("UTH-01", "NONE"), 422),
    "of another shape": (ROUNDS, TAKEN.replace("flop", "flip"), 400),
    "repeating a field": (ROUNDS, f'{TAKEN[:-1]}, "table": "UTH-01"}}', 400),
    "batch": (
        BATCH,
        f'{{"rounds": [{TAKEN}, {TAKEN.replace("UTH-01", "NONE")}, {{"boxes": [{json.dumps(SENT)}]}}]}}',
        200,
    ),
}


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("case", BODIES)
def test_nothing_that_was_sent_outlives_its_answer(case: str, acme: Client, no_collector: None) -> None:
    address, body, status = BODIES[case]
    answer = send(acme, address, body)
    assert answer.status_code == status, answer.content
    assert [one for one in gc.get_objects() if type(one) is list and any(map(is_sent, one))] == []


def is_sent(part: object) -> bool:
    """Looks at dicts alone: comparing anything else may wake it."""
    return type(part) is dict and part == SENT


@pytest.mark.parametrize("kind", ["multipart/form-data", "application/x-www-form-urlencoded", "text/plain"])
def test_where_nothing_was_sent_there_is_nothing_to_let_go_of(kind: str, acme: Client) -> None:
    live = LiveRound(acme)
    live.bet(1)
    assert acme.delete(f"{live.address}boxes/1/", CONTENT_TYPE=kind).status_code == 200
