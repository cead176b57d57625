"""What `audit` and `verify` share: how far they are, and what they found, for people and for programs."""

import json
import time
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from django.core.management.base import CommandError, CommandParser
from rich.console import Console

from jackpot import services as jackpot
from jackpot.selectors import sealed
from tables.demo.telling import Teller
from tables.selectors import lanes
from tables.selectors.lanes import Wanted

SHOWN = 20
"""Differences that people are shown; programs get all that are kept."""

Done = TypeVar("Done")


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--jackpot", action="append", default=[], metavar="CODE", help="may be given several times")
    parser.add_argument("--site", action="append", default=[], metavar="CODE", help="may be given several times")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")


def lanes_of(wanted: Wanted) -> list[jackpot.Lane]:
    """The lanes asked for. Raises CommandError for what is not there."""
    try:
        return lanes.wanted(wanted)
    except lanes.Unknown as unknown:
        raise CommandError(str(unknown)) from None


class Proof:
    """One run of a command: its progress on a terminal, and its answer."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        console.quiet = not console.is_terminal
        self._teller = Teller(console)
        self._began = time.monotonic()

    def run(self, title: str, of: Collection[jackpot.Lane], work: Callable[[jackpot.Progress], Done]) -> Done:
        """Do the work on these lanes, showing how many of all their entries are done."""
        with self._teller.stage(title, sum(map(sealed.entry_count, of))) as told:
            return work(_AcrossLanes(told))

    def as_json(self, findings: jackpot.Findings, told: dict[str, Any]) -> str:
        """The answer for programs: `told`, and every difference that is kept."""
        kept = findings.differences
        names = ("what", "where", "expected", "stored")
        counted = {
            "differences": findings.count,
            "first": str(kept[0]) if kept else None,
            "found": [{name: getattr(difference, name) for name in names} for difference in kept],
            "seconds": round(time.monotonic() - self._began, 1),
        }
        return json.dumps(told | counted)

    def as_text(self, findings: jackpot.Findings, lines: list[str]) -> str:
        """The answer for people: the first difference before all others, then `lines`."""
        found = [str(difference) for difference in findings.differences[:SHOWN]]
        if found:
            found[0] = f"first difference: {found[0]}"
        if findings.count > SHOWN:
            found.append(f"… and {findings.count - SHOWN} more")
        return "\n".join([*found, *lines])


def fail_where_different(findings: jackpot.Findings) -> None:
    """Raises CommandError, which makes the exit code 1, naming the first difference."""
    if findings.count:
        raise CommandError(f"differences: {findings.count}; the first: {findings.differences[0]}")


class _AcrossLanes:
    """Progress within lanes, added up: each lane is told of from its own first entry on."""

    def __init__(self, told: Callable[[int], None]) -> None:
        self._told, self._before, self._last = told, 0, 0

    def __call__(self, done: int, total: int) -> None:
        if done <= self._last:
            self._before += self._last
        self._last = done
        self._told(self._before + done)
