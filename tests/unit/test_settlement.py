"""Settlement: the table of domain.md §3, golden rounds, and the settings that change a result.

Amounts in the comments are sums a dealer would do at the table: stakes 5 = Ante, 5 = Blind, 20 = Play 4x.
"""

import dataclasses

import pytest

from tables.domain.facts import AUTOMATIC_FOLD, Action, Decision, Street, VoidReason
from tables.domain.hands import HandName
from tables.domain.results import Outcome, WagerKind
from tables.domain.settlement import progressive_hand_of, settle
from tests.unit.builders import FOLD, PLAY_1X, PLAY_2X, PLAY_4X, box, deal, limits, rules, usd

WIN, LOSE, PUSH, REFUND = Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.REFUND


def wagers(facts, rule_set=None, at=0):
    """What each wager of a box came to: kind -> (outcome, returned)."""
    result = settle(facts, rule_set or rules()).boxes[at]
    return {wager.kind.value: (wager.outcome, wager.returned) for wager in result.wagers}


def main_bets(ante, blind, play):
    named = zip(("ante", "blind", "play"), (ante, blind, play), strict=True)
    return {kind: (outcome, usd(returned)) for kind, (outcome, returned) in named}


class TestTableOfResults:
    def test_player_wins_dealer_qualifies(self):
        # Pair of aces over a pair of twos; below a straight the Blind pushes.
        facts = deal(box("As Ad"), board="Qs Js 9c 3c 7h", dealer="2d 2h")
        assert wagers(facts) == main_bets((WIN, "10.00"), (PUSH, "5.00"), (WIN, "40.00"))

    def test_player_wins_dealer_does_not_qualify(self):
        facts = deal(box("As Ad"), board="Qs Js 9c 3c 7h", dealer="2d 4h")
        assert wagers(facts) == main_bets((PUSH, "5.00"), (PUSH, "5.00"), (WIN, "40.00"))

    def test_tie(self):
        # The board plays: 3-3-A-Q-J for both; the eight and the five decide nothing.
        facts = deal(box("8c 5h"), board="Ah Jd 3c Qs 3d", dealer="8s 2c")
        assert wagers(facts) == main_bets((PUSH, "5.00"), (PUSH, "5.00"), (PUSH, "20.00"))

    def test_tie_with_a_dealer_who_does_not_qualify(self):
        # King-queen high for both.
        facts = deal(box("2c 4h"), board="Kh Qd 9c 8s 6d", dealer="2d 4s")
        result = settle(facts, rules())
        assert result.qualifies is False
        assert wagers(facts) == main_bets((PUSH, "5.00"), (PUSH, "5.00"), (PUSH, "20.00"))

    def test_dealer_wins_and_qualifies(self):
        facts = deal(box("As Kd"), board="Qs Js 9c 3c 7h", dealer="2d 2h")
        assert wagers(facts) == main_bets((LOSE, "0.00"), (LOSE, "0.00"), (LOSE, "0.00"))

    def test_dealer_wins_without_qualifying(self):
        # Ace high over king high: the Ante comes back, Blind and Play are lost.
        facts = deal(box("Kd 4s"), board="Qs Js 9c 3c 7h", dealer="Ad 2h")
        assert wagers(facts) == main_bets((PUSH, "5.00"), (LOSE, "0.00"), (LOSE, "0.00"))

    @pytest.mark.parametrize("fold", [FOLD, AUTOMATIC_FOLD, Decision(Action.FOLD, Street.PREFLOP)])
    def test_folded(self, fold):
        # Aces would have won; Ante and Blind are lost, and there is no Play.
        facts = deal(box("As Ad", decision=fold), board="Qs Js 9c 3c 7h", dealer="2d 4h")
        assert wagers(facts) == {"ante": (LOSE, 0), "blind": (LOSE, 0)}

    @pytest.mark.parametrize(("play", "stake", "back"), [(PLAY_4X, 20, 40), (PLAY_2X, 10, 20), (PLAY_1X, 5, 10)])
    def test_the_play_is_staked_by_its_street(self, play, stake, back):
        result = settle(deal(box("As Ad", decision=play), board="Qs Js 9c 3c 7h", dealer="2d 2h"), rules())
        line = result.boxes[0].wagers[2]
        assert (line.kind, line.stake, line.returned) == (WagerKind.PLAY, usd(f"{stake}.00"), usd(f"{back}.00"))


