"""The settlement of a round: hands with the five cards that count, what each wager came to, Envy, hits, totals.

Amounts come from the posted results and awards; only the cards of a hand are worked out afresh.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from jackpot.http.showing import show_award, shown_time
from jackpot.money import Currency, show_stored
from jackpot.selectors.corrections import Owed
from jackpot.services import Award
from tables.domain.hands import best_five, qualifies, rank
from tables.domain.results import Outcome, WagerKind
from tables.models.rounds import Box, BoxResult, Round
from tables.selectors.loading import cards_in
from tables.selectors.on_show import OnShow
from tables.selectors.results import returned_to, stakes_of

_OUTCOMES = {outcome.value[0]: outcome.value for outcome in Outcome}
_OF_A_HIT = (
    "id", "kind", "box", "hand", "level", "amount", "meter_before", "meter_after", "reset_to", "seq", "state",
)  # fmt: skip
_best = lru_cache(maxsize=4_096)(best_five)


def show_settlement(shown: OnShow) -> dict[str, object] | None:
    """The settlement in force, None while there is none. `boxes` are left out of a wide round."""
    rnd = shown.round
    if not rnd.version:
        return None
    currency = rnd.table.currency
    envy = [owed for owed in shown.awards if owed.award.kind == Award.Kind.ENVY]
    boxes = [(box, shown.results[box.box]) for box in shown.boxes]
    staked = shown.staked + sum(stake for box, _ in boxes for stake in stakes_of(box).values())
    returned = shown.returned + sum(amount for _, result in boxes for amount in returned_to(result).values())
    envied = sum(owed.amount for owed in envy)
    return {
        "version": rnd.version,
        "settled_at": shown_time(rnd.settled_at),
        "rule_set": str(rnd.rule_set) if rnd.rule_set else None,
        "dealer": _dealer(rnd),
        **({} if shown.wide else {"boxes": [show_result(rnd, box, result, envy) for box, result in boxes]}),
        "awards": [_hit(owed.award) for owed in shown.awards if owed.award.kind == Award.Kind.HIT],
        "totals": {
            "staked": show_stored(staked, currency),
            "returned": show_stored(returned + envied, currency),
            "envy": show_stored(envied, currency),
        },
    }


def show_result(rnd: Round, box: Box, result: BoxResult, envy: Iterable[Owed]) -> dict[str, object]:
    """One box of a settlement; of `envy` it takes what is this box's."""
    currency = rnd.table.currency
    own = [owed for owed in envy if owed.award.box == box.box]
    staked = sum(stakes_of(box).values())
    returned = sum(returned_to(result).values()) + sum(owed.amount for owed in own)
    pair = cards_in(rnd.player_cards) or cards_in(box.cards)
    return {
        "box": box.box,
        "player": box.player,
        "hand": result.hand or None,
        "best": list(_best((*(pair or ()), *_board(rnd)))) if result.hand else None,
        "progressive_hand": result.progressive_hand or None,
        "wagers": list(_wagers(box, result, currency)),
        "envy": [_envy(owed, currency) for owed in own],
        "staked": show_stored(staked, currency),
        "returned": show_stored(returned, currency),
        "net": show_stored(returned - staked, currency),
    }


def _wagers(box: Box, result: BoxResult, currency: Currency) -> Iterator[dict[str, object]]:
    stakes, returned = stakes_of(box), returned_to(result)
    capped = result.capped or "-" * len(WagerKind)
    for kind, letter, cap in zip(WagerKind, result.outcomes, capped, strict=True):
        if letter == "-":
            continue
        wager: dict[str, object] = {
            "kind": kind,
            "stake": show_stored(stakes[kind], currency),
            "outcome": _OUTCOMES[letter],
            "returned": show_stored(returned[kind], currency),
            "net": show_stored(returned[kind] - stakes[kind], currency),
        }
        if kind is WagerKind.PROGRESSIVE:
            wager["basis"] = result.basis or None
        if cap == "c":
            wager["capped"] = True
        yield wager


def _dealer(rnd: Round) -> dict[str, object] | None:
    """The dealer's best hand; None where his cards or the board are not known, or the round is void."""
    seven = (*(cards_in(rnd.dealer) or ()), *_board(rnd))
    if rnd.void_reason or len(seven) != 7:
        return None
    hand = rank(seven)
    return {"hand": hand.name, "best": list(_best(seven)), "qualifies": qualifies(hand)}


def _board(rnd: Round) -> Sequence[str]:
    return cards_in(rnd.flop + rnd.turn + rnd.river) or ()


def _envy(owed: Owed, currency: Currency) -> dict[str, object]:
    return {"from_box": owed.from_box, "hand": owed.hand, "amount": show_stored(owed.amount, currency)}


def _hit(award: Award) -> dict[str, object]:
    """Of an award what the round does not say already."""
    shown = show_award(award)
    return {name: shown[name] for name in _OF_A_HIT}
