"""The sign in a browser: through a hit while a worker settles, without its source, on a wall and on a phone."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from config.processes import Fleet
from jackpot import services as jackpot
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import StatementRow
from jackpot.money import displayed, show
from jackpot.services.changes import jackpot_states
from jackpot.sign.on_page import grouped
from tables.services import houses
from tables.tasks import wake
from tests.browser.looks import assert_accessible, assert_fits, pictures
from tests.browser.visits import PHONE, WIDE, Visits
from tests.factories import (
    NOW,
    SiteFactory,
    low,
    person,
    policy,
    receive,
    reported,
    royal,
    straight_flush,
    table_with,
)
from tests.owner import application_url

WALL = 1920
RECORDER = (Path(__file__).parent / "recorder.js").read_text()
LEVELS = [
    {"code": "grand", "base": "250000.00", "increment_ppm": 100_000, "reserve_ppm": 0, "limit": None},
    {"code": "major", "base": "10000.00", "increment_ppm": 60_000, "reserve_ppm": 0, "limit": None},
    {"code": "mini", "base": "500.00", "increment_ppm": 40_000, "reserve_ppm": 0, "limit": None},
]
LINES = [
    {"hand": "royal_flush", "basis": "meter_share", "level": "grand", "ppm": 1_000_000},
    {"hand": "straight_flush", "basis": "meter_share", "level": "major", "ppm": 1_000_000},
    {"hand": "four_of_a_kind", "basis": "meter_share", "level": "mini", "ppm": 1_000_000},
]


@pytest.fixture
def link(transactional_db: None) -> Jackpot:
    """A jackpot of three levels with a table T-01; each test's has another code, as web processes remember them."""
    site = SiteFactory.create(timezone="America/New_York")
    made = jackpot.open_jackpot(
        code=f"COAST-{site.pk}", name="Silver Coast Progressive", currency_code="USD", home_site=site,
        document=policy(levels=LEVELS, progressive_table=LINES), in_force_at=houses.PUBLISHED_AT, now=timezone.now(),
    )  # fmt: skip
    table_with(site=site, link=made)
    return made


def _having(name: str) -> re.Pattern[str]:
    return re.compile(rf"(^|\s){name}(\s|$)")


def _zone(link: Jackpot) -> ZoneInfo:
    return ZoneInfo(link.home_site.timezone)


def play_on(link: Jackpot, *rounds: Any) -> None:
    """Rounds come in, and a worker is woken for them."""
    receive(*rounds)
    wake([link.lane.pk])


def shows(page: Page, level: str, figures: str) -> None:
    expect(page.locator(f'[data-level="{level}"] .amount .heard')).to_have_text(figures, timeout=20_000)


def stated(link: Jackpot) -> set[tuple[str, str, str]]:
    """Every value the meters ever had, as a sign shows it, with the time at which the statement has it."""
    found = set()
    for row in StatementRow.objects.filter(level__jackpot=link, pot="meter").select_related("level", "entry"):
        figures = grouped(show(displayed(row.after), link.currency))
        at = row.entry.posted_at.astimezone(_zone(link)).isoformat(timespec="microseconds")
        found.add((row.level.code, figures, at[11:19]))
    return found


def test_through_a_hit(visit: Visits, worker: Fleet, link: Jackpot) -> None:
    page = visit(f"/sign/{link.code}/", width=WALL, height=1080, script=RECORDER)
    shows(page, "grand", "250,000.00")
    expect(page.locator("main")).to_have_class(_having("live"))
    for cents in range(60, 361, 60):
        play_on(link, *(reported(low(), low(2, pair="4d 8h"), table="T-01") for _ in range(3)))
        shows(page, "grand", f"250,00{cents / 100:.2f}")
    expect(page.locator(".was")).to_have_count(0)
    size = page.evaluate("document.querySelectorAll('*').length")
    assert_accessible(page, schemes=("light",))
    pictures(page, "sign", full=False)
    page.set_viewport_size({"width": WALL, "height": 1080})

    play_on(link, reported(royal(), low(2, pair="4d 8h"), table="T-01"))
    hit = page.locator(".hit")
    expect(hit.locator(".hit-amount")).to_have_text("USD 250,003.80", timeout=20_000)
    award = Award.objects.get(kind="hit")
    assert grouped(show(award.amount, link.currency)) == "250,003.80"
    expect(hit.locator(".hit-hand")).to_have_text("Royal flush")
    expect(hit.locator(".hit-when")).to_have_text("Grand · 09:24:10")
    shows(page, "grand", "250,000.00")
    expect(page.locator(".last-hit")).to_have_text("Last hit: Royal flush, USD 250,003.80, 29 Nov 09:24")
    assert_accessible(page, schemes=("light",))
    pictures(page, "sign-hit", full=False)

    play_on(link, *(reported(low(), table="T-01") for _ in range(4)))
    shows(page, "grand", "250,000.40")
    page.evaluate("hits.until = 0")
    expect(hit).to_be_hidden()
    expect(page.locator(".was")).to_have_count(0)
    assert page.evaluate("document.querySelectorAll('*').length") == size + 1, "only the last hit came in, in bold"

    recorded = {tuple(seen) for seen in page.evaluate("[...recorded].map(JSON.parse)")}
    assert recorded <= stated(link), (sorted(recorded - stated(link)), sorted(stated(link)))
    assert len({figures for level, figures, _ in recorded if level == "grand"}) > 7, "it followed the meter"


