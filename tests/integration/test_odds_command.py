"""`manage.py odds`. The whole enumeration runs once, in one test; what else it says needs none."""

import json
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.domain.paytables import BLIND_B
from tables.models.odds import RuleSetOdds
from tables.models.rulesets import RuleSetVersion
from tables.odds.settings import Settings
from tables.odds.tallies import Ending, Tally, odds_of
from tables.odds.theory import METHOD, Theory
from tables.services import demo_data, houses, odds
from tests.factories import jackpot_with
from tests.integration.test_commands import typed

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
DEALS = 1_326 * 19_600 * 1_081 * 990


def asked(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(typed("odds", *words, "--json"))
    return found


@pytest.mark.django_db(transaction=True)  # nothing is open while it reckons: PostgreSQL ends what idles for a minute
def test_the_main_game_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """All rule sets that ship play one game: worked out, shown, stored; and a stored one that differs is named."""
    houses.publish_rule_sets()
    practice = RuleSetVersion.objects.get(rule_set__code="practice")
    wrong: dict[str, Any] = {"deals": [["river", 0, "folded", "pair", 1]], "trips": None}
    RuleSetOdds.objects.create(rule_set=practice, method=METHOD, document=wrong, stored_at=NOW)

    with pytest.raises(CommandError, match=r"differ from what comes out: practice@1$"):
        call_command("odds", "--store", "--json")
    shown = json.loads(capsys.readouterr().out)
    assert shown["differences"] == ["practice@1"]
    by_name = {found["rule_set"]: found for found in shown["rule_sets"]}
    assert {name: found["stored"] for name, found in by_name.items()} == {
        "casino-fold-early@1": False, "casino-progressive@1": False, "live-online@1": False, "live-shared@1": False,
        "practice@1": True,
    }  # fmt: skip
    main = by_name["live-shared@1"]["main"]
    assert main["expected"] == {"fraction": "-50643648973/2317817502000", "decimal": "-0.021849713763"}
    assert main["average_wager"]["decimal"] == "4.152209545741"
    assert main["return_on_wagered"]["decimal"].startswith("0.9947378104")
    assert main["return_per_ante"]["decimal"].startswith("0.9781502862")
    assert main["standard_deviation"] == "4.93929889"
    assert by_name["practice@1"]["trips"]["return"]["decimal"].startswith("0.9809595")

    assert RuleSetOdds.objects.count() == 5
    assert RuleSetOdds.objects.get(rule_set=practice).document == wrong
    stored = RuleSetOdds.objects.get(rule_set__rule_set__code="casino-fold-early")
    _as_known(Theory.from_document(stored.document, Settings.from_document(stored.rule_set.document)))


def _as_known(theory: Theory) -> None:
    """Figures that were worked out elsewhere by two other programs."""
    assert sum(tally.deals for tally in theory.deals) == DEALS
    actions = {key: f"{float(share) * 100:.6f}" for key, share in theory.main.actions.items()}
    assert actions == {
        (Street.PREFLOP, 4): "37.707391", (Street.FLOP, 2): "21.284622", (Street.RIVER, 1): "21.822149",
        (Street.RIVER, 0): "19.185839",  # 19.1858389…, which the reference cuts, so that its four add up to 100
    }  # fmt: skip
    assert theory.main.actions[Street.PREFLOP, 4] == Fraction(500, 1_326)
    assert theory.main.element_of_risk == -theory.main.together.mean / theory.main.wagered
    bets = (theory.main.ante, theory.main.blind, theory.main.play)
    assert sum(bet.mean for bet in bets) == theory.main.together.mean
    # The same decisions are the best ones where a straight pushes the Blind.
    other = odds_of(theory.deals, BLIND_B)
    assert other.together.mean == Fraction(-10_542_144_541, 178_293_654_000)
    assert f"{float(other.return_on_wagered) * 100:.8f}" == "98.57598745"
    # Who folds, or is beaten, has what he has: hands come as often as they are dealt.
    royals = sum(tally.deals for tally in theory.deals if tally.hand is HandName.ROYAL_FLUSH)
    assert Fraction(royals, DEALS) == Fraction(4_324, 133_784_560)
    qualified = {Ending.WON_QUALIFIED, Ending.LOST_QUALIFIED}
    assert sum(tally.deals for tally in theory.deals if tally.ending in qualified) < DEALS


def test_a_jackpot_alone() -> None:
    demo_data.load(now=NOW)
    (found,) = asked("--jackpot", "MAIN", "--meter", "154688.42", "--bettors", "3")["jackpots"]
    assert (found["jackpot"], found["stake"], found["meters"]) == ("MAIN@1", "1.00", {"main": "154688.42"})
    assert round(float(found["return"]["decimal"]), 7) == 1
    assert found["levels"] == [
        {"level": "main", "share_per_wager": {"fraction": "19/6497400", "decimal": "0.000002924247"},
         "break_even": "154688.42", "long_run_mean": "73656.84"},
    ]  # fmt: skip
    assert found["envy_per_bettor"]["fraction"] == "185/32487"
    shown = typed("odds", "--jackpot", "MAIN")
    for text in ("MAIN@1", "10000.00", "160530.53", "73656.84", "royal flush", "1 in 649740.00", "185/32487"):
        assert text in shown


def test_several_levels_are_named(db: None) -> None:
    levels = [{"code": code, "base": "100.00", "increment_ppm": 100_000, "limit": None} for code in ("big", "small")]
    lines = [{"hand": "royal_flush", "basis": "meter_share", "level": "big", "ppm": 1_000_000}]
    jackpot_with(code="LINK", levels=levels, progressive_table=lines, envy_table={})
    (found,) = asked("--jackpot", "LINK", "--meter", "small=300.00")["jackpots"]
    assert found["meters"] == {"big": "100.00", "small": "300.00"}
    assert [level["break_even"] for level in found["levels"]] == ["649740.00", None]
    for words, said in {
        ("--meter", "300.00"): "say which level",
        ("--meter", "mega=300.00"): "LINK has no level mega, but big, small",
        ("--meter", "big=3.001"): "--meter 3.001: USD amounts have at most 2 decimals",
    }.items():
        with pytest.raises(CommandError, match=said):
            call_command("odds", "--jackpot", "LINK", *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no rule set is there"),
        (("--rule-set", "nowhere"), "there is no rule set nowhere"),
        (("--rule-set", "practice@7"), "there is no rule set practice@7"),
        (("--rule-set", "practice@"), "a rule set, as in"),
        (("--jackpot", "NOWHERE"), "there is no jackpot NOWHERE"),
        (("--meter", "1.00"), "--meter and --bettors go with --jackpot"),
        (("--jackpot", "MAIN", "--bettors", "-1"), "a whole number from 0"),
    ],
)
def test_what_is_not_there_is_refused(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("odds", *words)
    assert not RuleSetOdds.objects.exists()


def test_odds_are_stored_once() -> None:
    houses.publish_rule_sets()
    version = RuleSetVersion.objects.get(rule_set__code="practice")
    deal = Tally(Street.FLOP, 2, Ending.TIED, HandName.PAIR, 1)
    theory = Theory.of(Settings.from_document(version.document), [deal])
    assert odds.store(version=version, theory=theory, now=NOW)
    assert not odds.store(version=version, theory=theory, now=NOW)
    assert RuleSetOdds.objects.get().stored_at == NOW
