"""Tables on paper: as wide as they need, their head repeated on every page, in groups of columns where they are wider.

Text wraps in its column, amounts never do; a row higher than a page goes on on the next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from reportlab.pdfgen.canvas import Canvas

from jackpot.http.pdf.fonts import BOLD, MONO, REGULAR, printable, width_of
from jackpot.http.pdf.paper import GREY, INK, LEADING, Paper
from jackpot.http.pdf.setting import lines_of

PAD = 3.0
"""Blank at each side of a cell, in points."""
_WIDEST, _WORD, _TITLE = 260.0, 84.0, 70.0
"""How wide text is let grow, from where on its words are broken, and how much room a title is given."""
_MEASURED = 12
"""How many of a column's texts are measured: its longest."""


class Drawing(Protocol):
    """What a cell may hold instead of text."""

    @property
    def width(self) -> float: ...

    @property
    def height(self) -> float: ...

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """From its lower left corner."""


Cell = str | Drawing


@dataclass(frozen=True, slots=True)
class Column:
    """A column: amounts stand at the right and never wrap, digests are set in letters of one width."""

    title: str
    right: bool = False
    mono: bool = False

    @property
    def font(self) -> str:
        return MONO if self.mono else REGULAR


Row = Sequence[Cell]


@dataclass(frozen=True, slots=True)
class _Group:
    """Columns that stand beside one another, by number, and the width of each."""

    numbers: Sequence[int]
    widths: Sequence[float]


def table(
    paper: Paper,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    total: Row | None = None,
    size: float = 7,
    smallest: float | None = None,
    keys: int = 1,
    strong: frozenset[int] = frozenset(),
) -> None:
    """Set a table. `total` is its last row; the rows numbered in `strong` are set in bold. One that is too wide is set
    in letters down to `smallest` if that is enough; else in groups of columns, each after the first `keys` columns.
    """
    groups = _groups(columns, rows, total, size, paper.width, keys)
    if len(groups) > 1 and smallest is not None:
        smaller = _groups(columns, rows, total, smallest, paper.width, keys)
        groups, size = (smaller, smallest) if len(smaller) == 1 else (groups, size)
    for n, group in enumerate(groups):
        if n:
            paper.gap(size * 1.5)
        _Set(paper, columns, group, size, f"columns {n + 1} of {len(groups)}" if len(groups) > 1 else "").rows(
            rows, total, strong
        )


def _groups(
    columns: Sequence[Column], rows: Sequence[Row], total: Row | None, size: float, room: float, keys: int
) -> list[_Group]:
    every = [*rows, total] if total is not None else rows
    cells = [[row[n] for row in every] for n in range(len(columns))]
    wanted = [_wanted(column, found, size) for column, found in zip(columns, cells, strict=True)]
    least = [_least(*measured, size) for measured in zip(columns, cells, wanted, strict=True)]
    split = _split(least, room, keys)
    return [_Group(numbers, _spread([wanted[n] for n in numbers], [least[n] for n in numbers], room))
            for numbers in split]  # fmt: skip


