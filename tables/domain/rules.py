"""A rule set: everything in which one house plays differently from another. Source: domain.md §5.

A version of a rule set is a JSON document, complete in itself (pay tables included) and never changed.
Amounts are decimal strings in the document and ledger units here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jackpot import money
from jackpot.money import Currency
from tables.domain import documents
from tables.domain.documents import InvalidRuleSet
from tables.domain.facts import Street
from tables.domain.paytables import InvalidPayTable, OddsRounding, PayTable, TableKind

MAX_BOXES_OF_ONE_DECK = 22
"""22 pairs, five community cards and the dealer's two are 51 of 52 cards."""

MAX_BOX_NUMBER = 100_000
MAX_MULTIPLIER = 10
FLOP_MULTIPLIER = 2
RIVER_MULTIPLIER = 1
MAX_SECONDS = 3_600
MOST_UNITS = 2**63 - 1
"""The most that one amount of the books can be, in ledger units."""


class HandMode(StrEnum):
    """Whether each box plays its own two cards, or all boxes share one pair (live one-to-many tables)."""

    PER_BOX = "per_box"
    SHARED = "shared"


class LimitScope(StrEnum):
    """Whose wins a payout limit adds up: one player's over all his boxes of the round, or the whole round's."""

    PLAYER = "player"
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class PayoutLimit:
    """The most that Ante, Blind, Play and Trips may win together, in ledger units; stakes come back on top."""

    amount: int
    scope: LimitScope


@dataclass(frozen=True, slots=True)
class StakeLimits:
    """Lowest and highest stake of one bet, in ledger units."""

    min: int
    max: int

    def allow(self, stake: int) -> bool:
        return self.min <= stake <= self.max


