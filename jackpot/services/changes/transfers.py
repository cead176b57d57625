"""Transfers: an amount that goes from one pot to another, of one jackpot or of two; one person asks, another approves.

Two jackpots are two lanes: both are held, each has an entry that balances by itself, sealed in the one transaction.
What one house is credited the other is debited, so that both together neither gain nor lose. Source: accounting.md,
section 6; docs/decisions/0019-moves-of-pots.md.
"""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import transaction

from jackpot.domain import change_postings
from jackpot.domain.callers import Caller
from jackpot.domain.change_postings import Place, Shift, Stands
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.errors import refuse
from jackpot.domain.postings import Entry, EntryKind
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.services import lanes
from jackpot.services.changes import change_requests, jackpot_states, pots
from jackpot.services.changes.change_requests import Beside, CarriedOut
from jackpot.services.levels import Loaded

KIND = ChangeKind.TRANSFER


def ask_transfer(
    *, caller: Caller, source: str, target: str, amount: str, reason: str, note: str = "", now: datetime
) -> ChangeRequest:
    """Ask that an exact amount above zero go from one pot to another, both named as in "meter:MAIN:main". The request
    says how both stand (`before`) and would stand (`document["after"]`).

    Raises Refused: `invalid_money`, `amount_too_large`; `invalid_value` for a pot that is none, twice the same, or in
    another currency, a sandbox and a live jackpot, a pot that has less, a meter without room, the reason;
    `illegal_move` where the jackpot that would receive is retired.
    """
    places = Place.named(source, "/from"), Place.named(target, "/to")
    if places[0] == places[1]:
        raise refuse("invalid_value", "a transfer goes from one pot to another", "/to")
    jackpots = pots.named(places[0].jackpot, "/from"), pots.named(places[1].jackpot, "/to")
    pots.check_goes(*jackpots)
    currency = jackpots[0].currency
    asked = Shift(*places, change_postings.amount_of(amount, currency))
    if asked.amount < 0:
        raise refuse("invalid_value", "a transfer is of an amount above zero", "/amount")
    before, after = foresee_shifts([asked], *jackpots, KIND, now)
    return change_requests.ask(
        caller=caller,
        kind=KIND,
        site=jackpots[0].home_site,
        jackpot=jackpots[0],
        subject=str(asked.source),
        reason=reason,
        note=note,
        document=asked.document(currency) | {"after": after},
        before=before,
        now=now,
    )


def approve_transfer(*, caller: Caller, request_id: UUID, note: str = "", now: datetime) -> ChangeDecision:
    """Carry a transfer out on both pots as they stand by then. Raises Refused as `change_requests.approve` does, and
    where a pot has less by then, a meter has no room, or the jackpot that would receive was retired meanwhile.
    """
    return approve_between(
        KIND, _target, caller=caller, request_id=request_id, note=note, now=now, carry_out=_carry_out
    )


def approve_between(
    kind: ChangeKind,
    target: Callable[[ChangeRequest], str],
    *,
    caller: Caller,
    request_id: UUID,
    note: str,
    now: datetime,
    carry_out: change_requests.CarryOut,
) -> ChangeDecision:
    """Approve a change in which a second jackpot takes part, named by `target`: both lanes are locked first, in order
    of their ids, so that two that go opposite ways never wait for each other in a circle.
    """
    request = ChangeRequest.objects.filter(pk=request_id, kind=kind).first()
    if request is None or request.jackpot_id is None:
        raise refuse("not_found", "there is no such request")
    with transaction.atomic():
        lanes.hold_together({request.jackpot_id, pots.named(target(request)).pk})
        return change_requests.approve(
            caller=caller, request_id=request_id, kind=kind, note=note, now=now, carry_out=carry_out
        )[0]


def carried_out(
    shifts: list[Shift], request: ChangeRequest, entry: Entry, giving: Loaded, receiver: Lane
) -> CarriedOut:
    """What a change comes to that moves these amounts to pots of the receiver's jackpot, whose lane is held too."""
    if receiver.jackpot_id == giving.jackpot.pk:
        before, after = pots.shift(shifts, giving, giving, entry, entry)
        return CarriedOut([entry], before, after, books=giving)
    taking = pots.loaded_of(receiver)
    into = change_requests.entry_beside(request, EntryKind(request.kind), actor=entry.actor, at=entry.source.at)
    before, after = pots.shift(shifts, giving, taking, entry, into)
    beside = Beside(receiver, taking, [into]) if shifts else None
    return CarriedOut([entry], before, after, books=giving, beside=beside)


def foresee(request: ChangeRequest, now: datetime) -> tuple[Stands, Stands]:
    """How both pots stand and would stand were it approved now; nothing is locked. Raises Refused as approving does."""
    source, target = (pots.named(Place.named(request.document[key]).jackpot) for key in ("from", "to"))
    pots.check_goes(source, target)
    return foresee_shifts([Shift.read(request.document, source.currency)], source, target, KIND, now)


def foresee_shifts(
    shifts: list[Shift], source: Jackpot, target: Jackpot, kind: ChangeKind, now: datetime
) -> tuple[Stands, Stands]:
    """What these amounts would come to now."""
    giving = pots.loaded_of(source.lane, lock=False)
    taking = giving if source == target else pots.loaded_of(target.lane, lock=False)
    entry = pots.draft(kind, now)
    return pots.shift(shifts, giving, taking, entry, entry if source == target else pots.draft(kind, now))


def replay(loaded: Loaded, decided: ChangeDecision, entry: Entry) -> list[Entry]:
    """An approved transfer again, as the lane of the giving jackpot has it, or, by an entry of its own, that of the
    receiving one. Raises ValueError where the decision says otherwise how the pots stood.
    """
    asked = Shift.read(decided.request.document, loaded.jackpot.currency)
    return replay_shifts([asked], loaded, decided, entry)


def replay_shifts(shifts: list[Shift], loaded: Loaded, decided: ChangeDecision, entry: Entry) -> list[Entry]:
    """What these amounts come to in the lane of `loaded`: what leaves its jackpot, and what comes into it."""
    books, currency = loaded.books, loaded.jackpot.currency
    places = [place for shift in shifts for place in (shift.source, shift.target)]
    before = change_postings.stands(books, places, currency)
    if leaving := [shift for shift in shifts if shift.source.jackpot == books.code]:
        change_postings.give(leaving, books, entry)
    if coming := [shift for shift in shifts if shift.target.jackpot == books.code]:
        change_postings.receive(coming, books, entry)
    pots.check_record(decided, before, change_postings.stands(books, places, currency))
    return [entry]


def _target(request: ChangeRequest) -> str:
    return Place.named(request.document["to"]).jackpot


def _carry_out(request: ChangeRequest, lane: Lane, entry: Entry) -> CarriedOut:
    source = jackpot_states.jackpot_of(lane)
    target = pots.named(_target(request))
    pots.check_goes(source, target)
    asked = Shift.read(request.document, source.currency)
    return carried_out([asked], request, entry, pots.loaded_of(lane), lanes.hold(target.pk))
