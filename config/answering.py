"""Django behind ASGI, each request in one thread from its first middleware to its last.

Middleware and views of this service are synchronous. Django's own handler goes to a thread and back for each of them
that is, and makes a new thread for every request: a fifth of what a short call costs.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

MOST = 256
"""Requests of one process that are answered at the same time; others wait. A thread is made where none is free, and
stays: more than so many would be a burst's, which waits for connections to the database anyway.
"""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Answering(ASGIHandler):
    """Django as an ASGI application; `config.asgi` has what goes round it."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(MOST, thread_name_prefix="answering")

    def load_middleware(self, is_async: bool = False) -> None:
        """As one chain of synchronous calls, whatever is asked for."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is served, not {scope['type']}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        request: Any
        request, refused = self.create_request(scope, body)
        response: HttpResponseBase = refused or await self._in_a_thread(request)
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:
                response.close()

    async def _in_a_thread(self, request: ASGIRequest) -> HttpResponseBase:
        own = contextvars.copy_context()  # what is set for one request, such as a language, is not there for the next
        return await asyncio.get_running_loop().run_in_executor(self._threads, own.run, self._answer, request)

    def _answer(self, request: ASGIRequest) -> HttpResponseBase:
        """The whole answer. It is closed, and its database connection given back, in the thread that had them; of a
        file only the latter, since it has still to be read.
        """
        set_script_prefix(get_script_prefix(request.scope))
        signals.request_started.send(sender=type(self), scope=request.scope)
        response = self.get_response(request)
        if not response.streaming:
            response.close()
            return response
        signals.request_finished.send(sender=type(self))
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        return response
