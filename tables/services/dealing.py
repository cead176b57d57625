"""Dealing a live round: the lock-out, the cards street by street, and the showdown that completes it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, Violation, refuse
from jackpot.selectors import jackpots as policies
from tables.domain import checks
from tables.domain.facts import BoxFacts, RoundFacts, Street, VoidReason
from tables.domain.record import without_order
from tables.domain.round_state import Move, Phase
from tables.models.rounds import Box
from tables.selectors.loading import cards_in
from tables.selectors.versions import RuleBook
from tables.services import stepping, writing
from tables.services.stepping import Step
from tables.services.writing import joined

Cards = tuple[str, ...]
_UNDECIDED = ""


@transaction.atomic
def lock(*, caller: jackpot.Caller, round_id: UUID, now: datetime) -> Step:
    """Close betting: from here the wagers stand, under the versions in force now. Without boxes the round is void.

    Raises Refused where a bet that was taken before is against the versions it would stand under: a rule set or policy
    that came into force meanwhile, or a jackpot that was suspended. Change or remove it, or void its box.
    """
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if rnd.locked_at is not None:
        return step
    if step.phase is Phase.VOID and not step.boxes():
        return step
    rnd.deadline = None
    boxes = step.boxes()
    if not boxes:
        step.move(Move.LOCK_EMPTY)
        return step.save("locked", boxes=0).tell(jackpot.EventType.ROUND_VOIDED)
    step.move(Move.LOCK)
    rnd.locked_at = now
    rnd.rule_set = RuleBook([rnd.table]).at(rnd.table, now)
    if rnd.table.jackpot_id is not None:
        rnd.policy = policies.policy_in_force(rnd.table.jackpot_id, now)
    rnd.lane_id = rnd.table.lane_id
    standing = [box for box in boxes if box.void is None]
    if wrong := checks.check_standing(standing, step.rules, progressive_stake=step.progressive_stake()):
        raise Refused(wrong)
    jackpot.enqueue([(rnd.lane_id, "lockout", rnd.id)])
    return step.save("locked", "locked_at", "rule_set", "policy", "lane_id")


@transaction.atomic
def deal(
    *,
    caller: jackpot.Caller,
    round_id: UUID,
    cards: Mapping[int, Cards] | None,
    player_cards: Cards | None,
    now: datetime,
) -> Step:
    """Each box's two cards by its number, or the shared pair. Starts the clock of the first decision."""
    step = stepping.take(round_id, caller=caller, now=now)
    boxes = step.boxes()
    if step.was_taken("dealt"):
        if not _same(cards_in(step.round.player_cards), player_cards) or not _same_pairs(boxes, cards or {}):
            raise stepping.conflict("the deal")
        return step
    step.move(Move.DEAL)
    _check_pairs(step, boxes, cards, player_cards)
    if cards:
        writing.store_pairs(round_id, cards)
    step.round.player_cards = joined(player_cards)
    step.start_clock(step.rules.decision_seconds)
    return step.save("dealt", "player_cards")


@transaction.atomic
def flop(*, caller: jackpot.Caller, round_id: UUID, cards: Cards, now: datetime) -> Step:
    """The first three community cards. Boxes that did not decide before them have checked, automatically."""
    step = stepping.take(round_id, caller=caller, now=now)
    if step.round.flop:
        if not _same(cards_in(step.round.flop), cards):
            raise stepping.conflict("the flop")
        return step
    step.move(Move.DEAL_FLOP)
    _check_known(replace(step.facts(), flop=cards), pointer="/cards", new=cards, count=3)
    automatic = _check_automatically(step, Street.PREFLOP)
    step.round.flop = joined(cards)
    step.start_clock(step.rules.decision_seconds)
    return step.save("flop", "flop", automatic_checks=automatic)


@transaction.atomic
def river(*, caller: jackpot.Caller, round_id: UUID, turn: str, river: str, now: datetime) -> Step:
    """The last two community cards, together. Boxes that did not decide before them have checked, automatically."""
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if rnd.river:
        if (rnd.turn, rnd.river) != (turn, river):
            raise stepping.conflict("the river")
        return step
    step.move(Move.DEAL_RIVER)
    _check_known(replace(step.facts(), turn=turn, river=river), pointer="", new=(turn, river), count=2)
    automatic = _check_automatically(step, Street.FLOP)
    rnd.turn, rnd.river = turn, river
    step.start_clock(step.rules.decision_seconds)
    return step.save("river", "turn", "river", automatic_checks=automatic)


