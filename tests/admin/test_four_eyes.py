"""The hostile operator: whoever did the first half of a move tries the second, every way there is; nothing is written.

He may do everything that one person may: a superuser. `four_eyes.MOVES` is the table.
"""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from jackpot.admin.steps import Step, Stepped
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.errors import Refused
from tests.admin.four_eyes import ALONE, MOVES, ONE, OTHER, FourEyes
from tests.admin.staff import signed_in
from tests.admin.writes import stored, written
from tests.factories import person
from tests.factories.copies import made_once

pytestmark = pytest.mark.django_db
FIRST = {move.name: made_once(move.first) for move in MOVES}
REFUSED = {400, 403, 404, 409, 422}


def registered() -> dict[str, Step]:
    """Every step of the console, by its record's kind and its name."""
    pages = {kind: page for kind, page in admin.site._registry.items() if isinstance(page, Stepped)}
    return {
        f"{kind._meta.label_lower.replace('.', '_')}:{step.name}": step
        for kind, page in pages.items()
        for step in page.steps
    }


def client_of(name: str) -> Client:
    person(name)
    return signed_in(User.objects.get(username=name))


def place(move: FourEyes, pk: object) -> str:
    kind, _, name = move.step.partition(":")
    return reverse(f"admin:{kind}_step", args=[pk, name])


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_by_service_the_one_is_refused_and_another_is_not(move: FourEyes) -> None:
    pk = FIRST[move.name]()
    before = stored()
    with pytest.raises(Refused) as refused:
        move.service(person(ONE), pk)
    assert refused.value.code == "second_person_required"
    assert written(before, stored()) == []
    move.service(person(OTHER), pk)
    assert written(before, stored()) != []


@pytest.mark.parametrize("move", [move for move in MOVES if move.step in registered()], ids=str)
class TestByPage:
    def test_with_the_page_open(self, move: FourEyes) -> None:
        """The form that the page shows, filled in and sent as a browser does."""
        pk = FIRST[move.name]()
        client = client_of(ONE)
        before = stored()
        page = client.get(place(move, pk))
        hidden = {"once": page.context["once"]} if page.status_code == 200 else {}
        answer = client.post(place(move, pk), {**move.form, **hidden})
        assert page.status_code in {200, *REFUSED} and answer.status_code in REFUSED
        assert written(before, stored()) == []

    def test_without_the_page(self, move: FourEyes) -> None:
        pk = FIRST[move.name]()
        client = client_of(ONE)
        before = stored()
        for _ in range(2):
            assert client.post(place(move, pk), dict(move.form)).status_code in REFUSED
        assert client.get(place(move, pk), dict(move.form)).status_code in {200, *REFUSED}
        assert client.post(place(move, pk), {}).status_code in REFUSED
        assert written(before, stored()) == []

    def test_another_person_takes_the_same_step(self, move: FourEyes) -> None:
        """Else the refusals above would say nothing."""
        pk = FIRST[move.name]()
        answer = client_of(OTHER).post(place(move, pk), dict(move.form))
        assert answer.status_code == 302, answer.content.decode()


@pytest.mark.parametrize("move", [move for move in MOVES if move.api], ids=str)
def test_by_api(move: FourEyes) -> None:
    pk = FIRST[move.name]()
    assert move.api is not None
    address, body = move.api(pk)
    sent: dict[str, Any] = {"content_type": "application/json", "headers": {"Idempotency-Key": "again"}}
    one, other = client_of(ONE), client_of(OTHER)
    before = stored()
    answer = one.post(address, body, **sent)
    assert answer.status_code == 403 and answer.json()["code"] == "second_person_required"
    assert written(before, stored()) == []
    assert other.post(address, body, **sent).status_code == 200


def test_every_step_stands_in_the_table_or_says_why_one_person_is_enough() -> None:
    """A new step fails here until somebody has thought about it."""
    listed = {move.step for move in MOVES}
    assert sorted(registered().keys() - listed - ALONE.keys()) == []
    assert sorted(ALONE.keys() - registered().keys()) == []
    assert not listed & ALONE.keys()


def test_every_kind_of_change_stands_in_the_table() -> None:
    names = {move.name.partition(":")[0] for move in MOVES}
    assert {kind.value for kind in ChangeKind} <= names
