"""What the bets of some rounds should have returned in theory, and how far chance alone takes them from it.

The main bets go by their Antes under optimal play, Trips by its stakes: figures that are stored with the version of
the rule set (`manage.py odds --store`). A Progressive goes by accrual: what its meters pay is theirs, so of it only
fixed prizes and Envy are chance. The boxes of a round share a board and a dealer (or their very hand), so a round
counts as one bet of all it staked: the band is exact for one box or one hand, and wider than need be for several.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from django.db.models import QuerySet

from jackpot.reports import Cell, percent_of
from jackpot.selectors import jackpots
from tables.domain.results import WagerKind
from tables.models.rounds import Round
from tables.models.rulesets import RuleSetVersion
from tables.odds.figures import Figures
from tables.odds.progressive import ProgressiveOdds
from tables.odds.settings import Settings
from tables.odds.theory import METHOD, Theory
from tables.selectors import odds
from tables.selectors.odds import Staked, Wagers

SIGMAS = 3
"""Half the width of the band in standard deviations: chance alone leaves it about once in 370 times."""

_MAIN = (WagerKind.ANTE, WagerKind.BLIND, WagerKind.PLAY)


@dataclass(slots=True)
class Expected:
    """What the house keeps of a bet on average, in ledger units, and the variance of that; or why that is not known."""

    won: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    notes: dict[str, None] = field(default_factory=dict)
    known: bool = True

    def add(self, won: Fraction, variance: Fraction) -> None:
        self.won += won
        self.variance += variance

    def miss(self, why: str) -> None:
        self.known = False
        self.notes[why] = None

    def cells(self, won: int, handle: int) -> tuple[Cell, ...]:
        """Return, theory, difference, lower and upper end of the band in ppm of the handle; whether the return is
        within; the note. `won` is what the house really kept.
        """
        note = "; ".join(self.notes) or None
        actual = percent_of(handle - won, handle)
        if not self.known or not handle:
            return actual, None, None, None, None, None, note
        theory, reach = handle - self.won, SIGMAS * isqrt(int(self.variance))
        low, high = max(theory - reach, Fraction(0)), theory + reach
        within = "yes" if low <= handle - won <= high else "no"
        return actual, *(_ppm(units, handle) for units in (theory, self.won - won, low, high)), within, note


def expected(rounds: QuerySet[Round]) -> Mapping[tuple[str, WagerKind], Expected]:
    """By table and bet; of the Progressive only what chance decides: fixed prizes and Envy, as what the house loses."""
    main, wagers = odds.staked(rounds), odds.progressive_wagers(rounds)
    rules = _Rules({staked.rule_set_id for staked in main} | {group.rule_set_id for group in wagers})
    found: dict[tuple[str, WagerKind], Expected] = defaultdict(Expected)
    for staked in main:
        _add_main(found, staked, rules)
        _add_trips(found[staked.table, WagerKind.TRIPS], staked, rules)
    policies = {pk: ProgressiveOdds(policy) for pk, policy in jackpots.policies({w.policy_id for w in wagers}).items()}
    for group in wagers:
        _add_progressive(found[group.table, WagerKind.PROGRESSIVE], group, policies[group.policy_id], rules)
    return found


class _Rules:
    """The versions of rule sets that were played, with their odds where these are stored."""

    def __init__(self, ids: Iterable[int]) -> None:
        wanted = list(ids)
        self._versions = RuleSetVersion.objects.select_related("rule_set").in_bulk(wanted)
        documents = odds.stored(wanted, method=METHOD)
        self._theories = {
            pk: Theory.from_document(document, Settings.from_document(self._versions[pk].document))
            for pk, document in documents.items()
        }

    def theory(self, pk: int, into: Expected) -> Theory | None:
        """The odds of a version; where they are not stored that is noted."""
        if pk not in self._theories:
            into.miss(f"odds of {self._versions[pk]} are not stored")
        elif self._versions[pk].document["payout_limit"]:
            into.notes["without the payout limit"] = None
        return self._theories.get(pk)

    def setting(self, pk: int, name: str) -> object:
        return self._versions[pk].document[name]


def _add_main(found: Mapping[tuple[str, WagerKind], Expected], staked: Staked, rules: _Rules) -> None:
    for bet in _MAIN:
        into = found[staked.table, bet]
        theory = rules.theory(staked.rule_set_id, into)
        if theory is not None:
            figures: Figures = getattr(theory.main, bet)
            into.add(-figures.mean * staked.ante, figures.variance * staked.ante_squares)


def _add_trips(into: Expected, staked: Staked, rules: _Rules) -> None:
    if not staked.trips:
        return
    theory = rules.theory(staked.rule_set_id, into)
    if theory is None:
        return
    if theory.trips is None:
        into.miss("a fold ends Trips: no theory without the decisions")
        return
    into.add(-theory.trips.net.mean * staked.trips, theory.trips.net.variance * staked.trips_squares)


def _add_progressive(into: Expected, group: Wagers, policy: ProgressiveOdds, rules: _Rules) -> None:
    if not rules.setting(group.rule_set_id, "progressive_survives_fold"):
        into.miss("a fold ends the Progressive: no theory without the decisions")
        return
    shared = rules.setting(group.rule_set_id, "hand_mode") == "shared"
    pairs, others = (0, 0) if shared else (group.pairs, group.wagers - 1)
    prize, with_envy = policy.paid(), policy.paid(others)
    envy = policy.envy() * policy.policy.stake
    into.add(
        -(prize.mean * group.wagers * group.rounds + envy * pairs),
        with_envy.variance * group.wagers**2 * group.rounds,
    )


def _ppm(units: Fraction, handle: int) -> int | None:
    return percent_of(units.numerator, units.denominator * handle)
