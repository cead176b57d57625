"""Cards drawn on paper as cards: a rank and its suit, black or red, in the letters of an embedded font."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.lib.colors import HexColor, white
from reportlab.pdfgen.canvas import Canvas

from jackpot.http.pdf.fonts import BOLD, REGULAR, width_of
from tables.domain.cards import in_symbols

_WIDTH, _HEIGHT, _BETWEEN = 19.0, 25.0, 3.0
_RED, _BLACK, _EDGE = HexColor("#c11b1b"), HexColor("#111111"), HexColor("#777777")


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards side by side, in their normal form ("As"); `scale` 1 is for a line of its own."""

    cards: Sequence[str]
    scale: float = 1.0

    @property
    def width(self) -> float:
        return len(self.cards) * (_WIDTH + _BETWEEN) * self.scale

    @property
    def height(self) -> float:
        return _HEIGHT * self.scale

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """From their lower left corner."""
        for n, card in enumerate(self.cards):
            self._card(canvas, x + n * (_WIDTH + _BETWEEN) * self.scale, y, in_symbols(card))

    def _card(self, canvas: Canvas, x: float, y: float, symbols: str) -> None:
        rank, suit = symbols[:-1], symbols[-1]
        wide, high = _WIDTH * self.scale, _HEIGHT * self.scale
        canvas.setFillColor(white)
        canvas.setStrokeColor(_EDGE)
        canvas.setLineWidth(0.6)
        canvas.roundRect(x, y, wide, high, 2.5 * self.scale, stroke=1, fill=1)
        canvas.setFillColor(_RED if suit in "♥♦" else _BLACK)
        for text, font, size, at in ((rank, BOLD, 11.0, 0.54), (suit, REGULAR, 11.0, 0.12)):
            letters = size * self.scale
            canvas.setFont(font, letters)
            canvas.drawString(x + (wide - width_of(text, font, letters)) / 2, y + high * at, text)