@transaction.atomic
def showdown(*, caller: jackpot.Caller, round_id: UUID, dealer: Cards | None, now: datetime) -> Step:
    """The dealer's cards complete the round, and it waits for a worker; boxes undecided at the river have folded.

    Without dealer's cards only where no live wager needs them. Raises Refused with what is missing.
    """
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if rnd.completed_at is not None and step.was_taken("showdown"):
        if not _same(cards_in(rnd.dealer), dealer):
            raise stepping.conflict("the showdown")
        return step
    was = step.phase
    step.move(Move.SHOWDOWN)
    undecided = Box.objects.filter(round_id=rnd.id, action=_UNDECIDED, void_reason="")
    if was is not Phase.RIVER and undecided.exists():
        raise refuse("wrong_phase", f"in phase {was} there are boxes that have still to decide")
    folded = list(undecided.order_by("box").values_list("box", flat=True))
    undecided.update(action="fold", street=Street.RIVER, automatic=True)
    facts = replace(step.facts(), dealer=dealer)
    if wrong := checks.check_cards(facts, step.rules):
        raise Refused(wrong)
    rnd.dealer, rnd.completed_at, rnd.deadline = joined(dealer), now, None
    jackpot.enqueue([(rnd.lane_id, "completion", rnd.id)])
    return step.save("showdown", "dealer", "completed_at", automatic_folds=folded)


def _same_pairs(boxes: Iterable[BoxFacts], cards: Mapping[int, Cards]) -> bool:
    held = {box.box: without_order(box.cards) for box in boxes if box.cards}
    return held == {number: without_order(pair) for number, pair in cards.items() if pair}


def _same(dealt: Cards | None, sent: Cards | None) -> bool:
    return without_order(dealt) == without_order(sent)


def _check_pairs(
    step: Step, boxes: list[BoxFacts], cards: Mapping[int, Cards] | None, player_cards: Cards | None
) -> None:
    if step.rules.shared_hand:
        if cards or player_cards is None:
            raise refuse("wrong_card_count", "this table deals one pair for all boxes", "/player_cards")
        _check_known(RoundFacts((), player_cards=player_cards), pointer="/player_cards", new=player_cards, count=2)
    elif player_cards is not None:
        raise refuse("wrong_card_count", "this table deals each box its own pair", "/player_cards")
    elif wrong := [*_wrong_pairs(boxes, cards or {}), *_dealt_twice(cards or {})]:
        raise Refused(wrong)


def _wrong_pairs(boxes: Iterable[BoxFacts], cards: Mapping[int, Cards]) -> Iterator[Violation]:
    """Each box has two cards; a void one may have none, and any number where its cards are why it is void."""
    in_round = {box.box: box for box in boxes}
    for number in sorted(cards.keys() | in_round.keys()):
        box, pair = in_round.get(number), cards.get(number, ())
        if box is None:
            yield Violation("unknown_box", f"box {number} is not in this round", f"/cards/{number}")
        elif len(pair) != 2 and (box.void is None or (pair and box.void is not VoidReason.CARD_COUNT)):
            yield Violation("wrong_card_count", f"box {number} has two cards", f"/cards/{number}")


def _dealt_twice(cards: Mapping[int, Cards]) -> Iterator[Violation]:
    seen: set[str] = set()
    for number, pair in sorted(cards.items()):
        for place, card in enumerate(pair):
            if card in seen:
                yield Violation("duplicate_card", f"{card} is dealt twice", f"/cards/{number}/{place}")
            seen.add(card)


def _check_known(facts: RoundFacts, *, pointer: str, new: Cards, count: int) -> None:
    """Refuse new cards that are too few, too many, or already on the table."""
    if len(new) != count:
        raise refuse("wrong_card_count", f"{count} cards are dealt here", pointer)
    known = [*facts.board, *(facts.player_cards or ()), *(card for box in facts.boxes for card in box.cards or ())]
    for place, card in enumerate(new):
        if known.count(card) > 1 or new.count(card) > 1:
            where = f"{pointer}/{place}" if pointer else ("/turn", "/river")[place]
            raise refuse("duplicate_card", f"{card} is on the table already", where)


def _check_automatically(step: Step, street: Street) -> list[int]:
    """Boxes that could have decided on the street that ends, and did not: their check is stored as automatic."""
    silent = Box.objects.filter(round_id=step.round.id, action=_UNDECIDED, void_reason="").exclude(checked=street)
    return list(silent.order_by("box").values_list("box", flat=True))
