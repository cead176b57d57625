"""What an award's moves post: payments, returns, and records of what moves no money. Pure; accounting.md, section 3."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from jackpot.domain import accounts, awards, meter
from jackpot.domain.accounts import Bet
from jackpot.domain.awards import Move, Standing, State, Taken
from jackpot.domain.meter import Funded
from jackpot.domain.postings import Books, Entry, EntryKind, Source

RETURNED = "a rejected award goes back to where it came from"
"""The reason of a return's entry. It stands in a statement that others read, so it tells nothing of the case."""


@dataclass(frozen=True, slots=True)
class Case:
    """An award as its moves see it: what it owes, how it stands, and how many moves were made before.

    `ref` is its id, `level` the level a hit's share was taken from, None for an Envy. Amount in ledger units.
    """

    ref: str
    table_ref: str
    integrator_id: int | None
    amount: int
    level: str | None
    standing: Standing
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """Who makes which move when; `actor` as in `Caller.actor`."""

    move: Move
    actor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Setting:
    """What a move depends on beside the award: the approvals its policy asks for and who entered the round, in any
    version that it stands in; the cage that pays; and what the reset or restore of its hit put in, where that goes
    back with it.
    """

    books: Books
    approvals: int
    entered_by: Collection[str] = ()
    cage: str = ""
    funded: Funded = field(default_factory=Funded)


@dataclass(frozen=True, slots=True)
class Moved:
    """One award that was moved, and the entry that seals its move."""

    case: Case
    taken: Taken
    entry: Entry


def move(call: Call, award: Case, envy: Sequence[Case], setting: Setting) -> list[Moved]:
    """Move an award, and with a hit the Envy under it. The levels in `setting.books` change where a hit is returned.

    Raises Refused as `awards.take` does.
    """
    taken = awards.take(
        award.standing,
        call.move,
        by=call.actor,
        approvals=setting.approvals,
        entered_by=setting.entered_by,
        envy=award.level is None,
    )
    first = Moved(award, taken, _entry(call, award, taken, setting))
    with_it = [(case, along) for case in envy if (along := awards.follow(case.standing, taken))]
    if taken.after.state is not State.REJECTED:
        return [first, *(Moved(case, along, first.entry) for case, along in with_it)]
    return [first, *(Moved(case, along, _give_back(call, case, setting)) for case, along in with_it)]


def _entry(call: Call, award: Case, taken: Taken, setting: Setting) -> Entry:
    match taken.after.state if taken.changes else None:
        case State.PAID:
            return _pay(call, award, setting)
        case State.REJECTED:
            return _give_back(call, award, setting)
        case _:
            ref = f"award:{award.ref}:{award.moves + 1}"
            return Entry(EntryKind.AWARD_MOVE, ref, _source(call, award), actor=call.actor)


def _pay(call: Call, award: Case, setting: Setting) -> Entry:
    """Paid away from the table: out of the cage of the table's site."""
    entry = Entry(EntryKind.AWARD_PAID, f"award:{award.ref}", _source(call, award), actor=call.actor)
    entry.debit(accounts.awards_of(setting.books.code), award.amount)
    entry.credit(setting.cage, award.amount)
    return entry


def _give_back(call: Call, award: Case, setting: Setting) -> Entry:
    """A share goes back to its meter with what its reset or restore put in; Envy to the table's result."""
    entry = Entry(EntryKind.AWARD_RETURNED, f"award:{award.ref}", _source(call, award), reason=RETURNED,
                  actor=call.actor)  # fmt: skip
    books = setting.books
    entry.debit(accounts.awards_of(books.code), award.amount)
    if award.level is None:
        entry.credit(accounts.win_of(award.table_ref, Bet.PROGRESSIVE), award.amount)
        return entry
    returned = meter.give_back(books.levels[award.level], award.amount, setting.funded)
    books.change(entry, returned.rows)
    entry.debit(accounts.house_of(books.code), returned.house)
    return entry


def _source(call: Call, award: Case) -> Source:
    return Source(award.ref, award.table_ref, award.integrator_id, call.at)
