"""Asking the database from the event loop: in a few threads, which give their connections back after each question."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import connection

T = TypeVar("T")


class Asking:
    """At most `threads` questions of a process at a time, each on a connection of its own; more wait their turn."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="live")

    async def ask(self, question: Callable[..., T], *values: Any) -> T:
        """What the question answers; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, _asked, question, values)


def _asked(question: Callable[..., T], values: tuple[Any, ...]) -> T:
    try:
        return question(*values)
    finally:
        connection.close()
