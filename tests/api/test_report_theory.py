"""The report of tables against theory: what each bet should have returned, and whether chance explains the rest."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from jackpot.models.jackpots import Jackpot
from tables.domain.facts import Street, VoidReason
from tables.domain.hands import HandName
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.odds.settings import Settings
from tables.odds.tallies import Ending, Tally
from tables.odds.theory import Theory
from tables.services import odds
from tests.api.reporting import DAY, NOON, link_of_two_sites, report, site_with_days, small_day
from tests.factories import caller, jackpot_with, low, play, reported, rule_set_with, table_with
from tests.factories.set_up import change_rules
from tests.unit.builders import FOLD, box

# Of four deals, all played for 2x with a pair, one is won and three are lost, the dealer qualifying: per Ante the Ante
# brings -1/2 (variance 3/4), the Blind -3/4 (3/16), the Play -1 (3).
DEALS = [
    Tally(Street.FLOP, 2, ending, HandName.PAIR, deals)
    for ending, deals in ((Ending.WON_QUALIFIED, 1), (Ending.LOST_QUALIFIED, 3))
]
COLUMNS = ("bet", "return_percent", "theoretical_percent", "difference_percent", "low_percent", "high_percent",
           "within_band", "note")  # fmt: skip
_NEXT_DAY = DAY + timedelta(days=1)


@pytest.fixture
def staff(db: None) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("auditor", is_staff=True))
    return client


def store_simple_odds() -> None:
    for version in RuleSetVersion.objects.all():
        odds.store(version=version, theory=Theory.of(Settings.from_document(version.document), DEALS), now=NOON)


def rows(client: Client, *, of: str = "T-01", day: Any = DAY) -> dict[str, tuple[Any, ...]]:
    """A table's rows by bet."""
    found = [row for row in report(client, "tables", day=day)["rows"] if row["table"] == of]
    return {row["bet"]: tuple(row[column] for column in COLUMNS[1:]) for row in found}


def test_each_bet_against_its_odds(staff: Client) -> None:
    """T-01: two Antes of 5.00 in one round, a Play of 20.00, Trips of 5.00."""
    small_day()
    store_simple_odds()
    found = rows(staff)
    # 3 x sqrt(3/4) x 10.00 = 25.98; what would lie below nothing is nothing.
    assert found["ante"] == ("100.0000", "50.0000", "50.0000", "0.0000", "309.8076", "yes", None)
    # 3 x sqrt(3/16) x 10.00 = 12.99
    assert found["blind"] == ("25050.0000", "25.0000", "25025.0000", "0.0000", "154.9038", "no", None)
    # By its Antes: 20.00 less 1 x 10.00; 3 x sqrt(3) x 10.00 = 51.96, of 20.00.
    assert found["play"] == ("200.0000", "50.0000", "150.0000", "0.0000", "309.8076", "yes", None)
    assert found["trips"][:3] == ("5100.0000", "96.5021", "5003.4979")
    assert found["trips"][5:] == ("no", None)
    assert "ante" in rows(staff, of="T-02")


def test_the_progressive_by_accrual(staff: Client) -> None:
    """Two wagers of 1.00: 0.44 went to the pots; on average a fixed prize each, and Envy for each other's hit."""
    small_day()
    paid = 2 * Fraction(1_378_928, 2_598_960) + 2 * Fraction(185, 32_487)
    theory = f"{float(Fraction('0.44') + paid) / 2 * 100:.4f}"
    found = rows(staff)["progressive"]
    assert found[:2] == ("50022.0000", theory)
    assert (found[5], found[6]) == ("no", None)  # 1,000.00 of Envy for two wagers
    # A flush of 40.00 for two wagers is well inside what 300 for one now and then makes of it.
    assert rows(staff, of="T-02")["progressive"][1] == theory
    # One wager, no Envy: (4 x 0 + 624 x 300² + ...) by the table, in its own round.
    alone = rows(staff, day=_NEXT_DAY)["progressive"]
    assert alone[:2] == ("22.0000", f"{22 + 100 * 1_378_928 / 2_598_960:.4f}")
    second = 624 * 300**2 + 3_744 * 50**2 + 5_108 * 40**2 + 10_200 * 30**2 + 54_912 * 9**2
    variance = second / 2_598_960 - (1_378_928 / 2_598_960) ** 2
    assert float(alone[4]) == pytest.approx(22 + 100 * (1_378_928 / 2_598_960 + 3 * variance**0.5), abs=1e-3)
    assert alone[5] == "yes"


