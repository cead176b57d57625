"""The OpenAPI description: complete, valid, the same every time, open to all, and readable without any other host."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from config import description
from jackpot.domain.callers import STAFF_SCOPES, Scope
from jackpot.http.catalogue import CATALOGUE
from jackpot.http.keys import ANYONE
from jackpot.http.views import ApiView
from tests.api.described import validator
from tests.api.test_problems import problem

ROOT = Path(__file__).resolve().parents[2]
METHODS = ("get", "post", "put", "patch", "delete")
DOCUMENT = description.document()
OPERATIONS = {
    f"{method.upper()} {path.removeprefix(description.PREFIX)}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def views(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, type[ApiView]]]:
    """Every address of the API in the URL conf, as the description writes it, with its view."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and route.startswith("api/v1/"):
            view: Any = pattern.callback
            yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{route}"), view.view_class


VIEWS = dict(views(get_resolver("config.urls").url_patterns))


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object of a JSON document."""
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from parts(part)


def test_it_validates_without_a_word_and_is_the_same_each_time() -> None:
    command = [sys.executable, "manage.py", "spectacular", "--validate", "--fail-on-warn"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (made.returncode, made.stderr) == (0, b"")
    # In order, too: another process, in which sets have another one.
    assert json.dumps(yaml.safe_load(made.stdout)) == json.dumps(DOCUMENT)
    assert DOCUMENT["openapi"] == "3.1.0"


def test_every_address_and_method_is_described_and_nothing_else() -> None:
    there = {
        f"{method.upper()} {path.removeprefix(description.PREFIX)}"
        for path, view in VIEWS.items()
        for method in METHODS
        if hasattr(view, method)
    }
    assert description.CALLS.keys() == OPERATIONS.keys() == there


def test_every_report_is_named() -> None:
    (named,) = [part for part in OPERATIONS["GET /reports/{name}/"]["parameters"] if part["name"] == "name"]
    view: Any = resolve("/api/v1/reports/tables/").func
    assert set(named["schema"]["enum"]) == view.view_initkwargs["reports"].keys()


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_call_says_everything(name: str) -> None:
    operation = OPERATIONS[name]
    method, path = name.split(" ")
    view = VIEWS[description.PREFIX + path]
    given = {place: {p["name"] for p in operation["parameters"] if p["in"] == place} for place in ("path", "query")}
    assert operation["summary"]
    assert operation["description"]
    assert operation["tags"][0] in {tag["name"] for tag in DOCUMENT["tags"]}
    assert given["path"] == set(re.findall(r"{(\w+)}", path))
    assert bool(given["query"]) == (method == "GET" and view.takes_query)
    assert any(status.startswith("2") for status in operation["responses"])
    assert _allowed(operation["security"]) == _needed(view, method)


def _allowed(security: list[dict[str, list[str]]]) -> list[str]:
    return [scope for way in security for scope in (way.get("key") or ["session"])]


def _needed(view: type[ApiView], method: str) -> list[str]:
    need = view.reads if method == "GET" else view.writes
    if not isinstance(need, Scope):
        return [] if need == ANYONE else ["session"]
    return [need, *(["session"] if need in STAFF_SCOPES else [])]


def test_names_are_unique_and_lead_somewhere() -> None:
    names = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(names) == len(set(names))
    used = {part["$ref"] for part in parts(dict(DOCUMENT)) if "$ref" in part}
    components = {
        f"#/components/{kind}/{name}" for kind in ("schemas", "responses") for name in DOCUMENT["components"][kind]
    }
    assert used == components


def test_objects_take_no_other_fields() -> None:
    """So that a field that is added or removed is noticed on either side."""
    loose = [
        name
        for name, schema in DOCUMENT["components"]["schemas"].items()
        for part in parts(schema)
        if "properties" in part and part.get("additionalProperties") is not False
    ]
    assert loose == []


def test_a_problems_codes_are_those_of_its_status() -> None:
    for name, operation in OPERATIONS.items():
        for status, response in operation["responses"].items():
            codes = [code for part in parts(response) for code in part.get("code", {}).get("enum", ())]
            assert {CATALOGUE[code].status for code in codes} <= {int(status)}, name


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in ("GET /docs/", "GET /schema/")])
def test_examples_are_valid(name: str) -> None:
    contents = [OPERATIONS[name].get("requestBody", {}), *OPERATIONS[name]["responses"].values()]
    for media in [media for content in contents for media in content.get("content", {}).values()]:
        for example in media.get("examples", {}).values():
            validator(media["schema"]).validate(example["value"])


def test_the_schema_is_open_to_all_as_json_and_yaml(client: Client) -> None:
    answer = client.get("/api/v1/schema/")
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == DOCUMENT
    in_yaml = client.get("/api/v1/schema/", headers={"Accept": "application/yaml"})
    assert in_yaml["Content-Type"].startswith("application/yaml")
    assert yaml.safe_load(in_yaml.content) == DOCUMENT
    problem(client.get("/api/v1/schema/?lang=de"), 400, "unknown_field", "/lang")
    problem(client.get("/api/v1/schema/", headers={"Accept": "text/html"}), 406, "not_acceptable")


def test_the_pages_of_the_documentation_are_our_own(client: Client) -> None:
    """Neither the page nor its script names another host, its policy forbids them, and its files are there."""
    answer = client.get("/api/v1/docs/")
    page = answer.content.decode()
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    policy = dict(rule.split(" ", 1) for rule in answer["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert {policy["script-src"], policy["connect-src"]} == {"'self'"}
    assert not re.search(r"(?:src|href)=\"(?!/)", page)
    assert "<script>" not in page
    assert 'data-schema="/api/v1/schema/"' in page
    files = re.findall(r"/static/([^\"]+)", page)
    assert len(files) == 4
    assert all(finders.find(name) for name in files)
    script = Path(str(finders.find("jackpot/docs.js"))).read_text()
    assert "validatorUrl: null" in script
    assert "//" not in re.sub(r"^// .*$", "", script, flags=re.MULTILINE)
