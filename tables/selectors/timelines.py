"""What happened in a round and to it, in the order of time: its own events, its voids that waited, its corrections,
what the books posted, and what people did to its awards; each with who did it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from jackpot.selectors.evidence import Books
from tables.models.rounds import Round, RoundEvent
from tables.models.voids import WaitingVoid
from tables.selectors.people import Names

_OF_AWARDS = ("award_move", "award_paid", "award_returned")
"""Entries that stand for a move of an award, which is told itself."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened: when, what ("betting closed"), by whom, and what there is to say of it."""

    at: datetime
    what: str
    who: str = ""
    said: str = ""
    data: dict[str, Any] = field(default_factory=dict)


def timeline(rnd: Round, books: Books) -> list[Happened]:
    """All of it, the oldest first; three queries. `data` of an event is as it is stored."""
    events = list(RoundEvent.objects.filter(round_id=rnd.id).order_by("id"))
    voids = list(WaitingVoid.objects.filter(round_id=rnd.id).select_related("decided__by").order_by("id"))
    names = Names([one.asked_by for one in voids] + [posted.entry.actor for posted in books.posted])
    told = [*_times(rnd), *_events(rnd, events), *_voids(voids, names), *_changes(books), *_moves(books)]
    # Where times are equal, what was told of first came first: a round's own steps, then what the books made of them.
    return sorted([*told, *_posted(books, names)], key=lambda one: one.at)


def _times(rnd: Round) -> Iterator[Happened]:
    """What a report of a whole round says of its times; a live one has its own events."""
    if rnd.live:
        return
    sender = rnd.integrator.name
    times = ((rnd.started_at, "started"), (rnd.locked_at, "betting closed"), (rnd.completed_at, "complete"))
    for at, what in times:
        if at is not None:
            yield Happened(at, what, sender, "as reported")


def _events(rnd: Round, events: Iterable[RoundEvent]) -> Iterator[Happened]:
    """Steps come from who sent the round; what the service or people did is told by the books and decisions too."""
    own = ("retried", "failed", "corrected", "void_confirmed", "void_declined")
    for event in events:
        who = "" if event.kind in own else rnd.integrator.name
        yield Happened(event.at, event.kind.replace("_", " "), who, data=event.data)


def _voids(voids: Iterable[WaitingVoid], names: Names) -> Iterator[Happened]:
    for one in voids:
        what = "void of the round" if one.box is None else f"void of box {one.box}"
        yield Happened(one.asked_at, f"{what} waits for a second person", names.of(one.asked_by))
        decided = getattr(one, "decided", None)
        if decided is not None:
            yield Happened(decided.at, f"{what} {decided.decision}", decided.by.get_username(), decided.note)


def _changes(books: Books) -> Iterator[Happened]:
    for change in books.changes:
        said = ": ".join(filter(None, (change.reason.replace("_", " "), change.note)))
        yield Happened(change.asked_at, f"{change.kind} asked for", change.asked_by.get_username(), said)
        decided = getattr(change, "decided", None)
        if decided is not None:
            yield Happened(decided.at, f"{change.kind} {decided.decision}", decided.by.get_username(), decided.note)


def _moves(books: Books) -> Iterator[Happened]:
    for award in books.awards:
        for move in award.moves.all():
            who = move.user.get_username() if move.user else f"key {move.key.prefix}" if move.key else ""
            what = f"{award.kind} of box {award.box}: {move.move}"
            yield Happened(move.at, what, who, f"{move.before} → {move.state}. {move.note}".strip())


def _posted(books: Books, names: Names) -> Iterator[Happened]:
    for posted in books.posted:
        entry = posted.entry
        if entry.kind not in _OF_AWARDS:
            said = f"entry {entry.pk}, {len(posted.legs)} legs"
            yield Happened(entry.posted_at, f"posted: {entry.kind.replace('_', ' ')}", names.of(entry.actor), said)
