"""The one connection of a process on which PostgreSQL tells it that a jackpot has a new link.

It listens, and asks each second as well: an announcement is lost with its connection, and in a failover. It is none of
Django's, which would take it from the pool and give it back.
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Any

import psycopg
from django.db import connection

from jackpot.live.asking import Asking
from jackpot.services.journal import CHANNEL

SESSION_NAME = "jackpot stream"
POLL_SECONDS = 1.0
_ANSWER_SECONDS = 3.0
_RETRY_SECONDS = 0.5
_HEADS = """
SELECT jackpot.code, lane.sealed
  FROM jackpot_jackpot AS jackpot JOIN jackpot_lane AS lane ON lane.jackpot_id = jackpot.id
 WHERE jackpot.code = ANY(%s)
"""
_log = logging.getLogger(__name__)


class Listener:
    """Tells of links: `announced` as they are committed, `found` what stands in the books, each second.

    `followed` answers which jackpots anybody follows.
    """

    def __init__(
        self,
        *,
        followed: Callable[[], Collection[str]],
        announced: Callable[[str, int], None],
        found: Callable[[str, int], None],
    ) -> None:
        self._followed = followed
        self._announced = announced
        self._found = found
        self._asking = Asking(1)

    async def run(self) -> None:
        """Until it is cancelled. A connection that is lost is made anew, again and again."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 - whatever it is, there is no other way but to try again
                _log.warning("not listening to the database: %r", error)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _listen(self) -> None:
        await self._asking.ask(_reach)
        async with await psycopg.AsyncConnection.connect(**_parameters()) as session:
            await session.execute(f"LISTEN {CHANNEL}")
            while True:
                async with asyncio.timeout(_ANSWER_SECONDS):  # `wait_for` of Python 3.11 can eat a cancellation
                    await self._look(session)
                async for notice in session.notifies(timeout=POLL_SECONDS):
                    self._hear(notice.payload)

    async def _look(self, session: "psycopg.AsyncConnection[tuple[str, int]]") -> None:
        cursor = await session.execute(_HEADS, [list(self._followed())])
        for code, link in await cursor.fetchall():
            self._found(code, link)

    def _hear(self, payload: str) -> None:
        code, _, link = payload.partition(":")
        if link.isdecimal():
            self._announced(code, int(link))


def _reach() -> None:
    """Connect as Django does, whose backend knows how to get a server up that is not there."""
    connection.ensure_connection()


def _parameters() -> dict[str, Any]:
    """What Django connects with, as far as it is not about Django's own cursors."""
    given = connection.get_connection_params()
    own = {"application_name": SESSION_NAME, "autocommit": True}
    return {name: value for name, value in given.items() if name not in ("cursor_factory", "context")} | own
