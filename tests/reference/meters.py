"""One level of a jackpot: three pots (meter, reserve, overflow) and every change of them as a statement row."""

from datetime import datetime
from fractions import Fraction
from typing import Any

from tests.reference.amounts import MILLION, cents, exact_text

Json = dict[str, Any]


class Level:
    """A level's pots in exact cents.

    `house` is what the house has borne for it: base funding, adjustments, contributions of dead wagers.
    """

    def __init__(self, terms: Json, overflow_to: str) -> None:
        self.name: str = terms["level"]
        self.base = Fraction(cents(terms["base"]))
        self.increment = Fraction(terms["increment_ppm"], MILLION)
        self.reserve_rate = Fraction(terms["reserve_ppm"], MILLION)
        limit = terms.get("limit")
        self.limit = None if limit is None else Fraction(cents(limit))
        self.overflow_to = overflow_to
        self.pots = {"meter": Fraction(0), "reserve": Fraction(0), "overflow": Fraction(0)}
        self.seqs = {"meter": 0, "reserve": 0, "overflow": 0}
        self.rows: list[Json] = []
        self.house = Fraction(0)
        self.resets = 0
        self.reset_at: datetime | None = None
        self.reset("first funding")

    @property
    def displayed(self) -> int:
        """Whole cents on the sign: the meter rounded down."""
        return int(self.pots["meter"])

    def post(self, pot: str, kind: str, amount: Fraction | int, source: str) -> int | None:
        """Change a pot and write its row; a change of nothing writes none. Answers the row's seq."""
        if not amount:
            return None
        before = self.pots[pot]
        after = before + amount
        assert after >= 0, f"{self.name} {pot} would go below zero"
        assert pot != "meter" or self.limit is None or after <= self.limit, f"{self.name} would pass its limit"
        self.pots[pot] = after
        self.seqs[pot] += 1
        self.rows.append(
            {
                "level": self.name,
                "pot": pot,
                "seq": self.seqs[pot],
                "kind": kind,
                "amount": exact_text(amount),
                "before": exact_text(before),
                "after": exact_text(after),
                "source": source,
            }
        )
        return self.seqs[pot]

    def room(self) -> Fraction | None:
        """How much still fits under the limit; None without a limit."""
        return None if self.limit is None else self.limit - self.pots["meter"]

    def contribute(self, staked: int, source: str) -> dict[str, Fraction]:
        """Post one round's contribution. Answers which part of it went where (win: excess the house keeps)."""
        whole = staked * self.increment
        room = self.room()
        fits = whole if room is None else min(whole, room)
        spill = "win" if self.overflow_to == "house" else "overflow"
        part = {"meter": fits, "reserve": staked * self.reserve_rate, "overflow": Fraction(0), "win": Fraction(0)}
        part[spill] = whole - fits
        for pot in ("meter", "overflow", "reserve"):
            self.post(pot, "contribution", part[pot], source)
        return part

    def part_of(self, dead: int, whole: dict[str, Fraction]) -> dict[str, Fraction]:
        """What a round's dead stakes contributed: as if they had come last, so the excess over the limit is theirs."""
        left = dead * self.increment
        part = {"reserve": dead * self.reserve_rate}
        for place in ("win", "overflow", "meter"):
            part[place] = min(left, whole[place])
            left -= part[place]
        assert not left, "more is dead than was staked"
        return part

    def reset(self, source: str, at: datetime | None = None) -> None:
        """Add exactly the base (reserve first, then house), then what waits in the overflow, up to the limit.

        `at` is when the round that caused it was complete; what was complete before is late from then on.
        """
        self.fund(self.base, "reset", source)
        room = self.room()
        waiting = self.pots["overflow"]
        moved = waiting if room is None else min(waiting, room)
        self.post("overflow", "overflow_in", -moved, source)
        self.post("meter", "overflow_in", moved, source)
        self.resets += 1
        if at and (self.reset_at is None or at > self.reset_at):
            self.reset_at = at

    def restore(self, source: str) -> None:
        """Top the meter up to its base, if it is below."""
        self.fund(max(self.base - self.pots["meter"], Fraction(0)), "restore", source)

    def fund(self, amount: Fraction, kind: str, source: str) -> None:
        """Bring an amount into the meter from the reserve as far as it reaches, the rest from the house."""
        from_reserve = min(amount, self.pots["reserve"])
        self.post("reserve", kind, -from_reserve, source)
        self.post("meter", kind, amount, source)
        self.house += amount - from_reserve

    def take_back(self, part: dict[str, Fraction], resets_then: int, source: str) -> Fraction:
        """Undo dead wagers' contribution where it still lies. Answers what the house bears instead."""
        above_base = max(self.pots["meter"] - self.base, Fraction(0))
        from_meter = min(part["meter"], above_base) if self.resets == resets_then else Fraction(0)
        from_reserve = min(part["reserve"], self.pots["reserve"])
        from_overflow = min(part["overflow"], self.pots["overflow"])
        self.post("meter", "void", -from_meter, source)
        self.post("overflow", "void", -from_overflow, source)
        self.post("reserve", "void", -from_reserve, source)
        borne = in_pots(part) - from_meter - from_reserve - from_overflow
        self.house += borne
        return borne


def in_pots(part: dict[str, Fraction]) -> Fraction:
    """What of a contribution went into the pots."""
    return part["meter"] + part["reserve"] + part["overflow"]
