"""Charts drawn by the server: SVG without a script, and every figure of it in a table below.

A chart is drawn into a box of 1000 by 100 that is stretched to the page's width; its texts stand beside it as HTML, so
that they keep their size on a phone and on paper. What is drawn is rounded to a tenth of the box; the table is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

WIDTH, HEIGHT = 1000, 100
_TOP = 6
"""Room above the highest value, so that its line is whole."""
_FILLED = 0.6
"""How much of its place a bar takes."""


class Bar(NamedTuple):
    """A bar as it is drawn, and what is said of it."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """What the template draws. `high` and `low` are the texts of the scale's ends, `first` and `last` of the other's.

    `line` and `still` are paths: what was posted, and from then to now, when nothing was. `marks` are upright lines.
    `rows` are the figures, each a label and its texts under `columns`; `proof` what they are made of, its address.
    """

    title: str
    about: str
    high: str
    low: str
    first: str
    last: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    line: str = ""
    still: str = ""
    marks: Sequence[float] = ()
    bars: Sequence[Bar] = ()
    proof: tuple[str, str] | None = None

    @property
    def box(self) -> str:
        return f"0 0 {WIDTH} {HEIGHT}"

    @property
    def height(self) -> int:
        return HEIGHT


class Point(NamedTuple):
    """A value at an instant, as it is drawn and as it is written; `mark`: something happened here."""

    at: datetime
    value: int
    label: str
    texts: Sequence[str]
    mark: bool = False


def over_time(
    title: str, about: str, points: Sequence[Point], *, since: datetime, now: datetime, columns: Sequence[str],
    ends: tuple[str, str], high: str, low: str, proof: tuple[str, str] | None = None,
) -> Chart:  # fmt: skip
    """A line through points from `since` to `now`; behind the last one it is broken: nothing was posted since.

    What lies before `since` is drawn at its left edge. `high` and `low` are written at the scale's ends, which are the
    greatest and the least value.
    """
    least, most = min(point.value for point in points), max(point.value for point in points)
    span = max(1.0, (now - since).total_seconds())

    def x(at: datetime) -> float:
        return round(WIDTH * min(1.0, max(0.0, (at - since).total_seconds() / span)), 1)

    def y(value: int) -> float:
        return round(HEIGHT - (HEIGHT - _TOP) * (value - least) / (most - least), 1) if most > least else HEIGHT / 2

    places = [(x(point.at), y(point.value)) for point in points]
    return Chart(
        title, about, high, low, *ends, columns, [(point.label, *point.texts) for point in points],
        line="M" + " L".join(f"{left} {down}" for left, down in places),
        still=f"M{places[-1][0]} {places[-1][1]} H{WIDTH}",
        marks=[x(point.at) for point in points if point.mark], proof=proof,
    )  # fmt: skip


class Column(NamedTuple):
    """A bar to be drawn: its label, its value, and what is written of it."""

    label: str
    value: int
    texts: Sequence[str]


def bars(
    title: str, about: str, found: Sequence[Column], *, columns: Sequence[str], high: str, low: str,
    proof: tuple[str, str] | None = None,
) -> Chart:  # fmt: skip
    """Bars that begin at nothing, the first label at the left; values below nothing hang from the same line."""
    most, least = max(0, *(one.value for one in found)), min(0, *(one.value for one in found))
    scale = (HEIGHT - _TOP) / ((most - least) or 1)
    slot, zero = WIDTH / len(found), _TOP + most * scale
    drawn = [
        Bar(
            round(place * slot + slot * (1 - _FILLED) / 2, 1), round(zero - max(0, one.value) * scale, 1),
            round(slot * _FILLED, 1), round(abs(one.value) * scale, 1), ": ".join((one.label, ", ".join(one.texts))),
        )
        for place, one in enumerate(found)
    ]  # fmt: skip
    rows = [(one.label, *one.texts) for one in found]
    return Chart(title, about, high, low, found[0].label, found[-1].label, columns, rows, bars=drawn, proof=proof)
