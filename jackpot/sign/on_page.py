"""What is told of a jackpot, as the page says it to people; `sign.js` says the same of what comes later."""

from datetime import datetime
from typing import Any

RECENT_SECONDS = 60
"""So old may a hit be that a page which just opens still announces it."""


def on_page(told: dict[str, Any]) -> dict[str, Any]:
    """The document of `telling.shown` with words and figures for people beside each value."""
    levels = [level | _figures(level["displayed"], level["as_of"]) for level in told["levels"]]
    return told | {
        "levels": [level | {"name": words(level["level"])} for level in levels],
        "chars": max(len(level["figures"]) for level in levels),
        "hit": None if told["hit"] is None else _announced(told["hit"], told["at"]),
        "clock": _clock(told["at"]),
    }


def words(code: str) -> str:
    """A code such as "royal_flush" for people: "Royal flush"."""
    return code.replace("_", " ").replace("-", " ").capitalize()


def grouped(amount: str) -> str:
    """A decimal string with its thousands apart."""
    whole, point, fraction = amount.partition(".")
    return f"{int(whole):,}{point}{fraction}"


def _figures(amount: str, at: str | None) -> dict[str, str]:
    return {"figures": grouped(amount), "clock": _clock(at)}


def _announced(hit: dict[str, Any], at: str) -> dict[str, Any]:
    when = datetime.fromisoformat(hit["at"])
    return (
        hit
        | _figures(hit["amount"], hit["at"])
        | {
            "hand_name": words(hit["hand"]),
            "level_name": words(hit["level"]),
            "day": f"{when.day} {when:%b}",
            "recent": 0 <= (datetime.fromisoformat(at) - when).total_seconds() < RECENT_SECONDS,
        }
    )


def _clock(at: str | None) -> str:
    return at[11:19] if at else "–"
