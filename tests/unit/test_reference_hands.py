"""The reference's hands: exact frequencies, and the comparisons in which others went wrong."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from tests.reference.hands import RANKS, SUITS, best_five, card, category, score, score_five


def test_five_card_categories_by_counting_one_suit_pattern_at_a_time() -> None:
    """All 2,598,960 hands, by counting suits for each choice of ranks instead of dealing every hand."""
    counts: Counter[str] = Counter()
    for ranks in combinations(RANKS, 5):  # five different ranks: 4 hands of one suit, 4**5 - 4 others
        counts[category([rank + "s" for rank in ranks])] += 4
        counts[category([ranks[0] + "h", *(rank + "s" for rank in ranks[1:])])] += 4**5 - 4
    ways = {1: 4, 2: 6, 3: 4, 4: 1}
    for shape in [(2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1)]:
        hand = [RANKS[n] + SUITS[place] for n, size in enumerate(shape) for place in range(size)]
        choices = 1
        free = 13
        for size in sorted(set(shape), reverse=True):
            many = shape.count(size)
            choices *= len(list(combinations(range(free), many))) * ways[size] ** many
            free -= many
        counts[category(hand)] += choices
    assert counts == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
        "two_pair": 123_552,
        "pair": 1_098_240,
        "high_card": 1_302_540,
    }


def test_there_are_7462_different_strengths() -> None:
    """1,277 flushes and as many high cards, 10 straights twice, and the grouped ones."""
    strengths = set()
    for ranks in combinations(RANKS, 5):
        strengths.add(score_five([rank + "s" for rank in ranks]))
        strengths.add(score_five([ranks[0] + "h", *(rank + "s" for rank in ranks[1:])]))
    for shape in [(2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1)]:
        for groups in permutations(RANKS, len(shape)):
            both = zip(groups, shape, strict=True)
            strengths.add(score_five([rank + SUITS[place] for rank, size in both for place in range(size)]))
    assert len(strengths) == 7_462


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("6c 5h 4s 3d 2h", "Ah 2c 3d 4s 5h"),
        ("Ah 2c 3d 4s 5h", "As Ah Ad Kc Qd"),
        ("Kh Jh 9h 5h 4h", "Kh Jh 9h 5h 2h"),
        ("3s 3h 3d Ts Th", "3s 3h 3d 9s 9h"),
        ("7h 7s 2c 2h Ac", "6s 6h 3s 3h Ac"),
        ("As Ks Qs Js Ts", "Ks Qs Js Ts 9s"),
        ("2s 2h 3c 4c 5d", "Qd Kh As 2s 3c"),
    ],
)
def test_which_hand_is_better(better: str, worse: str) -> None:
    assert score(better.split()) > score(worse.split())


def test_a_royal_in_every_order_and_in_every_split_is_a_royal() -> None:
    for order in permutations(["As", "Ks", "Qs", "Js", "Ts"]):
        assert category(order) == "royal_flush"
        assert best_five([*order, "3c", "7h"]) == ["As", "Ks", "Qs", "Js", "Ts"]


@pytest.mark.parametrize(
    ("seven", "shown"),
    [
        ("Ah 2c 3d 4s 5h Kd Qc", "5h 4s 3d 2c Ah"),
        ("Jh 6d Jd 6c Jc 6s 2h", "Jh Jd Jc 6s 6d"),
        ("7h 7d Qs Js Ts 2c 3c", "7h 7d Qs Js Ts"),
        ("Kh Kd 2c 2d 5c 5h Ac", "Kh Kd 5h 5c Ac"),
    ],
)
def test_the_order_in_which_the_best_five_are_shown(seven: str, shown: str) -> None:
    assert best_five(seven.split()) == shown.split()


@pytest.mark.parametrize("text", ["Th", "th", "TH", "10h", "10H", "T♥", "10♥", "T♥\ufe0f"])
def test_forms_of_a_card(text: str) -> None:
    assert card(text) == "Th"


@pytest.mark.parametrize("text", ["", "T", "1h", "11h", "Тh", "Тс", "Ah ", " Ah", "A h", "Ahh", "A\u0455", "Ａs", "0h"])
def test_not_a_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card(text)
