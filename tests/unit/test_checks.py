"""Checks: every refusal of the facts of a round, and every round that must not be refused (domain.md §1, api.md)."""

import dataclasses

import pytest

from tables.domain.cards import DECK
from tables.domain.checks import check, check_bets, check_decision, check_stakes
from tables.domain.facts import Action, Decision, Street, VoidReason
from tests.unit.builders import FOLD, PLAY_1X, PLAY_2X, PLAY_4X, box, deal, limits, rules, usd

BOARD = "Qs Js Ts 3c 7h"
STAKE = usd("1.00")


def found(facts, rule_set=None, stake=STAKE):
    """Codes and pointers of what `check` finds under the demo's rule set, or another."""
    return [(v.code, v.pointer) for v in check(facts, rule_set or rules(), progressive_stake=stake)]


def whole(*boxes, **given):
    """A round with a full board and a dealer, unless told otherwise."""
    return deal(*boxes, **({"board": BOARD, "dealer": "2d 2h"} | given))


def test_the_round_of_the_contract_is_in_order():
    facts = whole(
        box("As Ks", number=1, trips="5.00", progressive="1.00"),
        box("2c 7d", number=2, progressive="1.00", decision=FOLD),
    )
    assert found(facts) == []


def test_all_that_is_wrong_is_told_at_once():
    facts = whole(box("As As", ante="4.00"), box("Kd Kc Kh", number=2, decision=Decision(Action.PLAY, Street.FLOP, 3)))
    assert found(facts) == [
        ("bet_limit", "/boxes/0/ante"),
        ("wrong_multiple", "/boxes/1/decision/multiplier"),
        ("wrong_card_count", "/boxes/1/cards"),
        ("duplicate_card", "/boxes/0/cards/1"),
    ]


class TestBets:
    def test_a_round_has_a_box(self):
        assert found(whole()) == [("ante_required", "/boxes")]

    @pytest.mark.parametrize("side_bets", [{}, {"trips": "5.00"}, {"progressive": "1.00"}])
    def test_no_bet_without_an_ante(self, side_bets):
        assert found(whole(box("As Ks", ante="0.00", **side_bets))) == [("ante_required", "/boxes/0/ante")]

    @pytest.mark.parametrize("player", ["", "  "])
    def test_a_box_names_its_player(self, player):
        facts = whole(box("As Ks")._replace(player=player))
        assert found(facts) == [("player_required", "/boxes/0/player")]

    @pytest.mark.parametrize(
        ("stakes", "pointer"),
        [
            ({"ante": "4.99"}, "/boxes/0/ante"),
            ({"ante": "500.01"}, "/boxes/0/ante"),
            ({"trips": "0.99"}, "/boxes/0/trips"),
            ({"trips": "100.01"}, "/boxes/0/trips"),
        ],
    )
    def test_a_stake_outside_its_limits(self, stakes, pointer):
        assert found(whole(box("As Ks", **stakes))) == [("bet_limit", pointer)]

    @pytest.mark.parametrize("stakes", [{"ante": "5.00"}, {"ante": "500.00"}, {"trips": "1.00"}, {"trips": "100.00"}])
    def test_a_stake_on_its_limit_is_taken(self, stakes):
        assert found(whole(box("As Ks", **stakes))) == []

    def test_the_limit_of_a_box_counts_all_that_is_staked_before_the_cards(self):
        # 2 * 5.00 + 5.00 + 1.00 = 16.00; the Play of 20.00 follows from the Ante and is not counted.
        facts = whole(box("As Ks", trips="5.00", progressive="1.00", decision=PLAY_4X))
        assert found(facts, rules(bet_limits=limits(box="16.00"))) == []
        assert found(facts, rules(bet_limits=limits(box="15.99"))) == [("bet_limit", "/boxes/0")]

    def test_a_box_has_one_entry(self):
        facts = whole(box("As Ks", number=3, player="A"), box("2c 7d", number=3, player="B"))
        assert found(facts) == [("box_taken", "/boxes/1/box")]

    @pytest.mark.parametrize("number", [0, -1, 100_001])
    def test_box_numbers_start_at_one(self, number):
        assert found(whole(box("As Ks", number=number))) == [("unknown_box", "/boxes/0/box")]

    def test_a_table_has_its_number_of_boxes(self):
        facts = whole(box("As Ks", number=1), box("2c 7d", number=90), box("4c 4d", number=3))
        assert found(facts, rules(max_boxes=3)) == []
        assert found(facts, rules(max_boxes=2)) == [("too_many_boxes", "/boxes/2")]

    def test_how_many_boxes_one_player_may_hold(self):
        facts = whole(box("As Ks", player="A"), box("2c 7d", number=2, player="B"), box("4c 4d", number=3, player="A"))
        assert found(facts, rules(boxes_per_player=None)) == []
        assert found(facts, rules(boxes_per_player=2)) == []
        assert found(facts, rules(boxes_per_player=1)) == [("too_many_boxes", "/boxes/2/player")]

    def test_the_progressive_has_one_stake(self):
        facts = whole(box("As Ks", progressive="2.00"))
        assert found(facts) == [("wrong_progressive_stake", "/boxes/0/progressive")]
        assert found(facts, stake=usd("2.00")) == []

    def test_no_progressive_without_a_jackpot_or_where_it_is_not_offered(self):
        facts = whole(box("As Ks", progressive="1.00"))
        assert found(facts, stake=None) == [("no_progressive", "/boxes/0/progressive")]
        assert found(facts, rules(progressive_offered=False)) == [("no_progressive", "/boxes/0/progressive")]

    def test_bets_alone_can_be_checked_before_there_are_cards(self):
        bad = box(None, ante="1.00")
        assert [v.pointer for v in check_bets([bad], rules(), progressive_stake=STAKE)] == ["/boxes/0/ante"]
        assert [v.pointer for v in check_stakes(bad, rules(), progressive_stake=STAKE)] == ["/ante"]


