"""What changed stakes of a corrected round contribute. Pure; source: accounting.md, section 6."""

from dataclasses import dataclass, replace

from jackpot.domain import meter
from jackpot.domain.meter import Contribution, Kind, Meter
from jackpot.domain.policy import Policy

NOTHING = Contribution(0, 0, 0, 0, [])


@dataclass(frozen=True, slots=True)
class Change:
    """Rows of a changed contribution, what of it the house bears, and what the stakes have contributed by now."""

    rows: list[meter.Row]
    charged: int
    accrued: Contribution


def stakes_changed(level: Meter, policy: Policy, staked: int, to: int, accrued: Contribution) -> Change:
    """Change what the stakes of a round contributed to one level, from those of `staked` to those of `to`, by the rates
    of its policy. Fewer stakes are taken back as those of a void are: what came since the last reset,
    and no lower than the base; the house bears the rest.
    """
    terms = level.terms
    rates = next((rates for rates in policy.levels if rates.code == terms.code), None)
    if rates is None:
        return Change([], 0, accrued)
    level.terms = replace(terms, increment_ppm=rates.increment_ppm, reserve_ppm=rates.reserve_ppm)
    try:
        if to > staked:
            came = meter.accrue(level, to - staked, policy.overflow_to, Kind.CORRECTION)
            return Change(came.rows, 0, together(accrued, came))
        part = meter.part_of(level, staked - to, staked, accrued)
        rows = meter.take_back(level, part, accrued, Kind.CORRECTION)
    finally:
        level.terms = terms
    missing = part.amount + sum(row.amount for row in rows)
    return Change(rows, missing, _less(accrued, part))


def together(accrued: Contribution, came: Contribution) -> Contribution:
    """What stakes contributed, with what came of more of them later."""
    return Contribution(
        accrued.meter + came.meter, accrued.overflow + came.overflow, accrued.reserve + came.reserve,
        accrued.meter_seq or came.meter_seq, [],
    )  # fmt: skip


def _less(accrued: Contribution, part: meter.Part) -> Contribution:
    return Contribution(
        accrued.meter - part.meter, accrued.overflow - part.overflow, accrued.reserve - part.reserve,
        accrued.meter_seq, [],
    )  # fmt: skip