def _split(least: Sequence[float], room: float, keys: int) -> list[list[int]]:
    """Columns by number in as few groups as fit, about equally wide, each with the key columns before it."""
    first, others = list(range(min(keys, len(least)))), range(min(keys, len(least)), len(least))
    beside = room - sum(least[:keys])
    count = -(-sum(least[n] for n in others) // max(beside, 1.0))
    share = sum(least[n] for n in others) / max(count, 1.0)
    groups: list[list[int]] = [[]]
    for n in others:
        filled = sum(least[m] for m in groups[-1])
        if groups[-1] and (filled + least[n] > beside or filled + least[n] / 2 > share):
            groups.append([])
        groups[-1].append(n)
    return [first + group for group in groups]


def _wanted(column: Column, cells: Sequence[Cell], size: float) -> float:
    """The width at which nothing wraps but text that is very long. The longest texts are measured."""
    drawn = max((cell.width for cell in cells if not isinstance(cell, str)), default=0.0)
    widest = max((_width(column, text, size) for text in _longest(cells)), default=0.0)
    title = max(min(width_of(column.title, BOLD, size), _TITLE), _longest_word(column.title, size))
    return max(widest if column.right else min(widest, _WIDEST), drawn, title) + 2 * PAD


def _least(column: Column, cells: Sequence[Cell], wanted: float, size: float) -> float:
    """The width below which words would be broken, as long as they are not too long for that."""
    if column.right:
        return wanted
    drawn = max((cell.width for cell in cells if not isinstance(cell, str)), default=0.0)
    words = max((_width(column, word, size) for text in _longest(cells) for word in text.split()), default=0.0)
    return min(wanted, max(min(words, _WORD), drawn, _longest_word(column.title, size)) + 2 * PAD)


def _longest(cells: Sequence[Cell]) -> list[str]:
    return sorted({cell for cell in cells if isinstance(cell, str)}, key=len)[-_MEASURED:]


def _width(column: Column, text: str, size: float) -> float:
    return max(width_of(line, column.font if column.mono else BOLD, size) for line in printable(text).split("\n"))


def _longest_word(title: str, size: float) -> float:
    return max(width_of(word, BOLD, size) for word in title.split())


def _spread(wanted: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """As much as is wanted, or what is there shared out by what each could give."""
    spare = room - sum(least)
    asked = sum(wanted) - sum(least)
    share = min(1.0, max(0.0, spare / asked)) if asked else 0.0
    found = [low + (high - low) * share for low, high in zip(least, wanted, strict=True)]
    too_wide = sum(found) / room
    return [width / too_wide for width in found] if too_wide > 1 else found


class _Set:
    """One group of columns being set."""

    def __init__(self, paper: Paper, columns: Sequence[Column], group: _Group, size: float, note: str) -> None:
        self.paper, self.group, self.size, self.note = paper, group, size, note
        self.columns = [columns[n] for n in group.numbers]
        self.width = sum(group.widths)
        self.line = size * LEADING
        self.titles = [lines_of(column.title, BOLD, size, width - 2 * PAD)
                       for column, width in zip(self.columns, group.widths, strict=True)]  # fmt: skip

    def rows(self, rows: Sequence[Row], total: Row | None, strong: frozenset[int]) -> None:
        self.head(self.line * 3)
        for n, row in enumerate(rows):
            self.row(row, bold=n in strong)
        if total is not None:
            self.paper.rule(self.paper.y, width=self.width, weight=0.8, color=INK)
            self.row(total, bold=True)
            self.paper.rule(self.paper.y + 1.2, width=self.width, weight=0.8, color=INK)

    def head(self, then: float = 0) -> None:
        paper, high = self.paper, max(map(len, self.titles))
        paper.need(high * self.line + self.size + then)
        if self.note:
            paper.y -= self.line
            paper.put(paper.left, paper.y, self.note, REGULAR, self.size - 1, GREY)
        paper.y -= 2
        for n in range(high):
            paper.y -= self.line
            for (x, width, column), lines in zip(self.places(), self.titles, strict=True):
                at = n - (high - len(lines))
                if at >= 0:
                    self.put(x, width, lines[at], column.right, BOLD)
        paper.y -= self.size * 0.45
        paper.rule(paper.y, width=self.width, weight=0.8, color=INK)

    def places(self) -> Iterator[tuple[float, float, Column]]:
        x = self.paper.left
        for width, column in zip(self.group.widths, self.columns, strict=True):
            yield x, width, column
            x += width

    def row(self, row: Row, *, bold: bool = False) -> None:
        places = zip(self.group.numbers, self.columns, self.group.widths, strict=True)
        cells = [self.cell(row[n], column, width, bold=bold) for n, column, width in places]
        count = max((len(lines) for lines in cells if isinstance(lines, list)), default=1)
        drawn = max((cell.height + 3 for cell in cells if not isinstance(cell, list)), default=0.0)
        high = max(count * self.line, drawn) + self.size * 0.35
        if high > self.paper.left_over and high <= self.paper.whole - self.line * 4:
            self.turn()
        self.draw(cells, count, drawn, bold=bold)
        self.paper.y -= self.size * 0.35
        self.paper.rule(self.paper.y, width=self.width, weight=0.25)

    def draw(self, cells: Sequence[list[str] | Drawing], count: int, drawn: float, *, bold: bool) -> None:
        paper, top = self.paper, self.paper.y
        for (x, _, _), cell in zip(self.places(), cells, strict=True):
            if not isinstance(cell, list):
                cell.draw(paper.canvas, x + PAD, top - cell.height - 3)
        for n in range(count):
            if paper.left_over < self.line:
                self.turn()
                top = paper.y
            paper.y -= self.line
            for (x, width, column), cell in zip(self.places(), cells, strict=True):
                if isinstance(cell, list) and n < len(cell):
                    self.put(x, width, cell[n], column.right, BOLD if bold else column.font)
        paper.y = min(paper.y, top - drawn)

    def cell(self, cell: Cell, column: Column, width: float, *, bold: bool) -> list[str] | Drawing:
        if not isinstance(cell, str):
            return cell
        return lines_of(cell, BOLD if bold else column.font, self.size, width - 2 * PAD)

    def put(self, x: float, width: float, text: str, right: bool, font: str) -> None:
        y = self.paper.y
        if right:
            self.paper.put_right(x + width - PAD, y, text, font, self.size)
        else:
            self.paper.put(x + PAD, y, text, font, self.size)

    def turn(self) -> None:
        self.paper.turn()
        self.head()
