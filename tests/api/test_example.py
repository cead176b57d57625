"""The example of the contract, sent and read over HTTP: every key, every figure, every order."""

import json
import re
from copy import deepcopy
from pathlib import Path

from django.test import Client

from tables.api.described import examples
from tests.api.floor import EXAMPLE, ROUNDS, Json, send, settled

KEYS = (
    "id, external_id, table, site, game_number, currency, mode, phase, version, rule_set, jackpot_policy, started_at,"
    " locked_at, completed_at, gaming_day, late, boxes, flop, turn, river, dealer, events, settlement, problem"
)


def test_the_examples_are_those_of_the_contract_to_the_byte() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text()
    written = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    assert json.dumps(written) == json.dumps([EXAMPLE, without_chance(examples.SETTLEMENT)])


def test_the_settlement_is_the_contracts_to_the_byte(acme: Client) -> None:
    found = settled(acme, EXAMPLE)["settlement"]
    assert found["settled_at"].endswith("Z") and len(found["awards"][0]["id"]) == 36
    assert json.dumps(without_chance(found)) == json.dumps(without_chance(examples.SETTLEMENT))


def without_chance(settlement: Json) -> Json:
    """A settlement as the contract writes it: without the time and the id that are others each time."""
    shown = deepcopy(settlement)
    shown["settled_at"] = shown["awards"][0]["id"] = "…"
    return shown


def test_the_round_around_it(acme: Client) -> None:
    found = settled(acme, EXAMPLE)
    assert ", ".join(found) == KEYS
    boxes, events = found.pop("boxes"), found.pop("events")
    assert {name: value for name, value in found.items() if name not in ("id", "settlement")} == {
        "external_id": "gs-000123",
        "table": "UTH-01",
        "site": "DEMO",
        "game_number": "UTH-01-20261129-142233-1",
        "currency": "USD",
        "mode": "live",
        "phase": "settled",
        "version": 1,
        "rule_set": "casino-progressive@1",
        "jackpot_policy": "MAIN@1",
        "started_at": "2026-11-29T14:22:33Z",
        "locked_at": "2026-11-29T14:22:58Z",
        "completed_at": "2026-11-29T14:24:10Z",
        "gaming_day": "2026-11-29",
        "late": False,
        "flop": ["Qs", "Js", "Ts"],
        "turn": "3c",
        "river": "7h",
        "dealer": ["2d", "2h"],
        "problem": None,
    }
    assert [event["kind"] for event in events] == ["received"]
    assert boxes == [
        {
            "box": 1, "player": "P-17", "cards": ["As", "Ks"], "ante": "5.00", "blind": "5.00", "play": "20.00",
            "trips": "5.00", "progressive": "1.00", "void": None,
            "decision": {"action": "play", "street": "preflop", "multiplier": 4, "automatic": False},
        },
        {
            "box": 2, "player": "P-18", "cards": ["2c", "7d"], "ante": "5.00", "blind": "5.00", "play": "0.00",
            "trips": "0.00", "progressive": "1.00", "void": None,
            "decision": {"action": "fold", "street": "river", "multiplier": None, "automatic": False},
        },
    ]  # fmt: skip


def test_what_comes_back_at_once(acme: Client) -> None:
    answer = send(acme, ROUNDS, EXAMPLE)
    taken = answer.json()
    assert answer.status_code == 202
    assert answer["Content-Type"] == "application/json"
    assert answer["Location"] == f"http://testserver/api/v1/rounds/{taken['id']}/"
    assert "Idempotency-Replayed" not in answer
    assert (taken["phase"], taken["version"], taken["settlement"], taken["problem"]) == ("complete", 0, None, None)
    assert acme.get(answer["Location"]).json() == taken
