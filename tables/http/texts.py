"""The words that come in with a round, however it comes: no two players differ only by what nobody sees."""

from collections.abc import Callable

from jackpot.http.values import text

LONGEST_NOTE = 200
LONGEST_PLAYER = 64

note: Callable[[object], str] = text(LONGEST_NOTE, lines=True, empty=True)
"""Reads the note of a void. Raises Refused."""

player: Callable[[object], str] = text(LONGEST_PLAYER, empty=True)
"""Reads who sits at a box; "" is read, so that the rules can say that a player is needed. Raises Refused."""
