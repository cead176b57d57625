"""A round performed again, as its page shows it: line by line, amounts as people read them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from jackpot.money import Currency, show_stored
from tables.models.rounds import Round
from tables.services.reperforming import Line, Reperformed


def page_of(rnd: Round, done: Reperformed) -> dict[str, Any]:
    """The parts of the page, each with its lines; how many lines there are, and which differ."""
    currency = rnd.table.currency
    parts = [
        (f"Version {number}{', in force' if number == rnd.version else ''}", lines)
        for number, lines in done.versions.items()
    ]
    parts += [("Its entries in the books", done.entries), ("The links that seal them", done.seals)]
    return {
        "parts": [(caption, _shown(lines, currency)) for caption, lines in parts if lines],
        "count": len(done.lines),
        "differences": done.differences,
    }


def _shown(lines: Iterable[Line], currency: Currency) -> list[tuple[Line, bool]]:
    return [_line(line, currency) for line in lines]


def _line(line: Line, currency: Currency) -> tuple[Line, bool]:
    """The line with its amounts shown, and whether it agrees to the unit."""
    expected, stored = (
        show_stored(one, currency) if isinstance(one, int) else one for one in (line.expected, line.stored)
    )
    return replace(line, expected=expected, stored=stored), line.agrees
