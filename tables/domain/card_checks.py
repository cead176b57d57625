"""What may be wrong with the cards of a round: their number, and that no card is there twice. Source: domain.md §1.

Cards that no live wager needs may be missing; whatever is there must be there in the right number.
"""

from collections.abc import Iterator, Sequence

from jackpot.domain.errors import Violation
from tables.domain.alive import CardsNeeded, cards_needed
from tables.domain.facts import BoxFacts, RoundFacts, VoidReason
from tables.domain.rules import RuleSet

_OR_VOID = "a deal that went wrong comes in as void with the reason card_count"


def check_cards(facts: RoundFacts, rules: RuleSet) -> list[Violation]:
    """Everything wrong with the cards of a round that is not void: `wrong_card_count`, then `duplicate_card`."""
    needed = cards_needed(facts.boxes, rules)
    return [*_pairs(facts, rules, needed), *_board(facts, needed), *_dealer(facts, needed), *_duplicates(facts)]


def _pairs(facts: RoundFacts, rules: RuleSet, needed: CardsNeeded) -> Iterator[Violation]:
    if rules.shared_hand:
        yield from _count(facts.player_cards, 2, "the shared hand", "/player_cards", needed=bool(needed.pairs))
    elif facts.player_cards is not None:
        yield _wrong("at this table each box has cards of its own", "/player_cards")
    for n, box in enumerate(facts.boxes):
        pointer = f"/boxes/{n}/cards"
        if not rules.shared_hand:
            yield from _own_pair(box, pointer, needed=box.box in needed.pairs)
        elif box.cards is not None:
            yield _wrong("at this table all boxes share the cards given as player_cards", pointer)


def _own_pair(box: BoxFacts, pointer: str, *, needed: bool) -> Iterator[Violation]:
    if box.void is not VoidReason.CARD_COUNT:
        yield from _count(box.cards, 2, f"box {box.box}", pointer, needed=needed)


def _board(facts: RoundFacts, needed: CardsNeeded) -> Iterator[Violation]:
    yield from _count(facts.flop, 3, "the flop", "/flop", needed=needed.flop)
    turn, river = facts.turn is not None, facts.river is not None
    if (turn or river) and facts.flop is None and not needed.flop:
        yield _wrong("turn and river come after a flop", "/flop")
    if not turn and (river or needed.turn_and_river):
        yield _wrong("the turn is missing; turn and river come together", "/turn")
    if not river and (turn or needed.turn_and_river):
        yield _wrong("the river is missing; turn and river come together", "/river")


def _dealer(facts: RoundFacts, needed: CardsNeeded) -> Iterator[Violation]:
    yield from _count(facts.dealer, 2, "the dealer", "/dealer", needed=needed.dealer)


def _count(cards: Sequence[str] | None, count: int, whose: str, pointer: str, *, needed: bool) -> Iterator[Violation]:
    if cards is None:
        if needed:
            yield _wrong(f"{whose} needs {count} cards for a wager that is alive, and none came", pointer)
    elif len(cards) != count:
        yield _wrong(f"improper number of cards: {whose} needs {count}, and {len(cards)} came; {_OR_VOID}", pointer)


def _wrong(detail: str, pointer: str) -> Violation:
    return Violation("wrong_card_count", detail, pointer)


def _duplicates(facts: RoundFacts) -> Iterator[Violation]:
    seen: dict[str, str] = {}
    for pointer, card in _all_cards(facts):
        if card in seen:
            yield Violation("duplicate_card", f"{card} is in this round twice, first at {seen[card]}", pointer)
        else:
            seen[card] = pointer


def _all_cards(facts: RoundFacts) -> Iterator[tuple[str, str]]:
    """Every card of the round with its pointer, void and folded boxes included: they come from the same deck."""
    yield from _each("/player_cards", facts.player_cards)
    for n, box in enumerate(facts.boxes):
        yield from _each(f"/boxes/{n}/cards", box.cards)
    yield from _each("/flop", facts.flop)
    if facts.turn is not None:
        yield "/turn", facts.turn
    if facts.river is not None:
        yield "/river", facts.river
    yield from _each("/dealer", facts.dealer)


def _each(pointer: str, cards: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    for n, card in enumerate(cards or ()):
        yield f"{pointer}/{n}", card
