"""Staff in a browser: pages around the JSON, offline, with forms for what they may do; keys get JSON only."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.test import Client

from jackpot.domain.callers import Scope
from tests.api.floor import ROUNDS, box, example, send, settled
from tests.api.test_problems import problem

PAGE = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
_FETCHED = re.compile(
    r'<(?:script|link|img|iframe|form)\b[^>]*?(?:src|href|action)="([^"]+)"|(?:@import|url\()\s*(\S+)'
)


def staff(name: str = "ann", **how: Any) -> Client:
    made = Client(raise_request_exception=False, **how)
    made.force_login(User.objects.create(username=name, is_staff=True))
    return made


def fetched(html: str) -> set[str]:
    """What a browser asks for of itself, and where forms go."""
    return {"".join(found) for found in _FETCHED.findall(html)}


def test_staff_see_a_page_that_asks_no_other_host(acme: Client) -> None:
    found = settled(acme, example(boxes=[box(1, player="<script>alert(1)</script>")]))
    ann = staff()
    for address in (
        *(ROUNDS, f"{ROUNDS}{found['id']}/", f"{ROUNDS}{found['id']}/boxes/", "/api/v1/tables/", "/api/v1/awards/"),
        *("/api/v1/jackpots/", "/api/v1/jackpots/MAIN/", "/api/v1/jackpots/MAIN/statement/"),
        "/api/v1/rule-sets/practice/",
    ):
        answer = ann.get(address, headers=PAGE)
        html = answer.content.decode()
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/html; charset=utf-8"), address
        assert {"Accept", "Cookie"} <= {part.strip() for part in answer["Vary"].split(",")}
        assert answer["Cache-Control"] == "no-store"
        assert "<script>alert" not in html
        assert fetched(html) and all(asked.startswith("/") and not asked.startswith("//") for asked in fetched(html))
        for asked in fetched(html):
            assert asked.startswith("/api/") or finders.find(asked.removeprefix("/static/")), asked


def test_the_files_of_the_page_ask_no_other_host() -> None:
    for name in ("bootstrap.min.css", "bootstrap-tweaks.css", "prettify.css", "default.css"):
        text = open(str(finders.find(f"rest_framework/css/{name}")), encoding="utf-8").read()  # noqa: PTH123, SIM115
        assert [asked for asked in re.findall(r"(?:url\(|@import)\s*['\"]?([^'\")\s]+)", text) if "//" in asked] == []


def test_an_error_is_a_page_too(acme: Client) -> None:
    answer = staff().get(f"{ROUNDS}?phase=open", headers=PAGE)
    assert answer.status_code == 400 and answer["Content-Type"] == "text/html; charset=utf-8"
    assert "invalid_value" in answer.content.decode()
    answer = staff("bob").post(ROUNDS, example(), content_type="application/json", headers=PAGE)
    assert answer.status_code == 403 and "scope_required" in answer.content.decode()


@pytest.mark.urls("tests.api.probe")
class TestForms:
    def test_a_form_for_what_a_person_may_do_and_for_nothing_else(self, db: None) -> None:
        ann = staff()
        page = ann.get("/api/v1/approval/", headers=PAGE)
        assert page.status_code == 405
        assert 'name="_content"' in page.content.decode()
        things = ann.get("/api/v1/things/", headers=PAGE).content.decode()
        assert 'name="_content"' not in things and "<textarea" not in things

    def test_what_the_form_sends_needs_the_token_of_the_page(self, db: None) -> None:
        ann = staff(enforce_csrf_checks=True)
        page = ann.get("/api/v1/approval/", headers=PAGE).content.decode()
        token = re.search(r'"csrfToken": "(\w+)"', page)
        assert token is not None
        answer = ann.post("/api/v1/approval/", "{}", content_type="application/json", headers=PAGE)
        assert answer.status_code == 403 and "forbidden" in answer.content.decode()
        answer = send(ann, "/api/v1/approval/", {}, X_CSRFToken=token[1])
        assert answer.status_code == 200, answer.content

    def test_nothing_changes_by_get_or_by_a_form_of_another_kind(self, db: None) -> None:
        ann = staff()
        assert ann.post("/api/v1/approval/", {"_method": "DELETE"}).status_code == 415
        assert ann.get("/api/v1/approval/?_method=POST").status_code in (400, 405)


def test_keys_get_json_only(acme: Client) -> None:
    problem(acme.get(ROUNDS, headers={"Accept": "text/html"}), 406, "not_acceptable")
    assert acme.get(ROUNDS, headers=PAGE)["Content-Type"] == "application/json"
    both = staff()
    both.defaults |= acme.defaults
    problem(both.get(ROUNDS, headers={"Accept": "text/html"}), 406, "not_acceptable")
    for client in (Client(), Client(headers={"Authorization": "Bearer x"})):
        problem(client.get(ROUNDS, headers=PAGE), 401, "unauthenticated")
        problem(client.get(ROUNDS, headers={"Accept": "text/html"}), 406, "not_acceptable")


@pytest.mark.parametrize("accept", ["application/problem+json", "application/problem+json, text/csv;q=0.1"])
def test_who_accepts_problems_gets_json(accept: str, caller: Callable[..., Client]) -> None:
    client = caller("Acme", Scope.ROUNDS_READ)
    assert client.get(ROUNDS, headers={"Accept": accept})["Content-Type"] == "application/json"
    problem(client.get(f"{ROUNDS}?x=1", headers={"Accept": accept}), 400, "unknown_field")
    problem(send(client, ROUNDS, {}, Accept=accept), 403, "scope_required")


@pytest.mark.parametrize(
    "accept", ["", "*/*", "application/*", "application/json; indent=4", "application/json;charset=utf-8", "x, */*;q=0"]
)
def test_other_ways_to_accept_json(accept: str, acme: Client) -> None:
    assert acme.get(ROUNDS, headers={"Accept": accept})["Content-Type"] == "application/json"


@pytest.mark.parametrize("accept", ["text/csv", "image/*", "application/xml", ";;;", "/", "a/b/c", "\x80\xff", ","])
def test_what_is_not_served(accept: str, acme: Client) -> None:
    answer = acme.get(ROUNDS, headers={"Accept": accept})
    problem(answer, 406, "not_acceptable")
