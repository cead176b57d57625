"""Every golden round under settings of its own goes through the API to exactly its settlement, meters and statement.

Each has a house of its own: a rule-set version and a jackpot policy made of its overrides by the product's services,
and the table its request names. Where a golden starts from an `opening`, the figure on the meter is brought about as
the books record it: by an adjustment against the house that two people stand for; the row stands in the golden's
statement too.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Sum
from django.utils import timezone

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Leg
from jackpot.money import currency, parse, show_exact
from jackpot.selectors import books
from jackpot.services.changes import adjustments
from tables.services.audit import audit
from tests.api.floor import key_client, settled
from tests.factories import NOW, jackpot_with, person, rule_set_with
from tests.factories.documents import policy_document, rules_document
from tests.golden.load import load, names, policy
from tests.integration.outcome import Outcome
from tests.reference.compare import chain_breaks, differences, settlement_core, statement_core

Json = dict[str, Any]
GOLDEN = {name: golden for name in names() if (golden := load(name))["via"] == "policy"}
USD = currency("USD")


def test_every_golden_is_played_here_or_at_the_demo_tables() -> None:
    assert len(GOLDEN) >= 25
    assert {load(name)["via"] for name in names()} == {"api", "policy"}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_policy(name: str, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = GOLDEN[name]
    monkeypatch.setattr(timezone, "now", lambda: NOW + timedelta(seconds=20))
    jackpot = _house(golden)
    for level, figure in golden.get("opening", {}).items():
        _adjust(jackpot, level, figure, at=NOW - timedelta(days=1))

    client = key_client("Acme", sites=[jackpot.home_site.code])
    found = settled(client, golden["request"])["settlement"]

    assert found["rule_set"] == golden["settlement"]["rule_set"]
    assert differences(settlement_core(golden["settlement"]), settlement_core(found)) == []
    outcome = Outcome(jackpot).read()
    assert chain_breaks(outcome["statement"]) == []
    if "statement" in golden:
        assert differences(statement_core(golden["statement"]), statement_core(outcome["statement"])) == []
    if "meters" in golden:
        _assert_meters(golden["meters"], outcome["meters"], jackpot)
    assert all(check.agrees for check in books.check_pots(jackpot))
    assert audit(Lane.objects.all()).findings.differences == []


def _house(golden: Json) -> Jackpot:
    """The golden's table under its rules, linked to a jackpot under its policy; no other table, no demo data."""
    document = rules_document(golden.get("rules", {}), like=golden["rule_set"])
    rules = rule_set_with(golden["rule_set"], like=golden["rule_set"], **document)
    table = golden["request"]["table"]
    return jackpot_with(code="MAIN", tables=(table,), rules=rules, **policy_document(policy(golden)))


def _adjust(jackpot: Jackpot, code: str, figure: str, *, at: datetime) -> None:
    """Bring a level's meter to a figure, the difference borne by the house: one person asks, another approves."""

    row = Level.objects.select_related("jackpot").get(jackpot=jackpot, code=code)
    change = parse(figure, USD) - int(row.meter)
    if not change:
        return
    ann, ben = (person(f"{name} of {code}") for name in ("ann", "ben"))
    asked = adjustments.ask_adjustment(
        caller=ann, level=row, pot=Pot.METER, amount=show_exact(change, USD), reason="promotion", now=at
    )
    adjustments.approve_adjustment(caller=ben, request_id=asked.pk, now=at)


def _assert_meters(expected: Json, found: Json, jackpot: Jackpot) -> None:
    """Every pot of every level; what the house has borne stands in one account for all levels of a jackpot."""
    pots = {level: {key: pot for key, pot in row.items() if key != "house"} for level, row in expected.items()}
    assert differences(pots, found) == []
    borne = Leg.objects.filter(account__code=accounts.house_of(jackpot.code)).aggregate(sum=Sum("amount"))["sum"]
    assert int(borne) == sum(_units(row["house"]) for row in expected.values()), show_exact(int(borne), USD)


def _units(exact: str) -> int:
    whole, _, decimals = exact.partition(".")
    return int(whole + decimals)
