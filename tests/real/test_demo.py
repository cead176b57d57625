"""`manage.py demo` on the real PostgreSQL with each real broker."""

import json
import os
import subprocess
import sys

from django.conf import settings

SECONDS = 120
ROUNDS = 60


def test_rounds_are_played_settled_and_proved(service: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "demo", "--rounds", str(ROUNDS), "--json"],
        cwd=settings.BASE_DIR, env=os.environ | service, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["rounds"], told["settled"]) == (ROUNDS, ROUNDS)
    assert told["awards"] >= 6
    assert told["envy"] > 0
    assert (told["ledger_balanced"], told["meter_reconciled"], told["reperformed_differences"]) == (True, True, 0)
