"""Where the boxes of a round stand on the felt, and the arrows between them; for wide screens, told in a list as well.

An arrow is drawn in parts that keep their form at any width: a curve stretched between two columns, and heads that are
not stretched. Places across are percentages of the felt's width, heights are pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tables.admin.drawn import Envied, Seat

MOST_SEATS = 7
"""More boxes than these stand in rows, and their Envy in the list alone."""

HEIGHT = 76
"""Of the strip over the boxes in which arrows are drawn."""

_LIFTS = {1: (0,), 2: (0, 0), 3: (0, 14, 0), 4: (0, 16, 16, 0), 5: (0, 16, 24, 16, 0), 6: (0, 16, 26, 26, 16, 0),
          7: (0, 14, 24, 30, 24, 14, 0)}  # fmt: skip
_LEAVING, _COMING, _ASIDE = 0.22, 0.04, 0.08
"""How far beside the middle of its box an arrow begins and ends, in widths of a box, so that two ways stay apart; and
how much farther those of the next hit end.
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A box's place: `column` from 1, `lift` in pixels by which it hangs lower, as around a half round table."""

    seat: Seat
    column: int
    lift: int


@dataclass(frozen=True, slots=True)
class Arrow:
    """`left` and `width` of the curve and its `tip` in percent of the felt; `path` in a box of 100 by its height."""

    left: str
    width: str
    height: int
    path: str
    tip: str
    tip_y: int
    kind: str


@dataclass(frozen=True, slots=True)
class Felt:
    """The places of a table; with none the boxes stand in rows."""

    places: Sequence[Place]
    arrows: Sequence[Arrow]
    columns: int

    @property
    def height(self) -> int:
        return HEIGHT + max((place.lift for place in self.places), default=0)


def felt_of(seats: Sequence[Seat], envy: Sequence[Envied]) -> Felt | None:
    """Boxes in their places, the empty ones between them too; None for more than stand around a table."""
    taken = {seat.number: seat for seat in seats}
    if not taken or len(taken) > MOST_SEATS:
        return None
    last = max(taken)
    numbers = list(range(1, last + 1)) if last <= MOST_SEATS else sorted(taken)
    lifts = _LIFTS[len(numbers)]
    places = [
        Place(taken.get(number, Seat(number)), n + 1, lifts[n]) for n, number in enumerate(numbers)
    ]  # fmt: skip
    at = {place.seat.number: place for place in places}
    hits = sorted({one.from_box for one in envy})
    arrows = [
        _arrow(at[one.from_box], at[one.to_box], len(places), hits.index(one.from_box))
        for one in envy
        if one.from_box in at and one.to_box in at
    ]
    return Felt(places, arrows, len(places))


def _arrow(start: Place, end: Place, columns: int, hit: int) -> Arrow:
    """From above one box to above another; a longer way goes higher, and the second hit's lower."""
    side = 1 if end.column > start.column else -1
    begins = (start.column - 0.5 + side * _LEAVING) * 100 / columns
    ends = (end.column - 0.5 - side * (_COMING + _ASIDE * hit)) * 100 / columns
    low, high = sorted((begins, ends))
    top = 10 + 16 * hit - min(8, 2 * abs(end.column - start.column))
    y_start, y_end = HEIGHT + start.lift - 3, HEIGHT + end.lift - 3
    x_start, x_end = (0, 100) if side > 0 else (100, 0)
    peak = top - (min(y_start, y_end) - top) // 3
    path = f"M{x_start} {y_start} C{x_start} {peak} {x_end} {peak} {x_end} {y_end - 8}"
    kind = "one" if hit % 2 == 0 else "other"
    return Arrow(f"{low:.2f}%", f"{high - low:.2f}%", max(y_start, y_end), path, f"{ends:.2f}%", y_end, kind)
