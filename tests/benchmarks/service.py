"""The service's own processes on a database of the benchmarks, and what they cost in processor time."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from config import env
from config.celery import app
from config.processes import Fleet
from tests.benchmarks import costs
from tests.benchmarks.costs import Meter
from tests.benchmarks.server import Database

WEB_PROCESSES = 2
WORKER_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Service:
    """Running processes. `addresses`: of each web process, since kept connections to one address do not spread."""

    addresses: Sequence[str]
    meters: Mapping[str, Meter] = field(repr=False)
    """Processor seconds so far of what the service is made of, by its part's name."""


@contextmanager
def serving(database: Database, *, workers: bool) -> Iterator[Service]:
    """Web processes that answer, and with `workers` also workers and beat, which are ready; as many as `make run` has.
    The broker is that of the environment, by itself the embedded one.
    """
    app.control.purge()  # wake-ups that nobody took in a run before this one
    with fleet_on(database) as fleet:
        addresses = [fleet.web() for _ in range(WEB_PROCESSES)]
        if workers:
            fleet.worker(concurrency=WORKER_PROCESSES)
            fleet.beat()
            fleet.wait_until_ready()
        pids = {kind: [child.pid for child in fleet.children if child.kind == kind] for kind in ("web", "worker")}
        meters = {kind: costs.of_processes(found) for kind, found in pids.items() if found}
        yield Service(addresses, {**meters, **costs.of_postgres(database)})


def fleet_on(database: Database, variables: Mapping[str, str] | None = None) -> Fleet:
    """Processes that work on this database. `variables`: of another broker than the environment's."""
    return Fleet(log_dir=env.data_folder("log") / "bench", environment=environment(database, variables))


def environment(database: Database, variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of a process of the service as it ships, on this database."""
    shipped = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return {**os.environ, **shipped, **database.variables, **(variables or {})}
