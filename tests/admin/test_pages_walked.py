"""Every address of the console, by everybody: who may open it; looking changes nothing; nothing is removed."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from config.staff_roles import permissions_of
from jackpot.domain.people import Role
from tests.admin.pages import Page, everywhere
from tests.admin.world import a_record_of, everything, somebody
from tests.admin.writes import stored, written

LEAVES = ("/admin/logout/",)
"""Ends the session, by POST alone."""
HOSTILE = {"post": "yes", "action": "delete_selected", "_save": "1", "note": "x", "q": "a"}
SIGNS_IN = ("/admin/login/", "/admin/second-factor/", "/admin/set-password/")


@pytest.fixture
def pages(db: None) -> list[Page]:
    everything()
    return everywhere()


def may(who: str, page: Page) -> bool:
    """As the table of roles says."""
    if page.never:
        return False
    if who == "superuser":
        return True
    held = permissions_of(Role(who), page.needs) if who != "none" else set()
    return held >= set(page.needs)


@pytest.mark.parametrize("who", [*Role, "none", "superuser"])
def test_each_opens_what_the_table_gives_and_changes_nothing_by_looking(pages: list[Page], who: str) -> None:
    """By GET, or by HEAD and with a form's fields behind the address; a session is all that is written."""
    client = somebody(who)
    look = client.head if who == "superuser" else client.get
    before, wrong = stored(), []
    for page in pages:
        got, wanted = look(page.address).status_code, may(who, page)
        says_nothing = page.of_frame or page.address.startswith((*LEAVES, *SIGNS_IN))
        if not says_nothing and (got not in (200, 302) if wanted else got != 403):
            wrong.append(f"{page.address}: {got}, and should {'' if wanted else 'not '}open")
        if who == "superuser":
            client.get(page.address, HOSTILE)
    if changed := written(before, stored()):
        pytest.fail(f"{who} changed {changed} by {_which(client, pages)}")
    assert wrong == []
    assert len(pages) > 80


def _which(client: Client, pages: list[Page]) -> list[str]:
    found = []
    for page in pages:
        before = stored()
        client.get(page.address)
        found += [page.address] if written(before, stored()) else []
    return found


def test_nobody_without_a_session_opens_anything(pages: list[Page]) -> None:
    before = stored()
    for page in pages:
        for answer in (Client().get(page.address), Client().post(page.address)):
            open_to_all = page.address.startswith(SIGNS_IN) or page.address == "/admin/jsi18n/"
            assert answer.status_code in (302, 405) or open_to_all, page.address
        User.objects.exists()  # Pages that lead to the sign-in ask nothing, and PostgreSQL ends who idles.
    assert written(before, stored()) == []


def test_nothing_is_removed_by_anybody(pages: list[Page]) -> None:
    """Neither by a page of its own nor by an action on a list; no list offers it."""
    clients = [somebody(who) for who in (*Role, "superuser")]
    before = stored()
    for model, shown in admin.site._registry.items():
        root, record = f"/admin/{model._meta.app_label}/{model._meta.model_name}/", a_record_of(model)
        for client in clients:
            assert client.post(f"{root}{record.pk}/delete/", {"post": "yes"}).status_code == 403
            client.post(root, {"action": "delete_selected", "_selected_action": [str(record.pk)], "post": "yes"})
        request = RequestFactory().get(root)
        request.user = User.objects.get(username="superuser")
        assert not shown.has_delete_permission(request)
        assert "delete_selected" not in shown.get_actions(request)
    assert written(before, stored()) == []


def test_a_form_without_its_token_is_refused(pages: list[Page]) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = somebody("superuser").cookies
    before = stored()
    posts = [page for page in pages if "/step/" in page.address or page.address.endswith(("/add/", "/mine/"))]
    assert {strict.post(page.address, {"note": "x"}).status_code for page in posts} == {403}
    assert written(before, stored()) == []
