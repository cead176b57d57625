"""How the service refuses: a list of violations, each with a stable code, a message and where it lies."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong.

    `code` is stable and listed in `jackpot.http.catalogue`; `detail` says what to do about it;
    `pointer` is a JSON pointer into what was sent ("/boxes/0/ante"), empty where nothing was sent.
    """

    code: str
    detail: str
    pointer: str = ""


class Refused(Exception):
    """A request that is refused; nothing of it was written. Never empty."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__("; ".join(f"{v.code} {v.pointer}: {v.detail}" for v in self.violations))

    @property
    def code(self) -> str:
        return self.violations[0].code


def refuse(code: str, detail: str, pointer: str = "") -> Refused:
    """A refusal with a single violation, to be raised."""
    return Refused([Violation(code, detail, pointer)])
