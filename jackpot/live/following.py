"""One follower of a jackpot: what waits to be told to it, and no more of that than memory allows."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import DatabaseError, InterfaceError

from jackpot.live.asking import Asking
from jackpot.selectors import live
from jackpot.selectors.live import Hit, Meter, Place, Reset, Standing

MOST_WAITING = 256
"""Hits and resets kept for a follower that does not take them, beside those of one reading, which all share."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """Whether the database answers. While it does not, what was told last may be old: it was true at its own time."""

    lost: bool
    since: datetime


Told = Hit | Reset | Meter | Source


class Following:
    """What a follower is told. Meters are told as they stand: an older value that was not taken is replaced.

    Hits and resets are never left out. Whoever names a place `after` which they know everything is first told, out of
    the books, what they missed.
    """

    def __init__(self, *, after: Place | None, asking: Asking) -> None:
        self._after = after
        self._asking = asking
        self._standing: Standing | None = None  # as it stood when this follower came in; replay goes up to there
        self._happened: deque[Hit | Reset] = deque()
        self._meters: dict[str, Meter] = {}
        self._source: Source | None = None
        self._ended = False
        self._woken = asyncio.Event()

    @property
    def begun(self) -> bool:
        """Whether it knows from where on it is told what happens."""
        return self._standing is not None

    def begin(self, standing: Standing) -> None:
        """From here on: what happened before is found in the books, what happens later is told by `tell`."""
        self._standing = standing
        self._meters = {meter.level: meter for meter in standing.meters}
        if self._after is None or self._after >= Place(standing.link):
            self._after = None
        self._woken.set()

    def tell(self, happened: Collection[Hit | Reset], meters: Collection[Meter]) -> None:
        """What is new, in order. A follower that is too far behind is let go, and told the rest as it comes back;
        however much is new at once is no reason for that.
        """
        if self._happened and len(self._happened) + len(happened) > MOST_WAITING:
            self._ended = True
        if not self._ended:
            self._happened.extend(happened)
            self._meters |= {meter.level: meter for meter in meters}
        self._woken.set()

    def tell_source(self, source: Source) -> None:
        self._source = source
        self._woken.set()

    def end(self) -> None:
        """What waits is still told, then the news end."""
        self._ended = True
        self._woken.set()

    async def news(self, *, every: float) -> AsyncIterator[Sequence[Told]]:
        """What there is to tell, as it comes; an empty list where there was nothing for `every` seconds."""
        while True:
            if self._source is not None:
                source, self._source = self._source, None
                yield [source]
            if self._standing is not None and self._after is not None:
                if self._ended:  # what waits lies behind what is still missing
                    return
                missed = await self._missed(self._standing, self._after)
                if missed:
                    yield missed
                continue
            if waiting := self._take():
                yield waiting
            elif self._ended:
                return
            elif not await self._wait(every):
                yield []

    def _take(self) -> list[Told]:
        """All that waits. Meters last: each is told after everything that happened up to its place."""
        waiting: list[Told] = [*self._happened, *self._meters.values()]
        self._happened.clear()
        self._meters.clear()
        self._woken.clear()
        return waiting

    async def _wait(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        return True

    async def _missed(self, standing: Standing, after: Place) -> list[Hit | Reset]:
        """The next page of what was missed; the last one ends the replay."""
        try:
            happened, reached = await self._asking.ask(live.happened, standing, after)
        except (DatabaseError, InterfaceError) as error:
            _log.warning("a follower of %s is let go, what it missed cannot be read: %s", standing.code, error)
            self._let_go()
            return []
        self._after = None if reached >= Place(standing.link) else reached
        return happened

    def _let_go(self) -> None:
        """At once, without what waits: it lies behind what could not be told."""
        self._after = None
        self._happened.clear()
        self._meters.clear()
        self.end()
