"""The main game's enumeration, part by part, against the plainest way to reckon the same."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tables.domain.cards import DECK, RANKS, SUITS
from tables.domain.hands import HandName, qualifies, rank
from tables.odds.boards import FIRST, KEYS, KINDS_OF_BOARD, PAIR_OF, SECOND, Boards, every_board, pairs_of
from tables.odds.duels import DEALERS, fight
from tables.odds.flops import ONE, OTHER, PAIRS, Flop, every_flop
from tables.odds.frequencies import hands_of
from tables.odds.patterns import RANK_COUNT

Cards = tuple[str, ...]


@pytest.fixture(scope="module")
def boards() -> Boards:
    return every_board()


def test_every_board_and_every_pair_beside_it(boards: Boards) -> None:
    assert len(boards.keys) == len(set(boards.keys)) == KINDS_OF_BOARD
    assert boards.weights.min() > 0
    assert boards.weights.sum() == 2_598_960
    pairs = pairs_of(boards.left)
    assert (pairs.sum(axis=1) == 1_081).all()
    # Each seven cards are 21 times a board and a pair.
    dealt = np.bincount(boards.hands.ravel(), weights=(boards.weights[:, None] * pairs).ravel())
    assert dict(zip(HandName, dealt / 21, strict=True)) == dict(hands_of(7))


def kind_of(card: str, suit: str) -> int:
    return RANKS.index(card[0]) + RANK_COUNT * (card[1] == suit)


def flushing(board: Cards) -> str:
    """The suit that three of the board have, or none."""
    return next((suit for suit in SUITS if sum(card[1] == suit for card in board) >= 3), "")


def some_boards(draw: random.Random) -> Iterator[Cards]:
    for _ in range(6):
        yield tuple(draw.sample(DECK, 5))
    for suited in (3, 3, 4, 5):
        of_suit = [card for card in DECK if card[1] == draw.choice(SUITS[:1])]
        others = [card for card in DECK if card[1] != SUITS[0]]
        yield tuple(draw.sample(of_suit, suited) + draw.sample(others, 5 - suited))
    yield ("As", "Ah", "Ad", "Ac", "2s")
    yield ("Ts", "Js", "Qs", "Ks", "As")


def test_duels_one_by_one(boards: Boards) -> None:
    """On boards of every sort: each pair held against each dealer's, one after the other."""
    draw = random.Random(3)
    chosen = list(some_boards(draw))
    rows = [
        int(boards.kinds_of(np.array([KEYS[[kind_of(card, flushing(board)) for card in board]].sum()]))[0])
        for board in chosen
    ]
    few = replace(
        boards, keys=boards.keys[rows], weights=boards.weights[rows], left=boards.left[rows],
        strengths=boards.strengths[rows], hands=boards.hands[rows],
    )  # fmt: skip
    duels = fight(few)
    for row, board in enumerate(chosen):
        left = [card for card in DECK if card not in board]
        for pair in draw.sample(list(combinations(left, 2)), 5):
            first, second = (kind_of(card, flushing(board)) for card in pair)
            column = PAIR_OF[first, second]
            mine = rank(pair + board)
            assert (int(few.strengths[row, column]), list(HandName)[few.hands[row, column]]) == (
                mine.strength, mine.name,
            )  # fmt: skip
            found = dict.fromkeys(("won", "lost"), 0), dict.fromkeys(("won", "lost"), 0)
            for dealer in combinations([card for card in left if card not in pair], 2):
                his = rank(dealer + board)
                if mine.strength != his.strength:
                    found[qualifies(his)]["won" if mine.beats(his) else "lost"] += 1
            assert [
                int(counts[row, column])
                for counts in (duels.won_unqualified, duels.lost_unqualified, duels.won_qualified, duels.lost_qualified)
            ] == [*found[False].values(), *found[True].values()], (board, pair)
            assert DEALERS == 990


@pytest.fixture(scope="module")
def flops(boards: Boards) -> list[Flop]:
    return every_flop(boards)


def test_every_flop(flops: list[Flop]) -> None:
    assert len(flops) == 1_755
    assert sum(flop.alike for flop in flops) == 22_100


def _numbers(flop: Flop) -> Cards:
    return tuple(RANKS[card // 4] + SUITS[card % 4] for card in flop.left)


@pytest.mark.parametrize("place", [0, 700, 1_754])
def test_sums_over_turns_and_rivers(boards: Boards, flops: list[Flop], place: int) -> None:
    """Against adding up one turn and river after the other; and to spread deals is the same the other way round."""
    flop = flops[place]
    values = np.random.default_rng(1).integers(-1_000, 1_000, (len(boards.keys), 2, len(FIRST))).astype(float)
    summed = flop.summed(values)
    three = tuple(RANKS[card // 4] + SUITS[card % 4] for card in flop.cards)
    left = _numbers(flop)
    for pair in random.Random(place).sample(range(PAIRS), 3):
        held = (left[ONE[pair]], left[OTHER[pair]])
        total = np.zeros(2)
        for two in combinations([card for card in left if card not in held], 2):
            suit = flushing(three + two)
            row = boards.kinds_of(KEYS[[kind_of(card, suit) for card in three + two]].sum())
            total += values[row, :, PAIR_OF[kind_of(held[0], suit), kind_of(held[1], suit)]]
        assert (summed[pair] == total).all()

    chosen = np.random.default_rng(2).random(PAIRS) < 0.3
    reached = np.zeros((len(boards.keys), len(FIRST)))
    flop.spread(chosen, reached)
    assert reached.sum() == chosen.sum() * flop.alike * 1_081
    assert (reached * values[:, 0]).sum() == summed[chosen, 0].sum() * flop.alike
    assert (reached >= 0).all()
    assert (reached[pairs_of(boards.left) == 0] == 0).all()


def test_kinds_of_two_cards() -> None:
    assert len(FIRST) == 351
    kinds = np.arange(len(FIRST))
    assert (PAIR_OF[FIRST, SECOND] == kinds).all()
    assert (PAIR_OF[SECOND, FIRST] == kinds).all()
