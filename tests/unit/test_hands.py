"""Hands: categories, order, ties, and the five cards shown. Golden hands are failures others had in public."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.domain.cards import DECK, RANKS
from tables.domain.hands import Board, HandName, Made, best_five, qualifies, rank
from tests.unit.builders import cards

deals = st.permutations(DECK).map(lambda deck: tuple(deck[:9]))


def plain_value(five):
    """Category and tie-breakers of five cards by the words of the rule texts: larger is better."""
    heights = sorted((RANKS.index(card[0]) for card in five), reverse=True)
    if heights == [12, 3, 2, 1, 0]:
        heights = [3, 2, 1, 0, -1]
    groups = Counter(heights)
    ordered = sorted(heights, key=lambda height: (groups[height], height), reverse=True)
    shape = sorted(groups.values(), reverse=True)
    flush = len({card[1] for card in five}) == 1
    straight = shape[0] == 1 and heights[0] - heights[4] == 4
    if straight and flush:
        category = HandName.ROYAL_FLUSH if heights[0] == 12 else HandName.STRAIGHT_FLUSH
    elif flush:
        category = HandName.FLUSH
    elif straight:
        category = HandName.STRAIGHT
    else:
        category = {
            (4, 1): HandName.FOUR_OF_A_KIND,
            (3, 2): HandName.FULL_HOUSE,
            (3, 1, 1): HandName.THREE_OF_A_KIND,
            (2, 2, 1): HandName.TWO_PAIR,
            (2, 1, 1, 1): HandName.PAIR,
            (1, 1, 1, 1, 1): HandName.HIGH_CARD,
        }[tuple(shape)]
    return -list(HandName).index(category), ordered, category


def plain_best(seven):
    return max(map(plain_value, combinations(seven, 5)))


def test_every_five_card_hand_falls_into_its_category():
    # Of C(52,5) = 2,598,960 hands; each count follows from the rules of combination, e.g. quads = 13 * 48 = 624,
    # full houses = 13 * C(4,3) * 12 * C(4,2) = 3,744, straights = 10 * (4**5 - 4) = 10,200.
    counts = Counter(rank(five).name for five in combinations(DECK, 5))
    assert counts == {
        HandName.ROYAL_FLUSH: 4,
        HandName.STRAIGHT_FLUSH: 36,
        HandName.FOUR_OF_A_KIND: 624,
        HandName.FULL_HOUSE: 3_744,
        HandName.FLUSH: 5_108,
        HandName.STRAIGHT: 10_200,
        HandName.THREE_OF_A_KIND: 54_912,
        HandName.TWO_PAIR: 123_552,
        HandName.PAIR: 1_098_240,
        HandName.HIGH_CARD: 1_302_540,
    }


@given(deals)
def test_two_hands_on_one_board_compare_as_the_rule_texts_say(deal):
    ours, theirs = deal[:7], deal[2:]
    plain_ours, plain_theirs = plain_best(ours), plain_best(theirs)
    assert rank(ours).name == plain_ours[2]
    assert rank(ours).beats(rank(theirs)) == (plain_ours > plain_theirs)
    assert (rank(ours).strength == rank(theirs).strength) == (plain_ours == plain_theirs)


@given(deals, st.randoms())
def test_the_order_of_the_cards_decides_nothing(deal, chance):
    seven = list(deal[:7])
    before, shown = rank(seven), best_five(seven)
    chance.shuffle(seven)
    assert rank(seven) == before
    assert best_five(seven) == shown


@given(deals)
def test_best_five_are_five_of_the_seven_and_worth_as_much(deal):
    seven = deal[:7]
    five = best_five(seven)
    assert len(five) == 5 == len(set(five))
    assert set(five) <= set(seven)
    assert rank(five) == rank(seven)


@pytest.mark.parametrize(
    ("seven", "name", "shown"),
    [
        ("2d 2h Qs Js Ts 3c 7h", "pair", "2h 2d Qs Js Ts"),
        ("As Ks Qs Js Ts 3c 7h", "royal_flush", "As Ks Qs Js Ts"),
        ("Kc Kd 9s 9h 9d 2c 3c", "full_house", "9s 9h 9d Kd Kc"),
        ("4c 4d 4h 4s Ad Kc 2c", "four_of_a_kind", "4s 4h 4d 4c Ad"),
        ("8c 8d Jc Jh Ad 2s 3s", "two_pair", "Jh Jc 8d 8c Ad"),
        ("Ah 2c 3d 4s 5h Kd Qc", "straight", "5h 4s 3d 2c Ah"),
        ("Ah 2h 3h 4h 5h 6s 6d", "straight_flush", "5h 4h 3h 2h Ah"),
        ("Ah 2c 3d 4s 5h 6d Qc", "straight", "6d 5h 4s 3d 2c"),
        ("Qh Kd Ac 2s 3h 8d 9c", "high_card", "Ac Kd Qh 9c 8d"),
    ],
)
def test_the_five_cards_shown(seven, name, shown):
    assert rank(cards(seven)).name == name
    assert best_five(cards(seven)) == cards(shown)


def test_of_equal_choices_the_suits_shown_come_first_in_order():
    # Three sixes would do as the low end of the straight, two pairs of kickers are equal: spades before hearts.
    assert best_five(cards("6c 6h 6s 7d 8d 9d Td")) == cards("Td 9d 8d 7d 6s")
    assert best_five(cards("Ac Ad Kc Kd Qh Qs 2c")) == cards("Ad Ac Kd Kc Qs")


def test_a_straight_and_a_flush_over_different_cards_are_not_a_straight_flush():
    assert rank(cards("9c Th Jh Qh Kh 2h 3h")).name == HandName.FLUSH
    assert best_five(cards("9c Th Jh Qh Kh 2h 3h")) == cards("Kh Qh Jh Th 3h")
    assert rank(cards("9c Th Jh Qh Kh")).name == HandName.STRAIGHT


def test_a_royal_flush_is_a_category_of_its_own():
    assert rank(cards("As Ks Qs Js Ts")).name == HandName.ROYAL_FLUSH
    assert rank(cards("Ks Qs Js Ts 9s")).name == HandName.STRAIGHT_FLUSH


def test_a_royal_flush_knows_no_order():
    assert {rank(five).name for five in permutations(cards("Ts As Ks Qs Js"))} == {HandName.ROYAL_FLUSH}


def test_the_ace_is_low_in_the_lowest_straight_only():
    wheel, six_high = rank(cards("Ah 2c 3d 4s 5h Kd Qc")), rank(cards("6h 2c 3d 4s 5h Kd Qc"))
    assert wheel.name == six_high.name == HandName.STRAIGHT
    assert six_high.beats(wheel)
    assert wheel.beats(rank(cards("9s 9c 3d 4s 5h Kd Qc")))
    assert rank(cards("Qh Kd Ac 2s 3h")).name == HandName.HIGH_CARD


@pytest.mark.parametrize(
    ("player", "dealer", "board", "winner"),
    [
        ("9h Ks", "9s Ah", "Ts Jd Qc 6d 5c", "player"),
        ("3s 3d", "Td Js", "6c Qc Ad 6s Ac", "tie"),
        ("Ah 2c", "9s 9c", "3d 4s 5h Kd Qc", "player"),
        ("8c 5h", "8s 2c", "Ah Jd 3c Qs 3d", "tie"),
        ("4h 3h", "Ac As", "2h 5h 9h Jh Kh", "player"),
        ("Qc 7d", "5d Ah", "Qd Jd 9d Kc 6d", "player"),
        ("Ts Th", "9s 9h", "2s 3s 2h 3h 3d", "player"),
        ("7h 2c", "6s 3h", "7s 2h 6h 3s Ac", "player"),
    ],
)
def test_who_wins(player, dealer, board, winner):
    ours, theirs = rank(cards(f"{player} {board}")), rank(cards(f"{dealer} {board}"))
    assert {"player": ours.beats(theirs), "tie": ours.strength == theirs.strength}[winner]
    assert not theirs.beats(ours)


def test_two_triples_make_the_higher_one_full_of_the_lower():
    assert best_five(cards("Jh 6d Jd 6c Jc 6s 2h")) == cards("Jh Jd Jc 6s 6d")


@pytest.mark.parametrize(
    ("dealer", "board", "qualified"),
    [
        ("2d 2h", "Qs Js Ts 3c 7h", True),
        ("Ad 2h", "Qs Qc Ts 3c 7h", True),
        ("Ad 2h", "Qs Jc 9s 3c 7h", False),
        ("9s Ah", "Ts Jd Qc 6d 5c", False),
        ("2d 3d", "Kd Jd 9d 5c 7h", True),
        ("8d 9c", "Ts Jh Qs 2c 3h", True),
    ],
)
def test_the_dealer_qualifies_with_a_pair_or_better_the_board_included(dealer, board, qualified):
    assert qualifies(rank(cards(f"{dealer} {board}"))) is qualified


@pytest.mark.parametrize(
    ("seven", "complaint"),
    [
        ("As As Ks Qs Js Ts 2c", "twice"),
        ("As Ks Qs Js XX 2c 3c", "'XX' is not a card"),
        ("as Ks Qs Js Ts 2c 3c", "'as' is not a card"),
        ("10s As Ks Qs Js 2c 3c", "'10s' is not a card"),
        ("As Ks Qs Js", "not 4"),
        ("As Ks Qs Js Ts 2c", "not 6"),
        ("As Ks Qs Js Ts 2c 3c 4c", "not 8"),
        ("", "not 0"),
    ],
)
def test_what_is_no_hand_is_refused_before_it_reaches_the_evaluator(seven, complaint):
    with pytest.raises(ValueError, match=complaint):
        rank(cards(seven))
    with pytest.raises(ValueError, match=complaint):
        best_five(cards(seven))


@given(st.permutations(DECK))
def test_a_board_says_of_a_pair_what_its_cards_together_are_worth(deck):
    pair, board = tuple(deck[:2]), tuple(deck[2:7])
    flop = rank(pair + board[:3])
    assert Board(board).with_pair(pair) == Made(rank(pair + board), flop)
    assert Board(board[:4]).with_pair(pair) == Board(board[:3]).with_pair(pair) == Made(None, flop)


@pytest.mark.parametrize(
    ("board", "pair", "complaint"),
    [
        ("Qs Js", "As Ks", "a board is three to five cards, not 2"),
        ("Qs Js Ts 2c 3c 4c", "As Ks", "a board is three to five cards, not 6"),
        ("Qs Js Qs", "As Ks", "twice: Qs Js Qs"),
        ("Qs Js 10s", "As Ks", "'10s' is not a card"),
        ("Qs Js Ts 2c 3c", "As As", "twice: As As"),
        ("Qs Js Ts 2c 3c", "As 3c", "twice: As 3c Qs Js Ts 2c 3c"),
        ("Qs Js Ts", "Ts As", "twice: Ts As Qs Js Ts"),
        ("Qs Js Ts 2c", "2c As", "twice: 2c As Qs Js Ts 2c"),
        ("Qs Js Ts", "As", "a pair is two cards, not 1"),
        ("Qs Js Ts", "As Ks 9s", "a pair is two cards, not 3"),
        ("Qs Js Ts", "As XX", "'XX' is not a card"),
    ],
)
def test_what_is_no_board_or_pair_is_refused(board, pair, complaint):
    with pytest.raises(ValueError, match=complaint):
        Board(cards(board)).with_pair(cards(pair))


def test_the_weakest_pair_qualifies_and_the_strongest_high_card_does_not():
    assert qualifies(rank(cards("2d 2h 3c 4s 5h")))
    assert not qualifies(rank(cards("As Kd Qh Jc 9s")))