WINNING_HANDS = [
    # board and pair that win with each hand, Blind A to one, Trips 50/40/30/8/7/4/3 to one
    ("As Ks", "Qs Js Ts 3c 7h", "royal_flush", "2505.00", "255.00"),  # 500 * 5 + 5; 50 * 5 + 5
    ("8s 9s", "Qs Js Ts 3c 7h", "straight_flush", "255.00", "205.00"),  # 50 * 5 + 5; 40 * 5 + 5
    ("Qc Qd", "Qs Qh Ts 3c 7h", "four_of_a_kind", "55.00", "155.00"),  # 10 * 5 + 5; 30 * 5 + 5
    ("Qc Qd", "Qs Th Ts 3c 7h", "full_house", "20.00", "45.00"),  # 3 * 5 + 5; 8 * 5 + 5
    ("As 4s", "Qs Js Ts 3c 7h", "flush", "12.50", "40.00"),  # 1.5 * 5 + 5; 7 * 5 + 5
    ("Kc 9d", "Qs Jh Ts 3c 7h", "straight", "10.00", "25.00"),  # 1 * 5 + 5; 4 * 5 + 5
    ("Qc Qd", "Qs Jh Ts 3c 7h", "three_of_a_kind", "5.00", "20.00"),  # push; 3 * 5 + 5
]


class TestPayTables:
    @pytest.mark.parametrize(("pair", "board", "hand", "blind", "trips"), WINNING_HANDS)
    def test_what_a_winning_hand_is_paid(self, pair, board, hand, blind, trips):
        facts = deal(box(pair, trips="5.00"), board=board, dealer="2d 2h")
        assert settle(facts, rules()).boxes[0].hand == hand
        paid = wagers(facts)
        assert paid["blind"] == (PUSH if hand == "three_of_a_kind" else WIN, usd(blind))
        assert paid["trips"] == (WIN, usd(trips))

    @pytest.mark.parametrize("pair", ["Ac Ad", "Qc 3d", "Ac Kd"])
    def test_trips_loses_below_three_of_a_kind_even_when_the_box_wins(self, pair):
        facts = deal(box(pair, trips="5.00"), board="Qs Jh 9s 3c 7h", dealer="2d 4h")
        assert wagers(facts)["trips"] == (LOSE, 0)
        assert wagers(facts)["play"][0] is WIN

    def test_trips_is_paid_to_a_box_the_dealer_beats(self):
        # Three queens lose to a straight; Trips 3 * 5 + 5.
        facts = deal(box("Qc Qd", trips="5.00"), board="Qs Jh Ts 3c 7h", dealer="8d 9h")
        assert wagers(facts) == main_bets((LOSE, "0"), (LOSE, "0"), (LOSE, "0")) | {"trips": (WIN, usd("20.00"))}

    def test_the_blind_table_is_a_setting(self):
        # By Blind B a straight pushes.
        facts = deal(box("Kc 9d"), board="Qs Jh Ts 3c 7h", dealer="2d 2h")
        own = {"name": "own", "lines": {"royal_flush": "500:1"}}
        assert wagers(facts)["blind"] == (WIN, usd("10.00"))
        assert wagers(facts, rules(blind_table=own))["blind"] == (PUSH, usd("5.00"))

    def test_the_trips_table_is_a_setting(self):
        # A flush: 7 * 5 + 5 at most tables, 6 * 5 + 5 by text 003.
        facts = deal(box("As 4s", trips="5.00"), board="Qs Js Ts 3c 7h", dealer="2d 2h")
        assert wagers(facts, rules("live-online"))["trips"] == (WIN, usd("40.00"))
        assert wagers(facts, rules("practice"))["trips"] == (WIN, usd("35.00"))

    @pytest.mark.parametrize(("rounding", "returned"), [("half_up", "0.63"), ("down", "0.62")])
    def test_rounding_of_three_to_two_is_a_setting(self, rounding, returned):
        # A flush on a Blind of 0.25 wins 0.375.
        facts = deal(box("As 4s", ante="0.25"), board="Qs Js Ts 3c 7h", dealer="2d 2h")
        assert wagers(facts, rules(odds_rounding=rounding))["blind"] == (WIN, usd(returned))


