"""How the demo's players decide: a simple strategy that sees nothing but their own cards and the board."""

from typing import Any

from tables.domain.cards import RANKS
from tables.domain.hands import HandName, rank

Cards = tuple[str, ...]
Decision = dict[str, Any]

_MADE = frozenset(HandName) - {HandName.HIGH_CARD, HandName.PAIR}
# The lowest second card with which a hand that holds this high card raises before the flop: (suited, offsuit).
_RAISES_WITH = {"A": ("2", "2"), "K": ("2", "5"), "Q": ("6", "8"), "J": ("8", "T")}
_LOWEST_PAIR_TO_RAISE = "3"
_KICKER_TO_CALL = "Q"


def decide(pair: Cards, flop: Cards, board: Cards, *, multiplier: int = 4) -> Decision:
    """The decision that ends a box's choices, as the API takes it; `multiplier` is what a raise before the flop is."""
    if _raises(pair):
        return _play("preflop", multiplier)
    if _bets_the_flop(pair, flop):
        return _play("flop", 2)
    if _calls(pair, board):
        return _play("river", 1)
    return {"action": "fold", "street": "river"}


def _raises(pair: Cards) -> bool:
    high, low = sorted((card[0] for card in pair), key=RANKS.index, reverse=True)
    if high == low:
        return _at_least(high, _LOWEST_PAIR_TO_RAISE)
    if high not in _RAISES_WITH:
        return False
    suited, offsuit = _RAISES_WITH[high]
    return _at_least(low, suited if pair[0][1] == pair[1][1] else offsuit)


def _bets_the_flop(pair: Cards, flop: Cards) -> bool:
    """Two pair or better, a pair with a card of his own, or four to a flush with a high one of his own."""
    hand = rank(pair + flop).name
    if hand in _MADE or (hand is HandName.PAIR and _uses_own(pair, flop)):
        return True
    suits = [card[1] for card in pair + flop]
    return any(suits.count(card[1]) == 4 and _at_least(card[0], "T") for card in pair)


def _calls(pair: Cards, board: Cards) -> bool:
    hand = rank(pair + board).name
    if hand is HandName.HIGH_CARD or not (hand in _MADE or _uses_own(pair, board)):
        return any(_at_least(card[0], _KICKER_TO_CALL) for card in pair)
    return True


def _uses_own(pair: Cards, board: Cards) -> bool:
    """Whether his own cards make a pair, with each other or with the board."""
    ranks = [card[0] for card in pair]
    return ranks[0] == ranks[1] or any(card[0] in ranks for card in board)


def _at_least(card_rank: str, least: str) -> bool:
    return RANKS.index(card_rank) >= RANKS.index(least)


def _play(street: str, multiplier: int) -> Decision:
    return {"action": "play", "street": street, "multiplier": multiplier}
