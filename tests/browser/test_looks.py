"""What watches the other tests here: it sees what it is there for, also on pages that forbid every foreign script."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser

from tests.browser.looks import assert_accessible, assert_fits
from tests.browser.visits import Visits

_PAGE = """<!doctype html><html lang="en"><title>Bad</title>
<style nonce="ours">p { color: #777; background: #888 } div { width: 3000px }</style>
<main><h1>Bad</h1><p>Words that nobody can read</p><input><div>wide</div>%s</main></html>"""
_POLICY = "default-src 'none'; style-src 'nonce-ours'; connect-src 'self'; img-src *; script-src 'nonce-ours'"


@pytest.fixture
def bad(chromium: Browser) -> Iterator[Visits]:
    """Visits to a page on which everything is wrong that its path asks for."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = (_PAGE % _WRONG.get(self.path, "")).encode()
            self.send_response(500 if self.path == "/broken" else 200)
            for name, value in {"Content-Type": "text/html", "Content-Security-Policy": _POLICY}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with Visits(chromium, f"http://127.0.0.1:{server.server_port}") as visits:
            yield visits
        server.shutdown()


_WRONG = {
    "/foreign": '<img src="http://127.0.0.1:9/x.png" alt="">',
    "/raising": '<script nonce="ours">setTimeout(() => { throw new Error("so") })</script>',
    "/logging": '<script nonce="ours">console.error("so")</script>',
    "/inline": '<button onclick="alert(1)">inline</button>',
}


def test_what_only_some_can_use_is_found(bad: Visits) -> None:
    page = bad("/")
    with pytest.raises(AssertionError, match=r"(?s)light: color-contrast.*dark: color-contrast"):
        assert_accessible(page)
    with pytest.raises(AssertionError, match="label"):
        assert_accessible(page, schemes=("light",))
    with pytest.raises(AssertionError, match=r"is 30.. pixels wide in a window of 1440"):
        assert_fits(page)
    bad.check()


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("/foreign", "another host was called: http://127.0.0.1:9/x.png"),
        ("/raising", "a script raised"),
        ("/logging", "the console says: so"),
        ("/inline", "the console says: .*Content Security Policy"),
        ("/broken", "500 for GET"),
    ],
)
def test_what_must_not_happen_is_found(bad: Visits, path: str, fault: str) -> None:
    page = bad(path)
    page.wait_for_load_state("networkidle")
    with pytest.raises(AssertionError, match=fault):
        bad.check()
