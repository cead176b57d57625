"""Settlement: the facts of a round and a rule set make a result for every wager. Source: domain.md §3.

Pure and repeatable: nothing is remembered, so a settled round can be proved again from its facts at any time.
Amounts are ledger units. The Progressive is not priced here: the jackpot knows what its hands are worth.
"""

from typing import NamedTuple

from tables.domain import payout_limit
from tables.domain.alive import progressive_alive, trips_alive
from tables.domain.facts import BoxFacts, RoundFacts
from tables.domain.hands import Board, HandName, Made, Ranked, qualifies, rank
from tables.domain.results import BoxResult, RoundResult, WagerKind, WagerResult, lost, pushed, refunded, won
from tables.domain.rules import RuleSet

_ANTE, _BLIND, _PLAY, _TRIPS, _ = WagerKind
"""Kinds by name: a member is looked up each time that it is named with its enumeration, and a box names eight."""
_NOTHING = Made(None, None)


def settle(facts: RoundFacts, rules: RuleSet) -> RoundResult:
    """The result of every wager of a round but its Progressives.

    Expects facts that `checks.check` found nothing wrong with. Raises ValueError where a hand cannot be ranked or a
    live main bet misses its cards: nothing is ever settled on a guess.
    """
    if facts.void is not None:
        return RoundResult(None, None, tuple(_refunded(box) for box in facts.boxes))
    board = Board(facts.board) if facts.flop else None
    dealer = _Dealer.of(_made(facts.dealer, board).best)
    shared = _made(facts.player_cards, board) if rules.shared_hand else None
    boxes = tuple(
        [
            _refunded(box) if box.void else _settle_box(box, shared or _made(box.cards, board), dealer, rules)
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


class _Dealer(NamedTuple):
    hand: Ranked | None
    qualifies: bool | None

    @classmethod
    def of(cls, hand: Ranked | None) -> "_Dealer":
        return cls(hand, None if hand is None else qualifies(hand))


def _made(pair: tuple[str, ...] | None, board: Board | None) -> Made:
    return board.with_pair(pair) if pair and board else _NOTHING


def _settle_box(box: BoxFacts, made: Made, dealer: _Dealer, rules: RuleSet) -> BoxResult:
    best, flop = made
    return BoxResult(
        box.box,
        box.player,
        best.name if best else None,
        flop.name if flop else None,
        (*_main(box, best, dealer, rules), *_trips(box, best, rules)),
        progressive_alive(box, rules),
    )


def _main(box: BoxFacts, hand: Ranked | None, dealer: _Dealer, rules: RuleSet) -> tuple[WagerResult, ...]:
    """Ante, Blind and Play, by the table of domain.md §3; the Blind's stake is the Ante's."""
    ante = box.ante
    if box.folded:
        return lost(_ANTE, ante), lost(_BLIND, ante)
    if hand is None or dealer.hand is None:
        raise ValueError(f"box {box.box} plays against the dealer, but their cards are not all known")
    play = box.play
    if hand.beats(dealer.hand):
        return (
            won(_ANTE, ante, ante) if dealer.qualifies else pushed(_ANTE, ante),
            _blind_of_a_winner(ante, hand.name, rules),
            won(_PLAY, play, play),
        )
    if dealer.hand.beats(hand):
        return (
            lost(_ANTE, ante) if dealer.qualifies else pushed(_ANTE, ante),
            lost(_BLIND, ante),
            lost(_PLAY, play),
        )
    return pushed(_ANTE, ante), pushed(_BLIND, ante), pushed(_PLAY, play)


def _blind_of_a_winner(stake: int, hand: HandName, rules: RuleSet) -> WagerResult:
    odds = rules.blind_table.lines.get(hand)
    if odds is None:
        return pushed(_BLIND, stake)
    return won(_BLIND, stake, odds.win(stake, rules.odds_rounding))


def _trips(box: BoxFacts, hand: Ranked | None, rules: RuleSet) -> tuple[WagerResult, ...]:
    """Trips by its own table, whatever the dealer has."""
    if not box.trips:
        return ()
    if not trips_alive(box, rules):
        return (lost(_TRIPS, box.trips),)
    if hand is None:
        raise ValueError(f"box {box.box} has Trips, but its seven cards are not all known")
    odds = rules.trips_table.lines.get(hand.name)
    if odds is None:
        return (lost(_TRIPS, box.trips),)
    return (won(_TRIPS, box.trips, odds.win(box.trips, rules.odds_rounding)),)


def _refunded(box: BoxFacts) -> BoxResult:
    """A dead box: every stake comes back, and its cards make no hand."""
    staked = [
        (_ANTE, box.ante),
        (_BLIND, box.ante),
        (_PLAY, box.play),
        (_TRIPS, box.trips),
    ]
    wagers = tuple(refunded(kind, stake) for kind, stake in staked if stake)
    return BoxResult(box.box, box.player, None, None, wagers, progressive_alive=False)
