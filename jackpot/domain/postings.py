"""What tables hand over to be posted, and the journal entries it becomes. Pure; source: accounting.md, section 3."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from jackpot.domain import accounts, meter, progressive
from jackpot.domain.accounts import Bet
from jackpot.domain.meter import Contribution, Meter, Row
from jackpot.domain.policy import Basis, LevelTerms, Policy, VoidContributions
from jackpot.domain.progressive import Claim, Hit, Outcome


class EntryKind(StrEnum):
    """What an entry in the ledger records."""

    LOCKOUT = "lockout"
    SETTLEMENT = "settlement"
    RESET = "reset"
    RESTORE = "restore"
    AWARD_PAID = "award_paid"
    AWARD_RETURNED = "award_returned"
    AWARD_MOVE = "award_move"
    VOID = "void"
    DOCUMENT = "document"
    CORRECTION = "correction"
    ADJUSTMENT = "adjustment"
    TRANSFER = "transfer"
    RETIREMENT = "retirement"
    POLICY = "policy"
    OPENING = "opening"
    TABLE = "table"
    RULE_SET = "rule_set"
    DECLINED = "declined"
    DAY_CLOSED = "day_closed"


class Wager(NamedTuple):
    """A Progressive stake that stands at the lock-out, in ledger units."""

    box: int
    player: str
    stake: int


@dataclass(frozen=True, slots=True)
class Source:
    """Where a posting comes from: the round as an opaque reference, its table, who sent it, when it happened."""

    ref: str
    table_ref: str
    integrator_id: int | None
    at: datetime


class Document(NamedTuple):
    """A version of rules that postings follow from, in canonical form. Opaque: it is digested, and never read here.

    `ref` names it for ever, such as "policy:MAIN@1".
    """

    ref: str
    content: bytes


@dataclass(frozen=True, slots=True)
class LockOut:
    """Betting closed: the Progressive wagers stand and contribute."""

    source: Source
    policy_id: int
    wagers: tuple[Wager, ...]

    @property
    def staked(self) -> int:
        return sum(wager.stake for wager in self.wagers)


@dataclass(frozen=True, slots=True)
class Settlement:
    """A round is settled: the players' nets by bet, and the Progressive wagers that are alive.

    `staked` is what was locked out of Progressive stakes; `refunded` what is given back of it (void boxes or round).
    `facts` is an opaque document, as canonical JSON: it is digested, kept with every award and never read.
    `entered_by` is the person who entered the facts, where it was one (a corrected version).
    `documents` are the versions of the tables' own rules it was made under.
    """

    source: Source
    policy_id: int | None
    version: int
    main_net: int
    trips_net: int
    claims: tuple[Claim, ...] = ()
    staked: int = 0
    refunded: int = 0
    shared: bool = False
    void: bool = False
    facts: bytes = b""
    entered_by: int | None = None
    documents: tuple[Document, ...] = ()


@dataclass(slots=True)
class Entry:
    """A journal entry before it is written: legs by account code (debits positive) and its statement rows.

    `actor` is who caused it (`Caller.actor`); nobody where it follows from a round. `terms` come into force with it.
    `reverses`: kind and reference of the entry that it takes back. `as_of`: when it counts for the gaming day, where
    that is not when it happened.
    """

    kind: EntryKind
    source_ref: str
    source: Source
    legs: dict[str, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    facts: bytes = b""
    reason: str = ""
    actor: str = ""
    terms: LevelTerms | None = None
    reverses: tuple[EntryKind, str] | None = None
    as_of: datetime | None = None

    @property
    def day_at(self) -> datetime:
        """The instant whose gaming day it is entered under."""
        return self.as_of or self.source.at

    def debit(self, account: str, amount: int) -> None:
        """Add a debit; a negative amount is a credit, nothing is no leg."""
        if amount:
            self.legs[account] = self.legs.get(account, 0) + amount

    def credit(self, account: str, amount: int) -> None:
        self.debit(account, -amount)


@dataclass(frozen=True, slots=True)
class Books:
    """The jackpot whose meters a batch works on: its code, levels in order, and its policy versions by id."""

    code: str
    levels: Mapping[str, Meter]
    policies: Mapping[int, Policy]

    def change(self, entry: Entry, rows: Sequence[Row]) -> None:
        """Enter statement rows: each is also the leg of its pot's account, so that both always agree."""
        for row in rows:
            entry.rows.append(row)
            entry.credit(accounts.pot_of(self.code, row.level, row.pot), row.amount)


def seal(document: Document, lane_id: int, at: datetime) -> Entry:
    """The entry without legs that puts a document into a lane's chain, once, before what first follows from it."""
    source_ref = f"{EntryKind.DOCUMENT}:{lane_id}:{document.ref}"
    return Entry(EntryKind.DOCUMENT, source_ref, Source(document.ref, "", None, at), facts=document.content)


Accrued = Mapping[str, Contribution]
"""What one round's lock-out contributed, by level."""


def fund(books: Books, at: datetime) -> list[Entry]:
    """First funding of a new jackpot: every level's meter is reset from 0 to its base, paid by the house."""
    source = Source(f"fund:{books.code}", "", None, at)
    put = [(code, meter.reset(level, None)) for code, level in books.levels.items()]
    return [funding(books, f"fund:{books.code}:{code}", source, one) for code, one in put if one.rows]


