"""One level of a jackpot: three pots (meter, reserve, overflow) and every change of them as a statement row."""

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

    def contribute(self, stakes: dict[int, int], source: str) -> dict[int, dict[str, Fraction]]:
        """Post one round's contribution. Answers, by box, which part of it went where (win: excess not kept)."""
        left = self.room()
        parts: dict[int, dict[str, Fraction]] = {}
        for box in sorted(stakes):
            whole = stakes[box] * self.increment
            fits = whole if left is None else min(whole, left)
            if left is not None:
                left -= fits
            spill = "win" if self.overflow_to == "house" else "overflow"
            parts[box] = {"meter": fits, "reserve": stakes[box] * self.reserve_rate, spill: whole - fits}
        for pot in ("meter", "overflow", "reserve"):
            self.post(pot, "contribution", _sum(parts, pot), source)
        return parts

    def reset(self, source: str) -> None:
        """Add exactly the base (reserve first, then house), then what waits in the overflow, up to the limit."""
        self.fund(self.base, "reset", source)
        room = self.room()
        waiting = self.pots["overflow"]
        moved = waiting if room is None else min(waiting, room)
        self.post("overflow", "overflow_in", -moved, source)
        self.post("meter", "overflow_in", moved, source)
        self.resets += 1

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
        """Undo a dead wager's contribution where it still lies. Answers what the house bears instead."""
        above_base = max(self.pots["meter"] - self.base, Fraction(0))
        from_meter = min(part["meter"], above_base) if self.resets == resets_then else Fraction(0)
        from_reserve = min(part["reserve"], self.pots["reserve"])
        from_overflow = min(part["overflow"], self.pots["overflow"])
        self.post("meter", "void", -from_meter, source)
        self.post("overflow", "void", -from_overflow, source)
        self.post("reserve", "void", -from_reserve, source)
        kept_elsewhere = part["meter"] + part["reserve"] + part["overflow"]
        borne = kept_elsewhere - from_meter - from_reserve - from_overflow
        self.house += borne
        return borne


def _sum(parts: dict[int, dict[str, Fraction]], pot: str) -> Fraction:
    return sum((part.get(pot, Fraction(0)) for part in parts.values()), Fraction(0))
