"""Breaking text into lines: after blanks where there are any, else wherever the line is full. Nothing is cut off."""

import re
from collections.abc import Iterator

from jackpot.http.pdf.fonts import printable, width_of

_PIECES = re.compile(r"[^\s\-_/\]]*[\s\-_/\]]?")
"""Where a line may end: after blanks, and after what joins the parts of a code or a reference."""


def lines_of(text: str, font: str, size: float, width: float) -> list[str]:
    """A text in lines that are at most so wide, in points; at least one."""
    lines: list[str] = []
    for paragraph in printable(text).split("\n"):
        lines += _wrapped(paragraph, font, size, width)
    return lines


def _wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    if width_of(text, font, size) <= width:
        return [text]
    lines, line = [], ""
    for piece in _pieces(text, font, size, width):
        if line and width_of((line + piece).rstrip(), font, size) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()]


def _pieces(text: str, font: str, size: float, width: float) -> Iterator[str]:
    """The pieces between which a line may end; one that is wider than a line is broken where the line is full."""
    for piece in _PIECES.findall(text):
        while width_of(piece.rstrip(), font, size) > width and len(piece) > 1:
            fits = _longest(piece, font, size, width)
            yield piece[:fits]
            piece = piece[fits:]  # noqa: PLW2901  # the rest of the same piece
        if piece:
            yield piece


def _longest(text: str, font: str, size: float, width: float) -> int:
    """How many characters fit, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(text[:middle], font, size) <= width:
            low = middle
        else:
            high = middle - 1
    return low
