"""Which of the formats an address offers a client gets: the one it likes best, by the q-values of `Accept`."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

_Q = re.compile(r"[01](?:\.[0-9]{0,3})?")


class ByQuality(BaseContentNegotiation):
    """RFC 9110, section 12.5.1: the most specific range decides how much a format is liked; among equals the first that
    the view names. Parameters other than q are not looked at.
    """

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        return next((parser for parser in parsers if parser.media_type == request.content_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        offered = list(renderers)
        ranges = _ranges(request.META.get("HTTP_ACCEPT", "*/*"))
        liked = [(_quality(renderer.media_type, ranges), -n) for n, renderer in enumerate(offered)]
        best, place = max(liked)
        if best <= 0:
            raise NotAcceptable(f"this address offers {', '.join(renderer.media_type for renderer in offered)}")
        return offered[-place], offered[-place].media_type


def _ranges(header: str) -> list[tuple[str, float]]:
    """Media ranges with their q; one that cannot be read is none."""
    found = []
    for part in header.split(","):
        media_range, *parameters = (piece.strip().lower() for piece in part.split(";"))
        q = next(
            (value.strip() for name, _, value in (p.partition("=") for p in parameters) if name.strip() == "q"), "1"
        )
        if _Q.fullmatch(q):
            found.append((media_range, float(q)))
    return found


def _quality(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    kind = media_type.partition("/")[0]
    for wanted in (media_type, f"{kind}/*", "*/*"):
        qualities = [q for media_range, q in ranges if media_range == wanted]
        if qualities:
            return min(max(qualities), 1.0)
    return 0.0
