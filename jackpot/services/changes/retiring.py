"""Retiring a jackpot: its pots go to another, and it takes no more bets. One person asks, another approves.

What the jackpot cannot know, which rounds still wait to be settled, is told by those who do: `tables.services.retiring`
is what people call. Source: accounting.md, section 6; docs/decisions/0019-moves-of-pots.md.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from jackpot.domain import change_postings
from jackpot.domain.callers import Caller
from jackpot.domain.change_postings import Retirement, Stands
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.errors import refuse
from jackpot.domain.postings import Entry
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.selectors import awards, pot_changes
from jackpot.services import lanes
from jackpot.services.changes import change_requests, jackpot_states, pots, transfers
from jackpot.services.changes.change_requests import CarriedOut
from jackpot.services.levels import Loaded

KIND = ChangeKind.RETIREMENT
State = Jackpot.State

Unsettled = Callable[[Lane], Sequence[str]]
"""Told a lane that is held: the numbers of its rounds whose Progressive bets stand and are not settled. It sees to it
that none comes in before the transaction ends."""


def ask_retirement(
    *, caller: Caller, jackpot: str, to: str, levels: Mapping[str, str], reason: str, note: str = "", now: datetime
) -> ChangeRequest:
    """Ask that a jackpot be retired and what each of its levels has go to a level of another (`levels`: its own level
    to the other's). The request says how all pots stand (`before`) and would stand (`document["after"]`).

    Raises Refused: `invalid_value` where not every level has one to go to, for a jackpot that is none, the same, in
    another currency or of the other kind (sandbox, live), a meter without room, the reason; `illegal_move` where one
    of the two is retired.
    """
    retiring, other = pots.named(jackpot, "/jackpot"), pots.named(to, "/to")
    _check(retiring, other)
    giving, taking = (pots.loaded_of(one.lane, lock=False) for one in (retiring, other))
    asked = Retirement(retiring.code, other.code, levels)
    if levels.keys() != giving.books.levels.keys() or set(levels.values()) - taking.books.levels.keys():
        raise refuse("invalid_value", f"each level of {jackpot} gives what it has to a level of {to}", "/levels")
    shifts = asked.shifts(change_postings.balances(giving.books))
    before, after = pots.shift(shifts, giving, taking, pots.draft(KIND, now), pots.draft(KIND, now))
    return change_requests.ask(
        caller=caller,
        kind=KIND,
        site=retiring.home_site,
        jackpot=retiring,
        subject=retiring.code,
        reason=reason,
        note=note,
        document=asked.document() | {"after": after},
        before=before,
        now=now,
    )


def approve_retirement(
    *, caller: Caller, request_id: UUID, note: str = "", now: datetime, unsettled: Unsettled
) -> ChangeDecision:
    """Retire a jackpot with what its pots have by then. Raises Refused as `change_requests.approve` does;
    `illegal_move` where it is not suspended, a round of it waits to be settled, an award is unpaid, or another change
    of it waits for its decision; `invalid_value` where a meter has no room.
    """

    def carry_out(request: ChangeRequest, lane: Lane, entry: Entry) -> CarriedOut:
        return _carry_out(request, lane, entry, unsettled)

    with transaction.atomic():
        decided = transfers.approve_between(
            KIND, _target, caller=caller, request_id=request_id, note=note, now=now, carry_out=carry_out
        )
        request = decided.request
        retired = jackpot_states.jackpot_of(lanes.hold(request.jackpot_id or 0))
        jackpot_states.change_state(
            retired, State.RETIRED, by_id=decided.by_id, note=request.note, now=now, request=request
        )
    return decided


def foresee(request: ChangeRequest, now: datetime) -> tuple[Stands, Stands]:
    """How all pots stand and would stand if it were approved now; nothing is locked. Raises Refused as `approve` does,
    but for rounds that wait to be settled, of which it does not ask.
    """
    retiring = pots.named(request.jackpot.code if request.jackpot else "")
    other = pots.named(_target(request))
    _check(retiring, other)
    _check_quiet(retiring, retiring.lane, request, lambda lane: ())
    giving = pots.loaded_of(retiring.lane, lock=False)
    shifts = Retirement.read(request.document).shifts(change_postings.balances(giving.books))
    return transfers.foresee_shifts(shifts, retiring, other, KIND, now)


def replay(loaded: Loaded, decided: ChangeDecision, entry: Entry) -> list[Entry]:
    """An approved retirement again, as the lane of the retired jackpot has it, or, by an entry of its own, that of the
    other one: what came into that is what the decision says the first one had, to which that one is held in its turn.
    """
    asked = Retirement.read(decided.request.document)
    if loaded.jackpot.code == asked.jackpot:
        had = change_postings.balances(loaded.books)
    else:
        had = change_postings.read_stands(decided.before or {}, asked.jackpot, loaded.jackpot.currency)
    return transfers.replay_shifts(asked.shifts(had), loaded, decided, entry)


def _target(request: ChangeRequest) -> str:
    return Retirement.read(request.document).to


def _carry_out(request: ChangeRequest, lane: Lane, entry: Entry, unsettled: Unsettled) -> CarriedOut:
    retiring = jackpot_states.jackpot_of(lane)
    other = pots.named(_target(request))
    _check(retiring, other)
    _check_quiet(retiring, lane, request, unsettled)
    giving = pots.loaded_of(lane)
    shifts = Retirement.read(request.document).shifts(change_postings.balances(giving.books))
    work = transfers.carried_out(shifts, request, entry, giving, lanes.hold(other.pk))
    state = f"state:{retiring.code}"
    work.before = {state: State.SUSPENDED.value, **work.before}
    work.after = {state: State.RETIRED.value, **work.after}
    return work


def _check(retiring: Jackpot, other: Jackpot) -> None:
    if retiring == other:
        raise refuse("invalid_value", "what a retired jackpot has goes to another one", "/to")
    pots.check_in_service(retiring)
    pots.check_goes(retiring, other)


def _check_quiet(jackpot: Jackpot, lane: Lane, request: ChangeRequest, unsettled: Unsettled) -> None:
    """Nothing of the jackpot may be under way: under the lane's lock nothing of it is posted meanwhile."""
    if jackpot.state != State.SUSPENDED:
        raise refuse("illegal_move", f"suspend jackpot {jackpot.code} first: it takes new bets until then")
    if rounds := unsettled(lane):
        raise refuse("illegal_move", f"rounds of {jackpot.code} wait to be settled: {', '.join(rounds[:5])}")
    if unpaid := awards.unpaid(jackpot):
        raise refuse("illegal_move", f"awards of {jackpot.code} are not paid: {unpaid}")
    if others := pot_changes.waiting(jackpot, without=request.pk):
        raise refuse("illegal_move", f"other changes of {jackpot.code} wait for their decision: {others}")
