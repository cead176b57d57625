"""The schema and its guards on the real PostgreSQL, which is of another version than the embedded one."""

import os
import re
import subprocess
import sys

import psycopg
from django.conf import settings
from django.core.management import call_command

from tests.integration import test_guards

SECONDS = 120
OLDEST, NEWEST = 15, 18


def run(database: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """A Python command of the project on this database."""
    variables = os.environ | database
    done = subprocess.run(
        [sys.executable, *words],
        cwd=settings.BASE_DIR, env=variables, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_it_is_of_a_version_we_support_and_takes_the_schema(books: None, database: dict[str, str]) -> None:
    with psycopg.connect(database["DATABASE_URL"]) as session:
        assert OLDEST <= session.info.server_version // 10_000 <= NEWEST
    call_command("migrate", check_unapplied=True, verbosity=0)


def test_every_guard_holds(database: dict[str, str]) -> None:
    """All cases of the guards' own tests, each by raw SQL."""
    module = test_guards.__file__
    assert module is not None
    done = run(database, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", module)
    passed = re.search(r"(\d+) passed in", done.stdout)
    assert passed is not None and int(passed[1]) > len(test_guards.ALL), done.stdout
    assert "skipped" not in done.stdout
