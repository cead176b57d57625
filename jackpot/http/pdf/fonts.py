"""The fonts of a pack, embedded in it, and what they can show: nothing is dropped, and nothing is shown as a box.

A character without a glyph, one that would change the order or the look of its neighbours unseen (controls, marks of
direction), and text that runs from right to left, which is not set here, is written as its code point: [U+05D0].
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, BOLD, MONO = "Pack", "Pack-Bold", "Pack-Mono"

_FOLDER = Path(__file__).parent / "fonts"
_FILES = {REGULAR: "DejaVuSansCondensed.ttf", BOLD: "DejaVuSansCondensed-Bold.ttf", MONO: "DejaVuSansMono.ttf"}
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI"}


@cache
def ready() -> None:
    """Let the fonts be known by their names; they are read once a process."""
    rl_config.useA85 = 0  # pages as bytes, not as letters: four fifths of the size
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, str(_FOLDER / file)))


def width_of(text: str, font: str, size: float) -> float:
    """How wide a text is, in points."""
    ready()
    if text.isascii():
        known = _ascii_widths(font)
        return sum(map(known.__getitem__, text.encode())) * size / 1000
    return float(pdfmetrics.stringWidth(text, font, size))


@cache
def _ascii_widths(font: str) -> tuple[float, ...]:
    return tuple(float(pdfmetrics.stringWidth(chr(code), font, 1000)) for code in range(128))


def printable(text: str) -> str:
    """A text as it is set; line breaks stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


@lru_cache(maxsize=4_096)
def _shown(char: str) -> str:
    if char == "\n" or (char.isascii() and char.isprintable()):
        return char
    if unicodedata.category(char) in _UNSEEN or unicodedata.bidirectional(char) in _RIGHT_TO_LEFT:
        return _code_point(char)
    return char if all(ord(char) in glyphs for glyphs in _glyphs()) else _code_point(char)


@cache
def _glyphs() -> tuple[frozenset[int], ...]:
    """The characters of the fonts in which text of others is set."""
    ready()
    return tuple(frozenset(TTFont(name, str(_FOLDER / file)).face.charToGlyph) for name, file in _FILES.items())


def _code_point(char: str) -> str:
    return f"[U+{ord(char):04X}]"
