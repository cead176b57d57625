"""Pages of the running service as people see them, and what must not happen while they do."""

from collections.abc import Collection
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, WebError

from jackpot.domain.callers import Caller

WIDE, PHONE = 1440, 390
_HEIGHTS = {PHONE: 844}
_MILLISECONDS = 10_000
_NO_HOST = {"data", "blob", "about"}


class Visits:
    """Browser contexts of one test, closed on leaving the `with` block."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._faults: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for context in self._contexts:
            context.close()

    def __call__(
        self, path: str, *, by: Caller | User | None = None, width: int = WIDE, height: int | None = None,
        dark: bool = False, javascript: bool = True, still: bool = False, lossy: bool = False,
        script: str = "", at: str = "",
    ) -> Page:  # fmt: skip
        """Open a path in a new context, signed in as `by`. `still`: who asks for less motion. `lossy`: calls of this
        context may fail, since the test cuts them off; everything else is watched all the same. `script` runs in each
        page before its own. `at`: the address of another web process of ours.
        """
        address = at or self.address
        context = self._browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height or _HEIGHTS.get(width, 900)},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            java_script_enabled=javascript,
        )
        self._contexts.append(context)
        context.set_default_timeout(_MILLISECONDS)
        self._watch(context, urlsplit(address).netloc, lossy=lossy)
        if by is not None:
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": _session(by), "url": address}])
        if script:
            context.add_init_script(script)
        page = context.new_page()
        page.goto(path)
        return page

    def check(self) -> None:
        assert not self._faults, "\n".join(self._faults)

    def _watch(self, context: BrowserContext, host: str, *, lossy: bool) -> None:
        context.on("request", lambda request: self._asked(request, host))
        if not lossy:
            context.on("response", self._answered)
        context.on("weberror", self._raised)
        context.on("console", lambda message: self._logged(message, lossy=lossy))

    def _asked(self, request: Request, host: str) -> None:
        called = urlsplit(request.url)
        if called.scheme not in _NO_HOST and called.netloc != host:
            self._faults.append(f"another host was called: {request.url}")

    def _answered(self, response: Response) -> None:
        """A page may refuse; what pages are made of is there, and nothing fails inside."""
        page_itself = response.request.is_navigation_request()
        if response.status >= 500 or (response.status >= 400 and not page_itself):
            self._faults.append(f"{response.status} for {response.request.method} {response.url}")

    def _raised(self, error: WebError) -> None:
        self._faults.append(f"a script raised: {error.error}")

    def _logged(self, message: ConsoleMessage, *, lossy: bool) -> None:
        """Statuses are looked at as answers; here they would count for refused pages too."""
        if message.type != "error" or message.text.startswith("Failed to load resource: the server responded"):
            return
        if not (lossy and _is_lost(message.text)):
            self._faults.append(f"the console says: {message.text} ({message.location.get('url', '')})")


def _is_lost(text: str) -> bool:
    return any(word in text for word in _LOST)


_LOST: Collection[str] = ("net::ERR_", "Failed to fetch")


def _session(by: Caller | User) -> str:
    user = by if isinstance(by, User) else User.objects.get(pk=by.user_id or 0)
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value
