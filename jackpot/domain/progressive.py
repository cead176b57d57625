"""What the Progressive and the Envy pay in one round. Pure; sources: domain.md sections 4 and 5.

The jackpot knows a wager's box, player, stake and the name of the hand it made, never a card.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from jackpot.domain import meter as meters
from jackpot.domain.meter import Funding, Meter, Row, Share
from jackpot.domain.policy import Basis, EnvyPer, EqualRank, HitOrder, PayLine, Policy
from jackpot.money import PPM, split


class Claim(NamedTuple):
    """A Progressive wager that is alive at the showdown, and the hand it made (None: no hand)."""

    box: int
    player: str
    stake: int
    hand: str | None


@dataclass(frozen=True, slots=True)
class Prize:
    """What a Progressive wager gets back, its stake inside, and on which basis."""

    returned: int
    basis: Basis


@dataclass(frozen=True, slots=True)
class Hit:
    """A wager's part of a share of a meter: what an award freezes. `amount` is all of the `share` unless it was split;
    `reset_to` is None where no reset followed.
    """

    claim: Claim
    line: PayLine
    amount: int
    share: int
    meter_before: int
    meter_after: int
    seq: int
    reset_to: int | None
    late: bool


@dataclass(frozen=True, slots=True)
class Envy:
    """What one wager receives for another player's hit (`hits[hit]` of the same outcome)."""

    claim: Claim
    hit: int
    amount: int


@dataclass(slots=True)
class Outcome:
    """Everything one round's Progressive wagers win, in the order in which it was paid.

    `fundings` are the resets and restores, each with the index of the hit that caused it and its kind: those that put
    something in, or bring new terms.
    """

    prizes: dict[int, Prize] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    envy: list[Envy] = field(default_factory=list)
    award_rows: list[Row] = field(default_factory=list)
    fundings: list[tuple[int, meters.Kind, Funding]] = field(default_factory=list)


def settle(
    policy: Policy, claims: Sequence[Claim], levels: Mapping[str, Meter], *, shared: bool, at: datetime
) -> Outcome:
    """Price the claims of one round, changing `levels`; `shared` = one player hand for all boxes."""
    outcome = Outcome()
    winning = [(line, claim) for claim in claims if (line := policy.line(claim.hand))]
    if not winning:
        return outcome
    for line, claim in winning:
        if line.basis is not Basis.METER_SHARE:
            outcome.prizes[claim.box] = fixed_prize(line, claim)
    for line, together in _hits(policy, winning, shared=shared):
        _take_share(policy, line, together, levels, outcome, at)
    if not shared:
        outcome.envy = list(_envy(policy, claims, outcome.hits))
    return outcome


def fixed_prize(line: PayLine, claim: Claim) -> Prize:
    """What a line pays that takes no share of a meter: a multiple of the stake, or an amount."""
    return Prize(line.value * claim.stake if line.basis is Basis.FOR_ONE else line.value, line.basis)


def _hits(
    policy: Policy, winning: Sequence[tuple[PayLine, Claim]], *, shared: bool
) -> Iterator[tuple[PayLine, list[Claim]]]:
    """The hits in the order they are paid, each with the wagers that share it.

    Order: by pay-table line as `hit_order` says; equal lines in turn by box, or together where the share is split.
    """
    rank = {line.hand: n for n, line in enumerate(policy.lines)}
    direction = 1 if policy.hit_order is HitOrder.HIGH_FIRST else -1
    hits = [(line, claim) for line, claim in winning if line.basis is Basis.METER_SHARE]
    hits.sort(key=lambda hit: (direction * rank[hit[0].hand], hit[1].box))
    together = shared or policy.equal_rank is EqualRank.SPLIT
    for _, equal in groupby(hits, key=lambda hit: hit[0].hand):
        group = list(equal)
        if together:
            yield group[0][0], [claim for _, claim in group]
        else:
            yield from ((line, [claim]) for line, claim in group)


def _take_share(
    policy: Policy, line: PayLine, claims: list[Claim], levels: Mapping[str, Meter], outcome: Outcome, at: datetime
) -> None:
    meter = levels[line.level or ""]
    late = meter.reset_at is not None and at < meter.reset_at
    share = meters.award(meter, line.value, at)
    outcome.award_rows += share.rows
    if line.value == PPM:
        kind, funding = meters.Kind.RESET, meters.reset(meter, at)
    else:
        kind, funding = meters.Kind.RESTORE, meters.after_share(meter, policy.after_share)
    reset_to = meter.displayed if kind is meters.Kind.RESET else None
    if funding.rows or funding.terms:
        outcome.fundings.append((len(outcome.hits), kind, funding))
    for claim, amount in zip(claims, split(share.amount, len(claims)), strict=True):
        outcome.prizes[claim.box] = Prize(amount, Basis.METER_SHARE)
        outcome.hits.append(_hit(claim, line, amount, share, reset_to, late=late))


def _hit(claim: Claim, line: PayLine, amount: int, share: Share, reset_to: int | None, *, late: bool) -> Hit:
    return Hit(claim, line, amount, share.amount, share.meter_before, share.meter_after, share.seq, reset_to, late)


def _envy(policy: Policy, claims: Sequence[Claim], hits: Sequence[Hit]) -> Iterator[Envy]:
    """Envy to every other player's wager: tested by player, not by box, since one player may own several."""
    for claim in claims:
        due = [
            Envy(claim, n, policy.envy[hit.line.hand])
            for n, hit in enumerate(hits)
            if hit.line.hand in policy.envy and hit.claim.player != claim.player
        ]
        if due and policy.envy_per is EnvyPer.ROUND:
            due = [max(due, key=lambda envy: envy.amount)]
        yield from due
