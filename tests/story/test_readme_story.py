"""The README's story of one round is true: its request is sent, and all it shows is compared with what comes out."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from jackpot import money
from jackpot import services as jackpot
from jackpot.models.awards import Award
from jackpot.models.ledger import Leg
from tables.models.tables import Table
from tables.services import audit, demo_data, settlement

README = Path(__file__).resolve().parents[2] / "README.md"
ANYTHING = "…"
USD = money.currency("USD")

Rows = list[dict[str, str]]


def section(heading: str = "One round's story") -> str:
    """The part of the README under a heading, the story's by itself."""
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def documents() -> list[Any]:
    return [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", section(), re.MULTILINE | re.DOTALL)]


def grids() -> Iterator[Rows]:
    """The story's tables, each a list of rows by the names of their columns."""
    for grid in re.findall(r"(?:^\|.*\|\n)+", section(), re.MULTILINE):
        names, _, *rows = ([cell.strip() for cell in line.strip("|\n").split("|")] for line in grid.splitlines())
        yield [dict(zip(names, row, strict=True)) for row in rows]


def alike(told: Any, found: Any) -> bool:
    """Whether two documents are the same, where the README leaves nothing open with an ellipsis."""
    if told == ANYTHING:
        return bool(found)
    if isinstance(told, dict) and isinstance(found, dict):
        return list(told) == list(found) and all(alike(told[name], found[name]) for name in told)
    if isinstance(told, list) and isinstance(found, list):
        return len(told) == len(found) and all(map(alike, told, found))
    return bool(told == found)


@pytest.fixture
def client(db: None) -> Client:
    """A machine client of the demo data's site, whose jackpot MAIN is new."""
    now = timezone.now()
    demo_data.load(now=now)
    key = jackpot.issue_key(integrator="Story", sites=["DEMO"], scopes=list(jackpot.Scope), now=now)
    return Client(headers={"Authorization": f"Bearer {key}"})


@pytest.fixture
def played(client: Client) -> str:
    """The story's round, sent and settled: its id."""
    request, _ = documents()
    answer = client.post("/api/v1/rounds/", json.dumps(request), content_type="application/json")
    assert answer.status_code == 202, answer.content
    lane = Table.objects.get(code=request["table"]).lane_id
    assert settlement.drain(lane) is settlement.Drained.SOME
    sent: str = answer.json()["id"]
    return sent


def read(client: Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    return answer.json()


def told_of(rows: list[dict[str, Any]], told: Rows) -> Rows:
    """Rows as they came out, cut to the columns that the story tells of."""
    return [{name: str(row[name]) for name in told[0]} for row in rows]


def test_the_settlement(client: Client, played: str) -> None:
    _, told = documents()
    found = read(client, f"/api/v1/rounds/{played}/")["settlement"]
    assert alike(told, found), json.dumps(found, indent=1)


def test_the_statement(client: Client, played: str) -> None:
    told, _, _ = grids()
    rows = read(client, "/api/v1/jackpots/MAIN/statement/")["results"]

    def place(row: dict[str, str]) -> tuple[str, int]:
        return row["pot"], int(row["seq"])

    assert sorted(told_of(rows, told), key=place) == sorted(told, key=place)


def test_the_ledger(played: str) -> None:
    _, told, _ = grids()
    legs = Leg.objects.filter(entry__source_ref__startswith=f"round:{played}").order_by("entry_id", "position")
    found = [
        {
            "entry": leg.entry.kind,
            "account": leg.account.code,
            "debit": money.show(leg.amount, USD) if leg.amount > 0 else "",
            "credit": money.show(-leg.amount, USD) if leg.amount < 0 else "",
        }
        for leg in legs.select_related("entry", "account")
    ]
    order = ["lockout", "settlement", "reset"]
    assert [entry for entry in order for row in told if row["entry"] == entry] == [row["entry"] for row in told]
    by_account = sorted(found, key=lambda row: (order.index(row["entry"]), row["account"]))
    assert by_account == sorted(told, key=lambda row: (order.index(row["entry"]), row["account"]))


def test_the_awards(client: Client, played: str) -> None:
    _, _, told = grids()
    rows = read(client, f"/api/v1/awards/?round={played}")["results"]
    assert sorted(told_of(rows, told), key=str) == sorted(told, key=str)


def test_the_story_is_proved_like_any_other_round(client: Client, played: str) -> None:
    proof = audit.audit(audit.lanes_of(tables=list(Table.objects.filter(code="UTH-01"))))
    assert (proof.settlements, proof.findings.differences) == (1, [])


def test_everything_that_proves_it_runs(played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the README shows it, but for the award's id; a command that found anything would raise."""
    monkeypatch.chdir(tmp_path)
    hit = Award.objects.get(source_ref=played, kind="hit")
    lines = re.findall(r"manage\.py (.*?)(?: +#.*)?$", section("Proving it"), re.MULTILINE)
    assert [line.split()[0] for line in lines] == ["verify", "audit", "evidence", "close_day", "daily_pack"]
    for line in lines:
        call_command(*line.replace("AWARD-ID", str(hit.pk)).split())
    assert [path.read_bytes()[:5] for path in sorted(tmp_path.iterdir())] == [b"%PDF-", b"%PDF-"]
