"""The example of the contract, sent and read over HTTP: every key, every figure, every order."""

import json

from django.test import Client

from tests.api.floor import EXAMPLE, ROUNDS, send, settled

SETTLEMENT = """
{
  "version": 1, "settled_at": "…", "rule_set": "casino-progressive@1",
  "dealer": {"hand": "pair", "best": ["2h","2d","Qs","Js","Ts"], "qualifies": true},
  "boxes": [
    {"box": 1, "player": "P-17", "hand": "royal_flush", "best": ["As","Ks","Qs","Js","Ts"], "progressive_hand": "royal_flush",
     "wagers": [
       {"kind": "ante", "stake": "5.00", "outcome": "win", "returned": "10.00", "net": "5.00"},
       {"kind": "blind", "stake": "5.00", "outcome": "win", "returned": "2505.00", "net": "2500.00"},
       {"kind": "play", "stake": "20.00", "outcome": "win", "returned": "40.00", "net": "20.00"},
       {"kind": "trips", "stake": "5.00", "outcome": "win", "returned": "255.00", "net": "250.00"},
       {"kind": "progressive", "stake": "1.00", "outcome": "win", "returned": "10000.40", "net": "9999.40", "basis": "meter_share"}
     ],
     "envy": [], "staked": "36.00", "returned": "12810.40", "net": "12774.40"},
    {"box": 2, "player": "P-18", "hand": "pair", "best": ["7h","7d","Qs","Js","Ts"], "progressive_hand": "high_card",
     "wagers": [
       {"kind": "ante", "stake": "5.00", "outcome": "lose", "returned": "0.00", "net": "-5.00"},
       {"kind": "blind", "stake": "5.00", "outcome": "lose", "returned": "0.00", "net": "-5.00"},
       {"kind": "progressive", "stake": "1.00", "outcome": "lose", "returned": "0.00", "net": "-1.00", "basis": null}
     ],
     "envy": [{"from_box": 1, "hand": "royal_flush", "amount": "1000.00"}], "staked": "11.00", "returned": "1000.00", "net": "989.00"}
  ],
  "awards": [{"id": "…", "kind": "hit", "box": 1, "hand": "royal_flush", "level": "main", "amount": "10000.40", "meter_before": "10000.40", "meter_after": "0.00", "reset_to": "10000.00", "seq": 3, "state": "pending"}],
  "totals": {"staked": "47.00", "returned": "13810.40", "envy": "1000.00"}
}
"""  # noqa: E501
KEYS = (
    "id, external_id, table, site, game_number, currency, mode, phase, version, rule_set, jackpot_policy, started_at,"
    " locked_at, completed_at, gaming_day, late, boxes, flop, turn, river, dealer, events, settlement, problem"
)


def test_the_settlement_is_the_contracts_to_the_byte(acme: Client) -> None:
    found = settled(acme, EXAMPLE)["settlement"]
    assert found["settled_at"].endswith("Z") and len(found["awards"][0]["id"]) == 36
    found["settled_at"] = found["awards"][0]["id"] = "…"
    assert json.dumps(found) == json.dumps(json.loads(SETTLEMENT))


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
