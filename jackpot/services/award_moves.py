"""Moving awards: approved, disputed, upheld, rejected, paid; each move recorded, posted where money moves, and sealed.

One transaction under the lane's lock: lane, then the award as it stands, then levels, then the chain's head.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from jackpot.domain import accounts, award_postings, events
from jackpot.domain.award_postings import Call, Moved, Setting
from jackpot.domain.awards import Move, State
from jackpot.domain.callers import Caller
from jackpot.domain.errors import refuse
from jackpot.domain.events import Event, Happened
from jackpot.domain.meter import Funded
from jackpot.domain.postings import Books, Source
from jackpot.models.awards import Award, AwardMove
from jackpot.models.lanes import Lane
from jackpot.selectors import award_moves, awards, places
from jackpot.services import journal, lanes, levels
from jackpot.services.journal import MoveDraft
from jackpot.services.staff import person_who_may


def move(*, caller: Caller, award_id: UUID, move: Move, note: str, now: datetime) -> list[Event]:
    """Make a move of an award, and of the Envy under a hit with it. `note`: a reference, a reason, or a remark.

    Answers with what is to be told of it: the caller publishes that as the last thing of its transaction. Raises
    Refused: `forbidden` for a person without the permission, `not_found` where the caller has no such award,
    `illegal_move`, `second_person_required`.
    """
    if caller.is_person:
        person_who_may(caller, f"jackpot.{move}_award")
    with transaction.atomic():
        mine = awards.seen_by(caller).defer(None).defer("facts", "hit__facts").filter(pk=award_id)
        mine = mine.select_related("jackpot__home_site", "level", "policy__jackpot", "entry")
        jackpot_id = mine.values_list("jackpot_id", flat=True).first()
        if jackpot_id is None:
            raise refuse("not_found", "there is no such award")
        lane = lanes.hold(jackpot_id)
        award = mine.get()
        books = levels.load(lane, ()) if move is Move.REJECT else None
        envy = award_moves.envy_under(award)
        case, *along = award_moves.cases([award, *envy])
        moved = award_postings.move(Call(move, caller.actor, now), case, along, _setting(lane, award, books, move))
        rows = {str(award.pk): award for award in (award, *envy)}
        at = lanes.clock(lane)
        days = _write(
            lane, books, [(rows[one.case.ref], one) for one in moved], caller=caller, note=note, now=now, at=at
        )
        return [_told(rows[one.case.ref], one, award, days, at) for one in moved if one.taken.changes]


def given_back(award: Award, *, now: datetime) -> dict[str, int]:
    """What the rejection of a disputed award, read as `move` reads it, would post as things stand: ledger units by
    account, debits positive. Only looked at: nothing is locked or written.
    """
    lane = Lane.objects.select_related("jackpot").get(jackpot=award.jackpot)
    books = levels.load(lane, (), lock=False)
    case, *along = award_moves.cases([award, *award_moves.envy_under(award)])
    setting = replace(_setting(lane, award, books, Move.REJECT), approvals=1, entered_by=())
    legs: dict[str, int] = {}
    for moved in award_postings.move(Call(Move.REJECT, "", now), case, along, setting):
        for account, amount in moved.entry.legs.items():
            legs[account] = legs.get(account, 0) + amount
    return {account: amount for account, amount in legs.items() if amount}


def _setting(lane: Lane, award: Award, books: levels.Loaded | None, move: Move) -> Setting:
    return Setting(
        books=books.books if books else Books(award.jackpot.code, {}, {}),
        approvals=award.policy.read().approvals,
        entered_by=award_moves.entered_by(award),
        cage=accounts.cage_of(places.site_of(award.table_ref)) if move is Move.PAY else "",
        funded=_goes_back(award) if move is Move.REJECT else Funded(),
    )


def _goes_back(award: Award) -> Funded:
    """What of a hit's reset or restore goes back with it: all, once no part of its share stands any more."""
    if award.level is None:
        return Funded()
    parts = award_moves.parts_of(award)
    stands = any(part.award.state != State.REJECTED for part in parts if part.award.pk != award.pk)
    return Funded() if stands else award_moves.funded_by(award, parts)


def _write(
    lane: Lane,
    books: levels.Loaded | None,
    moved: Sequence[tuple[Award, Moved]],
    *,
    caller: Caller,
    note: str,
    now: datetime,
    at: datetime,
) -> journal.Days:
    drafts = [MoveDraft(_row(award, one, caller, note, now), one.entry) for award, one in moved]
    entries = list({id(one.entry): one.entry for _, one in moved}.values())
    table_refs = {award.table_ref for award, _ in moved}
    return journal.write(lane=lane, books=books, entries=entries, moves=drafts, table_refs=table_refs, at=at)


def _row(award: Award, moved: Moved, caller: Caller, note: str, now: datetime) -> AwardMove:
    taken = moved.taken
    return AwardMove(
        award=award,
        number=moved.case.moves + 1,
        move=taken.move,
        before=taken.before.state,
        state=taken.after.state,
        stage=taken.before.stage,
        approvals=taken.approvals,
        user_id=caller.user_id,
        key_id=caller.key_id,
        note=note,
        at=now,
    )


def _told(award: Award, moved: Moved, first: Award, days: journal.Days, at: datetime) -> Event:
    """`first`: the award that was moved itself, with its jackpot."""
    jackpot, case = first.jackpot, moved.case
    source = Source(str(award.source_ref), case.table_ref, case.integrator_id, moved.entry.source.at)
    happened = Happened(
        source=source,
        site_id=days.site_of(source),
        jackpot_id=jackpot.pk,
        jackpot=jackpot.code,
        currency=jackpot.currency,
        test=jackpot.home_site.sandbox,
        at=at,
    )
    return events.award(
        happened,
        award.pk,
        moved.taken.after.state,
        hit=award.hit_id,
        hand=award.hand,
        amount=award.amount,
        box=award.box,
        player=award.player,
    )
