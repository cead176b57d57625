"""One version of a round reckoned from its facts and pinned versions alone: what it should have come to.

Shares are priced on the pots as they stood before the first settlement, as a correction prices them. Nothing is
written, and nothing stored is read but the pots.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from jackpot import services as jackpot
from tables.services import audit, batch
from tables.services.batch import Work

Envy = Counter[tuple[int, int]]
"""What boxes get for the hits of others, in ledger units, by (box, hit box)."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A version's results by "box 1", and what its awards come to: hits by box, Envy by box and where it comes from."""

    settlement: jackpot.Settlement
    results: dict[str, dict[str, Any]]
    hits: Counter[int] = field(default_factory=Counter)
    envy: Envy = field(default_factory=Counter)


def reckon(work: Work, terms: jackpot.Terms, *, sealed: bytes | None = None) -> Reckoned:
    """Settle a version again; `sealed` is the digest of what it was made from, where it was settled before.

    Raises ValueError, KeyError or Refused where its facts are none that can be settled.
    """
    settlement = batch.settle(work, sealed=sealed)
    outcome = jackpot.expect_outcomes([jackpot.Showdown.of(settlement)], terms).get(settlement.source.ref)
    if outcome is None:
        return Reckoned(settlement, audit.expected_results(work, {}))
    made = Reckoned(settlement, audit.expected_results(work, outcome.prizes))
    for hit in outcome.hits:
        made.hits[hit.claim.box] += hit.amount
    for envy in outcome.envy:
        made.envy[envy.claim.box, outcome.hits[envy.hit].claim.box] += envy.amount
    return made


def terms_of(work: Work) -> jackpot.Terms:
    """The policy a round pinned, and the levels of its jackpot."""
    return jackpot.Terms({work.round.policy_id} if work.round.policy_id else set())