@dataclass(frozen=True, slots=True)
class BetLimits:
    """Limits of a box in ledger units. `box` caps what is staked before the cards: Ante, Blind, Trips, Progressive.

    The Play is outside: it follows from the Ante, and a bet once accepted must leave every Play open.
    """

    ante: StakeLimits
    trips: StakeLimits
    box: int | None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One version of the rules of a table. Settings carry the names and meanings of domain.md §5.

    `boxes_per_player` None: any empty box. `max_boxes` None: unlimited. `payout_limit` None: no limit.
    `betting_seconds`, `decision_seconds` None: no clock.
    """

    code: str
    version: int
    currency: Currency
    blind_table: PayTable
    trips_table: PayTable
    progressive_offered: bool
    fold_streets: tuple[Street, ...]
    preflop_multipliers: tuple[int, ...]
    boxes_per_player: int | None
    max_boxes: int | None
    hand_mode: HandMode
    trips_survives_fold: bool
    progressive_survives_fold: bool
    odds_rounding: OddsRounding
    payout_limit: PayoutLimit | None
    bet_limits: BetLimits
    betting_seconds: int | None
    decision_seconds: int | None

    @classmethod
    def from_document(cls, document: object, *, currency: Currency, code: str, version: int) -> "RuleSet":
        """The rule set of a document; `currency` says what its amounts are.

        Raises InvalidRuleSet, naming the key, on unknown or missing keys, on values out of range, on settings that
        do not go together, and on limits whose highest stake could win more than a bigint holds.
        """
        given = documents.fields(document, "", _READERS)
        settings = {key: read(given[key], key, currency) for key, read in _READERS.items()}
        rules = cls(code=code, version=version, currency=currency, **settings)
        _check_boxes(rules)
        _check_reach(rules)
        return rules

    def to_document(self) -> dict[str, object]:
        """The document `from_document` reads."""
        limit, bets = self.payout_limit, self.bet_limits
        return {
            "blind_table": self.blind_table.to_document(),
            "trips_table": self.trips_table.to_document(),
            "progressive_offered": self.progressive_offered,
            "fold_streets": [str(street) for street in self.fold_streets],
            "preflop_multipliers": list(self.preflop_multipliers),
            "boxes_per_player": self.boxes_per_player,
            "max_boxes": self.max_boxes,
            "hand_mode": str(self.hand_mode),
            "trips_survives_fold": self.trips_survives_fold,
            "progressive_survives_fold": self.progressive_survives_fold,
            "odds_rounding": str(self.odds_rounding),
            "payout_limit": limit and {"amount": self.show(limit.amount), "scope": str(limit.scope)},
            "bet_limits": {
                "ante": {"min": self.show(bets.ante.min), "max": self.show(bets.ante.max)},
                "trips": {"min": self.show(bets.trips.min), "max": self.show(bets.trips.max)},
                "box": {"max": None if bets.box is None else self.show(bets.box)},
            },
            "betting_seconds": self.betting_seconds,
            "decision_seconds": self.decision_seconds,
        }

    @property
    def shared_hand(self) -> bool:
        return self.hand_mode is HandMode.SHARED

    def multipliers(self, street: Street) -> tuple[int, ...]:
        """By what the Ante may be multiplied for a Play on this street (domain.md §1: 4x or 3x, then 2x, then 1x)."""
        return {
            Street.PREFLOP: self.preflop_multipliers,
            Street.FLOP: (FLOP_MULTIPLIER,),
            Street.RIVER: (RIVER_MULTIPLIER,),
        }[street]

    def most_back(self, ante: int, trips: int) -> int:
        """The most that such an Ante, with its Blind and Play, and such a Trips can bring back, stakes included; odds
        are taken as rounded up. For one box or for all of a round.
        """
        play = ante * max(max(self.multipliers(street)) for street in Street)
        main = 2 * ante + ante * _most_back(self.blind_table) + 2 * play
        return main + trips * _most_back(self.trips_table)

    def show(self, units: int) -> str:
        """An amount in the currency of the rule set."""
        return money.show(units, self.currency)


def _pay_table(kind: TableKind) -> Callable[[object, str, Currency], PayTable]:
    def read(value: object, key: str, currency: Currency) -> PayTable:
        try:
            return PayTable.from_document(value, kind=kind)
        except InvalidPayTable as error:
            raise InvalidRuleSet(documents.inside(key, error.key) if error.key else key, error.problem) from None

    return read


def _boolean(value: object, key: str, currency: Currency) -> bool:
    return documents.boolean(value, key)


def _number_or_none(*, high: int) -> Callable[[object, str, Currency], int | None]:
    def read(value: object, key: str, currency: Currency) -> int | None:
        return None if value is None else documents.whole(value, key, low=1, high=high)

    return read


def _fold_streets(value: object, key: str, currency: Currency) -> tuple[Street, ...]:
    streets = tuple(documents.choice(item, key, Street) for item in documents.several(value, key))
    if Street.RIVER not in streets:
        raise InvalidRuleSet(key, "a fold on the river is always allowed: the list contains river")
    return streets


def _multipliers(value: object, key: str, currency: Currency) -> tuple[int, ...]:
    items = documents.several(value, key)
    return tuple(documents.whole(item, key, low=1, high=MAX_MULTIPLIER) for item in items)


def _payout_limit(value: object, key: str, currency: Currency) -> PayoutLimit | None:
    if value is None:
        return None
    given = documents.fields(value, key, ("amount", "scope"))
    return PayoutLimit(
        documents.amount(given["amount"], f"{key}.amount", currency),
        documents.choice(given["scope"], f"{key}.scope", LimitScope),
    )


def _bet_limits(value: object, key: str, currency: Currency) -> BetLimits:
    given = documents.fields(value, key, ("ante", "trips", "box"))
    ante = _stake_limits(given["ante"], f"{key}.ante", currency)
    trips = _stake_limits(given["trips"], f"{key}.trips", currency)
    highest = documents.fields(given["box"], f"{key}.box", ("max",))["max"]
    box = None if highest is None else documents.amount(highest, f"{key}.box.max", currency)
    if box is not None and box < 2 * ante.min:
        raise InvalidRuleSet(f"{key}.box.max", "leaves no room for the lowest Ante and its Blind")
    return BetLimits(ante, trips, box)


def _stake_limits(value: object, key: str, currency: Currency) -> StakeLimits:
    given = documents.fields(value, key, ("min", "max"))
    low = documents.amount(given["min"], f"{key}.min", currency)
    high = documents.amount(given["max"], f"{key}.max", currency)
    if low > high:
        raise InvalidRuleSet(f"{key}.max", "not less than min")
    return StakeLimits(low, high)


_READERS: dict[str, Callable[[Any, str, Currency], Any]] = {
    "blind_table": _pay_table(TableKind.BLIND),
    "trips_table": _pay_table(TableKind.TRIPS),
    "progressive_offered": _boolean,
    "fold_streets": _fold_streets,
    "preflop_multipliers": _multipliers,
    "boxes_per_player": _number_or_none(high=MAX_BOX_NUMBER),
    "max_boxes": _number_or_none(high=MAX_BOX_NUMBER),
    "hand_mode": lambda value, key, currency: documents.choice(value, key, HandMode),
    "trips_survives_fold": _boolean,
    "progressive_survives_fold": _boolean,
    "odds_rounding": lambda value, key, currency: documents.choice(value, key, OddsRounding),
    "payout_limit": _payout_limit,
    "bet_limits": _bet_limits,
    "betting_seconds": _number_or_none(high=MAX_SECONDS),
    "decision_seconds": _number_or_none(high=MAX_SECONDS),
}
"""Every key of a document with what reads it; the keys are the settings of `RuleSet`."""


def _check_boxes(rules: RuleSet) -> None:
    """With separate hands one deck ends the number of boxes; only a shared hand can serve any number."""
    if rules.shared_hand:
        return
    if rules.max_boxes is None or rules.max_boxes > MAX_BOXES_OF_ONE_DECK:
        raise InvalidRuleSet("max_boxes", f"at most {MAX_BOXES_OF_ONE_DECK} where each box has its own two cards")


def _check_reach(rules: RuleSet) -> None:
    """No box may get back more than a bigint of ledger units (accounting.md §1)."""
    if rules.most_back(rules.bet_limits.ante.max, 0) > MOST_UNITS:
        raise InvalidRuleSet("bet_limits.ante.max", "the highest Ante could win more than the books can hold")
    if rules.most_back(0, rules.bet_limits.trips.max) > MOST_UNITS:
        raise InvalidRuleSet("bet_limits.trips.max", "the highest Trips could win more than the books can hold")


def _most_back(table: PayTable) -> int:
    """The highest multiple of a stake that this table can hand back, the stake included."""
    return 1 + max(-(-odds.numerator // odds.denominator) for odds in table.lines.values())