class TestGoldenRounds:
    def test_the_round_of_the_contract(self):
        facts = deal(
            box("As Ks", number=1, player="P-17", trips="5.00", progressive="1.00"),
            box("2c 7d", number=2, player="P-18", progressive="1.00", decision=FOLD),
            board="Qs Js Ts 3c 7h",
            dealer="2d 2h",
        )
        result = settle(facts, rules())
        assert result.dealer is not None
        assert (result.dealer.name, result.qualifies) == (HandName.PAIR, True)
        first, second = result.boxes
        assert (first.box, first.player) == (1, "P-17")
        assert (first.hand, first.progressive_hand) == ("royal_flush", "royal_flush")
        assert [(w.kind, w.stake, w.outcome, w.returned, w.net) for w in first.wagers] == [
            ("ante", usd("5.00"), WIN, usd("10.00"), usd("5.00")),
            ("blind", usd("5.00"), WIN, usd("2505.00"), usd("2500.00")),
            ("play", usd("20.00"), WIN, usd("40.00"), usd("20.00")),
            ("trips", usd("5.00"), WIN, usd("255.00"), usd("250.00")),
        ]
        assert (second.hand, second.progressive_hand) == ("pair", "high_card")
        assert [(w.kind, w.outcome, w.net) for w in second.wagers] == [
            ("ante", LOSE, -usd("5.00")),
            ("blind", LOSE, -usd("5.00")),
        ]
        assert first.progressive_alive and second.progressive_alive

    def test_a_ten_is_a_ten(self):
        # King-high straight; the dealer has no pair: Ante pushes, Play +20, Blind 1:1 +5.
        facts = deal(box("9h Ks"), board="Ts Jd Qc 6d 5c", dealer="9s Ah")
        assert wagers(facts) == main_bets((PUSH, "5.00"), (WIN, "10.00"), (WIN, "40.00"))

    def test_main_hand_and_progressive_hand_differ(self):
        facts = deal(box("9c Th", progressive="1.00"), board="Jh Qh Kh 2h 3h", dealer="2d 2s")
        result = settle(facts, rules()).boxes[0]
        assert (result.hand, result.progressive_hand) == ("flush", "straight")

    def test_a_royal_completed_on_the_turn_is_none_for_the_progressive(self):
        # Blind 500 * 5 + 5 and Trips 50 * 5 + 5 win; the first five cards are A-K-Q-J-2.
        facts = deal(box("Kh Jh", trips="5.00", progressive="1.00"), board="Ah Qh 2c Th 3d", dealer="4d 4s")
        paid = wagers(facts)
        assert (paid["blind"], paid["trips"]) == ((WIN, usd("2505.00")), (WIN, usd("255.00")))
        assert settle(facts, rules()).boxes[0].progressive_hand == HandName.HIGH_CARD

    def test_a_flush_over_a_lower_flush_is_paid_three_to_two(self):
        facts = deal(box("Qc 7d"), board="Qd Jd 9d Kc 6d", dealer="5d Ah")
        assert wagers(facts) == main_bets((WIN, "10.00"), (WIN, "12.50"), (WIN, "40.00"))

    def test_five_high_straight_wins(self):
        facts = deal(box("Ah 2c"), board="3d 4s 5h Kd Qc", dealer="9s 9c")
        assert wagers(facts) == main_bets((WIN, "10.00"), (WIN, "10.00"), (WIN, "40.00"))

    def test_a_side_bet_is_paid_when_the_dealer_does_not_qualify(self):
        # Straight: Ante push 5, Blind 5 + 5, Play 20 + 20, Trips 4 * 5 + 5.
        facts = deal(box("7c 6d", trips="5.00"), board="9c Th 8s 2h 3c", dealer="Kd Qs")
        expected = main_bets((PUSH, "5.00"), (WIN, "10.00"), (WIN, "40.00")) | {"trips": (WIN, usd("25.00"))}
        assert wagers(facts) == expected

    def test_a_push_is_a_push_and_all_of_it_comes_back(self):
        # 5 + 5 + 20 staked, 30 returned.
        result = settle(deal(box("3s 3d"), board="6c Qc Ad 6s Ac", dealer="Td Js"), rules()).boxes[0]
        assert {wager.outcome for wager in result.wagers} == {PUSH}
        assert result.returned == result.staked == usd("30.00")

    def test_each_bet_of_a_big_win_stands_alone(self):
        # Straight flush over three kings: Ante +5, Blind 50 * 5, Play +20, Trips 40 * 5.
        facts = deal(box("8h 9h", trips="5.00", progressive="1.00"), board="5h 6h 7h Kc 2d", dealer="Kd Ks")
        expected = main_bets((WIN, "10.00"), (WIN, "255.00"), (WIN, "40.00")) | {"trips": (WIN, usd("205.00"))}
        assert wagers(facts) == expected
        assert settle(facts, rules()).boxes[0].progressive_hand == HandName.STRAIGHT_FLUSH