class TestDecisions:
    @pytest.mark.parametrize(
        ("street", "multiplier", "fits"),
        [
            (Street.PREFLOP, 4, True),
            (Street.PREFLOP, 3, True),
            (Street.PREFLOP, 2, False),
            (Street.PREFLOP, 1, False),
            (Street.FLOP, 2, True),
            (Street.FLOP, 3, False),
            (Street.FLOP, 4, False),
            (Street.RIVER, 1, True),
            (Street.RIVER, 2, False),
            (Street.RIVER, None, False),
        ],
    )
    def test_a_play_has_the_multiple_of_its_street(self, street, multiplier, fits):
        facts = whole(box("As Ks", decision=Decision(Action.PLAY, street, multiplier)))
        assert found(facts) == ([] if fits else [("wrong_multiple", "/boxes/0/decision/multiplier")])

    def test_the_multiples_before_the_flop_are_a_setting(self):
        facts = whole(box("As Ks", decision=PLAY_4X))
        assert found(facts, rules(preflop_multipliers=[3])) == [("wrong_multiple", "/boxes/0/decision/multiplier")]

    @pytest.mark.parametrize("street", [Street.PREFLOP, Street.FLOP])
    def test_where_a_fold_is_allowed_is_a_setting(self, street):
        facts = whole(box("As Ks", decision=Decision(Action.FOLD, street)))
        assert found(facts, rules("practice")) == [("wrong_street", "/boxes/0/decision/street")]
        assert found(facts, rules("casino-fold-early")) == []

    def test_a_fold_has_no_multiplier(self):
        facts = whole(box("As Ks", decision=Decision(Action.FOLD, Street.RIVER, 1)))
        assert found(facts) == [("wrong_multiple", "/boxes/0/decision/multiplier")]

    def test_a_whole_round_does_not_end_with_a_check(self):
        facts = whole(box("As Ks", decision=Decision(Action.CHECK, Street.FLOP)))
        assert found(facts) == [("wrong_street", "/boxes/0/decision/action")]

    def test_a_check_is_a_decision_before_the_river(self):
        at = {street: check_decision(Decision(Action.CHECK, street), rules()) for street in Street}
        assert at[Street.PREFLOP] == at[Street.FLOP] == []
        assert [(v.code, v.pointer) for v in at[Street.RIVER]] == [("wrong_street", "/street")]


