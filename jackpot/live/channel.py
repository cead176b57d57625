"""What one jackpot's followers are told together: read once, whatever their number."""

import asyncio
import logging
from datetime import timedelta

from django.utils import timezone

from jackpot.live.asking import Asking
from jackpot.live.following import Following, Source
from jackpot.selectors import live
from jackpot.selectors.live import Hit, Place, Reset, Standing

GAP_SECONDS = 0.25
"""Between two readings, so that nobody is told of a level more than 5 times a second."""

LOST_SECONDS = 3.0
"""Without a word from the database for so long, followers are told that it is lost."""

_log = logging.getLogger(__name__)


class Channel:
    """A jackpot somebody follows. `announced` and `found` may come in any order, twice, late or never."""

    def __init__(self, code: str, asking: Asking) -> None:
        self._code = code
        self._asking = asking
        self._standing: Standing | None = None
        self._followers: set[Following] = set()
        self._source = Source(lost=False, since=timezone.now())
        self._stale = False
        self._reading: asyncio.Task[None] | None = None
        self._alarm = self._set_alarm()

    def join(self, following: Following, after: Place | None) -> None:
        """Let somebody follow. A place that this process has not come to is looked for in the books first."""
        self._followers.add(following)
        if self._source.lost:
            following.tell_source(self._source)
        if self._standing is None or (after is not None and after.link > self._standing.link):
            self._read()
        else:
            following.begin(self._standing)

    def leave(self, following: Following) -> bool:
        """Whether nobody follows any more; the channel is closed then."""
        self._followers.discard(following)
        if not self._followers:
            self._alarm.cancel()
        return not self._followers

    def end(self) -> None:
        for following in self._followers:
            following.end()

    def announced(self, link: int) -> None:
        """PostgreSQL told of a new link."""
        if self._standing is None or link > self._standing.link:
            self._read()

    def found(self, link: int) -> None:
        """The books were looked at: another link than the one known is news, also an older one, after a failover."""
        if self._standing is not None and link == self._standing.link and not self._stale:
            self._confirm()
        else:
            self._read()

    def _read(self) -> None:
        self._stale = True
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._keep_up())

    async def _keep_up(self) -> None:
        """Read and tell until nothing new is known of. Where that fails, the next look tries again."""
        try:
            while self._stale and self._followers:
                self._stale = False
                standing, happened = await self._asking.ask(_read_on, self._code, self._standing)
                self._publish(standing, happened)
                self._confirm()
                await asyncio.sleep(GAP_SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever it is, followers are told that nothing new is known
            self._stale = True
            _log.warning("%s cannot be read: %r", self._code, error)
        finally:
            self._reading = None

    def _publish(self, standing: Standing, happened: list[Hit | Reset]) -> None:
        known = {meter.level: (meter.seq, meter.units) for meter in self._standing.meters} if self._standing else {}
        changed = [meter for meter in standing.meters if known.get(meter.level) != (meter.seq, meter.units)]
        self._standing = standing
        for following in self._followers:
            if not following.begun:
                following.begin(standing)
            elif happened or changed:
                following.tell(happened, changed)

    def _confirm(self) -> None:
        self._alarm.cancel()
        self._alarm = self._set_alarm()
        if self._source.lost:
            self._tell_source(Source(lost=False, since=timezone.now()))

    def _set_alarm(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(LOST_SECONDS, self._lose)

    def _lose(self) -> None:
        self._tell_source(Source(lost=True, since=timezone.now() - timedelta(seconds=LOST_SECONDS)))

    def _tell_source(self, source: Source) -> None:
        self._source = source
        for following in self._followers:
            following.tell_source(source)


def _read_on(code: str, known: Standing | None) -> tuple[Standing, list[Hit | Reset]]:
    """How the jackpot stands, and what happened since it stood as known. One query where that is nothing."""
    standing = live.standing(code)
    happened: list[Hit | Reset] = []
    if known is not None and known.marks != standing.marks:
        after = Place(known.link)
        while after < Place(standing.link):
            page, after = live.happened(standing, after)
            happened += page
    return standing, happened
