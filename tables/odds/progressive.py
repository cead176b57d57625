"""The Progressive of a jackpot policy: what it returns as a function of its meters. Sources: domain.md §4 and §5.

A wager's hand is that of its two cards and the flop. Amounts are ledger units. What a meter pays is taken as it stands:
that a sign shows whole minor units and a tenth of it is rounded, and that a second hit of one round finds another
meter, or one Envy a round is the higher of two, is left out; so is who shares a prize with whom.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from jackpot import services as jackpot
from jackpot.money import PPM
from tables.domain.hands import HandName
from tables.odds.figures import Figures
from tables.odds.frequencies import hands_of

Meters = Mapping[str, int]


@dataclass(frozen=True)
class ProgressiveOdds:
    """Exact figures of one wager under a policy."""

    policy: jackpot.Policy

    @property
    def shares(self) -> dict[HandName, Fraction]:
        """How often each hand with a line is dealt."""
        counted = hands_of(5)
        dealt = sum(counted.values())
        return {HandName(line.hand): Fraction(counted[HandName(line.hand)], dealt) for line in self.policy.lines}

    @property
    def hit(self) -> Fraction:
        """How often a wager wins anything."""
        return sum(self.shares.values(), Fraction(0))

    def paid(self, others: int = 0) -> Figures:
        """What a wager costs the house beside its meters, in ledger units: its own fixed prize, and the Envy that its
        hit brings to `others`, each a wager of another player.
        """
        due = {hand: Fraction(self._fixed(hand) + others * self.policy.envy.get(hand, 0)) for hand in self.shares}
        return Figures.of((amount, self.shares[hand]) for hand, amount in due.items())

    def envy(self) -> Fraction:
        """What one other player's wager brings in Envy, of the stake."""
        return sum((share * self.policy.envy.get(hand, 0) for hand, share in self.shares.items()), Fraction(0)) / (
            self.policy.stake
        )

    def per_meter(self, level: str) -> Fraction:
        """The part of a level's meter that a wager wins on average."""
        lines = (line for line in self.policy.lines if line.level == level)
        return sum((self.shares[HandName(line.hand)] * line.value / PPM for line in lines), Fraction(0))

    def returned(self, meters: Meters, *, others: int = 0) -> Fraction:
        """What comes back of the stake on average with these meters by level, and `others` beside it."""
        won = sum((self.per_meter(level.code) * meters[level.code] for level in self.policy.levels), Fraction(0))
        return (won + self.paid().mean) / self.policy.stake + others * self.envy()

    def break_even(self, level: str, meters: Meters, *, others: int = 0) -> Fraction | None:
        """The meter of a level, in ledger units, at which all of the stake comes back, the other levels being as they
        stand; None where no hand has a share of it.
        """
        slope = self.per_meter(level) / self.policy.stake
        if not slope:
            return None
        return (1 - self.returned({**meters, level: 0}, others=others)) / slope

    def long_run(self, level: str) -> Fraction | None:
        """The mean of what a level's meter holds in the long run, in ledger units: where what comes in on average (its
        rate of each stake, and the base after each reset) is what is taken out.

        None where nothing is ever taken, or where a limit or a restored base make it another.
        """
        terms = next(terms for terms in self.policy.levels if terms.code == level)
        slope = self.per_meter(level)
        if not slope or terms.limit is not None or self.policy.after_share is not jackpot.AfterShare.LEAVE:
            return None
        whole = (line for line in self.policy.lines if line.level == level and line.value == PPM)
        resets = sum((self.shares[HandName(line.hand)] for line in whole), Fraction(0))
        return (Fraction(self.policy.stake * terms.increment_ppm, PPM) + resets * terms.base) / slope

    def _fixed(self, hand: HandName) -> int:
        line = self.policy.line(hand)
        if line is None or line.basis is jackpot.Basis.METER_SHARE:
            return 0
        return line.value * self.policy.stake if line.basis is jackpot.Basis.FOR_ONE else line.value
