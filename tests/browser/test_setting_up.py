"""Rule sets and set-up in a real browser: figures as they are typed, without a script too, for everybody."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from jackpot.models.change_requests import ChangeRequest
from tables.models.rulesets import RuleSetVersion
from tests.admin.people import page as address
from tests.admin.people import step
from tests.browser.looks import SCHEMES, assert_accessible, assert_fits, pictures
from tests.browser.visits import PHONE, WIDE, Visits
from tests.factories import house, person
from tests.factories.set_up import ask_setup, change_rules

LOOKED_AT = ("rule-set-next", "rule-sets-compared", "opening", "table", "site-add")
AS_PUBLISHED, WITH_A_FLUSH_AT_SIX = "96.502063%", "93.476569%"


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_every_page_is_for_everybody(visit: Visits, width: int) -> None:
    demo = house()
    version = RuleSetVersion.objects.get(rule_set__code="casino-progressive")
    change_rules(version.rule_set, betting_seconds=30)
    ask_setup(demo.table(), link=None)
    pages = {
        "rule-set-next": step(version, "next"),
        "rule-sets-compared": reverse("admin:tables_rulesetversion_compare") + f"?a={version}&b=casino-progressive@2",
        "table": address(demo.table()), "table-setup": step(demo.table(), "setup"), "site": address(demo.site),
        "site-add": reverse("admin:jackpot_site_add"), "opening": step(demo.site, "jackpot"),
        "open-table": step(demo.site, "table"), "table-asked": address(ChangeRequest.objects.get(decided=None)),
    }  # fmt: skip
    page = visit("/admin/", by=person("ann"), width=width)
    for name, at in pages.items():
        page.goto(visit.address + at)
        pictures(page, name, widths=(width,))
        assert_fits(page)
        if width == WIDE and name in LOOKED_AT:
            assert_accessible(page, schemes=("dark",) if name == "table" else SCHEMES)


def test_figures_follow_what_is_typed_and_nothing_is_asked(visit: Visits) -> None:
    house()
    version = RuleSetVersion.objects.get(rule_set__code="casino-progressive")
    page = visit(step(version, "next"), by=person("ann"))
    figures = page.get_by_role("status")
    expect(figures).to_contain_text(AS_PUBLISHED)
    page.get_by_label("Name of the Trips table").fill("house-trips")
    flush = page.get_by_label("Trips, flush", exact=True)
    flush.fill("6")
    expect(figures).to_contain_text(WITH_A_FLUSH_AT_SIX)
    flush.fill("six")
    expect(figures).to_contain_text("lines.flush")
    assert not ChangeRequest.objects.exists()


def test_without_a_script_the_button_recomputes(visit: Visits) -> None:
    house()
    version = RuleSetVersion.objects.get(rule_set__code="casino-progressive")
    page = visit(step(version, "next"), by=person("ann"), javascript=False)
    page.get_by_label("Name of the Trips table").fill("house-trips")
    page.get_by_label("Trips, flush", exact=True).fill("6")
    page.get_by_role("button", name="Recompute").click()
    expect(page.get_by_role("status")).to_contain_text(WITH_A_FLUSH_AT_SIX)
    expect(page.get_by_label("Trips, flush", exact=True)).to_have_value("6")
    assert not ChangeRequest.objects.exists()
