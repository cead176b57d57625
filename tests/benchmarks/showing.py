"""What is shown while it is measured, and after."""

import os
import platform
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.benchmarks import measuring
from tests.benchmarks.measuring import Goal, Measured, Way

_PLAIN_WIDTH = 110


def machine() -> dict[str, Any]:
    """What it was measured on."""
    return {"processors": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}


class Teller:
    """Standard output for figures, standard error for progress; `quiet` where standard output takes JSON alone."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.console = Console(quiet=quiet)
        self._err = Console(stderr=True)
        if not self.console.is_terminal:
            self.console.width = _PLAIN_WIDTH

    @contextmanager
    def stage(self, name: str) -> Iterator[measuring.Progress]:
        """A bar while something is measured; a line at each step where nobody looks at a terminal."""
        columns = (
            TextColumn(name),
            BarColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self._err, transient=True, disable=not self._err.is_terminal) as bar:
            task = bar.add_task("", total=1.0)

            def told(what: str, done: float) -> None:
                bar.update(task, description=what, completed=done)
                if not self._err.is_terminal:
                    self._err.print(f"{name}: {what} ({done:.0%})", highlight=False)

            yield told

    def failed(self, name: str, error: Exception) -> str:
        """Where and why a figure could not be measured; in a line."""
        self._err.print("".join(traceback.format_exception(error)), highlight=False, markup=False)
        self.console.print(f"{name}: could not be measured: {error}", highlight=False, markup=False)
        return f"{type(error).__name__}: {error}"

    def show(self, name: str, summary: str, measured: Measured) -> None:
        """A figure's table and its goals."""
        self.console.print(f"{name}: {summary}", highlight=False)
        table = Table(box=None, pad_edge=False)
        for heading in ("", "median", "lowest", "highest", "runs"):
            table.add_column(heading, justify="right" if heading else "left")
        for way in measured.ways:
            table.add_row(*_way(way))
        self.console.print(table)
        for goal in measured.goals:
            self.console.print(f"  {_goal(goal)}", highlight=False)
        for note in measured.notes:
            self.console.print(f"  {note}", highlight=False)
        self.console.print()


def _way(way: Way) -> tuple[str, ...]:
    shown = (f"{number:,.0f}" if number >= 100 else f"{number:,.2f}" for number in (way.median, *_ends(way)))
    return f"{way.name} ({way.unit})", *shown, str(len(way.values))


def _ends(way: Way) -> tuple[float, float]:
    return min(way.values), max(way.values)


def _goal(goal: Goal) -> str:
    value = f"{goal.what}: {goal.value:,.2f} {goal.unit}"
    if goal.goal is None:
        return value
    sign = "≥" if goal.at_least else "≤"
    return f"{value} (goal {sign} {goal.goal:g}) {'✔' if goal.met else '✘ missed'}"
