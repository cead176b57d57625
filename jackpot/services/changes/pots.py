"""What adjustments, transfers and retirements share: the books they look at or change, and what they hold on record."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from jackpot.domain import change_postings
from jackpot.domain.change_postings import Place, Shift, Stands
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.errors import refuse
from jackpot.domain.postings import Entry, EntryKind, Source
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.services import levels
from jackpot.services.levels import Loaded


def named(code: str, pointer: str = "") -> Jackpot:
    """The jackpot of a code, with its lane. Raises Refused (`invalid_value`) where there is none."""
    jackpot = Jackpot.objects.select_related("home_site", "lane").filter(code=code).first()
    if jackpot is None:
        raise refuse("invalid_value", f"there is no jackpot {code!r}", pointer)
    return jackpot


def loaded_of(lane: Lane, *, lock: bool = True) -> Loaded:
    """The books of a jackpot's lane. Who only looks what a change would come to takes no locks."""
    loaded = levels.load(lane, (), lock=lock)
    if loaded is None:
        raise ValueError("a site's lane has no pots")
    return loaded


def check_in_service(jackpot: Jackpot) -> None:
    """Raises Refused (`illegal_move`) where a jackpot is retired."""
    if jackpot.state == Jackpot.State.RETIRED:
        raise refuse("illegal_move", f"jackpot {jackpot.code} is retired")


def check_goes(source: Jackpot, target: Jackpot) -> None:
    """Raises Refused where nothing of one jackpot may go to the other: it is retired (`illegal_move`), in another
    currency, or one of the two is a sandbox (`invalid_value`).
    """
    check_in_service(target)
    if source.currency_code != target.currency_code:
        raise refuse("invalid_value", f"jackpot {target.code} is kept in {target.currency_code}", "/to")
    if source.home_site.sandbox != target.home_site.sandbox:
        raise refuse("invalid_value", "nothing goes from a sandbox to a live jackpot, or the other way round", "/to")


def draft(kind: ChangeKind, at: datetime) -> Entry:
    """An entry to try a change on: it is never written."""
    return Entry(EntryKind(kind), "", Source("", "", None, at))


def shift(shifts: Sequence[Shift], source: Loaded, target: Loaded, out: Entry, into: Entry) -> tuple[Stands, Stands]:
    """Post what goes from pot to pot, of one jackpot (one entry, given twice) or two; how the pots stood and stand."""
    places = [place for one in shifts for place in (one.source, one.target)]
    before = _stands((source, target), places)
    change_postings.give(shifts, source.books, out)
    change_postings.receive(shifts, target.books, into)
    return before, _stands((source, target), places)


def check_record(decided: ChangeDecision, before: Stands, after: Stands) -> None:
    """Raises ValueError where a decision does not say of these pots how they stood and stand.

    Of another jackpot's pots, which it says as well, that one's lane is asked.
    """
    for said, stood in ((decided.before or {}, before), (decided.after or {}, after)):
        if {name: said.get(name) for name in stood} != stood:
            raise ValueError(f"{decided} says {said}, not {stood}")


def _stands(books: Iterable[Loaded], places: Sequence[Place]) -> Stands:
    return {
        name: stood
        for loaded in books
        for name, stood in change_postings.stands(loaded.books, places, loaded.jackpot.currency).items()
    }
