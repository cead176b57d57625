"""A level's meter: how contributions, awards, resets and voids change it, one statement row at a time.

Pure. A `Meter` is the working state of one level inside a batch; every function changes it and returns the rows.
All amounts in ledger units. Source: accounting.md, section 2; the order of hits lies in `progressive`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from jackpot.domain.accounts import Pot
from jackpot.domain.policy import AfterShare, LevelTerms, OverflowTo
from jackpot.money import PPM, displayed, half_up


class Kind(StrEnum):
    """Why a pot changed. Exactly these kinds stand in a statement."""

    CONTRIBUTION = "contribution"
    AWARD = "award"
    AWARD_RETURNED = "award_returned"
    RESET = "reset"
    RESTORE = "restore"
    OVERFLOW_IN = "overflow_in"
    VOID = "void"
    ADJUSTMENT = "adjustment"
    TRANSFER_IN = "transfer_in"
    TRANSFER_OUT = "transfer_out"
    CORRECTION = "correction"


class Row(NamedTuple):
    """A statement row: `after = before + amount`, `seq` gap-free per level and pot."""

    level: str
    pot: Pot
    seq: int
    kind: Kind
    amount: int
    before: int
    after: int


@dataclass(slots=True)
class Meter:
    """The working state of one level. `balances` and `seqs` by pot; `reset_seq` is the meter row of the last reset.

    `next_terms` are approved and wait for the next reset; None where nothing waits.
    """

    terms: LevelTerms
    balances: dict[Pot, int]
    seqs: dict[Pot, int]
    reset_seq: int = 0
    reset_at: datetime | None = None
    wagered: int = 0
    contributed: int = 0
    awarded: int = 0
    hits: int = 0
    last_hit_at: datetime | None = None
    next_terms: LevelTerms | None = None
    touched: bool = field(default=False, compare=False)

    @property
    def displayed(self) -> int:
        """What the sign shows: the meter's whole minor units."""
        return displayed(self.balances[Pot.METER])

    def expect(self, terms: LevelTerms) -> None:
        """Let these terms wait for the next reset, instead of those that waited; the present ones leave nothing to."""
        self.next_terms = None if terms == self.terms else terms

    def change(self, pot: Pot, kind: Kind, amount: int) -> list[Row]:
        """Change a pot by `amount`; no row where nothing changes."""
        if not amount:
            return []
        before = self.balances[pot]
        self.balances[pot] = before + amount
        self.seqs[pot] += 1
        self.touched = True
        return [Row(self.terms.code, pot, self.seqs[pot], kind, amount, before, before + amount)]


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one lock-out put where; what went to neither pot stays with the house. `meter_seq` 0 = nothing.

    `terms` are those it was reckoned by: a void goes by them, whatever the level is run by then.
    """

    meter: int
    overflow: int
    reserve: int
    meter_seq: int
    rows: list[Row]
    terms: LevelTerms


@dataclass(frozen=True, slots=True)
class Share:
    """A share taken from a meter: the amount, what the sign showed before and after, and the award row's seq."""

    amount: int
    meter_before: int
    meter_after: int
    seq: int
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Funding:
    """A reset or restore: what the reserve could not cover, the house paid. `terms` came into force with it, if any."""

    house: int
    rows: list[Row]
    terms: LevelTerms | None = None


def contribute(meter: Meter, staked: int, overflow_to: OverflowTo) -> Contribution:
    """Accrue the stakes of one lock-out: meter up to the limit, the excess to overflow (or the house), reserve."""
    came = accrue(meter, staked, overflow_to, Kind.CONTRIBUTION)
    meter.wagered += staked
    meter.contributed += came.meter + came.overflow + came.reserve
    meter.touched = True
    return came


def due(terms: LevelTerms, standing: int, staked: int, overflow_to: OverflowTo) -> tuple[int, int, int]:
    """What stakes put into meter, overflow and reserve of a level whose meter stands at `standing`; in ledger units."""
    increment = staked * terms.increment_ppm // PPM
    fits = increment if terms.limit is None else min(increment, max(0, terms.limit - standing))
    overflow = increment - fits if overflow_to is OverflowTo.NEXT_RESET else 0
    return fits, overflow, staked * terms.reserve_ppm // PPM


def accrue(meter: Meter, staked: int, overflow_to: OverflowTo, kind: Kind) -> Contribution:
    """Put into the pots what stakes contribute, as `contribute` does; the growing totals stay as they are."""
    fits, overflow, reserve = due(meter.terms, meter.balances[Pot.METER], staked, overflow_to)
    rows = meter.change(Pot.METER, kind, fits)
    meter_seq = meter.seqs[Pot.METER] if rows else 0
    rows += meter.change(Pot.OVERFLOW, kind, overflow)
    rows += meter.change(Pot.RESERVE, kind, reserve)
    return Contribution(fits, overflow, reserve, meter_seq, rows, meter.terms)


def share_of(meter: Meter, ppm: int) -> int:
    """A share of the displayed meter: all of it, or a part rounded half up to the minor unit."""
    return half_up(meter.displayed * ppm, PPM)


def award(meter: Meter, ppm: int, at: datetime) -> Share:
    """Take a share out of the meter. A meter that shows nothing pays nothing, and has no row."""
    amount, before = share_of(meter, ppm), meter.displayed
    rows = meter.change(Pot.METER, Kind.AWARD, -amount)
    meter.awarded += amount
    meter.hits += 1
    meter.last_hit_at = at
    meter.touched = True
    return Share(amount, before, meter.displayed, meter.seqs[Pot.METER], rows)


