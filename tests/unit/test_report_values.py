"""Reports as values: footing, percentages, readings, what differs between two documents."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain.changes import Changed, changed
from jackpot.domain.readings import compare
from jackpot.domain.reports import Column, Kind, Line, Report, counts, line, money, percent_of, text
from jackpot.money import currency
from tests.unit.builders import USD, usd

EUR = currency("EUR")
COLUMNS = (*text("table"), *counts("rounds"), *money("handle", "result"),
           Column("hold", Kind.PERCENT, of=("result", "handle")))  # fmt: skip


def made(*lines: Line, known: bool = False) -> Report:
    at = datetime(2026, 11, 30, tzinfo=UTC)
    return Report("tables", COLUMNS, lines, {"day": "2026-11-29"}, at, "me", USD if known else None)


def test_totals_are_sums_and_percentages_those_of_the_totals() -> None:
    found = made(
        line(USD, "A", 1, 100, 10, 100_000), line(USD, "B", 2, 300, -50, -166_667), line(USD, "C", 0, 0, 0, None)
    )
    assert found.totals == Line(USD, (None, 3, 400, -40, -100_000))


def test_amounts_of_two_currencies_are_never_added() -> None:
    found = made(line(USD, "A", 1, 100, 10, None), line(EUR, "B", 2, 300, 20, None))
    assert found.totals == Line(None, (None, 3, None, None, None))


def test_the_sum_of_nothing_is_zero_where_a_currency_is_known() -> None:
    assert made(known=True).totals == Line(USD, (None, 0, 0, 0, None))
    assert made().totals == Line(None, (None, 0, None, None, None))


@pytest.mark.parametrize(
    ("part", "whole", "ppm"),
    [(1, 3, 333_333), (2, 3, 666_667), (-1, 3, -333_333), (1, -3, -333_333), (-1, -2, 500_000), (0, 5, 0), (5, 0, None),
     (1, 2_000_000, 1), (1, 2_000_001, 0), (-1, 2_000_000, -1)],
)  # fmt: skip
def test_percentages(part: int, whole: int, ppm: int | None) -> None:
    assert percent_of(part, whole) == ppm


@given(part=st.integers(-(10**20), 10**20), whole=st.integers(1, 10**20))
def test_a_percentage_is_the_nearest(part: int, whole: int) -> None:
    ppm = percent_of(part, whole)
    assert ppm is not None
    assert 2 * abs(ppm * whole - part * 1_000_000) <= whole


@pytest.mark.parametrize(
    ("shown", "variance", "ppm", "within"),
    [("10000.40", "0.00", 0, True), ("10000.60", "0.20", 20, True), ("10000.61", "0.21", 21, False),
     ("10000.20", "-0.20", -20, True), ("10000.19", "-0.21", -21, False)],
)  # fmt: skip
def test_a_reading_against_the_displayed_meter(shown: str, variance: str, ppm: int, within: bool) -> None:
    found = compare(shown=usd(shown), meter=usd("10000.40") + 750_000, tolerance=usd("0.20"))
    assert found.value == usd("10000.40")
    assert found.variance == (-usd(variance[1:]) if variance[0] == "-" else usd(variance))
    assert (found.percent_ppm, found.within) == (ppm, within)


def test_a_reading_of_an_empty_meter_has_no_percentage() -> None:
    assert compare(shown=usd("1.00"), meter=999_999, tolerance=0).percent_ppm is None


def test_what_differs_between_documents() -> None:
    before = {
        "stake": "1.00",
        "levels": [{"code": "main", "base": "10000.00", "limit": None}],
        "table": [{"hand": "flush", "odds": 40}],
        "fold_streets": ["river"],
    }
    after = {
        "stake": "1.00",
        "levels": [{"code": "main", "base": "20000.00", "limit": None}, {"code": "mini", "base": "10.00"}],
        "table": [{"hand": "flush", "odds": 35}],
        "fold_streets": ["flop", "river"],
        "approvals": 3,
    }
    assert changed(before, before) == []
    assert changed(before, after) == [
        Changed("approvals", None, "3"),
        Changed("fold_streets", '["river"]', '["flop", "river"]'),
        Changed("levels.main.base", "10000.00", "20000.00"),
        Changed("levels.mini.base", None, "10.00"),
        Changed("levels.mini.code", None, "mini"),
        Changed("table.flush.odds", "40", "35"),
    ]
