"""Each import contract of pyproject.toml fails on an offence made for it: a check that cannot fail is a defect."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Contract: the file an offence is written to, and the offence.
OFFENCES = {
    "houses": [
        ("jackpot/services/offence.py", "import tables.domain.facts"),
        ("tables/offence.py", "import config.env"),
    ],
    "layers": [
        ("jackpot/models/offence.py", "import jackpot.services"),
        ("tables/selectors/offence.py", "import tables.services"),
        ("tables/domain/offence.py", "import tables.models"),
        ("jackpot/services/offence.py", "import jackpot.http.values"),
        ("jackpot/services/offence.py", "import jackpot.reports"),
        ("tables/reports/offence.py", "import tables.api"),
        ("jackpot/services/offence.py", "import jackpot.live.hub"),
        ("jackpot/live/offence.py", "import jackpot.http.event_stream"),
        ("tables/services/offence.py", "import tables.demo"),
        ("tables/demo/offence.py", "import tables.management"),
        ("tables/domain/offence.py", "import tables.rulesets"),
        ("tables/odds/offence.py", "import tables.services"),
        ("tables/selectors/offence.py", "import tables.odds.figures"),
        ("jackpot/services/offence.py", "import jackpot.webhooks"),
        ("jackpot/offence.py", "import jackpot.money"),  # in no layer
        ("tables/offence/__init__.py", ""),
    ],
    "pure": [
        (f"{domain}/offence.py", f"import {module}")
        for domain in ("jackpot/domain", "tables/domain")
        for module in (
            "django.db",
            "rest_framework",
            "celery",
            "time",
            "random",
            "secrets",
            "importlib.resources",
            "pathlib",
        )
    ],
    "numbers": [
        ("tables/services/offence.py", "import numpy"),
        ("tables/reports/offence.py", "import numpy"),
        ("jackpot/selectors/offence.py", "import numpy"),
    ],
    "no-transport": [
        ("jackpot/services/offence.py", "import rest_framework"),
        ("jackpot/live/offence.py", "import rest_framework"),
        ("tables/services/offence.py", "import celery"),
        ("tables/selectors/offence.py", "import kombu"),
        ("jackpot/reports/offence.py", "import rest_framework"),
        ("jackpot/services/offence.py", "import httpcore"),
    ],
    "front-door": [
        ("tables/services/offence.py", "import jackpot.models"),
        ("tables/services/offence.py", "import jackpot.models.ledger"),
        ("tables/services/offence.py", "import jackpot.services.posting"),
        ("tables/reports/offence.py", "import jackpot.reports.roll_forward"),
        ("tables/services/offence.py", "import jackpot.domain.meter"),
        ("tables/services/offence.py", "import jackpot.http.values"),
        ("tables/api/offence.py", "import jackpot.models.jackpots"),
        ("tables/services/offence.py", "import jackpot.tasks"),
        ("tables/tasks.py", "import jackpot.webhooks.sending"),
        ("tables/admin/offence.py", "import jackpot.http.values"),
        ("tables/http/offence.py", "import jackpot.models.awards"),
    ],
    "ledger": [
        ("jackpot/services/posting.py", "import jackpot.models.ledger"),
        ("jackpot/api/offence.py", "from jackpot.models.ledger import Entry"),
    ],
    "cycles": [("jackpot/domain/accounts.py", "import jackpot.domain.offence")],
}
# What an offence needs beside it: the other half of the cycle.
_COMPANIONS = {"cycles": ("jackpot/domain/offence.py", "import jackpot.domain.accounts")}

# Runs in the copy; grimp reads the files without importing them, so they may be rewritten between two runs.
_LINTER = """
import contextlib, io, json, sys
from pathlib import Path
sys.path.insert(0, ".")
from importlinter.cli import lint_imports
def broken(contract):
    with contextlib.redirect_stdout(io.StringIO()):
        return bool(lint_imports(limit_to_contracts=(contract,), no_cache=True))
answers = []
for contract, files in json.load(sys.stdin):
    before = {name: Path(name).read_text() if Path(name).exists() else None for name, _ in files}
    for name, text in files:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text((before[name] or "") + "\\n" + text + "\\n")
    answers.append(broken(contract))
    for name, text in before.items():
        Path(name).unlink() if text is None else Path(name).write_text(text)
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    for package in ("config", "jackpot", "tables"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "sql"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def contracts() -> list[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return [contract["id"] for contract in tomllib.load(file)["tool"]["importlinter"]["contracts"]]


def test_every_contract_has_an_offence() -> None:
    assert contracts() == list(OFFENCES)


def test_every_contract_holds_and_fails_on_each_of_its_offences(copy: Path) -> None:
    trials: list[tuple[str, list[tuple[str, str]]]] = [(contract, []) for contract in contracts()]
    for contract, offences in OFFENCES.items():
        companion = [_COMPANIONS[contract]] if contract in _COMPANIONS else []
        trials += [(contract, [offence, *companion]) for offence in offences]
    done = subprocess.run(
        [sys.executable, "-c", _LINTER], input=json.dumps(trials), cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    broken = [trial for trial, failed in zip(trials, json.loads(done.stdout.splitlines()[-1]), strict=True) if failed]
    assert broken == [trial for trial in trials if trial[1]]
