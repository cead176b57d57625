"""Schemathesis over the running service: web, worker and beat as they are served, on the test's database.

It sends the examples, values at and beyond every limit of the description, and chance, alone and in sequences; the
service must answer each as described. More of it: `SCHEMATHESIS_ARGS="--seed 7 --max-examples 200"`.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from config.processes import Fleet
from jackpot.models.awards import Award
from tables.services import demo_data
from tests.api.floor import ROUNDS, example, key_client, send
from tests.api.live import LiveRound
from tests.factories import NOW, settle_all

Completed = subprocess.CompletedProcess[str]
SECONDS = 300
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",  # what does not fit the description is refused
    "unsupported_method",
    "allow_header_conformance",
    "ignored_auth",
    "missing_required_header",
    "ensure_resource_availability",  # what was made is there to be read
]
# Left out, each for a reason:
# - positive_data_acceptance: a schema cannot say all that makes a value readable: a currency's decimals, that 5.0 is
#   no whole number, whose page a cursor is. `test_described_bodies` holds schemas and readers against each other.
# - use_after_free: a box whose bets were taken back may be bet on again.
# - object_level_authorization: whose is what is no property of the description; `test_keys` tries it.
# - max_response_time: says more about what else the machine does.
ARGUMENTS = "--generation-deterministic --max-examples 5"


@pytest.fixture
def known(transactional_db: None) -> dict[str, list[str]]:
    """Ids of rounds in many phases and of awards, so that calls are tried on more than unknown ids."""
    demo_data.load(now=NOW)
    client = key_client("Acme")
    live = {code: LiveRound(client, code) for code in ("UTH-01", "UTH-02", "UTH-03", "UTH-04", "EARLY-01")}
    for code in ("UTH-02", "UTH-03", "UTH-04"):
        live[code].bet(1, progressive="1.00")
        live[code].go("lock")
    for code in ("UTH-03", "UTH-04"):
        live[code].go("deal", {"cards": {"1": ["As", "Ks"]}})
    live["UTH-04"].go("flop", {"cards": ["Qs", "Js", "Ts"]})
    live["EARLY-01"].go("suspend")
    whole = send(client, ROUNDS, example())
    assert whole.status_code == 202
    settle_all()
    awards = [str(award.pk) for award in Award.objects.all()]
    return {"rounds": [whole.json()["id"], *(one.opened["id"] for one in live.values())], "awards": awards}


def test_the_service_answers_as_described(
    known: dict[str, list[str]], service_environment: dict[str, str], tmp_path: Path
) -> None:
    key = key_client("Acme").defaults["HTTP_AUTHORIZATION"]
    unlimited = {"THROTTLE_KEY": "0", "THROTTLE_FAILED": "0"}
    with Fleet(log_dir=tmp_path, environment=service_environment | unlimited) as fleet:
        address = fleet.web()
        fleet.worker()
        fleet.beat()
        fleet.wait_until_ready()
        run = _schemathesis(tmp_path, address, key, known)
    assert run.returncode == 0, run.stdout
    assert "Stateful" in run.stdout


def _schemathesis(folder: Path, address: str, key: str, known: dict[str, list[str]]) -> Completed:
    (folder / "schemathesis.toml").write_text(
        f"""
        max-stream-events = 1
        [cache]
        enabled = false
        [generation]
        database = "none"
        [dictionaries]
        rounds = {{ values = {json.dumps(known["rounds"])} }}
        awards = {{ values = {json.dumps(known["awards"])} }}
        boxes = {{ values = [1, 2] }}
        [parameters]
        "path.round_id" = {{ dictionary = "rounds", probability = 0.8 }}
        "path.award_id" = {{ dictionary = "awards", probability = 0.8 }}
        "path.box" = {{ dictionary = "boxes", probability = 0.8 }}
        """
    )
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml"),
        *("run", f"{address}/api/v1/schema/", "--header", f"Authorization: {key}", "--workers", "1", "--no-color"),
        *("--checks", ",".join(CHECKS), "--continue-on-failure"),
        *shlex.split(os.environ.get("SCHEMATHESIS_ARGS", ARGUMENTS)),
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS)