def test_odds_that_are_not_stored_are_noted(staff: Client) -> None:
    small_day()
    note = "odds of casino-progressive@1 are not stored"
    for bet, actual in (("ante", "100.0000"), ("blind", "25050.0000"), ("play", "200.0000"), ("trips", "5100.0000")):
        assert rows(staff)[bet] == (actual, None, None, None, None, None, note)
    assert rows(staff, of="T-02")["trips"] == (None,) * 7
    found = report(staff, "tables")
    assert not {f"{name}_percent" for name in ("return", "theoretical", "low", "high")} & found["totals"].keys()


def test_a_round_counts_as_one_bet_of_all_it_staked(staff: Client) -> None:
    """Four Antes in one round reach twice as far as in four."""
    link_of_two_sites()
    store_simple_odds()
    me = caller("HOME")
    play(*(reported(low(1), table="T-01", at=NOON + timedelta(minutes=n)) for n in range(4)), by=me)
    apart = rows(staff)["ante"]
    together = [low(1), low(2, pair="2h 8c"), low(3, pair="4c 8d"), low(4, pair="4h 8h")]
    play(reported(*together, table="T-01", at=NOON + timedelta(days=1), dealer="2s 5c"), by=me)
    assert apart[1] == rows(staff, day=_NEXT_DAY)["ante"][1] == "50.0000"
    assert (apart[4], rows(staff, day=_NEXT_DAY)["ante"][4]) == ("179.9038", "309.8076")


def test_what_is_void_is_no_chance(staff: Client) -> None:
    link_of_two_sites()
    store_simple_odds()
    play(reported(low(1, trips="5.00"), table="T-01", at=NOON, void=VoidReason.MALFUNCTION), by=caller("HOME"))
    one = ("100.0000", "100.0000", "0.0000", "100.0000", "100.0000", "yes", None)
    assert {rows(staff)[bet] for bet in ("ante", "trips", "progressive")} == {one}
    play(
        reported(low(1), low(2, pair="4c 8d", void=VoidReason.WRONG_BET), table="T-01", at=NOON + timedelta(days=1)),
        by=caller("HOME"),
    )
    assert rows(staff, day=_NEXT_DAY)["ante"][1] == "75.0000"


@pytest.mark.parametrize(
    ("setting", "bet", "note"),
    [
        ({"trips_survives_fold": False}, "trips", "a fold ends Trips: no theory without the decisions"),
        ({"progressive_survives_fold": False}, "progressive",
         "a fold ends the Progressive: no theory without the decisions"),
        ({"payout_limit": {"amount": "50000.00", "scope": "round"}}, "ante", "without the payout limit"),
    ],
)  # fmt: skip
def test_what_theory_leaves_out_is_noted(staff: Client, setting: dict[str, Any], bet: str, note: str) -> None:
    _table_under(rule_set_with(**setting))
    play(reported(low(1, trips="5.00", decision=FOLD), table="T-01", at=NOON), by=caller("HOME"))
    found = rows(staff)[bet]
    assert found[6] == note
    assert (found[1] is None) == ("no theory" in note)
    assert rows(staff)["blind"][1] == "25.0000"


def test_a_shared_hand_has_no_envy(staff: Client) -> None:
    """And its wagers win together: twice the reach of one."""
    _table_under(rule_set_with(hand_mode="shared", max_boxes=None))
    boxes = (box(None, number=1, progressive="1.00"), box(None, number=2, progressive="1.00"))
    play(reported(*boxes, table="T-01", at=NOON, player_cards="2c 7d"), by=caller("HOME"))
    found = rows(staff)["progressive"]
    assert found[1] == f"{22 + 100 * 1_378_928 / 2_598_960:.4f}"
    assert found[5] == "yes"


def _table_under(rules: RuleSet) -> Jackpot:
    site = site_with_days("HOME", DAY, _NEXT_DAY)
    link = jackpot_with(code="LINK", site=site, tables=(), now=NOON - timedelta(days=1))
    table_with("T-01", site=site, link=link, rules=rules)
    store_simple_odds()
    return link


def test_several_versions_add_up(staff: Client) -> None:
    """Half of the Antes under odds of another version that are not stored: nothing is known of the whole."""
    link_of_two_sites()
    store_simple_odds()
    me = caller("HOME")
    play(reported(low(1), table="T-01", at=NOON), by=me)
    first = RuleSetVersion.objects.get(rule_set__code="casino-progressive")
    change_rules(first.rule_set, at=NOON + timedelta(minutes=1), betting_seconds=60)
    play(reported(low(1), table="T-01", at=NOON + timedelta(minutes=9)), by=me)
    assert rows(staff)["ante"][1:] == (*[None] * 5, "odds of casino-progressive@2 are not stored")
    store_simple_odds()
    assert (rows(staff)["ante"][1], rows(staff)["ante"][6]) == ("50.0000", None)
