"""The sign's page, what it shows as JSON, and its stream. No session, no cookie, nothing of who looks."""

from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from jackpot.domain.errors import Refused, refuse
from jackpot.http import problems, streaming
from jackpot.http.addresses import address_of
from jackpot.http.event_stream import CONTENT_TYPE, HEADERS
from jackpot.sign.glances import SECONDS, glances
from jackpot.sign.on_page import on_page
from jackpot.sign.telling import Wire, as_json, shown

_HOME = Path(__file__).resolve().parent.parent
FILES = [path for folder in ("static", "templates") for path in sorted((_HOME / folder / "jackpot/sign").iterdir())]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE, _NO_SIGN = "jackpot/sign/sign.html", "jackpot/sign/none.html"

View = Callable[[HttpRequest, str], HttpResponse]


def _for_machines(view: View) -> View:
    """Answers what is refused, and a database that is away, as a problem."""

    @wraps(view)
    def answer(request: HttpRequest, code: str) -> HttpResponse:
        try:
            return view(request, code)
        except Refused as refused:
            return problems.response(refused, request.path)
        except (DatabaseError, InterfaceError):
            return problems.response(refuse("busy", "the sign has no source at the moment"), request.path)

    return answer


@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    """The sign. Where there is none it says so; where its source is away, it tries again by itself."""
    try:
        glance = glances.glance(code)
    except (DatabaseError, InterfaceError):
        return _page(request, _NO_SIGN, {"away": True}, status=503)
    if glance is None:
        return _page(request, _NO_SIGN, {"code": code}, status=404)
    told = shown(glance.sign, at=glance.at)
    return _page(request, _PAGE, {"sign": on_page(told), "version": version()})


@require_safe
@_for_machines
def now(request: HttpRequest, code: str) -> HttpResponse:
    """The whole sign as JSON, for a sign without a stream. `version` changes with the sign's own files."""
    glance = glances.glance(code)
    if glance is None:
        raise refuse("not_found", f"there is no jackpot {code!r}")
    told = shown(glance.sign, at=glance.at) | {"version": version()}
    answer = HttpResponse(as_json(told), content_type="application/json")
    answer["Cache-Control"] = f"public, max-age={SECONDS:.0f}"
    return answer


@require_safe
@_for_machines
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """The sign as it changes, as server-sent events: levels as they stand, then `meter`, `hit`, `source`, `alive`."""
    glance = glances.glance(code)
    if glance is None:
        raise refuse("not_found", f"there is no jackpot {code!r}")
    jackpot = glance.sign.jackpot
    wire = Wire(jackpot.currency, ZoneInfo(jackpot.home_site.timezone))
    streaming.begin(request, streaming.Wanted(jackpot.code, None, address_of(request), wire))
    return HttpResponse(content_type=CONTENT_TYPE, headers=HEADERS)


@cache
def version() -> str:
    """The sign's own files as a short digest: a sign that runs older ones loads itself anew."""
    return sha256(b"".join(path.read_bytes() for path in FILES)).hexdigest()[:12]


def _page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    answer = render(request, template, context, status=status)
    answer["Cache-Control"] = "no-store"
    answer["Content-Security-Policy"] = POLICY
    answer["X-Robots-Tag"] = "noindex"
    return answer
