"""Where followers come in: one hub a process, one channel a jackpot that is followed, one listener for all."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from jackpot.live.asking import Asking
from jackpot.live.channel import Channel
from jackpot.live.following import Following
from jackpot.live.listening import Listener
from jackpot.selectors.live import Place

_REPLAYS = 2
"""Replays of missed hits that read the books at the same time; they never hold up what is new."""


class Hub:
    """Belongs to one event loop, which it uses from the first follower on."""

    def __init__(self) -> None:
        self._channels: dict[str, Channel] = {}
        self._news, self._replays = Asking(1), Asking(_REPLAYS)
        self._listening: asyncio.Task[None] | None = None
        self._ended = False

    @asynccontextmanager
    async def follow(self, code: str, *, after: Place | None = None) -> AsyncIterator[Following]:
        """Follow the jackpot of a code: its meters from now on, and every hit and reset behind the place `after`."""
        self._listen()
        following = Following(after=after, asking=self._replays)
        channel = self._channels.get(code)
        if channel is None:
            channel = self._channels[code] = Channel(code, self._news)
        channel.join(following, after)
        if self._ended:
            following.end()
        try:
            yield following
        finally:
            if channel.leave(following):
                self._channels.pop(code, None)

    def end(self) -> None:
        """All news end, of who follows and of who comes later: the process is about to stop."""
        self._ended = True
        for channel in self._channels.values():
            channel.end()

    def _listen(self) -> None:
        if self._listening is None:
            listener = Listener(
                followed=self._channels.keys,
                announced=self._announced,
                found=self._found,
            )
            self._listening = asyncio.get_running_loop().create_task(listener.run())

    def _announced(self, code: str, link: int) -> None:
        if channel := self._channels.get(code):
            channel.announced(link)

    def _found(self, code: str, link: int) -> None:
        if channel := self._channels.get(code):
            channel.found(link)
