"""The tables of a change's page: before and after, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from jackpot.domain.errors import Refused


class Tabled(Protocol):
    """What `jackpot/console/table.html` draws; `numbers` are the columns of numbers, by place from 0."""

    @property
    def caption(self) -> str: ...
    @property
    def columns(self) -> Sequence[str]: ...
    @property
    def rows(self) -> Sequence[Sequence[Any]]: ...
    @property
    def numbers(self) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class Table:
    """A row a setting, or an award."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a change comes to. `trouble`: what stands in the way of an approval now."""

    tables: Sequence[Tabled]
    trouble: str = ""


def trouble_of(refused: Refused) -> str:
    """All that is refused, as one sentence."""
    return "; ".join(violation.detail for violation in refused.violations)
