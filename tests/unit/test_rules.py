"""Rule sets: the shipped five, and what a document must look like (domain.md §5, §6)."""

import copy

import pytest

from jackpot import money
from tables.domain.documents import InvalidRuleSet
from tables.domain.facts import Street
from tables.domain.hands import HandName
from tables.domain.paytables import BLIND_A, NAMED, TRIPS_8_6_5, TRIPS_8_7_4, OddsRounding
from tables.domain.rules import HandMode, LimitScope, PayoutLimit, RuleSet
from tables.rulesets import CODES, published
from tests.unit.builders import USD, document, limits, rules, usd


def refused_key(changed):
    with pytest.raises(InvalidRuleSet) as refusal:
        RuleSet.from_document(changed, currency=USD, code="own", version=1)
    return refusal.value.key


class TestShippedRuleSets:
    def test_there_is_one_for_each_rule_text(self):
        assert tuple(published()) == CODES
        assert len(CODES) == 5

    @pytest.mark.parametrize("code", CODES)
    def test_what_they_have_in_common(self, code):
        shipped = rules(code)
        assert shipped.blind_table == BLIND_A
        assert shipped.preflop_multipliers == (4, 3)
        assert shipped.trips_survives_fold and shipped.progressive_survives_fold
        assert shipped.odds_rounding is OddsRounding.HALF_UP
        assert shipped.payout_limit is None
        assert (shipped.bet_limits.ante.min, shipped.bet_limits.ante.max) == (usd("5.00"), usd("500.00"))
        assert (shipped.bet_limits.trips.min, shipped.bet_limits.trips.max) == (usd("1.00"), usd("100.00"))
        assert shipped.bet_limits.box is None

    def test_live_shared(self):
        # Text 000: unlimited players, one seat each, one hand dealt, clocks; Trips flush 7, straight 4; RTP 96.50%.
        shipped = rules("live-shared")
        assert shipped.hand_mode is HandMode.SHARED
        assert (shipped.max_boxes, shipped.boxes_per_player) == (None, 1)
        assert shipped.betting_seconds and shipped.decision_seconds
        assert shipped.fold_streets == (Street.RIVER,)
        assert shipped.trips_table == TRIPS_8_7_4
        assert not shipped.progressive_offered

    def test_live_online(self):
        # Text 001: tables "as posted", Play 3x or 4x, Trips paid on a fold.
        shipped = rules("live-online")
        assert (shipped.hand_mode, shipped.fold_streets) == (HandMode.PER_BOX, (Street.RIVER,))
        assert shipped.trips_table == TRIPS_8_7_4
        assert not shipped.progressive_offered

    def test_casino_fold_early(self):
        # Text 002: "folding, checking or placing a Play wager" before the flop and on it.
        shipped = rules("casino-fold-early")
        assert shipped.fold_streets == (Street.PREFLOP, Street.FLOP, Street.RIVER)
        assert shipped.trips_table == TRIPS_8_7_4
        assert not shipped.progressive_offered

    def test_practice(self):
        # Text 003: "You can't fold before the river"; Trips flush 6, straight 5.
        shipped = rules("practice")
        assert shipped.fold_streets == (Street.RIVER,)
        assert shipped.trips_table == TRIPS_8_6_5
        assert not shipped.progressive_offered

    def test_casino_progressive(self):
        # Text 004: Progressive; "players are allowed to play any empty box".
        shipped = rules("casino-progressive")
        assert shipped.progressive_offered
        assert (shipped.boxes_per_player, shipped.max_boxes) == (None, 22)
        assert shipped.fold_streets == (Street.RIVER,)
        assert shipped.trips_table == TRIPS_8_7_4

    @pytest.mark.parametrize("code", [code for code in CODES if code != "live-shared"])
    def test_only_the_live_table_has_clocks(self, code):
        assert rules(code).betting_seconds is None
        assert rules(code).decision_seconds is None


