"""Signing in with a second factor: without it a session is nobody, in the console and in front of the API."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_static.models import StaticToken

from jackpot.domain.people import Role
from jackpot.models.awards import Award, AwardMove
from jackpot.models.second_factors import Authenticator
from jackpot.services import second_factors
from tests.admin.staff import PASSWORD, code_of, member, signed_in, with_app
from tests.factories import House, play, reported, royal

pytestmark = pytest.mark.django_db
HOME, ASK, SET_UP = "/admin/", "/admin/second-factor/", "/admin/second-factor/set-up/"
MINE = "/admin/second-factor/mine/"


@pytest.fixture(autouse=True)
def _demanded(settings: Any) -> None:
    settings.STAFF_TWO_FACTOR = True


@pytest.fixture
def ann(db: None) -> User:
    return member("ann", Role.SUPERVISOR)


def by_password(user: User) -> Client:
    client = Client()
    answer = client.post(f"{reverse('admin:login')}?next=/admin/", {"username": user.username, "password": PASSWORD})
    assert answer.status_code == 302, answer.content
    return client


def set_up(client: Client) -> tuple[Authenticator, list[str]]:
    """As a person does: reads the secret off the page and types what the app then shows."""
    page = client.get(SET_UP).content.decode()
    signed = re.search(r'name="secret" value="([^"]+)"', page)
    assert signed is not None
    app = Authenticator(key=signed[1].split(":")[0])
    answer = client.post(f"{SET_UP}?next=/admin/", {"secret": signed[1], "code": code_of(app)})
    assert answer.status_code == 200, answer.content.decode()
    return Authenticator.objects.get(), re.findall(r"<li>(\w{5}-\w{5})</li>", answer.content.decode())


def test_the_first_sign_in_leads_to_setting_up_an_app(ann: User) -> None:
    client = by_password(ann)
    asked = client.get("/admin/jackpot/award/")
    assert (asked.status_code, asked["Location"]) == (302, f"{ASK}?next=/admin/jackpot/award/")
    assert client.get(asked["Location"])["Location"].startswith(SET_UP)
    page = client.get(SET_UP)
    assert "<svg" in page.content.decode() and "no-store" in page["Cache-Control"]
    app, codes = set_up(client)
    assert (app.user, len(set(codes))) == (ann, 10)
    assert client.get("/admin/jackpot/award/").status_code == 200
    assert LogEntry.objects.get().change_message == "Second factor: not set up → set up"


def test_looking_at_the_page_stores_nothing_and_a_wrong_code_neither(ann: User) -> None:
    client = by_password(ann)
    client.get(SET_UP)
    answer = client.post(SET_UP, {"secret": "forged:secret", "code": "123456"})
    assert answer.status_code == 400
    assert not Authenticator.objects.exists()
    assert client.get(HOME).status_code == 302


def test_a_secret_is_taken_from_its_own_person_only(ann: User) -> None:
    """A signed secret of somebody else's page is no secret of mine."""
    theirs = by_password(member("ben", Role.CASHIER)).get(SET_UP).content.decode()
    signed = re.findall(r'name="secret" value="([^"]+)"', theirs)[0]
    code = code_of(Authenticator(key=signed.split(":")[0]))
    assert by_password(ann).post(SET_UP, {"secret": signed, "code": code}).status_code == 400


def test_a_code_is_good_once(ann: User) -> None:
    app = with_app(ann)
    first, second = by_password(ann), by_password(ann)
    code = code_of(app)
    assert first.post(f"{ASK}?next=/admin/tables/round/", {"code": code})["Location"] == "/admin/tables/round/"
    assert first.get(HOME).status_code == 200
    refused = second.post(ASK, {"code": code})
    assert refused.status_code == 400 and b"used before" in refused.content
    assert second.get(HOME).status_code == 302


def test_wrong_codes_make_the_next_wait(ann: User) -> None:
    app = with_app(ann)
    client = by_password(ann)
    assert client.post(ASK, {"code": "000000"}).status_code == 400
    waits = client.post(ASK, {"code": code_of(app)})
    assert waits.status_code == 429 and b"too many wrong codes" in waits.content
    assert client.get(HOME).status_code == 302


def test_waiting_has_an_end(ann: User) -> None:
    app = with_app(ann)
    for _ in range(40):
        app.throttle_increment()
    assert app.throttling_failure_count == 13


