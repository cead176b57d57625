"""How the console writes ages, instants and money."""

from datetime import UTC, datetime, timedelta

import pytest

from jackpot.admin.base import age, grouped, moment
from jackpot.money import currency

NOW = datetime(2026, 11, 29, 14, 24, 10, tzinfo=UTC)


@pytest.mark.parametrize(("seconds", "written"), [
    (-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (3_599, "59 min 59 s"), (3_600, "1 h 0 min"),
    (90_061, "1 d 1 h"), (40 * 86_400, "40 d 0 h"),
])  # fmt: skip
def test_an_age_has_its_two_largest_units(seconds: int, written: str) -> None:
    assert age(NOW - timedelta(seconds=seconds), NOW) == written


def test_an_instant_is_in_utc() -> None:
    assert moment(NOW) == "2026-11-29 14:24:10 UTC"
    assert moment(None) == "–"


@pytest.mark.parametrize(("units", "code", "written"), [
    (1_234_567_890_000_000, "USD", "12,345,678.90 USD"), (-1_000_000_000_000, "USD", "-10,000.00 USD"),
    (-50_000_000, "USD", "-0.50 USD"), (1_234_000_000, "JPY", "1,234 JPY"), (999_000_000, "USD", "9.99 USD"),
    (None, "USD", "–"),
])  # fmt: skip
def test_money_has_its_thousands_apart(units: int | None, code: str, written: str) -> None:
    assert grouped(units, currency(code)) == written
