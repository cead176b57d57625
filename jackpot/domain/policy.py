"""The jackpot policy: what a Progressive wager costs, what it pays, and how its meters behave.

All tables of a link play the same policy. A version is a complete document: a round keeps the version in force at
its lock-out for ever. Amounts in a document are decimal strings, rates and shares whole ppm.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from jackpot.money import PPM, UNITS_PER_MINOR, AmountTooLarge, Currency, InvalidMoney, parse

MAX_UNITS = 2**63 - 1
MAX_ODDS = 1_000_000


class InvalidPolicy(ValueError):
    """A policy document that can't be served; the message names the key."""


class Basis(StrEnum):
    FOR_ONE = "for_one"  # a multiple of the stake, the stake inside
    FIXED = "fixed"  # an amount, the stake inside
    METER_SHARE = "meter_share"  # a share of a level's displayed meter


class HitOrder(StrEnum):
    LOW_FIRST = "low_first"
    HIGH_FIRST = "high_first"


class EqualRank(StrEnum):
    IN_TURN = "in_turn"
    SPLIT = "split"


class AfterShare(StrEnum):
    LEAVE = "leave"
    RESTORE_BASE = "restore_base"


class OverflowTo(StrEnum):
    NEXT_RESET = "next_reset"
    HOUSE = "house"


class VoidContributions(StrEnum):
    KEEP = "keep"
    REVERSE = "reverse"


class EnvyPer(StrEnum):
    HIT = "hit"
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class PayLine:
    """One line of the Progressive's pay table.

    `value` is the multiple of the stake (`for_one`), ledger units (`fixed`) or ppm of `level` (`meter_share`).
    """

    hand: str
    basis: Basis
    value: int
    level: str | None = None


@dataclass(frozen=True, slots=True)
class LevelTerms:
    """What a level is run by: base and limit in ledger units, rates in ppm of the stake."""

    code: str
    base: int
    increment_ppm: int
    reserve_ppm: int
    limit: int | None = None

    @property
    def figures(self) -> dict[str, int | None]:
        """The terms without the level's code, as they are stored beside a policy's document."""
        return {name: value for name, value in asdict(self).items() if name != "code"}

    @classmethod
    def of(cls, code: str, figures: Mapping[str, Any]) -> "LevelTerms":
        """The terms of a level as they are stored."""
        return cls(code, **figures)

    @property
    def record(self) -> bytes:
        """The terms as canonical JSON: what the entry of the reset that brings them digests."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class Policy:
    """A version of a jackpot's policy. `lines` run from the strongest hand to the weakest; amounts in ledger units."""

    stake: int
    lines: tuple[PayLine, ...]
    envy: Mapping[str, int]
    levels: tuple[LevelTerms, ...]
    hit_order: HitOrder = HitOrder.LOW_FIRST
    equal_rank: EqualRank = EqualRank.IN_TURN
    after_share: AfterShare = AfterShare.LEAVE
    overflow_to: OverflowTo = OverflowTo.NEXT_RESET
    void_contributions: VoidContributions = VoidContributions.KEEP
    envy_per: EnvyPer = EnvyPer.HIT
    verify_from: int = 0
    approvals: int = 2

    def line(self, hand: str | None) -> PayLine | None:
        """The line a hand is paid by, or None."""
        for line in self.lines:
            if line.hand == hand:
                return line
        return None

    @property
    def hands_with_a_share(self) -> frozenset[str]:
        """The hands that take a share of a meter."""
        return frozenset(line.hand for line in self.lines if line.basis is Basis.METER_SHARE)

    @property
    def figures(self) -> dict[str, dict[str, int | None]]:
        """The terms of every level in ledger units, by its code."""
        return {level.code: level.figures for level in self.levels}

    @classmethod
    def from_document(cls, document: Mapping[str, Any], *, currency: Currency) -> "Policy":
        """Read a policy document. Raises InvalidPolicy, naming the key."""
        return _Reader(document, currency).policy()


CHOICES: Mapping[str, type[StrEnum]] = {
    "hit_order": HitOrder,
    "equal_rank": EqualRank,
    "after_share": AfterShare,
    "overflow_to": OverflowTo,
    "void_contributions": VoidContributions,
    "envy_per": EnvyPer,
}
"""The settings that take one of a few values, the default first."""

_KEYS = {"stake", "progressive_table", "envy_table", "levels", "verify_from", "approvals", *CHOICES}
_LEVEL_KEYS = {"code", "base", "increment_ppm", "reserve_ppm", "limit"}
_VALUE_KEY = {Basis.FOR_ONE: "odds", Basis.FIXED: "amount", Basis.METER_SHARE: "ppm"}


