"""What changed stakes of a corrected round contribute. Pure; source: accounting.md, section 6."""

from dataclasses import dataclass, replace

from jackpot.domain import meter
from jackpot.domain.meter import Contribution, Kind, Meter
from jackpot.domain.policy import LevelTerms, Policy


@dataclass(frozen=True, slots=True)
class Change:
    """Rows of a changed contribution, what of it the house bears, and what the stakes have contributed by now."""

    rows: list[meter.Row]
    charged: int
    accrued: Contribution


def nothing(level: Meter) -> Contribution:
    """What a round without stakes contributed to a level."""
    return Contribution(0, 0, 0, 0, [], level.terms)


def stakes_changed(level: Meter, policy: Policy, staked: int, to: int, accrued: Contribution) -> Change:
    """Change what the stakes of a round contributed to one level, from those of `staked` to those of `to`.

    By the rates of its lock-out; where that contributed nothing, by those of the policy it was played under. Fewer
    stakes are taken back as those of a void are: what came since the last reset, and no lower than the base; the house
    bears the rest.
    """
    rates = rates_of(level, policy, accrued)
    if to > staked:
        terms = level.terms
        level.terms = replace(terms, increment_ppm=rates.increment_ppm, reserve_ppm=rates.reserve_ppm)
        came = meter.accrue(level, to - staked, policy.overflow_to, Kind.CORRECTION)
        level.terms = terms
        return Change(came.rows, 0, together(replace(accrued, terms=rates), came))
    part = meter.part_of(staked - to, staked, replace(accrued, terms=rates))
    rows = meter.take_back(level, part, accrued, Kind.CORRECTION)
    return Change(rows, part.amount + sum(row.amount for row in rows), _less(replace(accrued, terms=rates), part))


def rates_of(level: Meter, policy: Policy, accrued: Contribution) -> LevelTerms:
    """By which terms the stakes of a round contribute to a level."""
    if accrued.meter or accrued.overflow or accrued.reserve:
        return accrued.terms
    return next((terms for terms in policy.levels if terms.code == level.terms.code), level.terms)


def together(accrued: Contribution, came: Contribution) -> Contribution:
    """What stakes contributed, with what came of more of them later."""
    return Contribution(
        accrued.meter + came.meter, accrued.overflow + came.overflow, accrued.reserve + came.reserve,
        accrued.meter_seq or came.meter_seq, [], accrued.terms,
    )  # fmt: skip


def _less(accrued: Contribution, part: meter.Part) -> Contribution:
    return Contribution(
        accrued.meter - part.meter, accrued.overflow - part.overflow, accrued.reserve - part.reserve,
        accrued.meter_seq, [], accrued.terms,
    )  # fmt: skip