class TestAfterAFold:
    facts = deal(box("2c 7d", trips="5.00", progressive="1.00", decision=FOLD), board="Kh Ks Kd 9c 5h", dealer="Ad Ah")

    def test_side_bets_live_on_by_default(self):
        # Three kings on the board: Ante and Blind lost, Trips 3 * 5 + 5.
        assert wagers(self.facts) == {"ante": (LOSE, 0), "blind": (LOSE, 0), "trips": (WIN, usd("20.00"))}
        result = settle(self.facts, rules()).boxes[0]
        assert result.progressive_hand == HandName.THREE_OF_A_KIND
        assert result.progressive_alive

    def test_trips_after_a_fold_is_a_setting(self):
        assert wagers(self.facts, rules(trips_survives_fold=False))["trips"] == (LOSE, 0)

    def test_the_progressive_after_a_fold_is_a_setting(self):
        assert not settle(self.facts, rules(progressive_survives_fold=False)).boxes[0].progressive_alive

    @pytest.mark.parametrize("setting", ["trips", "progressive"])
    def test_these_settings_do_not_touch_a_box_that_plays(self, setting):
        played = self.facts.boxes[0]._replace(decision=PLAY_1X)
        facts = dataclasses.replace(self.facts, boxes=(played,))
        other = rules(trips_survives_fold=setting != "trips", progressive_survives_fold=setting == "trips")
        assert settle(facts, other) == settle(facts, rules())


class TestMissingCards:
    def test_all_folded_without_side_bets(self):
        result = settle(deal(box(None, decision=FOLD)), rules())
        assert (result.dealer, result.qualifies) == (None, None)
        assert (result.boxes[0].hand, result.boxes[0].progressive_hand) == (None, None)
        assert result.boxes[0].returned == 0

    def test_no_dealer_is_needed_for_trips(self):
        result = settle(deal(box("As Ks", trips="5.00", decision=FOLD), board="Qs Js Ts 3c 7h"), rules())
        assert (result.dealer, result.qualifies) == (None, None)
        assert result.boxes[0].returned == usd("255.00")

    def test_the_flop_alone_makes_the_progressive_hand(self):
        result = settle(deal(box("As Ks", progressive="1.00", decision=FOLD), board="Qs Js Ts"), rules()).boxes[0]
        assert (result.hand, result.progressive_hand) == (None, "royal_flush")

    @pytest.mark.parametrize(
        "facts",
        [
            deal(box("As Ks"), board="Qs Js Ts 3c 7h"),
            deal(box("As Ks"), board="Qs Js Ts", dealer="2d 2h"),
            deal(box(None), board="Qs Js Ts 3c 7h", dealer="2d 2h"),
            deal(box(None, trips="5.00", decision=FOLD), board="Qs Js Ts 3c 7h"),
            deal(box("As Qs"), board="Qs Js Ts 3c 7h", dealer="2d 2h"),
        ],
    )
    def test_nothing_is_settled_on_a_guess(self, facts):
        with pytest.raises(ValueError, match=r"not all known|twice"):
            settle(facts, rules())


