"""The integration guide is true: its blocks run from top to bottom against the service, and print what it shows.

The service is `manage.py serve`, as `make run` starts it, in a data directory of its own. The blocks run in one bash,
word for word. A machine without curl gets `tests/story/curl.py` in its place, so that nothing is left out.
"""

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.holders import eventually
from tests.integration.test_serve import Served
from tests.story.test_readme_story import ANYTHING

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "integration.md"
SECONDS = 120
MARK = "=== the end of the block at line"
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of the guide: what language it is, what it says, and at which line it begins."""

    language: str
    text: str
    line: int


def blocks() -> Iterator[Block]:
    """The guide's blocks in order; what is typed behind `$` in a console, and what is printed there, as two."""
    page = GUIDE.read_text("utf-8")
    for found in _FENCE.finditer(page):
        language, text, line = found[1], found[2], page[: found.start()].count("\n") + 1
        if language == "console":
            typed, _, text = text.removeprefix("$ ").partition("\n")
            yield Block("bash", f"{typed}\n", line)
            language, line = "text", line + 2
        yield Block(language, text, line)


BLOCKS = list(blocks())
START, *REST = [block for block in BLOCKS if block.language == "bash"]
SHOWN = {
    told.line: (bash, told)
    for bash, told in pairwise(BLOCKS)
    if bash.language == "bash" and told.language in ("text", "json")
}
PROGRAMS = [block for block in BLOCKS if block.language == "python"]


def script() -> str:
    """The second terminal of the guide: its blocks in order, programs saved under their names, a mark after each."""
    parts = []
    for block in BLOCKS:
        if block in PROGRAMS:
            (name,) = re.findall(r"\A# (\w+\.py)\n", block.text)
            parts.append(f"cat > {name} <<'{MARK}'\n{block.text}{MARK}\n")
        elif block in REST:
            parts.append(f"{block.text}printf '\\n%s %d %d\\n' {shlex.quote(MARK)} {block.line} $?\n")
    return "".join(parts)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    few = {"WEB_PROCESSES": "1", "WORKER_PROCESSES": "1"}
    with Served(tmp_path_factory.mktemp("guide"), WEBHOOK_PRIVATE_ADDRESSES="true", **few) as service:
        service.wait_until_ready()
        yield service
    assert eventually(service.is_gone)


@pytest.fixture(scope="module")
def printed(served: Served, tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What each block of bash printed, by its line. All of them end well."""
    folder = tmp_path_factory.mktemp("integrator")
    environment = served.environment | {
        "PATH": f"{Path(sys.executable).parent}:{_with_curl(folder)}",
        "PORT": re.findall(r":(\d+)/admin/", served.said)[0],
        "HOOK_PORT": str(_free_port()),
        "TMPDIR": str(folder),
        "no_proxy": "127.0.0.1",
    }
    said = _run(environment)
    parts = re.split(rf"\n?^{MARK} (\d+) (\d+)\n", said, flags=re.MULTILINE)
    assert parts[1::3] == [str(block.line) for block in REST], said
    assert set(parts[2::3]) == {"0"}, said
    return {int(line): text for line, text in zip(parts[1::3], parts[::3], strict=False)}


def _run(environment: dict[str, str]) -> str:
    with subprocess.Popen(
        ["/bin/bash", "-c", script()],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as terminal:
        try:
            return terminal.communicate(timeout=SECONDS)[0]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(terminal.pid, signal.SIGKILL)


def _with_curl(folder: Path) -> str:
    """A PATH on which there is a curl."""
    path = os.environ["PATH"]
    if shutil.which("curl") is None:
        stand_in = folder / "bin" / "curl"
        stand_in.parent.mkdir()
        stand_in.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name("curl.py")} "$@"\n')
        stand_in.chmod(0o755)
        path = f"{stand_in.parent}:{path}"
    return path


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def test_the_service_says_what_the_guide_shows(served: Served) -> None:
    _, told = SHOWN[next(line for line, (bash, _) in SHOWN.items() if bash == START)]
    assert START.text.endswith("\nmake run\n")
    assert same_text(told.text, served.said), served.said


@pytest.mark.parametrize("line", [line for line, (bash, _) in SHOWN.items() if bash != START])
def test_the_guide_shows_what_is_printed(printed: dict[int, str], line: int) -> None:
    bash, told = SHOWN[line]
    found = printed[bash.line]
    assert same_json(told.text, found) if told.language == "json" else same_text(told.text, found), found


@pytest.mark.parametrize("block", PROGRAMS, ids=lambda block: block.line)
def test_programs_use_what_the_guide_says(block: Block) -> None:
    own = {"client", "receiver"}
    lines = re.findall(r"^(?:from|import) ([\w, .]+?)(?: import .*)?$", block.text, re.MULTILINE)
    used = {name.strip().partition(".")[0] for line in lines for name in line.split(",")}
    assert used - sys.stdlib_module_names - own <= {"httpx", "standardwebhooks"}


def test_what_differs_is_seen() -> None:
    assert same_text("a … c\n", "a b c\n") and same_json('{"a": ["…"], "…": "…"}', '{"a": [1], "b": 2}')
    assert not same_text("a … c\n", "a b\nc\n")
    assert not same_text("a\n", "a\nb\n")
    for told in ('{"a": [2], "…": "…"}', '{"a": [1]}', '{"a": [1], "c": 2, "…": "…"}', '{"a": [], "…": "…"}'):
        assert not same_json(told, '{"a": [1], "b": 2}'), told


def same_json(told: str, found: str) -> bool:
    return alike(json.loads(told), json.loads(found))


def alike(told: Any, found: Any) -> bool:
    """Whether a document is as told: in all fields, or with `"…": "…"` in those that are told."""
    if isinstance(told, dict) and isinstance(found, dict):
        names = [name for name in found if name in told or ANYTHING not in told]
        return names == [name for name in told if name != ANYTHING] and all(alike(told[at], found[at]) for at in names)
    if isinstance(told, list) and isinstance(found, list):
        return len(told) == len(found) and all(map(alike, told, found))
    return bool(told in (ANYTHING, found))


def same_text(told: str, found: str) -> bool:
    """Line for line, where an ellipsis stands for anything within one."""
    pattern = ".*".join(map(re.escape, told.strip().split(ANYTHING)))
    return re.fullmatch(pattern, found.strip()) is not None
