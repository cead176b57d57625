"""Where a request comes from, and where it goes."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

CONSOLE = "/admin/"
"""Under this address lies the console."""


def address_of(request: HttpRequest) -> str:
    """The address of the client; behind proxies the one that the outermost of ours saw.

    Each proxy adds to X-Forwarded-For whom it saw: of what stands there only the last `PROXIES` are ours, and whatever
    the client wrote stands before them.
    """
    last: str = request.META.get("REMOTE_ADDR", "")
    proxies: int = settings.PROXIES
    if not proxies:
        return last
    seen = [address.strip() for address in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    return seen[-proxies] if len(seen) >= proxies and _is_address(seen[-proxies]) else last


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
