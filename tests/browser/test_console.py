"""The console's frame: everybody can use it, on a desk and on a phone, and it needs no other host."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import assert_accessible, assert_fits, pictures
from tests.browser.visits import PHONE, WIDE, Visits
from tests.factories import house, person


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_way_in(visit: Visits, width: int) -> None:
    page = visit("/admin/", width=width)
    expect(page.get_by_label("Username")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    pictures(page, "login", widths=(width,))


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_reports(visit: Visits, width: int) -> None:
    house()
    page = visit("/admin/reports/", by=person("ann"), width=width)
    expect(page.get_by_role("heading", name="Reports", level=1)).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    pictures(page, "reports", widths=(width,))