class _Reader:
    """Reads one document, refusing what is unknown, missing or beyond what the books can hold."""

    def __init__(self, document: Mapping[str, Any], currency: Currency) -> None:
        self.document = document
        self.currency = currency

    def policy(self) -> Policy:
        _known(self.document, _KEYS, "policy")
        levels = tuple(self._level(level) for level in self._list("levels"))
        self._check_levels(levels)
        policy = Policy(
            stake=self._amount(self.document, "stake", least=UNITS_PER_MINOR),
            lines=tuple(self._line(line, {level.code for level in levels}) for line in self._list("progressive_table")),
            envy=self._envy(),
            levels=levels,
            verify_from=self._amount({"verify_from": self.document.get("verify_from", "0")}, "verify_from"),
            approvals=_whole(self.document, "approvals", 1, 9, default=2),
            **{key: self._choice(key, choices) for key, choices in CHOICES.items() if key in self.document},
        )
        self._check_lines(policy)
        return policy

    def _list(self, key: str) -> list[Mapping[str, Any]]:
        value = self.document.get(key)
        if not isinstance(value, list) or not value:
            raise InvalidPolicy(f"{key}: a list with at least one item is needed")
        return value

    def _envy(self) -> dict[str, int]:
        table = self.document.get("envy_table", {})
        if not isinstance(table, Mapping):
            raise InvalidPolicy("envy_table: an object is needed")
        return {hand: self._amount(table, hand) for hand in table}

    def _choice(self, key: str, choices: type[StrEnum]) -> Any:
        try:
            return choices(self.document[key])
        except ValueError:
            raise InvalidPolicy(f"{key}: one of {', '.join(choices)}") from None

    def _amount(self, document: Mapping[str, Any], key: str, least: int = 0) -> int:
        try:
            amount = parse(document.get(key), self.currency)
        except (InvalidMoney, AmountTooLarge) as error:
            raise InvalidPolicy(f"{key}: {error}") from None
        if amount < least:
            raise InvalidPolicy(f"{key}: too small")
        return amount

    def _level(self, document: Mapping[str, Any]) -> LevelTerms:
        _known(document, _LEVEL_KEYS, "levels")
        code = document.get("code")
        if not isinstance(code, str) or not code.isidentifier():
            raise InvalidPolicy("levels: each level needs a code of letters, digits and _")
        limit = None if document.get("limit") is None else self._amount(document, "limit")
        terms = LevelTerms(
            code=code,
            base=self._amount(document, "base"),
            increment_ppm=_whole(document, "increment_ppm", 0, PPM),
            reserve_ppm=_whole(document, "reserve_ppm", 0, PPM, default=0),
            limit=limit,
        )
        # A reset leaves base plus the fraction of a minor unit; that must fit under the limit.
        if limit is not None and limit < terms.base + UNITS_PER_MINOR:
            raise InvalidPolicy(f"limit of level {code}: it must lie above the base")
        return terms

    def _check_levels(self, levels: tuple[LevelTerms, ...]) -> None:
        if len({level.code for level in levels}) != len(levels):
            raise InvalidPolicy("levels: a code stands twice")
        if sum(level.increment_ppm + level.reserve_ppm for level in levels) > PPM:
            raise InvalidPolicy("levels: increment and reserve rates add up to more than the stake")

    def _line(self, document: Mapping[str, Any], levels: set[str]) -> PayLine:
        if not isinstance(document, Mapping):
            raise InvalidPolicy("progressive_table: each line is an object")
        try:
            basis = Basis(document.get("basis", Basis.FOR_ONE))
        except ValueError:
            raise InvalidPolicy(f"progressive_table: basis is one of {', '.join(Basis)}") from None
        value_key = _VALUE_KEY[basis]
        share = basis is Basis.METER_SHARE
        _known(document, {"hand", "basis", value_key} | ({"level"} if share else set()), "progressive_table")
        hand = document.get("hand")
        if not isinstance(hand, str) or not hand:
            raise InvalidPolicy("progressive_table: each line names a hand")
        if basis is Basis.FIXED:
            return PayLine(hand, basis, self._amount(document, value_key))
        if not share:
            return PayLine(hand, basis, _whole(document, value_key, 1, MAX_ODDS))
        level = document.get("level")
        if not isinstance(level, str) or level not in levels:
            raise InvalidPolicy(f"progressive_table: {hand} takes its share of an unknown level")
        return PayLine(hand, basis, _whole(document, value_key, 1, PPM), level)

    def _check_lines(self, policy: Policy) -> None:
        hands = [line.hand for line in policy.lines]
        if len(set(hands)) != len(hands):
            raise InvalidPolicy("progressive_table: a hand stands twice")
        shares = {line.hand for line in policy.lines if line.basis is Basis.METER_SHARE}
        if not set(policy.envy) <= shares:
            raise InvalidPolicy("envy_table: Envy is due only for hands with a share of a meter")
        if any(line.basis is Basis.FOR_ONE and line.value * policy.stake > MAX_UNITS for line in policy.lines):
            raise InvalidPolicy("progressive_table: stake × odds is more than the books can hold")


def _known(document: Any, keys: set[str], where: str) -> None:
    if not isinstance(document, Mapping):
        raise InvalidPolicy(f"{where}: an object is needed")
    if unknown := set(document) - keys:
        raise InvalidPolicy(f"{where}: unknown key {min(unknown)}")


def _whole(document: Mapping[str, Any], key: str, least: int, most: int, default: int | None = None) -> int:
    value = document.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidPolicy(f"{key}: a whole number from {least} to {most}")
    return value
