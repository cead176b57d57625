"""What of an entry itself a replay compares: everything but its number, link and posting time."""

from hashlib import sha256
from typing import Any

from jackpot.domain.postings import Entry
from jackpot.selectors.journal import Stored

_HEAD = ("table_ref", "integrator_id", "event_at", "reason", "actor")


def head(entry: Entry) -> dict[str, Any]:
    """Of one that must be there."""
    return {
        "table_ref": entry.source.table_ref,
        "integrator_id": entry.source.integrator_id,
        "event_at": entry.source.at,
        "reason": entry.reason,
        "actor": entry.actor,
        "facts_digest": sha256(entry.facts).hexdigest() if entry.facts else None,
        "reverses": f"{entry.reverses[0]} {entry.reverses[1]}" if entry.reverses else None,
    }


def stored_head(stored: Stored) -> dict[str, Any]:
    """Of one that is stored."""
    entry = stored.entry
    digest = bytes(entry.facts_digest).hex() if entry.facts_digest is not None else None
    reverses = str(entry.reverses) if entry.reverses else None
    return {name: getattr(entry, name) for name in _HEAD} | {"facts_digest": digest, "reverses": reverses}
