"""What the documentation says that can be checked cheaply: links, names, variables, guards, errors, citations."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from jackpot.domain.events import EventType
from jackpot.http.catalogue import CATALOGUE

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(DOCS.rglob("*.md"))
SQL = sorted(ROOT.glob("*/migrations/sql/*.sql"))
CODE = [path for folder in ("config", "jackpot", "tables", "tests") for path in (ROOT / folder).rglob("*.py")]

_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_IN_CODE = re.compile(r"`([^`\n]+)`")
_FILE = re.compile(r"(?:config|docs|jackpot|tables|tests)/[\w./-]*|[\w-]+\.(?:py|md|toml|in|lock)")
_NAME = re.compile(r"(?:config|jackpot|tables)(?:\.\w+)+")
_CITED = re.compile(
    r"\b(accounting|architecture|domain)\.md(?:\]\([^)]*\))?,?(?:\s+sections?)?\s+"
    r"(§?\d+(?:(?:, |,? and | to |–)§?\d+)*)"
)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page: Path) -> None:
    targets = [target for target in _LINK.findall(page.read_text()) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_files_and_names_exist(page: Path) -> None:
    """Files by their path, and code by its dotted name: `jackpot/money.py`, `jackpot.money.split`."""
    words = _IN_CODE.findall(page.read_text())
    files = [word for word in words if _FILE.fullmatch(word) and "/" in word]
    assert [word for word in files if not (ROOT / word).exists()] == []
    names = [word for word in words if _NAME.fullmatch(word) and word not in set(EventType)]
    assert [name for name in names if not _is_there(name)] == []


def _is_there(name: str) -> bool:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:length])
        if path.is_dir() or path.with_suffix(".py").exists():
            found: object = import_module(".".join(parts[:length]))
            for part in parts[length:]:
                found = getattr(found, part, None)
            return found is not None
    return False


def test_operations_lists_the_variables_that_are_read() -> None:
    read = set(re.findall(r'_env(?:\.\w+)?\(\s*"([A-Z_]+)"', (ROOT / "config/env.py").read_text()))
    environment = _section(DOCS / "operations.md", "Environment")
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", environment, re.MULTILINE))
    assert "DATABASE_URL" in read
    assert listed == read


@pytest.mark.parametrize("app", ["jackpot", "tables"])
def test_architecture_lists_every_module(app: str) -> None:
    """Each folder, and of those whose modules it names one by one each module, once."""
    section = _section(DOCS / "architecture.md", "1. The house")
    tree = re.search(rf"^{app}/ (.*?)^\S", section, re.MULTILINE | re.DOTALL)
    assert tree is not None
    listed = dict(re.findall(r"(\w+)/ +(.*(?:\n {17,}.*)*)", tree[1]))
    for folder in {"domain", "models", "selectors", "services", "demo"} & listed.keys():
        there = {path.stem for path in (ROOT / app / folder).glob("*.py")} - {"__init__"}
        named = [word for word in re.findall(r"\w+", listed[folder]) if word in there]
        assert sorted(named) == sorted(there), folder
    folders = {path.name for path in (ROOT / app).iterdir() if path.is_dir()} - {"__pycache__"}
    assert [folder for folder in folders if f"{folder}/" not in tree[1]] == []


def test_architecture_lists_every_guard() -> None:
    """Both ways: triggers and constraints in the SQL files and in the models, and no other."""
    section = _section(DOCS / "architecture.md", "4. What PostgreSQL refuses, by name")
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for cell in row[1:-2] for name in _IN_CODE.findall(cell)}
    assert listed == _guards_in_sql() | _constraints_of_models()


def _guards_in_sql() -> set[str]:
    names: set[str] = set()
    for path in SQL:
        text = path.read_text()
        names |= set(re.findall(r"CONSTRAINT = '(\w+)'", text))
        for trigger, table, function in re.findall(
            r"CREATE (?:CONSTRAINT )?TRIGGER (\w+)\s[^;]*?\sON (\w+)[^;]*?EXECUTE FUNCTION (\w+)", text
        ):
            names.add(trigger)
            if function.endswith("_refuse_change"):
                names.add(f"{table}_append_only")
    assert "legs_balance" in names
    return names


def _constraints_of_models() -> set[str]:
    models = [model for label in ("jackpot", "tables") for model in apps.get_app_config(label).get_models()]
    return {constraint.name for model in models for constraint in model._meta.constraints}


def test_errors_page_is_the_catalogue() -> None:
    page = (DOCS / "errors.md").read_text()
    rows = [f"| `{kind.code}` | {kind.status} | {kind.title} | {kind.remedy} |" for kind in CATALOGUE.values()]
    assert [row for row in rows if row not in page] == []
    listed = re.findall(r"^\| `(\w+)` \| \d{3} \|", page, re.MULTILINE)
    assert listed == list(CATALOGUE)


def test_the_contract_names_only_errors_of_the_catalogue() -> None:
    rows = re.findall(r"^\| (\d{3}) \| (`.*`) \|$", _section(DOCS / "api.md", "Errors"), re.MULTILINE)
    promised = {code: int(status) for status, codes in rows for code in _IN_CODE.findall(codes)}
    assert len(promised) == 36
    assert promised == {code: CATALOGUE[code].status for code in promised if code in CATALOGUE}


def test_the_contract_names_the_events() -> None:
    block = re.search(r"```\n(.*?)```", _section(DOCS / "api.md", "Webhooks"), re.DOTALL)
    assert block is not None
    assert re.findall(r"[a-z]+\.[a-z]+", block[1]) == list(EventType)


@pytest.mark.parametrize("path", [*CODE, *PAGES], ids=relative)
def test_citations_lead_to_a_section(path: Path) -> None:
    """`domain.md §3`, `domain.md §1 to §3`, `accounting.md, section 2`: the section is there."""
    wrong = []
    for page, numbers in _CITED.findall(path.read_text()):
        sections = set(re.findall(r"^## (\d+)\. ", (DOCS / f"{page}.md").read_text(), re.MULTILINE))
        wrong += [f"{page}.md §{number}" for number in re.findall(r"\d+", numbers) if number not in sections]
    assert wrong == []


def test_citations_are_recognised() -> None:
    cited = {page for path in CODE if path != Path(__file__) for page, _ in _CITED.findall(path.read_text())}
    assert cited == {"accounting", "architecture", "domain"}


def test_the_contract_has_the_heading_that_code_cites() -> None:
    assert _section(DOCS / "api.md", "Live rounds")


@pytest.mark.parametrize("page", sorted((DOCS / "decisions").glob("*.md")), ids=relative)
def test_decisions_are_one_page(page: Path) -> None:
    lines = page.read_text().splitlines()
    assert len(lines) <= 60
    assert lines[0].startswith(f"# {page.name[:4]} ")
    assert {"## Context", "## Decision", "## Consequences"} <= set(lines)


def _section(page: Path, heading: str) -> str:
    """What stands under a heading of the second level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None, f"{page.name} has no section {heading!r}"
    return found[1]
