"""How far the demo is: bars on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

Told = Callable[[int], None]
"""Hears how much is done."""


class Teller:
    """Tells one stage after the other on a console."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False)

    @contextmanager
    def stage(self, title: str, total: int) -> Iterator[Told]:
        """A stage of `total` things to do; the value is told how many are done."""
        if not self.console.is_terminal:
            self.say(f"{title} …")
            yield lambda done: None
            return
        columns = (SpinnerColumn(), TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), console=self.console) as bar:
            task = bar.add_task(title, total=total)
            yield lambda done: bar.update(task, completed=done)
            bar.update(task, completed=bar.tasks[0].total)
