"""The desk in a real browser: a hit is approved by two and paid, a policy is asked for and approved, a sign is read."""

import pytest
from playwright.sync_api import expect

from jackpot.models.awards import Award
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpots import Jackpot
from tests.browser.looks import assert_accessible, assert_fits, pictures
from tests.browser.visits import PHONE, Visits
from tests.factories import caller, house, low, person, play, reported, royal

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_hit_is_approved_by_two_people_and_paid(visit: Visits) -> None:
    house()
    play(reported(royal(1), low(2)), by=caller())
    hit = Award.objects.get(kind="hit")
    for name in ("ann", "ben"):
        page = visit("/admin/jackpot/award/waiting/", by=person(name))
        if name == "ann":
            assert_accessible(page)
            pictures(page, "award-queue")
        page.get_by_role("link", name="10000.40 USD").first.click()
        page.get_by_role("link", name="Approve", exact=True).click()
        if name == "ann":
            assert_accessible(page)
            pictures(page, "award-approve")
        page.get_by_label("Note").fill("seen on tape")
        page.get_by_role("button", name="Approve").click()
        expect(page.get_by_text("10000.40 USD").first).to_be_visible()
    page.get_by_role("link", name="Pay", exact=True).click()
    page.get_by_role("button", name="Pay").click()
    expect(page.get_by_text("This field is required")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Payment reference").fill("slip 4711")
    page.keyboard.press("Enter")
    expect(page.get_by_text("the award is paid")).to_be_visible()
    assert_accessible(page)
    pictures(page, "award")
    hit.refresh_from_db()
    assert hit.state == "paid"


def test_a_policy_is_asked_for_without_scripts_and_approved_on_a_phone(visit: Visits) -> None:
    main = house().jackpot
    page = visit(f"/admin/jackpot/jackpot/{main.pk}/step/policy/", by=person("ann"), javascript=False)
    page.get_by_label("Level main: base").fill("12000.00")
    page.get_by_label("Level main: increment rate").fill("99%")
    page.get_by_label("Reason").select_option("rates")
    page.get_by_role("button", name="Ask for a new policy").click()
    expect(page.get_by_text("add up to more than the stake").first).to_be_visible()
    page.get_by_label("Level main: increment rate").fill("25%")
    page.get_by_role("button", name="Ask for a new policy").click()
    expect(page.get_by_text("You asked for this: another person decides")).to_be_visible()
    page = visit(f"/admin/jackpot/changerequest/{ChangeRequest.objects.get().pk}/", by=person("ben"), width=PHONE)
    assert_fits(page)
    assert_accessible(page)
    pictures(page, "change")
    page.get_by_role("link", name="Approve").click()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("is carried out")).to_be_visible()
    assert_fits(page)
    assert main.policies.count() == 2


def test_the_forms_look_right(visit: Visits) -> None:
    main = house().jackpot
    ann = person("ann")
    for name in ("policy", "adjust", "reading"):
        page = visit(f"/admin/jackpot/jackpot/{main.pk}/step/{name}/", by=ann)
        assert_accessible(page)
        pictures(page, f"ask-{name}")
    page.get_by_label("The sign showed").fill("10000.25")
    page.get_by_role("button", name="Enter a reading").click()
    expect(page.get_by_text("more than was true then: beyond the tolerance")).to_be_visible()
    assert_accessible(page)
    pictures(page, "reading")
    page = visit("/admin/jackpot/reading/", by=ann)
    assert_accessible(page)
    assert Jackpot.objects.get().state == "active"
