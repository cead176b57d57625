"""What should have been posted of rounds: contributions from wagers and rates, prizes and Envy from the hands made.

Each is worked out from the policy pinned by the round, and from the terms of the levels and how their pots stood just
before it; what came out then is not looked at. Unlike `audit` this needs no replay, and so takes the standing pots as
given.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from jackpot.domain import meter, progressive
from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Meter
from jackpot.domain.policy import Basis, LevelTerms, Policy
from jackpot.domain.postings import Settlement
from jackpot.domain.progressive import Claim, Outcome, Prize
from jackpot.models.jackpots import Level, PolicyVersion
from jackpot.selectors import expected
from jackpot.selectors.expected import Accrued
from jackpot.selectors.terms import History

_NOTHING = Accrued(None)
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""When a hit happened makes it late or not, and is no part of what it wins."""
_POTS = tuple(Pot)
_METER = Pot.METER


class Staked(NamedTuple):
    """What a round's lock-out should contribute from: Progressive stakes under a policy, in ledger units."""

    ref: str
    policy_id: int
    staked: int


class Showdown(NamedTuple):
    """The Progressive wagers of a round that are alive, under a policy, or under none."""

    ref: str
    policy_id: int | None
    claims: Sequence[Claim]
    shared: bool

    @classmethod
    def of(cls, settlement: Settlement) -> "Showdown":
        """That of a version which is settled again."""
        return cls(settlement.source.ref, settlement.policy_id, settlement.claims, settlement.shared)


class Terms:
    """The policies pinned by some rounds, and the levels of their jackpots with their terms; four queries."""

    def __init__(self, policy_ids: Collection[int]) -> None:
        versions = list(PolicyVersion.objects.filter(pk__in=policy_ids).select_related("jackpot"))
        self.policies: dict[int, Policy] = {version.pk: version.read() for version in versions}
        jackpots = {version.pk: version.jackpot_id for version in versions}
        levels = list(Level.objects.filter(jackpot__in=set(jackpots.values())).order_by("position"))
        self.levels = {
            pk: [level for level in levels if level.jackpot_id == jackpot_id] for pk, jackpot_id in jackpots.items()
        }
        self._history = History(set(jackpots.values()))
        self._sharing = {pk: policy.hands_with_a_share for pk, policy in self.policies.items()}

    def of(self, level: Level, entry_id: int | None) -> LevelTerms:
        """Those of a level before an entry; those of now where it never came."""
        return self._history.at(level, entry_id)

    def meter(self, level: Level, entry_id: int | None, standing: dict[Pot, int]) -> Meter:
        """A level before an entry that found its pots so, under its terms of then."""
        found = Meter(self.of(level, entry_id), standing, dict.fromkeys(_POTS, 0))
        found.expect(self._history.approved(level, entry_id))
        return found

    def meters(self, policy_id: int, entry_id: int | None, standing: Mapping[tuple[int, str], int]) -> list[Meter]:
        """Every level of a policy's jackpot before an entry, as `meter` says; pots that are not named are empty."""
        return [
            self.meter(level, entry_id, {pot: standing.get((level.pk, pot), 0) for pot in _POTS})
            for level in self.levels[policy_id]
        ]

    def takes_a_share(self, policy_id: int | None, claims: Sequence[Claim]) -> bool:
        """Whether any of these wagers takes a share of a meter, so that it matters how the meter stood."""
        if policy_id is None:
            return False
        return not self._sharing[policy_id].isdisjoint([claim.hand for claim in claims])


def expect_contributions(lock_outs: Sequence[Staked], terms: Terms) -> dict[str, tuple[int, int]]:
    """What each lock-out should have put into its jackpot's pots, and what it did, in ledger units; by round.

    Three queries, however many there are.
    """
    posted = expected.accrued([lock_out.ref for lock_out in lock_outs])
    full = [
        at.entry_id
        for lock_out in lock_outs
        if (at := posted.get(lock_out.ref)) and at.entry_id and _full(lock_out, at, terms)
    ]
    before = expected.pots_before(full)
    found = {}
    for lock_out in lock_outs:
        at = posted.get(lock_out.ref, _NOTHING)
        standing = at.before | before.get(at.entry_id or 0, {})
        found[lock_out.ref] = (_due(lock_out, terms, at.entry_id, standing), at.total)
    return found


def _full(lock_out: Staked, at: Accrued, terms: Terms) -> bool:
    """Whether a meter took nothing, as one at its limit does: its row does not say how it stood."""
    levels = terms.levels[lock_out.policy_id]
    return any(
        (level.pk, _METER) not in at.before and terms.of(level, at.entry_id).limit is not None for level in levels
    )


def _due(lock_out: Staked, terms: Terms, entry_id: int | None, before: Mapping[tuple[int, str], int]) -> int:
    overflow_to = terms.policies[lock_out.policy_id].overflow_to
    total = 0
    for level in terms.levels[lock_out.policy_id]:
        standing = before.get((level.pk, _METER), 0)
        total += sum(meter.due(terms.of(level, entry_id), standing, lock_out.staked, overflow_to))
    return total


def expect_outcomes(showdowns: Sequence[Showdown], terms: Terms) -> dict[str, Outcome]:
    """What the claims of each round should have won, by round; at most two queries, however many there are.

    Shares are priced on the pots as they stood before the first settlement, whichever version this is; one that was
    never posted finds empty pots.
    """
    sharing = {one.ref: f"round:{one.ref}:v1" for one in showdowns if terms.takes_a_share(one.policy_id, one.claims)}
    entries = expected.settlement_entries(sharing.values()) if sharing else {}
    before = expected.pots_before(entries.values())
    found = {}
    for one in showdowns:
        if not one.claims or one.policy_id is None:
            continue
        meters = []
        if one.ref in sharing:
            entry_id = entries.get(sharing[one.ref])
            meters = terms.meters(one.policy_id, entry_id, before.get(entry_id or 0, {}))
        levels = {level.terms.code: level for level in meters}
        policy = terms.policies[one.policy_id]
        found[one.ref] = progressive.settle(policy, one.claims, levels, shared=one.shared, at=_NEVER)
    return found


def prizes_owed(settlements: Sequence[Settlement], terms: Terms) -> dict[str, dict[int, Prize]]:
    """The prizes of each settlement by round and box, a share taken as its award says; at most one query."""
    sharing = {one.source.ref for one in settlements if terms.takes_a_share(one.policy_id, one.claims)}
    shares = expected.shares_awarded(sharing) if sharing else {}
    found: dict[str, dict[int, Prize]] = {}
    for posting in settlements:
        prizes = found.setdefault(posting.source.ref, {})
        for claim in posting.claims:
            line = terms.policies[posting.policy_id].line(claim.hand) if posting.policy_id else None
            if line is None:
                continue
            if line.basis is not Basis.METER_SHARE:
                prizes[claim.box] = progressive.fixed_prize(line, claim)
            elif (place := (posting.source.ref, claim.box)) in shares:
                prizes[claim.box] = Prize(shares[place], line.basis)
    return found
