"""Pages on which text runs down: a head and a foot on each, "Page n of m", and whatever is set in between."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from jackpot.http.pdf.fonts import BOLD, MONO, REGULAR, printable, ready, width_of
from jackpot.http.pdf.setting import lines_of

INK, GREY, RULE, ALARM = HexColor("#111111"), HexColor("#555555"), HexColor("#bbbbbb"), HexColor("#b91c1c")
MARGIN, HEAD, FOOT = 36.0, 30.0, 22.0
LEADING = 1.3
"""The height of a line, as a multiple of the size of its letters."""
_TOTAL = "pages"


@dataclass(frozen=True, slots=True)
class Running:
    """What stands on every page: its head at the left and the right, and its foot."""

    left: str
    right: str
    foot: str


class Paper:
    """A PDF being set; `y` is how far down the page it has come, in points from the bottom."""

    def __init__(self, running: Running, *, title: str, wide: bool = False) -> None:
        ready()
        self._made = BytesIO()
        self._size: tuple[float, float] = landscape(A4) if wide else A4
        self.canvas = Canvas(self._made, pagesize=self._size, invariant=1, pageCompression=1, lang="en")
        self.canvas.setTitle(printable(title))
        self.canvas.setAuthor("")
        self._running = running
        self.pages = 0
        self.y = 0.0
        self.turn()

    @property
    def left(self) -> float:
        return MARGIN

    @property
    def width(self) -> float:
        """Of the column in which text is set."""
        return self._size[0] - 2 * MARGIN

    @property
    def left_over(self) -> float:
        """The height that is left on this page."""
        return self.y - MARGIN - FOOT

    @property
    def whole(self) -> float:
        """The height of an empty page."""
        return self._size[1] - 2 * MARGIN - HEAD - FOOT

    def turn(self) -> None:
        """On to a new page."""
        if self.pages:
            self.canvas.showPage()
        self.pages += 1
        self.y = self._size[1] - MARGIN - HEAD
        self._head_and_foot()

    def need(self, height: float) -> None:
        """A new page unless so much is left on this one."""
        if height > self.left_over and self.left_over < self.whole:
            self.turn()

    def gap(self, height: float) -> None:
        """Leave blank; never at the top of a page."""
        if self.left_over < self.whole:
            self.y -= height

    def put(self, x: float, y: float, text: str, font: str = REGULAR, size: float = 9, color: Color = INK) -> None:
        """One line at a place of the page, from its base line; `text` is printable."""
        self.canvas.setFont(font, size)
        self.canvas.setFillColor(color)
        self.canvas.drawString(x, y, text)

    def put_right(
        self, x: float, y: float, text: str, font: str = REGULAR, size: float = 9, color: Color = INK
    ) -> None:
        """The same, ending at x."""
        self.put(x - width_of(text, font, size), y, text, font, size, color)

    def rule(self, y: float, *, x: float | None = None, width: float | None = None, weight: float = 0.5,
             color: Color = RULE) -> None:  # fmt: skip
        """A line across."""
        self.canvas.setStrokeColor(color)
        self.canvas.setLineWidth(weight)
        at = self.left if x is None else x
        self.canvas.line(at, y, at + (self.width if width is None else width), y)

    def heading(self, text: str, *, size: float = 13, then: float = 60) -> None:
        """A heading that never stands alone at the foot of a page: `then` is what must follow it there."""
        lines = lines_of(text, BOLD, size, self.width)
        self.gap(size)
        self.need(len(lines) * size * LEADING + then)
        for line in lines:
            self.y -= size * LEADING
            self.put(self.left, self.y, line, BOLD, size)
        self.y -= size * 0.5

    def caption(self, text: str, *, size: float = 9, then: float = 56) -> None:
        """What is said above a table; it stays with the table's head and first row."""
        self.need(size * LEADING + then)
        self.text(text, size=size)

    def mark(self, text: str, level: int = 0) -> None:
        """An entry of the outline that readers show beside the pages."""
        key = f"{text}/{self.pages}/{self.y}"
        self.canvas.bookmarkHorizontal(key, 0, self.y)
        self.canvas.addOutlineEntry(printable(text), key, level, closed=level > 0)

    def text(self, text: str, *, font: str = REGULAR, size: float = 9, color: Color = INK, indent: float = 0) -> None:
        """Running text."""
        for line in lines_of(text, font, size, self.width - indent):
            self.need(size * LEADING)
            self.y -= size * LEADING
            self.put(self.left + indent, self.y, line, font, size, color)

    def mono(self, text: str, *, size: float = 7) -> None:
        """Text whose letters are all of one width: digests and documents."""
        self.text(text, font=MONO, size=size)

    def pairs(self, pairs: Iterable[tuple[str, str]], *, size: float = 9, name_width: float = 130,
              mono: Sequence[str] = ()) -> None:  # fmt: skip
        """Names with their values, one below the other; a long value takes several lines."""
        for name, value in pairs:
            font = MONO if name in mono else REGULAR
            letters = size - 1.5 if font == MONO else size
            names = lines_of(name, REGULAR, size, name_width - 8)
            values = lines_of(value, font, letters, self.width - name_width)
            for n in range(max(len(names), len(values))):
                self.need(size * LEADING)
                self.y -= size * LEADING
                if n < len(names):
                    self.put(self.left, self.y, names[n], REGULAR, size, GREY)
                if n < len(values):
                    self.put(self.left + name_width, self.y, values[n], font, letters)

    def finish(self) -> bytes:
        """The whole file. Only now it is known how many pages there are."""
        self.canvas.showPage()
        self.canvas.beginForm(_TOTAL, 0, -4, 40, 12)
        self.canvas.setFont(REGULAR, 8)
        self.canvas.setFillColor(GREY)
        self.canvas.drawString(0, 0, str(self.pages))
        self.canvas.endForm()
        self.canvas.save()
        return self._made.getvalue()

    def _head_and_foot(self) -> None:
        top, bottom = self._size[1] - MARGIN - 8, MARGIN
        right = self.left + self.width
        aside = printable(self._running.right)
        room = self.width - width_of(aside, REGULAR, 8) - 12
        self.put(self.left, top, lines_of(self._running.left, BOLD, 8, room)[0], BOLD, 8, GREY)
        self.put_right(right, top, aside, REGULAR, 8, GREY)
        self.rule(top - 6)
        self.rule(bottom + 12)
        counted = f"Page {self.pages} of "
        at = right - width_of(counted + "00000", REGULAR, 8)
        self.put(self.left, bottom, lines_of(self._running.foot, REGULAR, 8, at - self.left - 12)[0], REGULAR, 8, GREY)
        self.put(at, bottom, counted, REGULAR, 8, GREY)
        self.canvas.saveState()
        self.canvas.translate(at + width_of(counted, REGULAR, 8), bottom)
        self.canvas.doForm(_TOTAL)
        self.canvas.restoreState()