@pytest.mark.parametrize("width", [WALL, PHONE])
def test_it_fits_whatever_it_shows_and_moves_for_nobody_who_asks(visit: Visits, link: Jackpot, width: int) -> None:
    page = visit(f"/sign/{link.code}/", width=width, height=1080 if width == WALL else 844, still=True)
    expect(page.locator("main")).to_have_class(_having("live"))
    for figures in ("1.00", "999,999,999.99"):
        amount = figures.replace(",", "")
        page.evaluate(f"levels.get('grand').show({{displayed: '{amount}', as_of: '2099-11-29T09:24:10-05:00'}})")
        assert_fits(page)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert page.evaluate("document.getAnimations().length") == 0
        box = page.locator('[data-level="grand"] .amount .seen').bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
    digit = page.locator('[data-level="grand"] .amount').evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert digit > width / 16, "the longest figure fills the width"
    page.evaluate("levels.get('grand').show({displayed: '2.00', as_of: '2098-11-29T09:24:10-05:00'})")
    shows(page, "grand", "999,999,999.99")  # an answer from before what was told is no news


def test_without_a_script_it_is_loaded_anew(visit: Visits, link: Jackpot) -> None:
    page = visit(f"/sign/{link.code}/", javascript=False)
    expect(page.locator('[data-level="major"] .amount')).to_have_text("10,000.00")
    expect(page.locator('[data-level="major"] .as-of')).to_contain_text("as of ")
    assert '<meta http-equiv="refresh"' in page.content()
    assert_fits(page)


def test_a_suspended_and_an_unknown_one_say_so(visit: Visits, link: Jackpot) -> None:
    page = visit(f"/sign/{link.code}/", width=PHONE)
    expect(page.locator("main")).to_have_class(_having("live"))
    jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=link.pk, note="lamp broken", now=NOW)
    page.evaluate("setInterval(() => asking.next = 0, 300)")
    expect(page.get_by_role("status")).to_contain_text("Suspended", timeout=20_000)
    shows(page, "grand", "250,000.00")
    assert_accessible(page, schemes=("light",))
    pictures(page, "sign-suspended", full=False)
    none = visit("/sign/NO-SUCH/")
    expect(none.get_by_role("heading", level=1)).to_have_text("There is no jackpot “NO-SUCH”")
    assert_accessible(none, schemes=("light",))


@pytest.fixture
def own(transactional_db: None, tmp_path: Path) -> Iterator[Fleet]:
    """A web process of the test's own, to be stopped and started."""
    with Fleet(
        log_dir=tmp_path, environment={"DATABASE_URL": application_url(), "DJANGO_ALLOW_ASYNC_UNSAFE": ""}
    ) as one:
        one.web()
        yield one


def test_without_its_source_it_says_so_and_comes_back(visit: Visits, own: Fleet, worker: Fleet, link: Jackpot) -> None:
    page = visit(f"/sign/{link.code}/", at=own.address, lossy=True, script=RECORDER)
    expect(page.locator("main")).to_have_class(_having("live"))
    own.stop()
    expect(page.get_by_role("status")).to_contain_text(
        "Not live – amounts were true at the times shown", timeout=20_000
    )
    expect(page.locator("main")).to_have_class(_having("lost"))
    shows(page, "grand", "250,000.00")
    assert_accessible(page, schemes=("light",))
    pictures(page, "sign-lost", full=False)

    play_on(link, reported(straight_flush(), table="T-01"))
    own.web(port=int(own.address.rpartition(":")[2]))
    expect(page.locator("main")).to_have_class(_having("live"), timeout=60_000)
    expect(page.get_by_role("status")).to_have_text("")
    shows(page, "grand", "250,000.10")
    expect(page.locator(".hit-hand")).to_have_text("Straight flush", timeout=30_000)
    recorded = {tuple(seen) for seen in page.evaluate("[...recorded].map(JSON.parse)")}
    assert recorded <= stated(link), recorded - stated(link)


def test_after_a_deployment_it_loads_itself_anew_and_only_once(visit: Visits, link: Jackpot) -> None:
    page = visit(f"/sign/{link.code}/")
    expect(page.locator("main")).to_have_class(_having("live"))
    answer = page.request.get(f"/sign/{link.code}/now").json()
    page.route("**/now", lambda route: route.fulfill(json=answer | {"version": "newer"}))
    with page.expect_navigation():
        page.evaluate("asking.next = 0")
    expect(page.locator("main")).to_have_class(_having("live"))
    page.evaluate("sign.dataset.mark = 'the same page'")
    with page.expect_response("**/now"):
        page.evaluate("asking.next = 0")
    expect(page.locator("[data-mark]")).to_have_count(1)


def test_without_a_stream_it_asks(visit: Visits, worker: Fleet, link: Jackpot) -> None:
    page = visit("/sign/NO-SUCH/", lossy=True, width=WIDE)
    page.route("**/stream", lambda route: route.fulfill(status=503, body=json.dumps({"code": "busy"})))
    page.goto(f"/sign/{link.code}/")
    play_on(link, reported(low(), table="T-01"))
    shows(page, "grand", "250,000.10")
    expect(page.locator("main")).to_have_class(_having("live"))
