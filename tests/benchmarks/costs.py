"""What a round costs: processor time of the service's processes and of PostgreSQL, as the kernel counts it.

It says more of larger machines than a rate on this one, and less depends on what else runs here.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.measuring import Way
from tests.benchmarks.server import Database

Meter = Callable[[], float]
"""Seconds of processor so far."""

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _OWN_AND_ENDED = 1, slice(11, 15)
"""Of a process's `stat`, behind its name: its parent; ticks of its own and of children that ended, user and system."""


def of_processes(pids: Iterable[int]) -> Meter:
    """Of these processes and of all that they started."""
    roots = set(pids)
    return lambda: _spent(roots)


def of_postgres(database: Database) -> Mapping[str, Meter]:
    """Of the server of this database with all its processes; nothing where it does not run on this machine."""
    with database.as_owner() as session:
        stat = _stat(session.info.backend_pid, name="postgres")
    return {"PostgreSQL": of_processes([int(stat[_PARENT])])} if stat else {}


@contextmanager
def counted(meters: Mapping[str, Meter], spent: dict[str, float]) -> Iterator[None]:
    """Puts into `spent` how much each meter went on while the block ran."""
    before = {name: meter() for name, meter in meters.items()}
    yield
    spent |= {name: meter() - before[name] for name, meter in meters.items()}


def ways(spent: Iterable[Mapping[str, float]], rounds: int) -> list[Way]:
    """Milliseconds a round, of as many rounds in each of these runs."""
    by_name: dict[str, list[float]] = {}
    for run in spent:
        for name, seconds in run.items():
            by_name.setdefault(name, []).append(1_000 * seconds / rounds)
    return [Way(f"processor: {name}", "ms/round", values) for name, values in by_name.items()]


def _spent(roots: set[int]) -> float:
    """A process that ended is in its parent's count once the parent knows it, so none is lost or counted twice."""
    stats = {int(entry.name): stat for entry in _PROC.iterdir() if entry.name.isdigit() and (stat := _stat(entry.name))}
    parents = {pid: int(stat[_PARENT]) for pid, stat in stats.items()}

    def ours(pid: int) -> bool:
        return pid in roots or (pid in parents and ours(parents[pid]))

    return sum(sum(map(int, stat[_OWN_AND_ENDED])) for pid, stat in stats.items() if ours(pid)) / _TICKS


def _stat(pid: int | str, *, name: str = "") -> list[str] | None:
    """The fields of a process behind its name, which may hold anything; None where there is none, or none so named."""
    try:
        before, _, after = (_PROC / str(pid) / "stat").read_text().rpartition(")")
    except OSError:
        return None
    return after.split() if before.endswith(name) else None
