"""What becomes of a round's awards when the round is corrected. Pure; source: accounting.md, section 6.

The version that comes into force owes *items*: hits in the order paid, then Envy. Against them stand the awards of the
round as it was. What is the same carries over; what is paid stays and counts towards what is owed now.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from jackpot.domain.awards import State
from jackpot.domain.progressive import Outcome

UNPAID = frozenset({State.PENDING, State.APPROVED, State.DISPUTED})


@dataclass(frozen=True, slots=True)
class Item:
    """What a version owes to one box. `level` of a hit; of an Envy `hit` is the place of its hit among the items."""

    box: int
    player: str
    hand: str
    amount: int
    level: str | None = None
    hit: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """An award of the round as it stands; `ref` is its id, `hit` that of an Envy's hit.

    `difference_of` names the paid award that this one adds to.
    """

    ref: str
    box: int
    player: str
    hand: str
    amount: int
    level: str | None
    state: State
    hit: str | None = None
    difference_of: str | None = None


@dataclass(frozen=True, slots=True)
class Carried:
    """An award stands for (a part of) an item: nothing new is owed for this `amount`."""

    item: int
    ref: str
    amount: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A new award for an item, or for the rest of it that was not paid yet (`difference_of`).

    `hit` is the award that stands for an Envy's hit, None where that is a new one itself. It begins in `state`.
    """

    item: int
    amount: int
    difference_of: str | None = None
    hit: str | None = None
    state: State = State.PENDING


@dataclass(slots=True)
class Fates:
    """What becomes of all items and awards. `denied`: how much of an item was rejected before, and is not owed.

    `mispaid`: how much of a paid award nothing is owed for any more.
    """

    carried: list[Carried] = field(default_factory=list)
    opened: list[Opened] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    denied: dict[int, int] = field(default_factory=dict)
    mispaid: dict[str, int] = field(default_factory=dict)

    def owed(self, place: int, item: Item) -> int:
        """What of an item is owed: all but what was rejected."""
        return item.amount - self.denied.get(place, 0)


def items(outcome: Outcome) -> list[Item]:
    """What an outcome owes by awards, in order."""
    hits = [Item(hit.claim.box, hit.claim.player, hit.line.hand, hit.amount, hit.line.level) for hit in outcome.hits]
    envy = [
        Item(envy.claim.box, envy.claim.player, outcome.hits[envy.hit].line.hand, envy.amount, hit=envy.hit)
        for envy in outcome.envy
    ]
    return hits + envy


def match(owed: Sequence[Item], held: Sequence[Held]) -> Fates:
    """Awards with the same box, line and amount carry over; another unpaid one is withdrawn.

    Of what was paid at a box, so much counts towards what is owed there now; the rest of an item is owed by a
    difference award, the rest of the payment was mispaid. Who is to be paid must be the player of the facts in force:
    an unpaid award of another player does not carry over. What was rejected stays rejected.
    """
    return _Matching(owed, held).fates()


class _Matching:
    def __init__(self, owed: Sequence[Item], held: Sequence[Held]) -> None:
        self.owed = owed
        self.left = {award.ref: award for award in held if award.state is not State.WITHDRAWN}
        self.states = {award.ref: award.state for award in held}
        self.found = Fates()
        self.stands: dict[int, str] = {}
        """The award that stands for a hit, by the hit's place."""

    def fates(self) -> Fates:
        rest = [place for place, item in enumerate(self.owed) if not self._same(place, item)]
        pool = {ref: award.amount for ref, award in self.left.items() if award.state is State.PAID}
        for place in rest:
            self._cover(place, self.owed[place], pool)
        self.found.mispaid = {ref: amount for ref, amount in pool.items() if amount}
        self.found.withdrawn = [
            ref for ref, award in self.left.items() if award.state in UNPAID and ref not in self._carried
        ]
        return self.found

    @property
    def _carried(self) -> set[str]:
        return {carried.ref for carried in self.found.carried}

    def _same(self, place: int, item: Item) -> bool:
        """Carry the award over that is exactly this item's, if there is one; else it stays rejected where it was, for
        whatever amount.
        """
        for award in sorted(self.left.values(), key=lambda award: award.amount != item.amount):
            stands = award.amount == item.amount or award.state is State.REJECTED
            if award.difference_of is None and stands and self._is_of(award, item):
                del self.left[award.ref]
                self._stand(place, item, award, item.amount)
                return True
        return False

    def _stand(self, place: int, item: Item, award: Held, amount: int) -> None:
        if award.state is State.REJECTED:
            self.found.denied[place] = self.found.denied.get(place, 0) + amount
        else:
            self.found.carried.append(Carried(place, award.ref, amount))
        if item.hit is None:
            self.stands.setdefault(place, award.ref)

    def _is_of(self, award: Held, item: Item) -> bool:
        """Whether an award is for the same line of the same box, and may stand for it: an unpaid one for the player
        that the facts name now, and an Envy under the hit it came with.
        """
        if (award.box, award.hand, award.level, award.hit is None) != (
            item.box,
            item.hand,
            item.level,
            item.hit is None,
        ):
            return False
        if award.state is State.PAID:
            return True
        return award.player == item.player and (item.hit is None or self.stands.get(item.hit) == award.hit)

    def _cover(self, place: int, item: Item, pool: dict[str, int]) -> None:
        """What was paid at the box counts first; for the rest an award stands already, or is opened."""
        if item.hit is not None and self.found.denied.get(item.hit) == self.owed[item.hit].amount:
            self.found.denied[place] = item.amount
            return
        rest, payer = item.amount, None
        for ref, award in self.left.items():
            counts = min(rest, pool.get(ref, 0))
            if counts and (award.box, award.hit is None) == (item.box, item.hit is None):
                pool[ref] -= counts
                rest -= counts
                payer = payer or ref
                self._stand(place, item, award, counts)
        if rest or not item.amount:
            self._owe_rest(place, item, rest, payer)

    def _owe_rest(self, place: int, item: Item, rest: int, payer: str | None) -> None:
        for award in self.left.values():
            unpaid = award.state is not State.PAID and award.difference_of and payer
            if unpaid and award.amount == rest and self._is_of(award, item):
                del self.left[award.ref]
                self._stand(place, item, award, rest)
                return
        hit = None if item.hit is None else self.stands.get(item.hit)
        self.found.opened.append(Opened(place, rest, payer, hit, self._begins(hit)))

    def _begins(self, hit: str | None) -> State:
        """An Envy stands where its hit stands; under one that was paid it is approved."""
        state = self.states[hit] if hit else State.PENDING
        return State.APPROVED if state is State.PAID else state