def funding(books: Books, ref: str, source: Source, put: meter.Funding, kind: EntryKind = EntryKind.RESET) -> Entry:
    """What was put into a meter by a reset or restore: out of the pots it came from, and the house."""
    entry = Entry(kind, ref, source)
    books.change(entry, put.rows)
    entry.debit(accounts.house_of(books.code), put.house)
    if put.terms is not None:
        entry.terms, entry.facts = put.terms, put.terms.record
    return entry


def lock_out(posting: LockOut, books: Books) -> tuple[list[Entry], Accrued]:
    """Stakes into the float; out of them meter, overflow and reserve; the remainder is the house's."""
    staked = posting.staked
    if not staked:
        return [], {}
    entry = Entry(EntryKind.LOCKOUT, f"round:{posting.source.ref}", posting.source)
    entry.debit(accounts.float_of(posting.source.table_ref), staked)
    policy = books.policies[posting.policy_id]
    accrued = {code: meter.contribute(level, staked, policy.overflow_to) for code, level in books.levels.items()}
    for contribution in accrued.values():
        books.change(entry, contribution.rows)
    entry.debit(accounts.win_of(posting.source.table_ref, Bet.PROGRESSIVE), -sum(entry.legs.values()))
    return [entry], accrued


def settle(
    posting: Settlement, books: Books | None, accrued_of: Callable[[str], Accrued]
) -> tuple[list[Entry], Outcome]:
    """Nets between float and win, prizes, shares and Envy; then an entry for each reset or restore."""
    source = posting.source
    ref = f"round:{source.ref}:v{posting.version}"
    entry = Entry(EntryKind.VOID if posting.void else EntryKind.SETTLEMENT, ref, source, facts=posting.facts)
    post_nets(entry, posting)
    if books is None or posting.policy_id is None:
        return [entry], Outcome()
    policy = books.policies[posting.policy_id]
    if posting.refunded:
        refund(entry, posting, policy, books, accrued_of)
    outcome = progressive.settle(policy, posting.claims, books.levels, shared=posting.shared, at=source.at)
    _pay(entry, outcome, books)
    entries = [entry]
    for hit, kind, put in outcome.fundings:
        found = EntryKind.RESET if kind is meter.Kind.RESET else EntryKind.RESTORE
        entries.append(funding(books, f"{ref}:hit{hit + 1}", source, put, found))
    return entries, outcome


def post_nets(entry: Entry, posting: Settlement) -> None:
    """The players' nets of the main bets and Trips, between float and win."""
    table = posting.source.table_ref
    entry.credit(accounts.float_of(table), posting.main_net + posting.trips_net)
    entry.debit(accounts.win_of(table, Bet.MAIN), posting.main_net)
    entry.debit(accounts.win_of(table, Bet.TRIPS), posting.trips_net)


def _pay(entry: Entry, outcome: Outcome, books: Books) -> None:
    """Fixed prizes leave the float at once; shares and Envy are owed until they are paid."""
    table = entry.source.table_ref
    fixed = sum(prize.returned for prize in outcome.prizes.values() if prize.basis is not Basis.METER_SHARE)
    envy = sum(envy.amount for envy in outcome.envy)
    entry.credit(accounts.float_of(table), fixed)
    books.change(entry, outcome.award_rows)
    entry.credit(accounts.awards_of(books.code), sum(hit.amount for hit in outcome.hits) + envy)
    entry.debit(accounts.win_of(table, Bet.PROGRESSIVE), fixed + envy)


_VOID_CHARGED = {
    VoidContributions.KEEP: "what voided stakes contributed stays in the pots; the house bears it",
    VoidContributions.REVERSE: "what voided stakes contributed could not all be taken back; the house bears the rest",
}


def refund(
    entry: Entry, posting: Settlement, policy: Policy, books: Books, accrued_of: Callable[[str], Accrued]
) -> None:
    """Give voided Progressive stakes back. What they contributed is taken back from the pots, or stays there and is
    charged to the house, as the policy says; nothing of them is left in the table's result.
    """
    taken = charged = 0
    for code, accrued in accrued_of(posting.source.ref).items():
        level, reverse = books.levels[code], policy.void_contributions is VoidContributions.REVERSE
        part = meter.part_of(posting.refunded, posting.staked, accrued)
        rows = meter.take_back(level, part, accrued) if reverse else []
        books.change(entry, rows)
        back = -sum(row.amount for row in rows)
        taken += back
        charged += part.amount - back
    table = entry.source.table_ref
    entry.debit(accounts.house_of(books.code), charged)
    entry.debit(accounts.win_of(table, Bet.PROGRESSIVE), posting.refunded - taken - charged)
    entry.credit(accounts.float_of(table), posting.refunded)
    if charged:
        entry.reason = _VOID_CHARGED[policy.void_contributions]


def paid_at_once(hits: Sequence[Hit], policy: Policy) -> list[int]:
    """Which hits are too small to be verified (`verify_from`): paid at the table at once. A late hit never is.

    A share that is split is one hit: its parts are verified, or not, together.
    """
    return [n for n, hit in enumerate(hits) if hit.share < policy.verify_from and not hit.late]


def payment(hit: Hit, award_ref: str, source: Source, books: Books) -> Entry:
    """A hit paid at its table."""
    entry = Entry(EntryKind.AWARD_PAID, award_ref, source)
    entry.debit(accounts.awards_of(books.code), hit.amount)
    entry.credit(accounts.float_of(source.table_ref), hit.amount)
    return entry
