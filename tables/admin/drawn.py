"""A round drawn as its table: cards with their names, boxes in their places, arrows from a hit to its Envy.

Plain values that `tables/round.html` lays out. Amounts are shown to the minor unit where they are whole, else exactly:
a page about a falsified figure must open.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from jackpot.money import Currency, show_stored
from tables.domain.cards import DECK, SYMBOLS, in_symbols
from tables.domain.hands import best_five, qualifies, rank
from tables.domain.results import WagerKind
from tables.models.rounds import Box, BoxResult, Round
from tables.selectors.loading import cards_in
from tables.selectors.results import returned_to, stakes_of

_RANKS = {
    "A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine", "8": "eight", "7": "seven",
    "6": "six", "5": "five", "4": "four", "3": "three", "2": "two",
}  # fmt: skip
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_ENDS = {"w": "won", "l": "lost", "p": "push", "r": "refunded", "-": ""}


@dataclass(frozen=True, slots=True)
class Card:
    """A card to be drawn; `counts` where it is one of the five that made the hand."""

    rank: str
    symbol: str
    suit: str
    name: str
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet of a box: its stake, how it ended, and what came back ("" before it is settled)."""

    name: str
    stake: str
    ended: str = ""
    returned: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """A box in its place; an empty place has no player."""

    number: int
    player: str = ""
    cards: Sequence[Card] = ()
    best: Sequence[Card] = ()
    hand: str = ""
    progressive_hand: str = ""
    decision: str = ""
    bets: Sequence[Bet] = ()
    staked: str = ""
    returned: str = ""
    net: str = ""
    won: bool = False
    void: str = ""


@dataclass(frozen=True, slots=True)
class Dealer:
    cards: Sequence[Card] = ()
    best: Sequence[Card] = ()
    hand: str = ""
    qualifies: bool | None = None


@dataclass(slots=True)
class Totals:
    """Of all boxes in ledger units, Envy inside what was returned."""

    staked: int = 0
    returned: int = 0
    envy: int = 0


@dataclass(frozen=True, slots=True)
class Envied:
    """Envy that went from the box of a hit to another."""

    from_box: int
    to_box: int
    hand: str
    amount: int
    shown: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """One version of a round, drawn."""

    board: Sequence[Card]
    shared: Sequence[Card]
    dealer: Dealer
    seats: Sequence[Seat]
    totals: Totals = field(default_factory=Totals)
    void: str = ""


def draw(rnd: Round, boxes: Iterable[Box], results: dict[int, BoxResult], envy: Sequence[Envied]) -> Drawn:
    """A round as it stands in the version whose results and Envy are given."""
    totals = Totals(envy=sum(one.amount for one in envy))
    seats = [_seat(rnd, box, results.get(box.box), envy, totals) for box in boxes]
    board = rnd.flop + rnd.turn + rnd.river
    return Drawn(drawn(board), drawn(rnd.player_cards), _dealer(rnd), seats, totals, words(rnd.void_reason))


def drawn(stored: str | Iterable[str], counting: Collection[str] = ()) -> list[Card]:
    """Stored cards ("QsJsTs", or one by one) to be drawn."""
    cards = (cards_in(stored) or ()) if isinstance(stored, str) else stored
    return [_card(card, card in counting) for card in cards]


def words(name: str) -> str:
    return name.replace("_", " ")


def decided(box: Box) -> str:
    """What a box decided: "play 4×, preflop", "fold, river, automatic"."""
    if not box.action:
        return f"checked, {box.checked}" if box.checked else "not decided"
    times = f" {box.multiplier}×" if box.multiplier else ""
    return f"{box.action}{times}, {box.street}{', automatic' if box.automatic else ''}"


def _card(card: str, counts: bool) -> Card:
    if card not in DECK:
        return Card(card, "?", "", f"not a card: {card}")
    value, suit = card[0], card[1]
    name = f"{_RANKS[value]} of {_SUITS[suit]}"
    return Card(in_symbols(card)[:-1], SYMBOLS[suit], suit, name + (", counts" if counts else ""), counts)


def _dealer(rnd: Round) -> Dealer:
    own, best = cards_in(rnd.dealer) or (), _best(rnd, rnd.dealer)
    if rnd.void_reason or not best:
        return Dealer(drawn(own))
    hand = rank(best)
    return Dealer(drawn(own, best), drawn(best, own), words(hand.name), qualifies(hand))


def _best(rnd: Round, pair: str) -> tuple[str, ...]:
    """The five that count of a pair and the board; none before all seven are known."""
    seven = cards_in(pair + rnd.flop + rnd.turn + rnd.river) or ()
    return best_five(seven) if len(seven) == 7 and len(set(seven)) == 7 and set(seven) <= set(DECK) else ()


def _seat(rnd: Round, box: Box, result: BoxResult | None, envy: Sequence[Envied], totals: Totals) -> Seat:
    currency = rnd.table.currency
    own = [one for one in envy if one.to_box == box.box]
    stakes = stakes_of(box)
    staked = sum(stakes.values())
    totals.staked += staked
    pair = rnd.player_cards or box.cards
    best = _best(rnd, pair) if result and result.hand else ()
    returned = sum(returned_to(result).values()) + sum(one.amount for one in own) if result else 0
    totals.returned += returned
    net = returned - staked
    return Seat(
        number=box.box,
        player=box.player,
        cards=drawn(box.cards, best),
        best=drawn(best, cards_in(pair) or ()),
        hand=words(result.hand) if result else "",
        progressive_hand=words(result.progressive_hand) if result else "",
        decision=decided(box),
        bets=[*_bets(box, result, currency), *(_envy(one) for one in own)],
        staked=show_stored(staked, currency),
        returned=show_stored(returned, currency) if result else "",
        net=("+" if net > 0 else "") + show_stored(net, currency) if result else "",
        won=bool(result) and net > 0,
        void=words(box.void_reason) + (f": {box.void_note}" if box.void_note else ""),
    )


def _bets(box: Box, result: BoxResult | None, currency: Currency) -> Iterator[Bet]:
    stakes = stakes_of(box)
    for n, kind in enumerate(WagerKind):
        came = returned_to(result)[kind] if result else 0
        letter = result.outcomes[n : n + 1] if result else ""
        if not stakes[kind] and not came and letter in ("", "-"):
            continue
        stake = show_stored(stakes[kind], currency)
        if result is None:
            yield Bet(kind.value, stake)
            continue
        capped = "payout limit" if result.capped[n : n + 1] == "c" else ""
        basis = words(result.basis) if kind is WagerKind.PROGRESSIVE and letter == "w" else ""
        yield Bet(kind.value, stake, _ENDS.get(letter, letter), show_stored(came, currency), capped or basis)


def _envy(one: Envied) -> Bet:
    return Bet(f"Envy from box {one.from_box}", "", "", one.shown, words(one.hand))
