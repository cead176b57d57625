"""Verifying a lane: its chain walked from the first link to the head, every digest and every stored number afresh.

Nothing is asked of the functions and triggers by which PostgreSQL sealed. What an entry stands for comes from whoever
knows its kind (`Facts`), as it is stored now; an entry nobody knows of is named as invented. Read in one snapshot (the
caller's transaction), a bounded number of entries at a time. Source: accounting.md §3.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from jackpot.domain import chain
from jackpot.domain.audit import NOTHING, Findings
from jackpot.models.lanes import Lane
from jackpot.selectors import sealed
from jackpot.selectors.sealed import SealedEntry, SealedLink
from jackpot.services.proof import sealed_facts
from jackpot.services.proof.verify_books import Books

Progress = Callable[[int, int], None]

Facts = Callable[[Sequence[SealedEntry], Findings], Mapping[int, bytes | None]]
"""What entries of one kind stand for, by the entry's id: the canonical bytes whose digest it seals (none where it seals
no facts), or None where what is wrong with them is named already. An entry that stands for nothing is left out.
"""

_NAMED = 3
"""How many entries of a link are named one by one."""


@dataclass(slots=True)
class Verified:
    """How much was verified."""

    lanes: int = 0
    links: int = 0
    entries: int = 0
    legs: int = 0
    statement_rows: int = 0
    awards: int = 0
    moves: int = 0

    def count(self, link: SealedLink) -> None:
        self.links += link.digest is not None
        self.entries += len(link.entries)
        for entry in link.entries:
            self.legs += len(entry.legs)
            self.statement_rows += len(entry.rows)
            self.awards += len(entry.awards)
            self.moves += len(entry.moves)


def verify(
    *,
    lane: Lane,
    facts: Mapping[str, Facts],
    findings: Findings,
    counts: Verified,
    progress: Progress = lambda done, total: None,
) -> bool:
    """Verify a lane with everything in it; what differs is named in `findings`. `facts` are the tables', by kind.

    Whether its chain holds: where it does not, somebody changed what is sealed.
    """
    walk = _Walk(lane, facts, findings)
    done, total = 0, sealed.entry_count(lane)
    for window in sealed.windows(lane):
        walk.take(window)
        for link in window:
            counts.count(link)
            done += len(link.entries)
        progress(done, total)
    walk.finish()
    counts.lanes += 1
    return walk.holds


class _Walk:
    """How far the walk is: the last link, and the books as the entries up to it make them."""

    def __init__(self, lane: Lane, facts: Mapping[str, Facts], findings: Findings) -> None:
        self.lane, self.findings = lane, findings
        self.holds = True
        self._facts = [facts, sealed_facts.OWN]
        self._seq, self._head = 0, chain.BEGINNING
        self._posted_at: datetime | None = None
        self._books = Books(lane, sealed.accounts(), findings)

    def take(self, window: Sequence[SealedLink]) -> None:
        """Verify some links: what their entries stand for is asked for together, then each in its order."""
        told = self._told([entry for link in window for entry in link.entries])
        for link in window:
            for entry in link.entries:
                self._entry(entry, link, told)
            self._books.take_rows()
            self._link(link)

    def finish(self) -> None:
        """The lane's row and the levels at the end: how they stand follows from what was walked."""
        lane, where = self.lane, f"lane {self.lane}"
        stored = {"sealed": lane.sealed, "head": bytes(lane.head).hex(), "posted_at": lane.posted_at}
        walked = {"sealed": self._seq, "head": self._head.hex(), "posted_at": self._posted_at}
        self.holds &= stored == walked
        self.findings.compare("lane", where, walked, stored)
        self._books.finish()

    def _told(self, entries: Sequence[SealedEntry]) -> dict[int, bytes | None]:
        by_kind: dict[str, list[SealedEntry]] = defaultdict(list)
        for entry in entries:
            by_kind[entry.kind].append(entry)
        told: dict[int, bytes | None] = {}
        for kind, together in by_kind.items():
            for facts in self._facts:
                if kind in facts:
                    told |= facts[kind](together, self.findings)
        return told

    def _entry(self, entry: SealedEntry, link: SealedLink, told: Mapping[int, bytes | None]) -> None:
        where = str(entry)
        if link.digest is None:
            self.findings.invented("entry", where, "outside any link of the chain")
            self.holds = False
        elif entry.posted_at != link.posted_at:
            self.findings.add("posting time", where, expected=link.posted_at, stored=entry.posted_at)
        if entry.id not in told:
            self.findings.invented("entry", where, "nothing that it could stand for is there")
        elif (facts := told[entry.id]) is not None:
            digest = sha256(facts).digest() if facts else None
            if digest != entry.facts_digest:
                self.findings.add("facts", where, expected=_hex(entry.facts_digest), stored=f"what has {_hex(digest)}")
        self._books.take(entry)

    def _link(self, link: SealedLink) -> None:
        if link.digest is None or link.previous is None:
            return
        where = self._place(link)
        if link.seq != self._seq + 1:
            self._broken("link", f"lane {self.lane}", f"link {self._seq + 1}", f"link {link.seq} as the next one")
        if link.previous != self._head:
            self._broken("previous link", where, self._head.hex(), link.previous.hex())
        if not link.entries:
            self._broken("link", where, "entries that it seals", NOTHING)
        digest = chain.link_digest(self.lane.pk, link.seq, link.previous, link.lines())
        if digest != link.digest:
            self._broken("seal", where, link.digest.hex(), f"rows that have {digest.hex()}")
        if self._posted_at is not None and link.posted_at is not None and link.posted_at < self._posted_at:
            self._broken("posting time", where, f"not before {self._posted_at}", link.posted_at)
        self._seq, self._head, self._posted_at = link.seq, link.digest, link.posted_at

    def _broken(self, what: str, where: str, expected: object, stored: object) -> None:
        self.holds = False
        self.findings.add(what, where, expected=expected, stored=stored)

    def _place(self, link: SealedLink) -> str:
        entries = link.entries
        if len(entries) <= _NAMED:
            named = ", ".join(map(str, entries)) or "no entry"
        else:
            named = f"entries {entries[0].id} to {entries[-1].id}"
        return f"link {link.seq} of lane {self.lane} ({named})"


def _hex(digest: bytes | None) -> str:
    return digest.hex() if digest is not None else "no facts"


Heads = Collection[tuple[int, int, bytes]]
"""Heads kept elsewhere, as (lane id, seq, digest)."""


def verify_heads(heads: Heads, findings: Findings) -> None:
    """Hold the chains against heads that were kept outside the database: a chain that was made anew has others."""
    asked: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    for lane_id, seq, digest in heads:
        asked[lane_id].append((seq, digest))
    for lane_id, kept in sorted(asked.items()):
        stored = sealed.digests(lane_id, [seq for seq, _ in kept])
        for seq, digest in sorted(kept):
            found = stored.get(seq)
            if found != digest:
                findings.add("head", f"link {seq} of lane {lane_id}", expected=digest.hex(),
                             stored=found.hex() if found else NOTHING)  # fmt: skip
