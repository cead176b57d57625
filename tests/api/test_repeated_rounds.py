"""A round sent again: equal content is a replay, other content a conflict, and one integrator's ids are its own."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.api.floor import BATCH, EXAMPLE, ROUNDS, Json, box, example, key_client, rows, send, settled
from tests.api.test_problems import problem
from tests.factories import house

SAME: dict[str, Json] = {
    "as it was": example(),
    "blind left out": example(
        boxes=[{k: v for k, v in EXAMPLE["boxes"][0].items() if k != "blind"}, EXAMPLE["boxes"][1]]
    ),
    "defaults written out": example(boxes=[EXAMPLE["boxes"][0], box(2, player="P-18", trips="0.00", blind="5.00")]),
    "nulls": example(player_cards=None, void=None) | {"player_cards": None, "void": None},
    "other spellings": example(turn="3♣", dealer=["2D", "2h"], flop=["QS", "js", "10s"]),
    "other digits of the same amount": example(boxes=[EXAMPLE["boxes"][0], box(2, player="P-18", ante="5")]),
    "another zone": example(completed_at="2026-11-29T15:24:10+01:00"),
    "boxes in another order": example(boxes=EXAMPLE["boxes"][::-1]),
    "a pair and a flop in another order": example(
        boxes=[EXAMPLE["boxes"][0] | {"cards": ["Ks", "As"]}, EXAMPLE["boxes"][1]],
        flop=["Ts", "Qs", "Js"],
        dealer=["2h", "2d"],
    ),
    "the fold that silence means": example(boxes=[EXAMPLE["boxes"][0], box(2, player="P-18", decision=...)]),
}
OTHER: dict[str, Json] = {
    "another card": example(turn="4c"),
    "another player": example(boxes=[EXAMPLE["boxes"][0], box(2)]),
    "another table": example(table="UTH-02"),
    "another second": example(completed_at="2026-11-29T14:24:11Z"),
    "turn and river changed over": example(turn="7h", river="3c"),
    "a pair changed with a card of the flop": example(dealer=["2d", "Qs"], flop=["2h", "Js", "Ts"]),
    "a card of a box on the other box": example(
        boxes=[EXAMPLE["boxes"][0] | {"cards": ["As", "7d"]}, EXAMPLE["boxes"][1] | {"cards": ["2c", "Ks"]}]
    ),
    "void": example(void={"reason": "other"}),
}


@pytest.mark.parametrize("name", SAME)
def test_equal_content(name: str, acme: Client) -> None:
    first = send(acme, ROUNDS, example()).json()
    before = rows()
    again = send(acme, ROUNDS, SAME[name])
    assert (again.status_code, again["Idempotency-Replayed"], again.json()) == (202, "true", first)
    assert rows() == before


@pytest.mark.parametrize("name", OTHER)
def test_other_content(name: str, acme: Client) -> None:
    send(acme, ROUNDS, example())
    before = rows()
    found = problem(send(acme, ROUNDS, OTHER[name]), 409, "idempotency_conflict")
    assert found["errors"][0]["pointer"] == "/external_id"
    assert rows() == before


def test_once_settled_a_repeat_answers_with_the_settlement_and_200_to_who_would_wait(acme: Client) -> None:
    first = settled(acme, example())
    again = send(acme, ROUNDS, example())
    assert (again.status_code, again["Idempotency-Replayed"], again.json()) == (202, "true", first)
    waited = send(acme, ROUNDS, example(), Prefer="wait=1")
    assert (waited.status_code, waited["Idempotency-Replayed"], waited.json()) == (200, "true", first)
    item = send(acme, BATCH, {"rounds": [example()]}).json()["results"][0]
    assert item == {"index": 0, "status": 202, "round": first, "replayed": True}


def test_a_refused_round_is_not_remembered(acme: Client) -> None:
    problem(send(acme, ROUNDS, example(turn="As")), 422, "duplicate_card")
    assert send(acme, ROUNDS, example()).status_code == 202


def test_twice_in_one_batch(acme: Client) -> None:
    items = [
        example(),
        example(),
        example(turn="4c"),
        example(external_id="other", turn="As"),
        example(external_id="other"),
    ]
    results = send(acme, BATCH, {"rounds": items}).json()["results"]
    assert [result["status"] for result in results] == [202, 202, 409, 422, 202]
    assert "replayed" not in results[0]
    assert list(results[1]) == ["index", "status", "round", "replayed"] and results[1]["replayed"] is True
    assert results[1]["round"] == results[0]["round"]
    assert results[2]["problem"]["code"] == "idempotency_conflict"
    assert rows()["tables.Round"] == 2


def test_external_ids_of_two_integrators_have_nothing_to_do_with_each_other(acme: Client, rival: Client) -> None:
    one = send(acme, ROUNDS, example())
    other = send(rival, ROUNDS, example(turn="4c"))
    assert other.status_code == 202 and "Idempotency-Replayed" not in other
    assert one.json()["id"] != other.json()["id"]
    assert [one.json()["game_number"][-2:], other.json()["game_number"][-2:]] == ["-1", "-2"]


def test_equal_content_under_two_ids_is_two_rounds(acme: Client) -> None:
    ids = {send(acme, ROUNDS, example(external_id=name)).json()["id"] for name in ("a", "b")}
    assert len(ids) == 2


@pytest.mark.django_db(transaction=True)
def test_many_at_once_make_one_round(clock: Any) -> None:
    """At one table the lock orders them, at two tables the constraint: in both cases one is first, the rest see it."""
    house()
    client_of = [key_client("Acme") for _ in range(8)]
    answers: list[Any] = []

    def work(n: int) -> None:
        try:
            answers.append(send(client_of[n], ROUNDS, example(table=f"UTH-0{1 + n % 2}")))
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [202] * 4 + [409] * 4
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 202}) == 1
    assert sum("Idempotency-Replayed" not in answer for answer in answers if answer.status_code == 202) == 1
    assert rows()["tables.Round"] == 1
