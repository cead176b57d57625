"""Rounds in a real browser: the table on a desk and on a phone, and a correction from the form to what it asks for."""

from uuid import UUID

import pytest
from playwright.sync_api import expect

from jackpot.services import ChangeRequest
from tests.browser.looks import assert_accessible, assert_fits, pictures
from tests.browser.visits import PHONE, WIDE, Visits
from tests.factories import house, low, person, play, reported, royal, straight_flush
from tests.factories.corrections import correct
from tests.unit.builders import FOLD


def hit() -> UUID:
    """A royal and a straight flush with Envy both ways; two places are empty."""
    house()
    boxes = (royal(1, trips="5.00"), straight_flush(3, trips="5.00"), low(4, pair="4c 4d", decision=FOLD), low(6))
    return play(reported(*boxes))[0]


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_a_round_reads_like_its_table(visit: Visits, width: int) -> None:
    page = visit(f"/admin/tables/round/{hit()}/change/", by=person("ann"), width=width)
    expect(page.get_by_role("region", name="The table")).to_be_visible()
    expect(page.get_by_role("img", name="ace of spades, counts").first).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="From box 1 (royal flush) to box 3")).to_be_visible()
    arrows = page.locator(".envy-arrows")
    expect(arrows).to_be_visible() if width == WIDE else expect(arrows).to_be_hidden()
    assert_accessible(page)
    assert_fits(page)
    pictures(page, "round", widths=(width,))
    page.get_by_role("link", name="Re-perform").click()
    expect(page.get_by_role("status")).to_contain_text("0 differences")
    assert_accessible(page)
    assert_fits(page)
    pictures(page, "reperformed", widths=(width,))


def test_arrows_end_over_the_boxes_they_lead_to(visit: Visits) -> None:
    page = visit(f"/admin/tables/round/{hit()}/change/", by=person("ann"))
    seats = [box.bounding_box() for box in page.locator(".seats > .seat").all()]
    tips = [tip.bounding_box() for tip in page.locator(".envy-arrows .tip").all()]
    assert len(tips) == 6
    for tip in tips:
        assert tip is not None
        middle, foot = tip["x"] + tip["width"] / 2, tip["y"] + tip["height"]
        over = [seat for seat in seats if seat and seat["x"] < middle < seat["x"] + seat["width"]]
        assert len(over) == 1 and 0 <= over[0]["y"] - foot < 12


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_a_correction_is_asked_for_without_scripts(visit: Visits, width: int) -> None:
    round_id = hit()
    page = visit(f"/admin/tables/round/{round_id}/change/", by=person("ann"), width=width, javascript=False)
    page.get_by_role("link", name="Correct", exact=True).click()
    page.get_by_role("group", name="Box 3").get_by_label("Cards").fill("9h 8h")
    page.get_by_label("Reason").select_option("wrong_cards")
    page.get_by_role("button", name="See what would change").click()
    expect(page.get_by_role("cell", name="Box 3: Envy from box 1")).to_have_count(0)
    expect(page.get_by_role("cell", name="Box 1: Envy from box 3")).to_be_visible()
    assert_fits(page)
    page.get_by_role("button", name="Ask for this correction").click()
    expect(page.get_by_text("a correction waits for a second person")).to_be_visible()
    assert ChangeRequest.objects.get().document["boxes"][1]["cards"] == ["9h", "8h"]


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_form_and_a_corrected_round(visit: Visits, width: int) -> None:
    round_id = hit()
    page = visit(f"/admin/tables/round/{round_id}/step/correct/", by=person("ann"), width=width)
    page.get_by_role("group", name="Box 3").get_by_label("Cards").fill("9h")
    page.get_by_label("Reason").select_option("wrong_cards")
    page.get_by_role("button", name="See what would change").click()
    expect(page.get_by_role("group", name="Box 3").get_by_role("alert")).to_be_visible()
    page.get_by_role("group", name="Box 3").get_by_label("Cards").fill("9h 8h")
    page.get_by_role("button", name="See what would change").click()
    expect(page.get_by_role("heading", name="This would change")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    pictures(page, "correct", widths=(width,))
    correct(round_id, reported(royal(1, trips="5.00"), low(4, pair="4c 4d", decision=FOLD), low(6)))
    page = visit(f"/admin/tables/round/{round_id}/change/", by=person("ann"), width=width)
    expect(page.get_by_text("corrected: version 2")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    pictures(page, "corrected", widths=(width,))


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_rounds_are_found_by_keyboard(visit: Visits, width: int) -> None:
    hit()
    page = visit("/admin/tables/round/", by=person("ann"), width=width)
    page.get_by_label("Player").fill("P-6")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row")).to_have_count(2)
    assert_accessible(page)
    assert_fits(page)
    pictures(page, "rounds", widths=(width,))
