"""Measured ways and what they come to: medians with their spread, and ratios of ways taken in one run."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Progress = Callable[[str, float], None]
"""Told what is being done, and how much of the figure's work is done (0 to 1)."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is done. `full` is what goals are judged by; `smoke` shows in a minute that everything works.

    `keep_grown`: whether the grown books stay for the next time. `calls`: of one kind in one run.
    """

    name: str
    runs: int
    rounds: int
    history: int
    naive_rounds: int
    seconds: float
    wide_boxes: int
    grown_rounds: int
    grown_days: int
    keep_grown: bool
    calls: int
    live_rounds: int
    workers: Sequence[int]
    waiting: int
    """Rounds that may wait while more come in: in full a batch that is settled, and the next."""


FULL = Scale("full", runs=5, rounds=5_000, history=10_000, naive_rounds=500, seconds=60.0, wide_boxes=100_000,
             grown_rounds=500_000, grown_days=50, keep_grown=True, calls=100, live_rounds=600,
             workers=(1, 2, 4), waiting=2_000)  # fmt: skip
SMOKE = Scale("smoke", runs=1, rounds=60, history=40, naive_rounds=20, seconds=2.0, wide_boxes=200, grown_rounds=600,
              grown_days=3, keep_grown=False, calls=5, live_rounds=6, workers=(1,), waiting=200)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Way:
    """One way of doing something, or one quantity, and its value in each run."""

    name: str
    unit: str
    values: Sequence[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def against(self, other: "Way") -> float:
        """How many times another way it came to: the median of its runs, each against the other's in the same turn,
        since what disturbed the machine then disturbed both. Raises ValueError where they have not as many runs.
        """
        return statistics.median(mine / its for mine, its in zip(self.values, other.values, strict=True))

    def json(self) -> dict[str, Any]:
        return {
            "name": self.name, "unit": self.unit, "median": self.median, "min": min(self.values),
            "max": max(self.values), "values": list(self.values),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that was aimed at, how it came out, and where it is judged by a ratio or a limit. `goal` None: reported
    only. `at_least`: whether more is better.
    """

    what: str
    value: float
    goal: float | None
    unit: str = "×"
    at_least: bool = True

    @property
    def met(self) -> bool | None:
        if self.goal is None:
            return None
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    def json(self) -> dict[str, Any]:
        return {"what": self.what, "value": self.value, "unit": self.unit, "goal": self.goal,
                "at_least": self.at_least, "met": self.met}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """What a figure came to; `notes` are sentences beside it."""

    ways: Sequence[Way]
    goals: Sequence[Goal]
    notes: Sequence[str] = field(default=())

    def json(self) -> dict[str, Any]:
        return {"ways": [way.json() for way in self.ways], "goals": [goal.json() for goal in self.goals],
                "notes": list(self.notes)}  # fmt: skip


def interleaved(
    ways: Mapping[str, Callable[[], float]], runs: int, told: Progress, *, unit: str = "rounds/s"
) -> dict[str, Way]:
    """Each way once, in turn, and all that `runs` times: what disturbs the machine disturbs them all."""
    values: dict[str, list[float]] = {name: [] for name in ways}
    steps = runs * len(ways)
    for run in range(runs):
        for place, (name, once) in enumerate(ways.items()):
            told(f"run {run + 1} of {runs}: {name}", (run * len(ways) + place) / steps)
            values[name].append(once())
    return {name: Way(name, unit, found) for name, found in values.items()}


class Stopwatch:
    """Seconds since it was started, or that a block took."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - began


def percentile(values: Sequence[float], percent: int) -> float:
    """The least of these values that so many percent of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
