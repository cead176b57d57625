"""Every `type` of a problem leads somewhere: to JSON for machines, to a page for people, without a login."""

import pytest
from django.test import Client

from jackpot.http.catalogue import CATALOGUE
from tests.api.test_problems import problem

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("code", CATALOGUE)
def test_each_kind(code: str, client: Client) -> None:
    kind = CATALOGUE[code]
    answer = client.get(kind.type)
    assert (answer.status_code, answer["Content-Type"], answer["Vary"]) == (200, "application/json", "Accept")
    assert answer.json() == {
        "type": kind.type, "code": code, "status": kind.status, "title": kind.title, "remedy": kind.remedy,
    }  # fmt: skip
    page = client.get(kind.type, headers=PAGE)
    assert page["Content-Type"].startswith("text/html")
    assert f"<code>{code}</code>" in page.content.decode() and f"status {kind.status}" in page.content.decode()


def test_all_of_them(client: Client) -> None:
    assert [kind["code"] for kind in client.get("/errors/").json()["errors"]] == list(CATALOGUE)
    page = client.get("/errors/", headers=PAGE).content.decode()
    assert all(f'href="/errors/{code}"' in page for code in CATALOGUE)
    assert "//" not in page


@pytest.mark.parametrize("code", ["nothing", "%3Cscript%3E", "%00", "%ff", "busy%20", "BUSY"])
def test_a_code_that_is_none(code: str, client: Client) -> None:
    problem(client.get(f"/errors/{code}"), 404, "not_found")
    page = client.get(f"/errors/{code}", headers=PAGE)
    assert page.status_code == 404 and "<script>" not in page.content.decode()


def test_they_are_only_read(client: Client) -> None:
    assert client.post("/errors/busy").status_code == client.delete("/errors/").status_code == 405
    assert client.head("/errors/busy").status_code == 200