def reset(meter: Meter, at: datetime | None) -> Funding:
    """Add exactly the base (reserve first, then house), then waiting overflow up to the limit, as its own row.

    Terms that waited come into force first: it is their base that is added, and their limit that overflow fills.
    What an award left stays: a fraction of a minor unit, or after a correction what came in since; of the base only
    what fits under the limit is put in then. `at` is when the hit that caused it happened; a late hit does not move
    `reset_at` back: what lies before an earlier reset stays late. First funding is a reset from 0 that no hit caused
    (None): no hit is late for it.
    """
    came, meter.next_terms = meter.next_terms, None
    meter.terms = came or meter.terms
    base, limit = meter.terms.base, meter.terms.limit
    room = base if limit is None else max(0, limit - meter.balances[Pot.METER])
    funding = _fund(meter, Kind.RESET, min(base, room))
    meter.reset_seq, meter.touched = meter.seqs[Pot.METER], True
    if at is not None:
        meter.reset_at = at if meter.reset_at is None else max(at, meter.reset_at)
    waiting = meter.balances[Pot.OVERFLOW]
    fits = waiting if limit is None else min(waiting, limit - meter.balances[Pot.METER])
    rows = funding.rows + meter.change(Pot.METER, Kind.OVERFLOW_IN, fits)
    return Funding(funding.house, rows + meter.change(Pot.OVERFLOW, Kind.OVERFLOW_IN, -fits), came)


def after_share(meter: Meter, setting: AfterShare) -> Funding:
    """What follows a share of less than the whole meter: nothing, or a top-up to the base."""
    missing = meter.terms.base - meter.balances[Pot.METER]
    if setting is AfterShare.LEAVE or missing <= 0:
        return Funding(0, [])
    return _fund(meter, Kind.RESTORE, missing)


@dataclass(frozen=True, slots=True)
class Funded:
    """What a reset or restore put into a meter, by where it came from."""

    reserve: int = 0
    overflow: int = 0
    house: int = 0

    @classmethod
    def by(cls, rows: Iterable[tuple[Pot, int]]) -> "Funded":
        """Read from its statement rows as (pot, amount): what no pot gave, the house paid."""
        put = dict.fromkeys(Pot, 0)
        for pot, amount in rows:
            put[pot] += amount
        return cls(-put[Pot.RESERVE], -put[Pot.OVERFLOW], sum(put.values()))

    @property
    def amount(self) -> int:
        return self.reserve + self.overflow + self.house


def give_back(meter: Meter, share: int, funded: Funded) -> Funding:
    """Put a share back that is not paid after all, and what its reset or restore put in back to where it came from.

    One row a pot. What would be above the limit waits in the overflow; what the meter no longer has, the house pays
    (`house` is negative where the house gets back). The last reset stays on record: what was late stays late.
    """
    balance = meter.balances[Pot.METER] + share - funded.amount
    limit = meter.terms.limit
    stands = max(0, balance if limit is None else min(balance, limit))
    excess, missing = max(0, balance - stands), max(0, -balance)
    rows = meter.change(Pot.METER, Kind.AWARD_RETURNED, stands - meter.balances[Pot.METER])
    rows += meter.change(Pot.OVERFLOW, Kind.AWARD_RETURNED, funded.overflow + excess)
    rows += meter.change(Pot.RESERVE, Kind.AWARD_RETURNED, funded.reserve)
    return Funding(missing - funded.house, rows)


@dataclass(frozen=True, slots=True)
class Part:
    """Of what a round's lock-out put into a level's pots, what some of its stakes put there."""

    meter: int
    overflow: int
    reserve: int

    @property
    def amount(self) -> int:
        return self.meter + self.overflow + self.reserve


def part_of(voided: int, staked: int, accrued: Contribution) -> Part:
    """The part of `voided` stakes in what all the round's stakes (`staked`) contributed, by the terms of that time.

    What is voided comes out of the excess over the limit first: out of what went to the house, then out of the
    overflow. So the meter is left as if the voided bets had never been made.
    """
    due = voided * accrued.terms.increment_ppm // PPM
    excess = staked * accrued.terms.increment_ppm // PPM - accrued.meter - accrued.overflow
    due -= min(due, excess)
    overflow = min(due, accrued.overflow)
    reserve = min(voided * accrued.terms.reserve_ppm // PPM, accrued.reserve)
    return Part(meter=due - overflow, overflow=overflow, reserve=reserve)


def take_back(meter: Meter, part: Part, accrued: Contribution, kind: Kind = Kind.VOID) -> list[Row]:
    """Take a part back from where it lies, as far as it is still there.

    The meter gives back only what came since its last 100% share (`accrued.meter_seq`), and only down to its base; a
    pot never goes below zero.
    """
    spare = max(0, meter.balances[Pot.METER] - meter.terms.base) if accrued.meter_seq > meter.reset_seq else 0
    rows = meter.change(Pot.METER, kind, -min(part.meter, spare))
    rows += meter.change(Pot.OVERFLOW, kind, -min(part.overflow, meter.balances[Pot.OVERFLOW]))
    return rows + meter.change(Pot.RESERVE, kind, -min(part.reserve, meter.balances[Pot.RESERVE]))


def _fund(meter: Meter, kind: Kind, amount: int) -> Funding:
    from_reserve = min(amount, meter.balances[Pot.RESERVE])
    rows = meter.change(Pot.METER, kind, amount)
    rows += meter.change(Pot.RESERVE, kind, -from_reserve)
    return Funding(amount - from_reserve, rows)
