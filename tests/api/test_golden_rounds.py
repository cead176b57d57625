"""Every golden round that the demo's tables can play goes through the API to exactly its settlement."""

import pytest
from django.test import Client

from jackpot.models.jackpots import Level
from jackpot.money import currency, displayed, show, show_exact
from tests.api.floor import ROUNDS, rows, send, settled
from tests.factories import House
from tests.golden.load import load, names
from tests.reference.compare import differences, settlement_core

GOLDEN = {name: golden for name in names() if (golden := load(name))["via"] == "api"}
USD = currency("USD")


def test_there_are_golden_rounds_of_every_rule_set() -> None:
    assert {golden["rule_set"] for golden in GOLDEN.values()} == {
        "casino-progressive", "casino-fold-early", "live-online", "live-shared", "practice",
    }  # fmt: skip


@pytest.mark.parametrize("name", [name for name in GOLDEN if "settlement" in GOLDEN[name]])
def test_settlement(name: str, demo: House, acme: Client) -> None:
    golden = GOLDEN[name]
    found = settled(acme, golden["request"])["settlement"]
    assert found["rule_set"] == golden["settlement"]["rule_set"]
    assert differences(settlement_core(golden["settlement"]), settlement_core(found)) == []
    for code, wanted in golden.get("meters", {}).items():
        level = Level.objects.get(jackpot=demo.jackpot, code=code)
        assert show(displayed(level.meter), USD) == wanted["displayed"]
        pots = {pot: show_exact(getattr(level, pot), USD) for pot in ("meter", "reserve", "overflow")}
        assert pots == {pot: wanted[pot] for pot in pots}


@pytest.mark.parametrize("name", [name for name in GOLDEN if "problem" in GOLDEN[name]])
def test_refusal(name: str, acme: Client) -> None:
    golden = GOLDEN[name]
    before = rows()
    answer = send(acme, ROUNDS, golden["request"])
    problem = answer.json()
    first = problem["errors"][0]
    found = {"status": answer.status_code, "code": first["code"], "pointer": first["pointer"]}
    assert found["pointer"].startswith(golden["problem"]["pointer"])
    assert found | {"pointer": golden["problem"]["pointer"]} == golden["problem"]
    assert rows() == before
