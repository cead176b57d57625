"""The daily pack of a site: every report, checks that hold on any day and fail on what was falsified, pages to read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pypdf import PdfReader

from jackpot.http.reports.titles import TITLES, title
from jackpot.models.ledger import Leg
from jackpot.models.sites import Site
from jackpot.reports import Report
from tables.http.daily_pdf import daily_pdf
from tables.reports.daily_pack import EVERY, ORDER, DailyPack, by_table, daily_pack
from tests.api.reporting import ALL, site_with_days, small_day
from tests.factories import caller, close_until, jackpot_with, low, play, reported
from tests.integration.test_reports_random import AUDITOR, DAY, made, past_the_guards, random_link, total
from tests.unit.builders import usd

MADE_AT = datetime(2026, 12, 1, 9, tzinfo=UTC)
SMALL = date(2026, 11, 29)


def pack_of(code: str, day: date = DAY) -> DailyPack:
    return daily_pack(site=Site.objects.get(code=code), day=day, caller=AUDITOR, made_at=MADE_AT, made_by="dee")


def text_of(pack: DailyPack) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(daily_pdf(pack))).pages)


def off(pack: DailyPack) -> list[str]:
    return [check.what for check in pack.checks if not check.agrees]


def test_it_holds_the_reports_of_the_contract_in_its_order_and_the_payouts() -> None:
    assert ORDER == ALL
    assert list(EVERY) == [*ALL, "payouts"]
    assert set(EVERY) <= set(TITLES)


@pytest.mark.parametrize("seed", [1, 4])
def test_checks_hold_at_every_site_of_a_day_at_random(seed: int, db: None) -> None:
    link = random_link(seed)
    home, away = pack_of("HOME"), pack_of("AWAY")
    assert (off(home), off(away)) == ([], [])
    assert {check.place for check in home.checks} == {"HOME", "LINK"}
    assert {check.place for check in away.checks} == {"AWAY"}
    assert any(check.left for check in home.checks)
    read = text_of(home)
    assert all(f"{n}. {title(name)}" in read for n, name in enumerate(EVERY, start=1))
    assert "DIFFER" not in read and "OK" in read
    _one_line_a_table(made("expected-posted", link))


def _one_line_a_table(whole: Report) -> None:
    """On paper the rounds of a table are one line; they add up to the report."""
    tables, differing = by_table(whole)
    assert len(tables.lines) == len({line.cells[0] for line in whole.lines}) > 1
    assert differing.lines == []
    assert total(tables, "rounds") == len(whole.lines)
    for column in ("contribution_posted", "returned_expected", "returned_posted", "envy_posted", "difference"):
        assert total(tables, column) == total(whole, column)


def a_result() -> None:
    past_the_guards("UPDATE tables_boxresult SET ante = ante + %s, blind = blind - %s WHERE hand = 'royal_flush'",
                    usd("0.01"), usd("0.01"))  # fmt: skip


def a_leg() -> None:
    legs = Leg.objects.values_list("entry_id", "position")
    past_the_guards("UPDATE jackpot_leg SET amount = amount + 5 WHERE (entry_id, position) = (%s, %s)",
                    *legs.get(account__code="awards:LINK", gaming_day=SMALL))  # fmt: skip


def a_row() -> None:
    past_the_guards("UPDATE jackpot_statementrow SET amount = amount + 7, after = after + 7 WHERE kind = 'award'")


@pytest.mark.parametrize(
    ("falsify", "found"),
    [(a_result, "every bet of every round"), (a_leg, "liabilities of the jackpot"), (a_row, "roll-forward foots")],
)
def test_what_was_falsified_is_a_difference(falsify: Callable[[], None], found: str, db: None) -> None:
    small_day()
    assert off(pack_of("HOME", SMALL)) == []
    falsify()
    pack = pack_of("HOME", SMALL)
    assert found in off(pack)
    assert "DIFFER" in text_of(pack)


def test_a_round_that_differs_is_listed_on_paper(db: None) -> None:
    small_day()
    past_the_guards("UPDATE tables_boxresult SET ante = ante + %s WHERE hand = 'royal_flush'", usd("0.01"))
    pack = pack_of("HOME", SMALL)
    posted = next(report for report in pack.reports if report.name == "expected-posted")
    _, differing = by_table(posted)
    assert len(differing.lines) == 1
    read = text_of(pack)
    assert "1 of 1 rounds DIFFER" in read and str(differing.lines[0].cells[2]) in read


def test_contributions_at_the_border_of_a_day_are_told_apart(db: None) -> None:
    """A round counts to the day it was complete in, its contribution to that in which betting closed."""
    site = site_with_days("HOME", *(SMALL + timedelta(days=n) for n in (-1, 0, 1)))
    jackpot_with(site=site, now=datetime(2026, 11, 28, 12, tzinfo=UTC))
    first = datetime(2026, 11, 29, 6, tzinfo=UTC)
    instants = (first - timedelta(hours=1), first, first + timedelta(hours=3), first + timedelta(days=1))
    play(*(reported(low(1), table="T-01", at=at) for at in instants), by=caller("HOME"))
    pack = pack_of("HOME", SMALL)
    assert off(pack) == []
    (timed,) = [check for check in pack.checks if check.what == "contributed by rounds"]
    assert timed.left_is.count("0.22000000") == 2


@pytest.mark.parametrize(
    ("code", "day", "hours"), [("NYC", date(2026, 10, 31), "25"), ("NYC", date(2026, 3, 7), "23"), ("NYC", SMALL, "24")]
)
def test_the_cover_says_the_days_bounds_by_both_clocks(code: str, day: date, hours: str, db: None) -> None:
    site = site_with_days(code, day, timezone="America/New_York")
    read = text_of(pack_of(code, day))
    assert f"Hours {hours}" in read and "06:00:00 E" in read and "UTC" in read
    assert "open: figures may still change" in read
    closing = close_until(site, day)[-1]
    assert f"closed at {closing.closed_at:%Y-%m-%d %H:%M:%S}" in text_of(pack_of(code, day))
    assert "never opened" in text_of(pack_of(code, day + timedelta(days=3)))


def test_a_day_without_anything_says_no_activity_in_every_report(db: None) -> None:
    site_with_days("EMPTY", SMALL)
    pack = pack_of("EMPTY", SMALL)
    assert [report.name for report in pack.reports if report.lines] == []
    assert (pack.checks, text_of(pack).count("No activity")) == ([], 2 * len(EVERY) + 1)


def test_the_same_pack_gives_the_same_bytes(db: None) -> None:
    small_day()
    assert daily_pdf(pack_of("HOME", SMALL)) == daily_pdf(pack_of("HOME", SMALL))


def test_a_long_report_runs_over_many_pages(db: None) -> None:
    small_day()
    pack = pack_of("HOME", SMALL)
    awards = next(report for report in pack.reports if report.name == "awards")
    long = replace(awards, lines=list(awards.lines) * 300)
    assert len(PdfReader(BytesIO(daily_pdf(replace(pack, reports=[long])))).pages) > 8


def test_the_command(db: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_day()
    target = tmp_path / "day.pdf"

    def run(site: str, to: Path) -> Any:
        return call_command("daily_pack", "--site", site, "--day", "2026-11-29", "--output", str(to))

    run("HOME", target)
    assert "checks agree" in capsys.readouterr().out
    assert target.read_bytes().startswith(b"%PDF-")
    with pytest.raises(CommandError, match="is there already"):
        run("HOME", target)
    with pytest.raises(CommandError, match="there is no site"):
        run("NOWHERE", tmp_path / "x.pdf")
    past_the_guards("UPDATE tables_boxresult SET ante = ante + %s WHERE hand = 'royal_flush'", usd("0.01"))
    with pytest.raises(CommandError, match="HOME: returned of rounds differs"):
        run("HOME", tmp_path / "off.pdf")
    assert (tmp_path / "off.pdf").exists()
