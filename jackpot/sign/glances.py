"""One reading of a jackpot a second, however many signs ask: anybody may, so it must cost next to nothing."""

import time
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from jackpot.selectors import signs
from jackpot.selectors.signs import SignShown

SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Glance:
    """A sign as it was read at an instant."""

    sign: SignShown
    at: datetime
    ends: float


class Glances:
    """Keeps the last reading of every jackpot there is; a code that is none's is not kept."""

    def __init__(self) -> None:
        self._kept: dict[str, Glance] = {}

    def glance(self, code: str) -> Glance | None:
        """The sign of a code, at most a second old; None where the code is no jackpot's. Raises DatabaseError."""
        kept = self._kept.get(code)
        if kept is not None and time.monotonic() < kept.ends:
            return kept
        at = timezone.now()
        sign = signs.sign(code)
        if sign is None:
            self._kept.pop(code, None)
            return None
        self._kept[code] = glance = Glance(sign, at, time.monotonic() + SECONDS)
        return glance

    def forget(self) -> None:
        self._kept.clear()


glances = Glances()
