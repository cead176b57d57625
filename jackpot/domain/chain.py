"""What a link of the chain seals, in its own words: the canonical form of a batch's rows, and its digest.

Written anew from the definition in `migrations/sql/corrections.sql`, and not asked of PostgreSQL: who changed the
function that seals has not changed what verifies. Pure.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BEGINNING = bytes(32)
"""What the first link of a lane follows."""


def sealed_text(*fields: object) -> str:
    """Fields in their order, each behind its length in characters, so that no two lists of fields look alike."""
    return ",".join("-" if field is None else _behind_its_length(_text(field)) for field in fields)


def _behind_its_length(text: str) -> str:
    return f"{len(text)}:{text}"


def _text(field: object) -> str:
    """A field as PostgreSQL writes it: instants in microseconds, days by ISO, bytes in hexadecimal."""
    if isinstance(field, bool):
        return "true" if field else "false"
    if isinstance(field, datetime):
        return str((field - EPOCH) // timedelta(microseconds=1))
    if isinstance(field, date):
        return field.isoformat()
    if isinstance(field, bytes):
        return field.hex()
    return str(field)


def link_digest(lane_id: int, seq: int, previous: bytes, lines: Iterable[str]) -> bytes:
    """The digest of a link: what it follows, where it stands, and the lines of its rows in their order."""
    text = sealed_text("link", lane_id, seq) + "\n" + "\n".join(lines)
    return sha256(previous + text.encode()).digest()


def head(lane_id: int, seq: int, digest: bytes) -> str:
    """A head as it is written to the log and read back: "3:1204:<64 hexadecimal digits>"."""
    return f"{lane_id}:{seq}:{digest.hex()}"


_HEAD = re.compile(r"(?<![\w:])(\d+):(\d+):([0-9a-f]{64})(?![\w:])")


def heads_in(text: str) -> list[tuple[int, int, bytes]]:
    """Every head in a text, such as a log: (lane id, seq, digest)."""
    return [(int(lane), int(seq), bytes.fromhex(digest)) for lane, seq, digest in _HEAD.findall(text)]