class TestNumberOfCards:
    @pytest.mark.parametrize(
        ("given", "pointers"),
        [
            ({"board": "Qs Js Ts 3c"}, ["/river"]),
            ({"board": "Qs Js Ts"}, ["/turn", "/river"]),
            ({"board": "Qs Js"}, ["/flop", "/turn", "/river"]),
            ({"board": ""}, ["/flop", "/turn", "/river"]),
            ({"dealer": None}, ["/dealer"]),
            ({"dealer": "2d"}, ["/dealer"]),
            ({"dealer": "2d 2h 2s"}, ["/dealer"]),
            ({"player_cards": "Ac Kc"}, ["/player_cards"]),
        ],
    )
    def test_a_main_bet_needs_every_card(self, given, pointers):
        assert found(whole(box("As Ks"), **given)) == [("wrong_card_count", pointer) for pointer in pointers]

    @pytest.mark.parametrize("pair", [None, "As", "As Ks 2s"])
    def test_a_live_box_needs_its_pair(self, pair):
        assert found(whole(box(pair))) == [("wrong_card_count", "/boxes/0/cards")]

    def test_an_improper_number_says_so_and_what_to_do(self):
        (violation,) = check(whole(box("As Ks 2s")), rules(), progressive_stake=STAKE)
        assert "improper number of cards" in violation.detail
        assert "card_count" in violation.detail

    def test_a_folded_box_without_side_bets_needs_nothing(self):
        assert found(deal(box(None, decision=FOLD))) == []

    def test_what_nobody_needs_is_still_counted_when_it_is_there(self):
        facts = deal(box("As Ks 2s", decision=FOLD), board="Qs Js", dealer="2d")
        assert found(facts) == [("wrong_card_count", pointer) for pointer in ("/boxes/0/cards", "/flop", "/dealer")]

    def test_trips_needs_the_board_but_no_dealer(self):
        folded = box("As Ks", trips="5.00", decision=FOLD)
        assert found(whole(folded, dealer=None)) == []
        assert found(deal(folded, board="Qs Js Ts")) == [("wrong_card_count", "/turn"), ("wrong_card_count", "/river")]

    def test_the_progressive_needs_the_flop_only(self):
        folded = box("As Ks", progressive="1.00", decision=FOLD)
        assert found(deal(folded, board="Qs Js Ts")) == []
        assert found(deal(folded)) == [("wrong_card_count", "/flop")]
        assert found(deal(box(None, progressive="1.00", decision=FOLD), board="Qs Js Ts")) == [
            ("wrong_card_count", "/boxes/0/cards")
        ]

    def test_side_bets_that_end_with_a_fold_need_nothing(self):
        dead = rules(trips_survives_fold=False, progressive_survives_fold=False)
        assert found(deal(box(None, trips="5.00", progressive="1.00", decision=FOLD)), dead) == []

    def test_turn_and_river_come_together_after_a_flop(self):
        nothing_needed = box(None, decision=FOLD)
        for turn, river, pointers in [("3c", None, ["/river"]), (None, "7h", ["/turn"]), ("3c", "7h", [])]:
            after_flop = dataclasses.replace(deal(nothing_needed, board="Qs Js Ts"), turn=turn, river=river)
            assert found(after_flop) == [("wrong_card_count", pointer) for pointer in pointers]
        no_flop = dataclasses.replace(deal(nothing_needed), turn="3c", river="7h")
        assert found(no_flop) == [("wrong_card_count", "/flop")]

    def test_22_boxes_are_what_one_deck_serves(self):
        pairs = [" ".join(DECK[n : n + 2]) for n in range(0, 44, 2)]
        boxes = [box(pair, number=n) for n, pair in enumerate(pairs, start=1)]
        assert found(deal(*boxes, board=" ".join(DECK[44:49]), dealer=" ".join(DECK[49:51]))) == []


