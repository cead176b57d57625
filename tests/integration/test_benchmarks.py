"""`python -m tests.benchmarks --smoke`: every figure runs, on databases of its own beside the tests'."""

import json
import subprocess
import sys

import pytest
from django.conf import settings

from tests.benchmarks import figures, server

SECONDS = 600


def test_every_figure_measures_something() -> None:
    with server.alone(), pytest.raises(SystemExit, match="another run"), server.alone():
        pass  # before the figures run, in the same test: they are such a run
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", "--smoke", "--json"],
        cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr  # each figure, since one that fails is told of there
    report = json.loads(done.stdout)
    assert (report["scale"], report["failed"]) == ("smoke", {})
    assert list(report["figures"]) == list(figures.FIGURES)
    for name, figure in report["figures"].items():
        passed_over = any(note.startswith("passed over: ") for note in figure["notes"])
        assert figure["ways"] or passed_over, name
        assert all(way["max"] > 0 for way in figure["ways"]), (name, figure["ways"])
