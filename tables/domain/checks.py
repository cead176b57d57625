"""What may be wrong with the bets, decisions and cards of a round under a rule set. Sources: domain.md §1, §5; api.md.

Each function returns all violations it finds, none meaning that all is well. Pointers lead into the body of a whole
round ("/boxes/0/ante": a box's place in the list, not its number); `at` replaces the start for other bodies.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jackpot.domain.errors import Violation
from tables.domain.card_checks import check_cards
from tables.domain.facts import Action, BoxFacts, Decision, RoundFacts, Street
from tables.domain.rules import MAX_BOX_NUMBER, MOST_UNITS, RuleSet, StakeLimits

__all__ = ["Seats", "check", "check_bets", "check_cards", "check_decision", "check_seats", "check_stakes"]


@dataclass(frozen=True, slots=True)
class Seats:
    """How many boxes of a round are taken, and how many of them by the players that matter."""

    taken: int = 0
    held: Mapping[str, int] = field(default_factory=dict)

    def without(self, boxes: Collection[BoxFacts]) -> "Seats":
        """The same but for these boxes."""
        return Seats(self.taken - len(boxes), Counter(self.held) - Counter(box.player for box in boxes))


NOBODY = Seats()


def check(facts: RoundFacts, rules: RuleSet, *, progressive_stake: int | None) -> list[Violation]:
    """Everything wrong with a whole round: bets first, then decisions, then cards.

    `progressive_stake` is the one stake of the table's jackpot in ledger units, None where there is no jackpot.
    The cards of a void round are not looked at: they may be the reason why it is void.
    """
    violations = check_bets(facts.boxes, rules, progressive_stake=progressive_stake)
    for n, box in enumerate(facts.boxes):
        violations += _check_last_decision(box.decision, rules, at=f"/boxes/{n}/decision")
    if facts.void is None:
        violations += check_cards(facts, rules)
    return violations


def check_bets(
    boxes: Sequence[BoxFacts], rules: RuleSet, *, progressive_stake: int | None, at: str = "/boxes"
) -> list[Violation]:
    """What is wrong with the boxes of a round as they are when betting closes."""
    if not boxes:
        return [Violation("ante_required", "a round has at least one box with an Ante", at)]
    violations = [*check_seats(boxes, rules, at=at), *_reach(boxes, rules, at)]
    for n, box in enumerate(boxes):
        violations += check_stakes(box, rules, progressive_stake=progressive_stake, at=f"{at}/{n}")
    return violations


def check_standing(boxes: Sequence[BoxFacts], rules: RuleSet, *, progressive_stake: int | None) -> list[Violation]:
    """What is wrong with bets that stand when betting closes; each violation names its box ("/boxes/3/ante")."""
    found: list[Violation] = [*_reach(boxes, rules, "/boxes")]
    for box in boxes:
        found += check_stakes(box, rules, progressive_stake=progressive_stake, at=f"/boxes/{box.box}")
    return found


def check_seats(
    boxes: Sequence[BoxFacts], rules: RuleSet, *, beside: Seats = NOBODY, at: str = "/boxes"
) -> list[Violation]:
    """What is wrong with who sits where: box numbers, boxes taken twice, too many boxes in all or for one player.

    `beside` are the other boxes of the round, which are counted and not pointed at.
    """
    return [*_box_numbers(boxes, at), *_too_many(boxes, rules, beside, at)]


def _reach(boxes: Sequence[BoxFacts], rules: RuleSet, at: str) -> Iterator[Violation]:
    """The books hold a round's result in one amount: what all boxes could win together must fit into it."""
    if rules.most_back(sum(box.ante for box in boxes), sum(box.trips for box in boxes)) > MOST_UNITS:
        yield Violation("amount_too_large", "together these boxes could win more than the books can hold", at)


def _box_numbers(boxes: Sequence[BoxFacts], at: str) -> Iterator[Violation]:
    seen = set()
    for n, box in enumerate(boxes):
        if not 1 <= box.box <= MAX_BOX_NUMBER:
            yield Violation("unknown_box", f"boxes are numbered from 1 to {MAX_BOX_NUMBER}", f"{at}/{n}/box")
        if box.box in seen:
            yield Violation("box_taken", f"box {box.box} is there twice; a box has one player", f"{at}/{n}/box")
        seen.add(box.box)