class TestSharedHand:
    def test_one_hand_for_all_boxes_each_with_its_own_decision(self):
        # Three queens over twos for whoever played; the folded box loses, but its Trips 3 * 5 + 5 is paid.
        facts = deal(
            box(None, number=1),
            box(None, number=2, decision=PLAY_1X),
            box(None, number=3, trips="5.00", decision=FOLD),
            player_cards="Qc Qd",
            board="Qs Jh Ts 3c 7h",
            dealer="2d 2h",
        )
        result = settle(facts, rules("live-shared"))
        assert [one.hand for one in result.boxes] == [HandName.THREE_OF_A_KIND] * 3
        # 10 + 5 + 40; 10 + 5 + 10; 0 + 0 + 20
        assert [one.returned for one in result.boxes] == [usd("55.00"), usd("25.00"), usd("20.00")]


class TestVoids:
    def test_a_void_round_gives_every_stake_back(self):
        facts = deal(
            box("As As", trips="5.00", progressive="1.00"),
            box(None, number=2, decision=FOLD),
            board="Qs Qs",
            void=VoidReason.CARD_COUNT,
        )
        result = settle(facts, rules())
        assert (result.dealer, result.qualifies) == (None, None)
        assert wagers(facts) == main_bets((REFUND, "5.00"), (REFUND, "5.00"), (REFUND, "20.00")) | {
            "trips": (REFUND, usd("5.00"))
        }
        assert wagers(facts, at=1) == {"ante": (REFUND, usd("5.00")), "blind": (REFUND, usd("5.00"))}
        assert not any(one.progressive_alive or one.hand or one.progressive_hand for one in result.boxes)

    def test_a_void_box_is_dead_and_the_others_play_on(self):
        facts = deal(
            box("Ac Ad", number=1, progressive="1.00", void=VoidReason.CARD_EXPOSED_HOLE),
            box("As Ks", number=2),
            board="Qs Js Ts 3c 7h",
            dealer="2d 2h",
        )
        alone = dataclasses.replace(facts, boxes=facts.boxes[1:])
        result = settle(facts, rules())
        assert {wager.outcome for wager in result.boxes[0].wagers} == {REFUND}
        assert (result.boxes[0].hand, result.boxes[0].progressive_alive) == (None, False)
        assert result.boxes[1] == settle(alone, rules()).boxes[0]

    def test_what_a_void_would_cancel_can_still_be_read(self):
        royal = box("As Ks", progressive="1.00", void=VoidReason.CARD_EXPOSED_HOLE)
        assert progressive_hand_of(deal(royal, board="Qs Js Ts"), royal) == HandName.ROYAL_FLUSH
        shared = box(None, progressive="1.00")
        void = deal(shared, board="Qs Js Ts", player_cards="8s 9s", void=VoidReason.OTHER)
        assert progressive_hand_of(void, shared) == HandName.STRAIGHT_FLUSH

    @pytest.mark.parametrize(
        ("pair", "board"), [(None, "Qs Js Ts"), ("As Ks", ""), ("As Ks 2c", "Qs Js Ts"), ("As Qs", "Qs Js Ts")]
    )
    def test_improper_cards_would_cancel_nothing(self, pair, board):
        dead = box(pair, void=VoidReason.CARD_COUNT)
        assert progressive_hand_of(deal(dead, board=board), dead) is None


def test_several_boxes_of_one_player_settle_each_on_its_own():
    # Aces win, king high loses to twos; nothing of one box shows in the other.
    facts = deal(
        box("As Ad", number=1, player="A"),
        box("Kd 4s", number=3, player="A"),
        board="Qs Js 9c 3c 7h",
        dealer="2d 2h",
    )
    first, second = settle(facts, rules()).boxes
    assert (first.returned, second.returned) == (usd("55.00"), 0)


def test_stakes_do_not_lose_a_unit_at_the_edge_of_the_books():
    # A royal on the highest Ante a rule set may have: Blind 501 times the stake, Ante 2, Play 8.
    edge = rules(bet_limits=limits(ante="180496517.35"))
    facts = deal(box("As Ks", ante="180496517.35"), board="Qs Js Ts 3c 7h", dealer="2d 2h")
    assert settle(facts, edge).boxes[0].returned == 511 * usd("180496517.35") < 2**63
