"""The one byte form of a document that is digested: keys sorted, no blanks, UTF-8, times in UTC. Pure."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


def canonical(document: Mapping[str, Any]) -> bytes:
    """The byte form of a document of text, whole numbers, booleans, None, lists and objects."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def instant(at: datetime) -> str:
    """An instant in UTC to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
