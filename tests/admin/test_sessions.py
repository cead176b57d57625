"""Locking out, sessions that end, and the headers of the console."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from jackpot.domain.people import Role
from jackpot.http.addresses import address_of
from tests.admin.staff import PASSWORD, member, signed_in

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = "10.0.0.1", "10.0.0.2"


@pytest.fixture
def ann(db: None) -> User:
    return member("ann", Role.OPERATOR)


def try_in(name: str, password: str, *, address: str = HERE, **headers: str) -> Any:
    return Client().post(
        reverse("admin:login"), {"username": name, "password": password}, REMOTE_ADDR=address, headers=headers
    )


class TestLockOut:
    def test_five_wrong_passwords_lock_one_name_at_one_place(self, ann: User) -> None:
        """Nobody else in the office waits, nor does the same person elsewhere."""
        member("ben", Role.CASHIER)
        said = [try_in("ann", "wrong").status_code for _ in range(5)]
        assert said == [200, 200, 200, 200, 429]
        locked = try_in("ann", PASSWORD)
        assert locked.status_code == 429 and locked["Retry-After"] == "900"
        assert b"15 minutes" in locked.content and b"other places are not concerned" in locked.content
        assert try_in("ben", PASSWORD).status_code == 302
        assert try_in("ann", PASSWORD, address=ELSEWHERE).status_code == 302

    def test_it_ends_and_further_tries_do_not_make_it_longer(self, ann: User) -> None:
        for _ in range(9):
            try_in("ann", "wrong")
        assert AccessAttempt.objects.get().failures_since_start == 5
        AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
        assert try_in("ann", PASSWORD).status_code == 302

    def test_a_right_password_forgets_the_wrong_ones(self, ann: User) -> None:
        for password in ("wrong", "wrong", PASSWORD, "wrong"):
            try_in("ann", password)
        assert AccessAttempt.objects.get().failures_since_start == 1

    def test_it_is_the_same_for_a_name_that_is_nobodys(self) -> None:
        assert [try_in("nobody", "wrong").status_code for _ in range(5)][-1] == 429

    def test_no_password_is_kept(self, ann: User) -> None:
        try_in("ann", "my-real-password-with-a-typo")
        kept = AccessAttempt.objects.get()
        assert "typo" not in kept.post_data + kept.get_data

    def test_a_header_that_anybody_can_send_is_not_believed(self, ann: User) -> None:
        for number in range(5):
            answer = try_in("ann", "wrong", **{"X-Forwarded-For": f"192.0.2.{number}"})
        assert answer.status_code == 429
        assert AccessAttempt.objects.get().ip_address == HERE


@pytest.mark.parametrize(
    ("proxies", "sent", "address"),
    [
        (0, "192.0.2.1", HERE), (1, "", HERE), (1, "192.0.2.1", "192.0.2.1"),
        (1, "198.51.100.9, 192.0.2.1", "192.0.2.1"), (2, "198.51.100.9, 192.0.2.1, 10.9.9.9", "192.0.2.1"),
        (2, "192.0.2.1", HERE), (1, "<script>", HERE), (1, "2001:db8::1", "2001:db8::1"),
    ],
)  # fmt: skip
def test_where_a_request_comes_from(settings: Any, proxies: int, sent: str, address: str) -> None:
    settings.PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR=HERE, headers={"X-Forwarded-For": sent})
    assert address_of(request) == address


class TestSessions:
    def test_who_does_nothing_for_a_while_signs_in_again(self, ann: User, settings: Any) -> None:
        client = signed_in(ann)
        assert client.get("/admin/").status_code == 200
        session = client.session
        assert 0 < (session.get_expiry_date() - timezone.now()).total_seconds() <= settings.SESSION_COOKIE_AGE
        settings.SESSION_COOKIE_AGE = -1
        session.save()
        assert client.get("/admin/").status_code == 302

    def test_being_there_is_written_down_once_a_minute(self, ann: User) -> None:
        client = signed_in(ann)
        assert "sessionid" in client.get("/admin/").cookies
        assert "sessionid" not in client.get("/admin/").cookies
        session = client.session
        session["seen"] -= 61
        session.save()
        assert "sessionid" in client.get("/admin/").cookies

    def test_the_cookie_is_not_for_scripts_nor_for_later(self, ann: User, settings: Any) -> None:
        cookie = signed_in(ann).get("/admin/").cookies["sessionid"]
        assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", "")
        settings.SESSION_COOKIE_SECURE = True
        assert signed_in(ann).get("/admin/").cookies["sessionid"]["secure"]


def test_who_types_the_host_alone_is_led_to_the_console(client: Client) -> None:
    assert client.get("/").headers["Location"] == reverse("admin:index")


@pytest.mark.parametrize("address", ["/admin/", "/admin/login/", "/admin/jackpot/award/", "/admin/nothing/"])
def test_the_headers_of_the_console(ann: User, address: str) -> None:
    answer = signed_in(ann).get(address)
    rules = dict(rule.split(" ", 1) for rule in answer["Content-Security-Policy"].split("; "))
    assert rules["default-src"] == "'self'" and rules["frame-ancestors"] == "'none'"
    assert rules["script-src"] == "'self' 'unsafe-eval'"
    assert not [rule for rule in rules.values() if "http" in rule or "*" in rule]
    assert answer["Referrer-Policy"] == "same-origin" and answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff" and "no-store" in answer["Cache-Control"]


def test_no_script_stands_in_a_page(ann: User) -> None:
    """What the policy would stop: nothing of the console needs it."""
    for address in ("/admin/", "/admin/jackpot/award/", "/admin/login/", "/admin/second-factor/set-up/"):
        page = signed_in(ann).get(address, follow=True).content.decode()
        assert "<script>" not in page and " onclick=" not in page and " onload=" not in page


def test_nobody_signs_in_at_a_replica_and_is_told_so(ann: User) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        answer = Client(raise_request_exception=False).post(
            reverse("admin:login"), {"username": "ann", "password": PASSWORD}, headers={"Accept": "text/html"}
        )
        transaction.set_rollback(True)
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert b"replica" in answer.content