def test_a_recovery_code_is_good_once_and_stored_as_a_digest(ann: User) -> None:
    with_app(ann)
    codes = second_factors.renew_codes(user=ann)
    assert not StaticToken.objects.filter(token__in=[code.replace("-", "") for code in codes]).exists()
    client = by_password(ann)
    assert client.post(ASK, {"code": codes[0].upper()}).status_code == 302
    assert client.get(HOME).status_code == 200
    assert by_password(ann).post(ASK, {"code": codes[0]}).status_code == 400
    assert second_factors.codes_left(ann) == 9


def test_a_copy_of_the_database_shows_no_codes(ann: User, settings: Any) -> None:
    app = with_app(ann)
    before = app.bin_key
    settings.SECRET_KEY = "another"  # noqa: S105 - none of ours
    assert app.bin_key != before


def test_nobody_is_led_elsewhere(ann: User) -> None:
    app = with_app(ann)
    answer = by_password(ann).post(f"{ASK}?next=https://elsewhere.example/", {"code": code_of(app)})
    assert answer["Location"] == HOME


def test_a_session_without_it_speaks_for_nobody_before_the_api(demo: House, ann: User) -> None:
    play(reported(royal(1)))
    hit = Award.objects.get(kind="hit")
    move = f"/api/v1/awards/{hit.pk}/approve/"
    body: dict[str, Any] = {"data": "{}", "content_type": "application/json", "headers": {"Idempotency-Key": "one"}}
    half, whole = signed_in(ann, passed=False), signed_in(ann)
    with_app(member("eve", Role.SUPERVISOR))
    for client in (half, signed_in(User.objects.get(username="eve"), passed=False)):
        assert client.get("/api/v1/jackpots/MAIN/").status_code == 401
        assert client.post(move, **body).status_code == 401
        assert client.get("/api/v1/jackpots/MAIN/stream/").status_code == 401
    assert not AwardMove.objects.exists()
    assert whole.get("/api/v1/jackpots/MAIN/").status_code == 200
    assert whole.post(move, **body).status_code == 200


def test_no_page_of_the_console_opens_without_it(ann: User) -> None:
    client = signed_in(ann, passed=False)
    for address in (HOME, "/admin/reports/", "/admin/jackpot/jackpot/", "/admin/password_change/", MINE, "/admin/x/"):
        for answer in (client.get(address), client.post(address)):
            assert answer.status_code == 302 and answer["Location"].startswith(ASK), address


def test_a_device_of_somebody_else_or_one_that_is_gone_is_none(ann: User) -> None:
    client = signed_in(ann)
    assert client.get(HOME).status_code == 200
    second_factors.reset(ann)
    assert client.get(HOME)["Location"].startswith(ASK)
    session = client.session
    session["otp_device_id"] = with_app(member("ben")).persistent_id
    session.save()
    assert client.get(HOME).status_code == 302


def test_passing_changes_the_key_of_the_session(ann: User) -> None:
    app = with_app(ann)
    client = by_password(ann)
    before = client.session.session_key
    client.post(ASK, {"code": code_of(app)})
    assert client.session.session_key != before


def test_switched_off_it_is_asked_of_those_who_set_it_up(ann: User, settings: Any) -> None:
    settings.STAFF_TWO_FACTOR = False
    client = by_password(ann)
    assert client.get(HOME).status_code == 200
    with_app(ann)
    assert client.get(HOME)["Location"].startswith(ASK)


class TestMine:
    def test_a_code_gives_new_recovery_codes(self, ann: User) -> None:
        client = signed_in(ann)
        old = second_factors.renew_codes(user=ann)
        answer = client.post(MINE, {"code": old[0]})
        codes = re.findall(r"<li>(\w{5}-\w{5})</li>", answer.content.decode())
        assert len(codes) == 10 and not set(codes) & set(old)
        assert by_password(ann).post(ASK, {"code": old[1]}).status_code == 400

    def test_another_app_needs_a_code_of_the_present_one(self, ann: User) -> None:
        client = signed_in(ann)
        assert client.post(MINE, {"code": "000000", "replace": "yes"}).status_code == 400
        assert Authenticator.objects.filter(user=ann).exists()
        second_factors.forgive(ann)
        code = code_of(Authenticator.objects.get(user=ann))
        assert client.post(MINE, {"code": code, "replace": "yes"})["Location"] == SET_UP
        assert client.get(HOME).status_code == 302
        set_up(client)
        assert client.get(HOME).status_code == 200
