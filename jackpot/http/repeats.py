"""Repeats of a request: whether the content is the same, and how a replay is marked."""

import hashlib
import json

REPLAYED_HEADER = "Idempotency-Replayed"


def fingerprint(content: object) -> bytes:
    """SHA-256 of content after normalisation: None, booleans, integers, text, lists, and dicts with text keys.

    The order of keys does not count; money must be ledger units and times UTC text by now. Raises TypeError
    for anything else, above all for floats, whose text is not canonical.
    """
    _check(content)
    document = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(document.encode()).digest()


def replay_headers(replayed: bool) -> dict[str, str]:
    """The headers to add to an answer."""
    return {REPLAYED_HEADER: "true"} if replayed else {}


def _check(content: object) -> None:
    if content is None or isinstance(content, bool | int | str):
        return
    if isinstance(content, list | tuple):
        for item in content:
            _check(item)
    elif isinstance(content, dict) and all(isinstance(name, str) for name in content):
        for item in content.values():
            _check(item)
    else:
        raise TypeError(f"{type(content).__name__} has no canonical form")
