"""Settlement: the facts of a round and a rule set make a result for every wager. Source: domain.md §3.

Pure and repeatable: nothing is remembered, so a settled round can be proved again from its facts at any time.
Amounts are ledger units. The Progressive is not priced here: the jackpot knows what its hands are worth.
"""

from typing import NamedTuple

from tables.domain import payout_limit
from tables.domain.alive import progressive_alive, trips_alive
from tables.domain.facts import BoxFacts, RoundFacts
from tables.domain.hands import HandName, Ranked, qualifies, rank
from tables.domain.results import BoxResult, Outcome, RoundResult, WagerKind, WagerResult
from tables.domain.rules import RuleSet

_ANTE, _BLIND, _PLAY, _TRIPS, _ = WagerKind
_WIN, _LOSE, _PUSH, _REFUND = Outcome
"""The same by name: a member is looked up each time that it is named with its kind, and a box names eight."""


def settle(facts: RoundFacts, rules: RuleSet) -> RoundResult:
    """The result of every wager of a round but its Progressives.

    Expects facts that `checks.check` found nothing wrong with. Raises ValueError where a hand cannot be ranked or a
    live main bet misses its cards: nothing is ever settled on a guess.
    """
    if facts.void is not None:
        return RoundResult(None, None, tuple(_refunded(box) for box in facts.boxes))
    board = _Board(facts.flop, facts.board)
    dealer = _Dealer.of(facts, board)
    shared = _Hands.of(facts.player_cards, board) if rules.shared_hand else None
    boxes = tuple(
        [
            _refunded(box) if box.void else _settle_box(box, shared or _Hands.of(box.cards, board), dealer, rules)
            for box in facts.boxes
        ]
    )
    if rules.payout_limit is not None:
        boxes = payout_limit.cap(boxes, rules.payout_limit)
    return RoundResult(dealer.hand, dealer.qualifies, boxes)


def progressive_hand_of(facts: RoundFacts, box: BoxFacts) -> HandName | None:
    """The hand of a box's two cards with the flop, in a void box or round too: what a void would cancel.

    None where these are not five different cards.
    """
    five = (facts.pair_of(box) or ()) + (facts.flop or ())
    return rank(five).name if len(five) == 5 == len(set(five)) else None


class _Board(NamedTuple):
    """The community cards: the flop, and all that are known."""

    flop: tuple[str, ...] | None
    cards: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return len(self.cards) == 5


class _Dealer(NamedTuple):
    hand: Ranked | None
    qualifies: bool | None

    @classmethod
    def of(cls, facts: RoundFacts, board: _Board) -> "_Dealer":
        hand = rank(facts.dealer + board.cards) if facts.dealer and board.complete else None
        return cls(hand, None if hand is None else qualifies(hand))


class _Hands(NamedTuple):
    """What a pair makes: with the whole board, and with the flop alone."""

    best: Ranked | None
    progressive: HandName | None

    @classmethod
    def of(cls, pair: tuple[str, ...] | None, board: _Board) -> "_Hands":
        if not pair or not board.flop:
            return cls(None, None)
        return cls(rank(pair + board.cards) if board.complete else None, rank(pair + board.flop).name)


def _settle_box(box: BoxFacts, hands: _Hands, dealer: _Dealer, rules: RuleSet) -> BoxResult:
    best = hands.best
    return BoxResult(
        box.box,
        box.player,
        best.name if best else None,
        hands.progressive,
        (*_main(box, best, dealer, rules), *_trips(box, best, rules)),
        progressive_alive(box, rules),
    )


def _main(box: BoxFacts, hand: Ranked | None, dealer: _Dealer, rules: RuleSet) -> tuple[WagerResult, ...]:
    """Ante, Blind and Play, by the table of domain.md §3; the Blind's stake is the Ante's."""
    ante = box.ante
    if box.folded:
        return _lose(_ANTE, ante), _lose(_BLIND, ante)
    if hand is None or dealer.hand is None:
        raise ValueError(f"box {box.box} plays against the dealer, but their cards are not all known")
    play = box.play
    if hand.beats(dealer.hand):
        return (
            _win(_ANTE, ante, ante) if dealer.qualifies else _push(_ANTE, ante),
            _blind_of_a_winner(ante, hand.name, rules),
            _win(_PLAY, play, play),
        )
    if dealer.hand.beats(hand):
        return (
            _lose(_ANTE, ante) if dealer.qualifies else _push(_ANTE, ante),
            _lose(_BLIND, ante),
            _lose(_PLAY, play),
        )
    return _push(_ANTE, ante), _push(_BLIND, ante), _push(_PLAY, play)


def _blind_of_a_winner(stake: int, hand: HandName, rules: RuleSet) -> WagerResult:
    odds = rules.blind_table.lines.get(hand)
    if odds is None:
        return _push(_BLIND, stake)
    return _win(_BLIND, stake, odds.win(stake, rules.odds_rounding))


def _trips(box: BoxFacts, hand: Ranked | None, rules: RuleSet) -> tuple[WagerResult, ...]:
    """Trips by its own table, whatever the dealer has."""
    if not box.trips:
        return ()
    if not trips_alive(box, rules):
        return (_lose(_TRIPS, box.trips),)
    if hand is None:
        raise ValueError(f"box {box.box} has Trips, but its seven cards are not all known")
    odds = rules.trips_table.lines.get(hand.name)
    if odds is None:
        return (_lose(_TRIPS, box.trips),)
    return (_win(_TRIPS, box.trips, odds.win(box.trips, rules.odds_rounding)),)


def _refunded(box: BoxFacts) -> BoxResult:
    """A dead box: every stake comes back, and its cards make no hand."""
    staked = [
        (_ANTE, box.ante),
        (_BLIND, box.ante),
        (_PLAY, box.play),
        (_TRIPS, box.trips),
    ]
    wagers = tuple(WagerResult(kind, stake, _REFUND, stake) for kind, stake in staked if stake)
    return BoxResult(box.box, box.player, None, None, wagers, progressive_alive=False)


def _win(kind: WagerKind, stake: int, won: int) -> WagerResult:
    return WagerResult(kind, stake, _WIN, stake + won)


def _push(kind: WagerKind, stake: int) -> WagerResult:
    return WagerResult(kind, stake, _PUSH, stake)


def _lose(kind: WagerKind, stake: int) -> WagerResult:
    return WagerResult(kind, stake, _LOSE, 0)
