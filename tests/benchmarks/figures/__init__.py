"""The figures by name, in the order in which they are measured, and the books they start from."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tests.benchmarks.books import Books
from tests.benchmarks.figures import brokers, end_to_end, growth, ingest, lanes, live, settle, wide
from tests.benchmarks.measuring import Measured, Progress, Scale

Figure = Callable[[Scale, Books, Progress], Measured]

FIGURES: Mapping[str, Figure] = {
    "settle": settle.settle,
    "lanes": lanes.lanes,
    "wide": wide.wide,
    "growth": growth.growth,
    "ingest": ingest.ingest,
    "end_to_end": end_to_end.end_to_end,
    "live": live.live,
    "brokers": brokers.brokers,
}

__all__ = ["FIGURES", "Books", "summary", "with_runs"]


def summary(name: str) -> str:
    """The first line of what a figure says of itself."""
    return (FIGURES[name].__doc__ or "").strip().splitlines()[0]


def with_runs(scale: Scale, runs: int) -> Scale:
    """The same with another number of runs."""
    return replace(scale, runs=runs)
