"""Signing in with a second factor, and looking after people, as they are done in a browser."""

import re
from base64 import b32decode

import pytest
from django.contrib.auth.models import User
from django_otp.oath import TOTP
from playwright.sync_api import Page, expect

from jackpot.domain.people import Role
from tests.admin.staff import PASSWORD, code_of, member, with_app
from tests.browser.looks import assert_accessible, assert_fits, pictures
from tests.browser.visits import PHONE, WIDE, Visits


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def looked_at(page: Page, name: str, width: int) -> None:
    assert_accessible(page)
    assert_fits(page)
    pictures(page, name, widths=(width,))


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_an_app_is_set_up_and_then_asked_for(visit: Visits, width: int) -> None:
    member("ann", Role.SUPERVISOR)
    page = visit("/admin/second-factor/set-up/", width=width)
    sign_in(page, "ann")
    page.goto("/admin/second-factor/set-up/")
    expect(page.get_by_role("heading", name="Set up your second factor")).to_be_visible()
    expect(page.locator("svg[class*=segno], .console-picture svg")).to_be_visible()
    looked_at(page, "second-factor-set-up", width)
    secret = (page.locator(".console-secret").text_content() or "").replace(" ", "")
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Take this app").click()
    expect(page.get_by_role("alert")).to_contain_text("not the code")
    page.get_by_label("Code").fill(f"{TOTP(b32decode(secret)).token():06}")
    page.get_by_role("button", name="Take this app").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    looked_at(page, "recovery-codes", width)
    code = page.locator(".console-codes li").first.text_content() or ""
    page.get_by_role("link", name="I have kept them").click()
    expect(page).to_have_url(re.compile("/admin/$"))
    again = visit("/admin/jackpot/award/", width=width)
    sign_in(again, "ann")
    expect(again.get_by_role("heading", name="Second factor")).to_be_visible()
    looked_at(again, "second-factor", width)
    again.get_by_label("Code").fill(code)
    again.get_by_role("button", name="Go on").click()
    expect(again).to_have_url(re.compile("/admin/jackpot/award/$"))


def test_a_wrong_password_five_times_says_how_long(visit: Visits) -> None:
    member("ann", Role.SUPERVISOR)
    page = visit("/admin/login/")
    for _ in range(5):
        sign_in(page, "ann", "wrong")
    expect(page.get_by_role("alert")).to_contain_text("15 minutes")
    looked_at(page, "locked", WIDE)


@pytest.mark.parametrize("javascript", [True, False])
def test_an_administrator_adds_somebody_who_sets_a_password(visit: Visits, javascript: bool) -> None:
    root = member("root", Role.ADMINISTRATOR)
    page = visit("/admin/auth/user/add/", by=root, javascript=javascript)
    page.get_by_label("Name to sign in with").fill("eve")
    page.get_by_label("Role").select_option("cashier")
    if javascript:
        looked_at(page, "add-person", WIDE)
    page.get_by_role("button", name="Add this person").click()
    expect(page.get_by_text("/set-password/")).to_be_visible()
    link = re.search(r"http\S+/set-password/\S+", page.locator("body").inner_text())
    assert link is not None
    theirs = visit(link[0].removesuffix("."), javascript=javascript)
    for label in ("New password", "New password confirmation"):
        theirs.get_by_label(label, exact=True).fill(PASSWORD)
    if javascript:
        looked_at(theirs, "set-password", WIDE)
    theirs.get_by_role("button", name="Set the password").click()
    sign_in(theirs, "eve")
    expect(theirs).to_have_url(re.compile("/admin/$"))


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_a_role_is_changed_and_stands_in_the_log(visit: Visits, width: int) -> None:
    root, ann = member("root", Role.ADMINISTRATOR), member("ann", Role.OPERATOR)
    page = visit(f"/admin/auth/user/{ann.pk}/change/", by=root, width=width)
    looked_at(page, "person", width)
    page.get_by_role("link", name="Change role").click()
    page.get_by_label("Role").select_option("auditor")
    page.get_by_label("Reason").fill("moved")
    looked_at(page, "change-role", width)
    page.get_by_role("button", name="Change role").click()
    expect(page).to_have_url(re.compile(f"/admin/auth/user/{ann.pk}/change/$"))
    for address, name in (
        ("/admin/auth/user/", "people"),
        ("/admin/admin/logentry/", "log"),
        ("/admin/auth/group/", "roles"),
    ):
        page.goto(address)
        looked_at(page, name, width)
    page.goto("/admin/admin/logentry/?q=moved")
    expect(page.locator("body")).to_contain_text("operator → auditor")


def test_my_second_factor(visit: Visits) -> None:
    ann = member("ann", Role.OPERATOR)
    app = with_app(ann)
    page = visit("/admin/login/?next=/admin/second-factor/mine/")
    sign_in(page, "ann")
    page.get_by_label("Code").fill(code_of(app))
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Make new recovery codes")).to_be_visible()
    looked_at(page, "my-second-factor", WIDE)
    assert User.objects.get().pk == ann.pk