def _too_many(boxes: Sequence[BoxFacts], rules: RuleSet, beside: Seats, at: str) -> Iterator[Violation]:
    if rules.max_boxes is not None and beside.taken + len(boxes) > rules.max_boxes:
        free = max(0, rules.max_boxes - beside.taken)
        yield Violation("too_many_boxes", f"this table has {rules.max_boxes} boxes", f"{at}/{free}")
    if rules.boxes_per_player is None:
        return
    held = Counter(beside.held)
    for n, box in enumerate(boxes):
        held[box.player] += 1
        if box.player and held[box.player] > rules.boxes_per_player:
            detail = f"a player may hold {rules.boxes_per_player} of this table's boxes"
            yield Violation("too_many_boxes", detail, f"{at}/{n}/player")


def check_stakes(box: BoxFacts, rules: RuleSet, *, progressive_stake: int | None, at: str = "") -> list[Violation]:
    """What is wrong with one box's player and stakes, the Play aside (it follows from the decision)."""
    return [*_player_and_ante(box, at), *_limits(box, rules, at), *_progressive(box, rules, progressive_stake, at)]


def _player_and_ante(box: BoxFacts, at: str) -> Iterator[Violation]:
    if not box.player.strip():
        yield Violation("player_required", "every box names its player", f"{at}/player")
    if box.ante <= 0:
        yield Violation("ante_required", "no bet is taken on a box without an Ante", f"{at}/ante")


def _limits(box: BoxFacts, rules: RuleSet, at: str) -> Iterator[Violation]:
    limits = rules.bet_limits
    if box.ante > 0 and not limits.ante.allow(box.ante):
        yield Violation("bet_limit", f"this table takes an Ante of {_range(limits.ante, rules)}", f"{at}/ante")
    if box.trips and not limits.trips.allow(box.trips):
        yield Violation("bet_limit", f"this table takes Trips of {_range(limits.trips, rules)}", f"{at}/trips")
    if limits.box is not None and 2 * box.ante + box.trips + box.progressive > limits.box:
        most = rules.show(limits.box)
        yield Violation("bet_limit", f"Ante, Blind and side bets of a box come to {most} at most at this table", at)


def _range(limits: StakeLimits, rules: RuleSet) -> str:
    return f"{rules.show(limits.min)} to {rules.show(limits.max)}"


def _progressive(box: BoxFacts, rules: RuleSet, stake: int | None, at: str) -> Iterator[Violation]:
    if not box.progressive:
        return
    if stake is None or not rules.progressive_offered:
        yield Violation("no_progressive", "this table offers no Progressive", f"{at}/progressive")
    elif box.progressive != stake:
        detail = f"the Progressive takes a stake of {rules.show(stake)}, no more and no less"
        yield Violation("wrong_progressive_stake", detail, f"{at}/progressive")


def check_decision(decision: Decision, rules: RuleSet, *, at: str = "") -> list[Violation]:
    """What is wrong with one decision taken on its street: play, check (not on the river) or fold."""
    street, multiplier = decision.street, decision.multiplier
    if decision.action is Action.PLAY:
        allowed = rules.multipliers(street)
        if multiplier in allowed:
            return []
        detail = f"a Play {_ON[street]} is {_one_of(allowed)} times the Ante"
        return [Violation("wrong_multiple", detail, f"{at}/multiplier")]
    violations = []
    if multiplier is not None:
        violations.append(Violation("wrong_multiple", "only a Play has a multiplier", f"{at}/multiplier"))
    if decision.action is Action.CHECK and street is Street.RIVER:
        violations.append(Violation("wrong_street", "on the river a box plays or folds", f"{at}/street"))
    if decision.action is Action.FOLD and street not in rules.fold_streets:
        violations.append(Violation("wrong_street", f"no fold {_ON[street]} at this table", f"{at}/street"))
    return violations


_ON = {Street.PREFLOP: "before the flop", Street.FLOP: "on the flop", Street.RIVER: "on the river"}


def _one_of(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))


def _check_last_decision(decision: Decision, rules: RuleSet, *, at: str) -> list[Violation]:
    """A whole round tells how each box ended: with a Play or a fold, not with a check."""
    if decision.action is Action.CHECK:
        detail = "a box ends with a Play or a fold; leave the decision out where it checked to the end"
        return [Violation("wrong_street", detail, f"{at}/action")]
    return check_decision(decision, rules, at=at)
