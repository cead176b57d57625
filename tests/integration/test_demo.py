"""`manage.py demo` from end to end: a real web process, a real worker, the test's own database and broker."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from jackpot.services import clients
from tables.demo import checking
from tables.demo.blueprints import BLUEPRINTS
from tables.demo.dealing import Session, deal
from tables.demo.house import House, open_house
from tables.models.tables import Table
from tables.services import ingest, settlement
from tests.factories.shuffle import reported
from tests.owner import as_owner

ROOT = Path(__file__).resolve().parents[2]
KEYS = [
    "rounds",
    "settled",
    "awards",
    "envy",
    "ledger_balanced",
    "meter_reconciled",
    "reperformed_differences",
    "seconds",
]
ROUNDS = 40
SECONDS = 120


def command(*words: str) -> list[str]:
    return [sys.executable, "manage.py", "demo", *words]


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words),
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_rounds_are_played_settled_and_proved(service_environment: dict[str, str]) -> None:
    done = run(service_environment, "--rounds", str(ROUNDS), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert list(told) == KEYS
    assert (told["rounds"], told["settled"]) == (ROUNDS, ROUNDS)
    assert told["awards"] >= sum(blueprint.hits for blueprint in BLUEPRINTS)
    assert told["envy"] >= sum(blueprint.envy for blueprint in BLUEPRINTS)
    assert (told["ledger_balanced"], told["meter_reconciled"], told["reperformed_differences"]) == (True, True, 0)
    again = run(service_environment, "--rounds", "1")
    assert again.returncode == 0, again.stderr
    for shown in ("Meters of DEMO-", "contribution", "J♥ 10♥", "hold", "1 of 1 rounds settled"):
        assert shown in again.stdout
    assert Table.objects.filter(code__startswith="DEMO-").count() == 2 * 4


@contextmanager
def legs_falsified() -> Iterator[None]:
    """The books' own guard is off, and whatever the house wins at Trips is booked with one unit too much."""
    with as_owner() as cursor:
        cursor.execute("ALTER TABLE jackpot_leg DISABLE TRIGGER legs_balance")
        cursor.execute("""
            CREATE FUNCTION falsify() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF (SELECT code FROM jackpot_account WHERE id = NEW.account_id) LIKE 'win:%:trips' THEN
                    NEW.amount := NEW.amount + 1;
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER falsify BEFORE INSERT ON jackpot_leg FOR EACH ROW EXECUTE FUNCTION falsify();
        """)
    try:
        yield
    finally:
        with as_owner() as cursor:
            cursor.execute("DROP FUNCTION falsify CASCADE; ALTER TABLE jackpot_leg ENABLE TRIGGER legs_balance")


def test_a_falsified_ledger_is_found_and_the_exit_code_says_so(service_environment: dict[str, str]) -> None:
    with legs_falsified():
        done = run(service_environment, "--rounds", "8", "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["settled"] == 8
    assert told["ledger_balanced"] is False
    assert told["reperformed_differences"] > 0
    assert "the books do not agree" in done.stderr


@pytest.fixture
def house(db: None) -> House:
    """A demo's house after its rounds, played and settled in this process."""
    now = timezone.now()
    opened = open_house(code="DEMO-TEST", now=now)
    codes = [table.code for table in opened.tables]
    session = Session("run", 1, ROUNDS, codes, now - timedelta(minutes=5), now)
    caller = clients.recognise(opened.key, now=now)
    assert caller is not None
    ingest.receive(caller=caller, reports=[reported(dealt.body) for dealt in deal(session)], now=now)
    assert settlement.drain(opened.progressive.lane.pk) is settlement.Drained.SOME
    return opened


@pytest.mark.parametrize(
    ("sql", "ledger", "meter"),
    [
        ("UPDATE jackpot_leg SET amount = amount + 1 WHERE (entry_id, position) IN (%s)", False, True),
        ("DELETE FROM jackpot_leg WHERE (entry_id, position) IN (%s)", False, True),
        ("UPDATE jackpot_level SET meter = meter + 1", True, False),
        (
            "UPDATE jackpot_statementrow SET amount = amount + 1, after = after + 1 WHERE (pot, seq) = ('reserve', 1)",
            True,
            False,
        ),
        ("UPDATE jackpot_award SET amount = amount + 1 WHERE kind = 'hit'", True, False),
        ("UPDATE tables_boxresult SET hand = 'pair'", True, True),
    ],
)
def test_each_check_finds_what_it_is_for(house: House, sql: str, ledger: bool, meter: bool) -> None:
    untouched = checking.check(house)
    assert untouched.passed, untouched.trouble
    one_leg = "SELECT entry_id, position FROM jackpot_leg JOIN jackpot_account ON jackpot_account.id = account_id"
    with as_owner(past_guards=True) as cursor:
        cursor.execute(sql.replace("%s", f"{one_leg} WHERE code LIKE 'float:%' ORDER BY 1, 2 LIMIT 1"))
        assert cursor.rowcount
    house.progressive.refresh_from_db()
    found = checking.check(house)
    assert (found.ledger_balanced, found.meter_reconciled) == (ledger, meter)
    assert found.differences > 0
    assert not found.passed
    assert found.trouble


def descendants(pid: int) -> dict[int, str]:
    """All processes below one, with their command lines."""
    found = {}
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ").strip()
        found |= descendants(child)
    return found


def alive(processes: dict[int, str]) -> dict[int, str]:
    """Those of some processes that still run what they ran."""

    def runs(pid: int, line: str) -> bool:
        try:
            return line in Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        except OSError:
            return False

    return {pid: line for pid, line in processes.items() if line and runs(pid, line)}


@contextmanager
def playing(environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], dict[int, str]]]:
    """A long demo that has begun to play, and the processes of the service it started."""
    words = command("--rounds", "100000")
    with subprocess.Popen(
        words, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as demo:
        try:
            assert demo.stdout is not None
            for line in demo.stdout:
                if line.startswith("playing on"):
                    break
            started = descendants(demo.pid)
            yield demo, {pid: line for pid, line in started.items() if re.search("gunicorn|celery", line)}
        finally:
            demo.kill()


def ended(demo: subprocess.Popen[str]) -> Any:
    _, errors = demo.communicate(timeout=SECONDS)
    return demo.returncode, errors


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_demo_leaves_nothing_running(service_environment: dict[str, str], sent: signal.Signals) -> None:
    with playing(service_environment) as (demo, service):
        assert len(service) >= 4  # gunicorn and Celery, each with a child
        demo.send_signal(sent)
        assert ended(demo) == (130, "CommandError: interrupted: everything is stopped\n")
    assert alive(service) == {}


def test_a_worker_that_dies_ends_the_demo_with_its_name(service_environment: dict[str, str]) -> None:
    with playing(service_environment) as (demo, service):
        worker = next(pid for pid, line in service.items() if "celery" in line)
        os.kill(worker, signal.SIGKILL)
        code, errors = ended(demo)
    assert code == 1
    assert "worker ended with code -9" in errors
