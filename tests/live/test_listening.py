"""The listener ends when it is told to, whatever it is doing at that moment; a web process that stops waits for it."""

import asyncio

import pytest
from django.db import connection

from jackpot.live.listening import Listener
from tests.factories import house


@pytest.mark.parametrize("rounds_of_the_loop", range(4))
def test_it_ends_at_once_though_an_answer_comes_in_at_that_moment(
    transactional_db: None, rounds_of_the_loop: int
) -> None:
    house()
    connection.close()
    asyncio.run(_cancelled_as_it_finds(rounds_of_the_loop))


async def _cancelled_as_it_finds(rounds_of_the_loop: int) -> None:
    """Cancel it so many rounds of the event loop after it found a jackpot in the books, and see it end."""
    found = asyncio.Event()
    listener = Listener(followed=lambda: ["MAIN"], announced=_nothing, found=lambda code, link: found.set())
    listening = asyncio.create_task(listener.run())
    async with asyncio.timeout(10):
        await found.wait()
    for _ in range(rounds_of_the_loop):
        await asyncio.sleep(0)
    listening.cancel()
    done, _ = await asyncio.wait({listening}, timeout=5)
    listening.cancel()  # what it lost once it may not lose twice
    assert done == {listening}, "it went on listening"
    assert listening.cancelled()


def _nothing(code: str, link: int) -> None:
    """What is announced does not matter here."""
