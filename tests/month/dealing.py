"""The rounds of the month: dealt from a seed, hour by hour, at every table, with a few that come a day late."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tables.api.reading_rounds import whole_round
from tables.domain.facts import Reported
from tests.factories.shuffle import HITS, ODD, Shuffle
from tests.month.house import Floor

Json = dict[str, Any]


VOID_HITS = 0.1
"""Of rounds that hit, so many are reported as void: two people decide."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A round, the site whose system sends it, and when."""

    at: datetime
    site: str
    report: Reported


def deal(floor: Floor, *, rounds: int, first: datetime, last: datetime, seed: int) -> Iterator[Sent]:
    """So many rounds between two instants in the order in which they are sent, spread evenly over the tables.

    A few hundred of them hit, are void or lack cards that nobody needs, and about one in ten of so many comes late.
    """
    special = max(0.02, min(0.7, 300 / rounds))
    draw = random.Random(seed)
    codes = list(floor.tables)
    shuffle = Shuffle(seed, codes)
    step = (last - first) / max(1, rounds)
    kinds = [*HITS, *ODD]
    sent: list[Sent] = []
    for n in range(rounds):
        code = codes[n % len(codes)]
        kind = draw.choice(kinds) if draw.random() < special else "plain"
        body = shuffle.round(kind)
        if kind in HITS and draw.random() < VOID_HITS:
            body["void"] = {"reason": "malfunction", "note": "the shoe jammed"}
        sent.append(_sent(floor, body, code, n, first + step * n, late=draw.random() < special / 10))
    yield from sorted(sent, key=lambda one: one.at)


def _sent(floor: Floor, body: Json, code: str, n: int, starts: datetime, *, late: bool) -> Sent:
    body |= {"table": code, "external_id": f"m{n:06}"}
    moments = {"started_at": 0, "completed_at": 60} | ({"locked_at": 20} if "locked_at" in body else {})
    body |= {name: (starts + timedelta(seconds=seconds)).isoformat() for name, seconds in moments.items()}
    if code.endswith("-3"):
        without_progressive(body["boxes"])
    at = starts + (timedelta(hours=30) if late else timedelta(minutes=2))
    return Sent(at, floor.site_of[code], whole_round(body, {code: floor.tables[code]}))


def without_progressive(boxes: Sequence[Json]) -> None:
    """As at a table that offers none."""
    for box in boxes:
        box.pop("progressive", None)
