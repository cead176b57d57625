"""What the import linter cannot see: file lengths, Django's web half in services, clocks, package hosts."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_FILE = {"config": 300, "jackpot": 300, "tables": 300, "tests": 350}
_SKIPPED = {".git", ".venv", "var", "__pycache__"}
# Package registries, written so that this file names none of them itself.
_REGISTRIES = ["py" + "pi.org", "python" + "hosted.", "npm" + "js.", "debian" + ".org"]
_HOSTS = re.compile("|".join([*map(re.escape, _REGISTRIES), "--(extra-)?index-url", "--find-links"]), re.IGNORECASE)
_WEB = ("django.http", "django.shortcuts", "django.urls", "django.views")
_CLOCKS = {"now", "today", "utcnow"}


def sources(*folders: str) -> list[Path]:
    return [
        path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts
    ]


def below_transport() -> list[Path]:
    layers = ("live", "services", "selectors", "models", "reports", "odds", "domain")
    return sources(*(f"{app}/{layer}" for app in ("jackpot", "tables") for layer in layers))


def imported(source: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def web_imports(source: str) -> set[str]:
    return {name for name in imported(source) if name.startswith(_WEB)}


def clock_readings(source: str) -> list[int]:
    """Lines that call `something.now()` or alike."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in _CLOCKS]


def texts() -> Iterator[tuple[Path, str]]:
    for path in ROOT.rglob("*"):
        inside = path.relative_to(ROOT)
        if path.is_file() and not _SKIPPED & set(inside.parts) and not inside.parts[0].endswith("_cache"):
            try:
                yield inside, path.read_text()
            except UnicodeDecodeError:
                continue


def test_no_file_is_long() -> None:
    for package, longest in LONGEST_FILE.items():
        lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in sources(package)}
        assert not {path: length for path, length in lengths.items() if length > longest}


def test_services_and_below_know_nothing_of_the_web() -> None:
    assert not {path: found for path in below_transport() if (found := web_imports(path.read_text()))}


def test_the_domain_reads_no_clock() -> None:
    domain = sources("jackpot/domain", "tables/domain")
    assert not {path: lines for path in domain if (lines := clock_readings(path.read_text()))}


def test_no_file_names_a_package_host() -> None:
    own = Path(__file__).relative_to(ROOT)
    assert not [path for path, text in texts() if path != own and _HOSTS.search(text)]


@pytest.mark.parametrize("source", ["import django.http", "from django import http", "from django.views import View"])
def test_the_web_check_can_fail(source: str) -> None:
    assert web_imports(source)


@pytest.mark.parametrize("source", ["datetime.now()", "x = timezone.now()", "date.today()"])
def test_the_clock_check_can_fail(source: str) -> None:
    assert clock_readings(source)


@pytest.mark.parametrize("text", [f"https://{_REGISTRIES[0]}/simple", "--index-url x", f"files.{_REGISTRIES[1]}org"])
def test_the_host_check_can_fail(text: str) -> None:
    assert _HOSTS.search(text)
