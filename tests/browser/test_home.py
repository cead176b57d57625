"""The console's home, a jackpot's pages and gaming days, as an operator goes through them."""

from datetime import datetime, timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from jackpot.models.jackpots import Jackpot
from jackpot.selectors.days import day_of
from tables.domain.facts import Reported
from tests.browser.looks import assert_accessible, assert_fits, pictures
from tests.browser.visits import PHONE, WIDE, Visits
from tests.factories import change_policy, close_until, house, low, person, play, receive, reported, royal
from tests.unit.builders import FOLD


def busy_house() -> Jackpot:
    """It played today and on two days before, was hit, has another policy to come, and a round that waits."""
    link, now = house().jackpot, timezone.now()
    for back in (2, 1, 0):
        play(*_rounds(now - timedelta(days=back, minutes=5), 20 + 10 * back))
    play(reported(royal(1), low(2), at=now - timedelta(minutes=3)))
    play(*_rounds(now - timedelta(minutes=1), 10))
    change_policy(link, base="20000.00", at=now)
    receive(reported(low(1), at=now))
    return link


def _rounds(at: datetime, count: int) -> list[Reported]:
    return [
        reported(low(1, decision=FOLD), low(2, pair="8c 9h", player="P-2"), table=f"UTH-0{1 + n % 4}", at=at)
        for n in range(count)
    ]


def _looked_at(page: Page, name: str) -> None:
    """As it is seen on a desk, and on a phone."""
    assert_accessible(page)
    pictures(page, name)
    page.set_viewport_size({"width": PHONE, "height": 844})
    assert_fits(page)
    page.set_viewport_size({"width": WIDE, "height": 900})


def test_from_the_home_to_the_proof_of_a_meter(visit: Visits) -> None:
    link = busy_house()
    page = visit("/admin/", by=person("ann"))
    expect(page.get_by_role("alert").first).to_contain_text("No worker is seen")
    expect(page.get_by_role("link", name="Hits to approve 1")).to_be_visible()
    page.get_by_text("Figures of MAIN · main, 24 hours").click()
    expect(page.get_by_role("table", name="MAIN · main, 24 hours")).to_be_visible()
    page.get_by_text("Figures of MAIN · main, 24 hours").click()
    _looked_at(page, "home")
    page.get_by_role("region", name="MAIN · main").get_by_role("link", name="USD").click()
    expect(page.get_by_role("table", name="Statement of MAIN, main, meter")).to_be_visible()
    _looked_at(page, "statement")
    page.get_by_role("link", name="Older rows").click()
    expect(page.get_by_role("link", name="Newer rows")).to_be_visible()
    for name, said in {
        "Roll-forward": "Every pot foots", "Policy versions": "≠ 20000.00 USD", "Chain": "it is what was sealed",
    }.items():  # fmt: skip
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_text(said)).to_be_visible()
        _looked_at(page, name.lower().replace(" ", "-"))
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_text(f"{link.name}")).to_be_visible()


def test_a_day_is_closed_without_a_script_and_handed_to_the_auditor(visit: Visits) -> None:
    link = busy_house()
    yesterday = day_of(link.home_site, timezone.now()) - timedelta(days=1)
    close_until(link.home_site, yesterday - timedelta(days=1))
    page = visit("/admin/", by=person("ann"), javascript=False)
    page.get_by_role("link", name="Days to close 1").click()
    page.get_by_role("link", name=str(yesterday)).click()
    page.get_by_role("link", name="Close the day").click()
    expect(page.get_by_role("table", name="Each pot from its opening to its closing")).to_be_visible()
    page.get_by_role("button", name="Close the day").click()
    expect(page.get_by_text(f"{yesterday} of DEMO is closed")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Auditor's pack (ZIP)").click()
    assert download.value.suggested_filename == f"auditor_DEMO_{yesterday}.zip"


def test_days_are_for_everybodys_eyes_and_print(visit: Visits) -> None:
    link = busy_house()
    yesterday = day_of(link.home_site, timezone.now()) - timedelta(days=1)
    page = visit("/admin/days/", by=person("ann"))
    _looked_at(page, "days")
    page.goto(f"/admin/days/DEMO/{yesterday}/close/")
    _looked_at(page, "close-refused")
    close_until(link.home_site, yesterday)
    page.goto(f"/admin/days/DEMO/{yesterday}/")
    _looked_at(page, "day")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name=f"gaming day {yesterday}")).to_be_visible()
    expect(page.get_by_role("link", name="Reports", exact=True)).to_be_hidden()
    expect(page.get_by_role("table", name="Pots, as they were closed")).to_be_visible()
    pictures(page, "day-printed", widths=(WIDE,))
    page.goto(f"/admin/reports/tables/?place=site:DEMO&day={yesterday}")
    expect(page.get_by_role("button", name="Show")).to_be_hidden()
    expect(page.get_by_role("link", name="Gaming days")).to_be_hidden()
    expect(page.get_by_role("table", name="Tables.")).to_be_visible()
    pictures(page, "report-printed", widths=(WIDE,))
