"""What a mirrored share has no room for: where it waits while a correction is posted, and how it comes back. Pure;
source: accounting.md, section 6.
"""

from dataclasses import dataclass, field

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind, Meter
from jackpot.domain.postings import Books, Entry


@dataclass(slots=True)
class Parking:
    """What lies over the limits, by level: in the overflow, or with the house (`to_house`), until there is room."""

    books: Books
    to_house: bool
    waits: dict[str, int] = field(default_factory=dict)

    def put(self, entry: Entry, level: Meter, amount: int) -> int:
        """Change a meter by an amount, within zero and its limit; says what went elsewhere, now or before."""
        code, limit = level.terms.code, level.terms.limit
        had = self.waits.get(code, 0)
        due = level.balances[Pot.METER] + had + amount
        stands = max(0, due if limit is None else min(due, limit))
        excess, missing = max(0, due - stands), max(0, -due)
        self._change_meter(entry, level, stands - level.balances[Pot.METER])
        self._park(entry, level, excess - had)
        entry.debit(accounts.house_of(self.books.code), missing)
        return missing + excess

    def cover(self, entry: Entry, level: Meter, missing: int) -> int:
        """Take what a share lacks in its meter out of what waits; says what is still missing, which the house bears.
        What waits with the house is borne by it anyway.
        """
        covered = min(missing, self._there(level))
        self._park(entry, level, -covered)
        return missing - covered

    def room(self, level: Meter) -> int:
        """How much of what waits has room in the meter."""
        waits, limit = self._there(level), level.terms.limit
        return waits if limit is None else max(0, min(waits, limit - level.balances[Pot.METER]))

    def come_back(self, entry: Entry, level: Meter) -> None:
        """Put into the meter what there is room for."""
        back = self.room(level)
        self._change_meter(entry, level, back)
        self._park(entry, level, -back)

    def _there(self, level: Meter) -> int:
        """What waits and is still there: fewer stakes may have taken from the overflow since."""
        waits = self.waits.get(level.terms.code, 0)
        return waits if self.to_house else min(waits, level.balances[Pot.OVERFLOW])

    def _change_meter(self, entry: Entry, level: Meter, amount: int) -> None:
        self.books.change(entry, level.change(Pot.METER, Kind.CORRECTION, amount))

    def _park(self, entry: Entry, level: Meter, amount: int) -> None:
        code = level.terms.code
        self.waits[code] = self.waits.get(code, 0) + amount
        if self.to_house:
            entry.credit(accounts.house_of(self.books.code), amount)
        else:
            self.books.change(entry, level.change(Pot.OVERFLOW, Kind.CORRECTION, amount))
