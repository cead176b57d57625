"""A process that drains one lane, as a worker does, and says in how many seconds and with how much memory.

DATABASE_URL=… python -m tests.benchmarks.draining 3
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from tests.benchmarks.server import Database

_KIB = 1024


@dataclass(frozen=True, slots=True)
class Drained:
    """`peak`: the most memory that the process had at any time, in bytes."""

    seconds: float
    peak: int


def drained(database: Database, lane_id: int) -> Drained:
    """Let a process of its own drain a lane."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.draining", str(lane_id)],
        cwd=settings.BASE_DIR, env=os.environ | database.variables, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return Drained(**json.loads(done.stdout))


def main() -> None:
    import django

    django.setup()
    from django.db import connection

    from tests.benchmarks import world

    connection.ensure_connection()
    began = time.perf_counter()
    world.drain_lane(int(sys.argv[1]))
    seconds = time.perf_counter() - began
    sys.stdout.write(json.dumps({"seconds": seconds, "peak": _peak()}))


def _peak() -> int:
    """As the kernel counted it; `getrusage` would count the process too that this one was started from."""
    [line] = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * _KIB


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.benchmarks.settings")
    main()
