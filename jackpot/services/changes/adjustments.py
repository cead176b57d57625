"""Adjustments: one pot of a level changed by an amount, against the house; one person asks, another approves.

Amounts are exact: what is wrong with a pot may be less than a minor unit. Base and terms never move by it.
Source: accounting.md, section 6.
"""

from datetime import datetime
from uuid import UUID

from jackpot.domain import change_postings
from jackpot.domain.accounts import Pot
from jackpot.domain.callers import Caller
from jackpot.domain.change_postings import Adjustment, Place, Stands
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.postings import Entry
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane
from jackpot.services.changes import change_requests, jackpot_states, pots
from jackpot.services.changes.change_requests import CarriedOut
from jackpot.services.levels import Loaded

KIND = ChangeKind.ADJUSTMENT


def ask_adjustment(
    *, caller: Caller, level: Level, pot: Pot, amount: str, reason: str, note: str = "", now: datetime
) -> ChangeRequest:
    """Ask that a pot be changed by an exact amount, such as "-0.20". The request says how the pot stands (`before`) and
    would stand (`document["after"]`).

    Raises Refused: `invalid_money`, `amount_too_large`, `invalid_value` where the pot would go below zero or above the
    limit, or for the reason; `illegal_move` where the jackpot is retired.
    """
    jackpot = pots.named(level.jackpot.code)
    place = Place(jackpot.code, level.code, pot)
    asked = Adjustment(place, change_postings.amount_of(amount, jackpot.currency))
    pots.check_in_service(jackpot)
    before, after = _adjust(asked, pots.loaded_of(jackpot.lane, lock=False), pots.draft(KIND, now))
    return change_requests.ask(
        caller=caller,
        kind=KIND,
        site=jackpot.home_site,
        jackpot=jackpot,
        subject=str(place),
        reason=reason,
        note=note,
        document=asked.document(jackpot.currency) | {"after": after},
        before=before,
        now=now,
    )


def approve_adjustment(*, caller: Caller, request_id: UUID, note: str = "", now: datetime) -> ChangeDecision:
    """Carry an adjustment out on the pot as it stands by then. Raises Refused as `change_requests.approve` does, and
    where the pot would go below zero or above the limit, or the jackpot was retired meanwhile.
    """
    return change_requests.approve(
        caller=caller, request_id=request_id, kind=KIND, note=note, now=now, carry_out=_carry_out
    )[0]


def foresee(request: ChangeRequest, now: datetime) -> tuple[Stands, Stands]:
    """How the pot stands and would stand were it approved now; nothing is locked. Raises Refused as approving does."""
    jackpot = pots.named(request.jackpot.code if request.jackpot else "")
    pots.check_in_service(jackpot)
    asked = Adjustment.read(request.document, jackpot.currency)
    return _adjust(asked, pots.loaded_of(jackpot.lane, lock=False), pots.draft(KIND, now))


def replay(loaded: Loaded, decided: ChangeDecision, entry: Entry) -> list[Entry]:
    """An approved adjustment again. Raises ValueError where the decision says otherwise how the pot stood."""
    asked = Adjustment.read(decided.request.document, loaded.jackpot.currency)
    pots.check_record(decided, *_adjust(asked, loaded, entry))
    return [entry]


def _carry_out(request: ChangeRequest, lane: Lane, entry: Entry) -> CarriedOut:
    jackpot = jackpot_states.jackpot_of(lane)
    pots.check_in_service(jackpot)
    loaded = pots.loaded_of(lane)
    before, after = _adjust(Adjustment.read(request.document, jackpot.currency), loaded, entry)
    return CarriedOut([entry], before, after, books=loaded)


def _adjust(asked: Adjustment, loaded: Loaded, entry: Entry) -> tuple[Stands, Stands]:
    """Post it; how the pot stood and stands."""
    books, currency = loaded.books, loaded.jackpot.currency
    before = change_postings.stands(books, [asked.place], currency)
    change_postings.adjust(asked, books, entry)
    return before, change_postings.stands(books, [asked.place], currency)