class TestSharedHand:
    shared = rules("live-shared")

    def test_one_pair_for_all_boxes(self):
        facts = whole(box(None, number=1), box(None, number=2, decision=PLAY_1X), player_cards="As Ks")
        assert found(facts, self.shared) == []

    def test_the_pair_is_given_once_at_the_top(self):
        facts = whole(box("As Ks"))
        assert found(facts, self.shared) == [
            ("wrong_card_count", "/player_cards"),
            ("wrong_card_count", "/boxes/0/cards"),
        ]

    def test_any_number_of_boxes_and_one_for_each_player(self):
        many = [box(None, number=n) for n in range(1, 1_001)]
        assert found(whole(*many, player_cards="As Ks"), self.shared) == []
        twice = [box(None, number=1, player="A"), box(None, number=2, player="A")]
        assert found(whole(*twice, player_cards="As Ks"), self.shared) == [("too_many_boxes", "/boxes/1/player")]


class TestDuplicates:
    @pytest.mark.parametrize(
        ("facts", "pointer"),
        [
            (whole(box("As As")), "/boxes/0/cards/1"),
            (whole(box("As Ks"), box("Kd As", number=2)), "/boxes/1/cards/1"),
            (whole(box("As Qs")), "/flop/0"),
            (whole(box("As Ks"), board="Qs Js Qs 3c 7h"), "/flop/2"),
            (whole(box("As 3c")), "/turn"),
            (whole(box("As Ks"), board="Qs Js Ts 3c 3c"), "/river"),
            (whole(box("As Ks"), dealer="2d Ks"), "/dealer/1"),
            (whole(box("As Ks"), box("2d 4c", number=2, decision=FOLD)), "/dealer/0"),
            (whole(box("As Ks"), box("2d 4c", number=2, void=VoidReason.OTHER)), "/dealer/0"),
        ],
    )
    def test_the_second_place_of_a_card_is_named(self, facts, pointer):
        assert found(facts) == [("duplicate_card", pointer)]

    def test_a_shared_pair_is_part_of_the_deck(self):
        facts = whole(box(None), player_cards="As Qs")
        assert found(facts, rules("live-shared")) == [("duplicate_card", "/flop/0")]


class TestVoids:
    def test_a_void_round_is_checked_for_its_bets_only(self):
        wrong_cards = whole(box("As As Ks"), board="Qs Qs", dealer="2d", void=VoidReason.CARD_COUNT)
        assert found(wrong_cards) == []
        assert found(deal(box(None, ante="1.00"), void=VoidReason.OTHER)) == [("bet_limit", "/boxes/0/ante")]

    def test_a_void_box_needs_no_cards_and_asks_for_none(self):
        assert found(deal(box(None, trips="5.00", progressive="1.00", void=VoidReason.MALFUNCTION))) == []

    def test_a_box_void_for_its_number_of_cards_may_have_any(self):
        alive = box("As Ks", number=2)
        assert found(whole(box("4c 5c 6c", void=VoidReason.CARD_COUNT), alive)) == []
        assert found(whole(box("4c 5c 6c", void=VoidReason.MALFUNCTION), alive)) == [
            ("wrong_card_count", "/boxes/0/cards")
        ]

    def test_the_bets_of_a_void_box_are_checked_like_all_others(self):
        facts = deal(box(None, ante="1.00", decision=PLAY_2X, void=VoidReason.WRONG_BET))
        assert found(facts) == [("bet_limit", "/boxes/0/ante")]
