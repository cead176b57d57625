"""The rule sets that ship with the service: the five published rule texts as documents. Source: domain.md §6."""

import json
from importlib import resources
from typing import Any

CODES = ("live-shared", "live-online", "casino-fold-early", "practice", "casino-progressive")


def published() -> dict[str, dict[str, Any]]:
    """Each shipped rule set's document by its code, read afresh: the caller may change what he gets."""
    folder = resources.files(__name__)
    return {code: json.loads((folder / f"{code}.json").read_text(encoding="utf-8")) for code in CODES}