class TestDocuments:
    @pytest.mark.parametrize("code", CODES)
    def test_round_trip(self, code):
        assert rules(code).to_document() == published()[code]

    def test_round_trip_of_everything_that_differs_from_the_shipped_ones(self):
        changed = document(
            blind_table=NAMED["blind-b"].to_document(),
            trips_table={"name": "own", "lines": {"flush": "7:2"}},
            progressive_offered=False,
            fold_streets=["flop", "river"],
            preflop_multipliers=[5],
            boxes_per_player=2,
            max_boxes=7,
            trips_survives_fold=False,
            progressive_survives_fold=False,
            odds_rounding="down",
            payout_limit={"amount": "50000.00", "scope": "round"},
            bet_limits=limits(ante="25.00", trips="10.00", box="60.00"),
            betting_seconds=20,
            decision_seconds=8,
        )
        own = RuleSet.from_document(changed, currency=USD, code="own", version=3)
        assert own.to_document() == changed
        assert own.payout_limit == PayoutLimit(usd("50000.00"), LimitScope.ROUND)
        assert own.bet_limits.box == usd("60.00")
        assert own.multipliers(Street.PREFLOP) == (5,)
        assert (own.code, own.version) == ("own", 3)

    def test_a_document_is_not_changed_by_reading_it(self):
        given = document()
        before = copy.deepcopy(given)
        RuleSet.from_document(given, currency=USD, code="own", version=1)
        assert given == before

    @pytest.mark.parametrize("key", sorted(document()))
    def test_every_setting_is_stated(self, key):
        changed = document()
        del changed[key]
        assert refused_key(changed) == key

    @pytest.mark.parametrize(
        ("settings", "key"),
        [
            ({"colour": "red"}, "colour"),
            ({"blind_table": None}, "blind_table"),
            ({"blind_table": {"name": "own", "lines": {"flush": "3-2"}}}, "blind_table.lines.flush"),
            ({"trips_table": {"name": "own", "lines": {"flsh": "3:2"}}}, "trips_table.lines.flsh"),
            ({"trips_table": NAMED["blind-a"].to_document()}, "trips_table.name"),
            ({"progressive_offered": 1}, "progressive_offered"),
            ({"progressive_offered": "true"}, "progressive_offered"),
            ({"fold_streets": []}, "fold_streets"),
            ({"fold_streets": "river"}, "fold_streets"),
            ({"fold_streets": ["preflop"]}, "fold_streets"),
            ({"fold_streets": ["river", "river"]}, "fold_streets"),
            ({"fold_streets": ["river", "turn"]}, "fold_streets"),
            ({"preflop_multipliers": []}, "preflop_multipliers"),
            ({"preflop_multipliers": [4, 4]}, "preflop_multipliers"),
            ({"preflop_multipliers": [0]}, "preflop_multipliers"),
            ({"preflop_multipliers": [2.5]}, "preflop_multipliers"),
            ({"preflop_multipliers": ["4"]}, "preflop_multipliers"),
            ({"boxes_per_player": 0}, "boxes_per_player"),
            ({"boxes_per_player": True}, "boxes_per_player"),
            ({"max_boxes": None}, "max_boxes"),
            ({"max_boxes": 23}, "max_boxes"),
            ({"hand_mode": "both"}, "hand_mode"),
            ({"hand_mode": None}, "hand_mode"),
            ({"trips_survives_fold": None}, "trips_survives_fold"),
            ({"odds_rounding": "half_even"}, "odds_rounding"),
            ({"payout_limit": "50000.00"}, "payout_limit"),
            ({"payout_limit": {"amount": "0.00", "scope": "round"}}, "payout_limit.amount"),
            ({"payout_limit": {"amount": 50000, "scope": "round"}}, "payout_limit.amount"),
            ({"payout_limit": {"amount": "50000.00", "scope": "table"}}, "payout_limit.scope"),
            ({"payout_limit": {"amount": "50000.00"}}, "payout_limit.scope"),
            ({"bet_limits": None}, "bet_limits"),
            ({"bet_limits": limits(ante="0")}, "bet_limits.ante.max"),
            ({"bet_limits": limits(ante="5.001")}, "bet_limits.ante.max"),
            ({"bet_limits": limits(box="0.01")}, "bet_limits.box.max"),
            ({"bet_limits": limits() | {"play": {"max": "1.00"}}}, "bet_limits.play"),
            ({"bet_limits": limits() | {"trips": {"min": "2.00", "max": "1.00"}}}, "bet_limits.trips.max"),
            ({"betting_seconds": 0}, "betting_seconds"),
            ({"decision_seconds": 1.5}, "decision_seconds"),
        ],
    )
    def test_wrong_values_are_refused_naming_the_key(self, settings, key):
        assert refused_key(document(**settings)) == key

    @pytest.mark.parametrize("value", [None, [], "casino-progressive", 1])
    def test_a_document_is_an_object(self, value):
        assert refused_key(value) == ""

    def test_only_a_shared_hand_serves_any_number_of_boxes(self):
        assert rules(hand_mode="shared", max_boxes=None).max_boxes is None
        assert rules(hand_mode="shared", max_boxes=500).max_boxes == 500

    def test_amounts_follow_the_currency(self):
        whole_yen = document(
            bet_limits={
                "ante": {"min": "500", "max": "50000"},
                "trips": {"min": "100", "max": "1000"},
                "box": {"max": None},
            }
        )
        yen = RuleSet.from_document(whole_yen, currency=money.currency("JPY"), code="own", version=1)
        assert yen.bet_limits.ante.min == 500 * 1_000_000
        assert yen.to_document() == whole_yen
        with pytest.raises(InvalidRuleSet, match=r"bet_limits\.ante\.min"):
            RuleSet.from_document(document(), currency=money.currency("JPY"), code="own", version=1)


class TestReachOfTheBooks:
    """Stakes are bigint ledger units: 2**63 - 1 is 92,233,720,368.54 USD."""

    def test_the_highest_ante_must_fit_with_all_it_can_win(self):
        # Back at most: Ante 2 + Blind 501 + Play 4 * 2 = 511 antes; 92,233,720,368.54 / 511 = 180,496,517.35…
        assert rules(bet_limits=limits(ante="180496517.35"))
        assert refused_key(document(bet_limits=limits(ante="180496517.36"))) == "bet_limits.ante.max"

    def test_the_highest_trips_must_fit_with_all_it_can_win(self):
        # Back at most 51 stakes by the shipped table: 999,999,999.99 * 51 is below; at 999 to 1 it is not.
        assert rules(bet_limits=limits(trips="999999999.99"))
        high = {"name": "own", "lines": {HandName.ROYAL_FLUSH: "999:1"}}
        assert (
            refused_key(document(trips_table=high, bet_limits=limits(trips="999999999.99"))) == "bet_limits.trips.max"
        )
