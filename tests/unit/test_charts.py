"""Charts: where points and bars are drawn, and that every figure is in the table."""

from datetime import UTC, datetime, timedelta

from jackpot.admin.charts import Column, Point, bars, over_time

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
SINCE = NOW - timedelta(hours=10)


def line(*points: tuple[int, int]) -> str:
    """The path through points, each the hours since `SINCE` and a value."""
    made = [Point(SINCE + timedelta(hours=at), value, str(at), (str(value),), mark=value == 0) for at, value in points]
    chart = over_time(
        "t", "a", made, since=SINCE, now=NOW, columns=("at", "value"), ends=("", ""), high="", low=""
    )  # fmt: skip
    assert [row[1] for row in chart.rows] == [str(value) for _, value in points]
    assert len(chart.marks) == sum(value == 0 for _, value in points)
    return f"{chart.line} {chart.still}"


def test_a_line_runs_from_the_least_to_the_greatest_and_is_broken_behind_its_last_point() -> None:
    assert line((0, 0), (5, 10)) == "M0.0 100.0 L500.0 6.0 M500.0 6.0 H1000"


def test_what_lies_before_stands_at_the_left_edge() -> None:
    assert line((-5, 10), (10, 20)).startswith("M0.0 100.0 L1000.0 6.0")


def test_a_value_that_stays_is_a_line_in_the_middle() -> None:
    assert line((1, 7), (9, 7)) == "M100.0 50.0 L900.0 50.0 M900.0 50.0 H1000"


def drawn(*values: int) -> list[tuple[float, float]]:
    """The tops and heights of bars."""
    found = [Column(str(n), value, (str(value),)) for n, value in enumerate(values)]
    chart = bars("t", "a", found, columns=("n", "value"), high="", low="")
    assert chart.rows == [(str(n), str(value)) for n, value in enumerate(values)]
    assert [bar.text for bar in chart.bars] == [f"{n}: {value}" for n, value in enumerate(values)]
    assert all(bar.x >= 0 and bar.x + bar.width <= 1000 for bar in chart.bars)
    return [(bar.y, bar.height) for bar in chart.bars]


def test_bars_begin_at_nothing() -> None:
    assert drawn(0, 50, 100) == [(100, 0), (53, 47), (6, 94)]


def test_what_is_below_nothing_hangs_from_the_same_line() -> None:
    assert drawn(50, -50) == [(6, 47), (53, 47)]


def test_where_nothing_was_there_is_no_bar() -> None:
    assert drawn(0, 0) == [(6, 0), (6, 0)]
