"""What differs between two versions of a document. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_NAMES = ("code", "hand")
"""Keys by which an item of a list is known."""


class Changed(NamedTuple):
    """One setting that is not as it was: its key ("levels.main.base"), and its values as text; None where not set."""

    key: str
    before: str | None
    after: str | None


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Changed]:
    """The settings that differ, by key."""
    old, new = settings(before), settings(after)
    return [Changed(key, old.get(key), new.get(key)) for key in sorted(old | new) if old.get(key) != new.get(key)]


def settings(document: Mapping[str, Any]) -> dict[str, str]:
    """Every setting of a document by its key, as text, in the document's order."""
    return dict(_settings(document))


def _settings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every single value of a document with its key; items of a list by their code or hand, else as one value."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _settings(inner, f"{key}.{name}" if key else str(name))
    elif (names := _names(value)) is not None:
        for name, item in zip(names, value, strict=True):
            yield from _settings(item, f"{key}.{name}")
    else:
        yield key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _names(value: Any) -> Sequence[str] | None:
    if not isinstance(value, list) or not value or not all(isinstance(item, Mapping) for item in value):
        return None
    for name in _NAMES:
        if all(isinstance(item.get(name), str) for item in value):
            return [item[name] for item in value]
    return None
