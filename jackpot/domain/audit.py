"""What an audit finds: what was recomputed and is stored otherwise, each difference with its name and place. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KEPT = 1_000
"""Differences kept in full; beyond them only their number is known, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something stored that is not what was recomputed. Amounts in ledger units; "nothing" where a side is missing."""

    what: str
    where: str
    expected: str
    stored: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what} should be {self.expected}, stored is {self.stored}"


NOTHING = "nothing"


@dataclass(slots=True)
class Findings:
    """The differences found so far: the first of them in full, and how many there are."""

    differences: list[Difference] = field(default_factory=list)
    count: int = 0

    def add(self, what: str, where: str, *, expected: object, stored: object) -> None:
        self.count += 1
        if len(self.differences) < KEPT:
            self.differences.append(Difference(what, where, str(expected), str(stored)))

    def missing(self, what: str, where: str, expected: object) -> None:
        """Something that should be stored and is not."""
        self.add(f"missing {what}", where, expected=expected, stored=NOTHING)

    def invented(self, what: str, where: str, stored: object) -> None:
        """Something that is stored and follows from nothing."""
        self.add(f"invented {what}", where, expected=NOTHING, stored=stored)

    def compare(self, what: str, where: str, expected: Mapping[str, Any], stored: Mapping[str, Any]) -> None:
        """Name every field whose stored value is not the expected one."""
        for name, value in expected.items():
            if value != stored[name]:
                self.add(f"{what} {name}", where, expected=value, stored=stored[name])

    def compare_each(
        self, what: str, where: str, expected: Mapping[Any, Mapping[str, Any]], stored: Mapping[Any, Mapping[str, Any]]
    ) -> None:
        """Compare things by their keys: name what is missing, what is invented, and every field that differs."""
        for key, fields in expected.items():
            if key in stored:
                self.compare(what, f"{where}, {key}", fields, stored[key])
            else:
                self.missing(what, f"{where}, {key}", dict(fields))
        for key in stored.keys() - expected.keys():
            self.invented(what, f"{where}, {key}", dict(stored[key]))
