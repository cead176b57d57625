"""How a call says that it may be repeated, and how an answer says that it repeats an earlier one."""

import re

from django.http import HttpRequest
from rest_framework.request import Request

from jackpot.domain.errors import refuse

KEY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotency-Replayed"
_KEY = re.compile(r"[\x20-\x7e]{1,255}")


def idempotency_key(request: Request | HttpRequest) -> str:
    """The key under which a call may be repeated. Raises Refused: `missing_field`, `invalid_value`."""
    key: str = request.headers.get(KEY_HEADER, "")
    if not key:
        raise refuse("missing_field", f"the header {KEY_HEADER} is missing")
    if not _KEY.fullmatch(key):
        raise refuse("invalid_value", f"the header {KEY_HEADER} holds 1 to 255 printable ASCII characters")
    return key


def replay_headers(replayed: bool) -> dict[str, str]:
    """The headers to add to an answer."""
    return {REPLAYED_HEADER: "true"} if replayed else {}
