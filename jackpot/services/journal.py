"""Writing a batch: entries, legs, statement rows and awards by COPY, levels and the lane by update, then the seal and
the one announcement of it to those who follow the jackpot. Moves of awards, decisions on changes and resets that bring
new terms are few, and come with the entry that seals them.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from hashlib import sha256
from typing import Any

from django.db import connection, transaction

from jackpot.domain import accounts, chain
from jackpot.domain.meter import Row
from jackpot.domain.postings import Entry, Source
from jackpot.models.awards import Award, AwardMove, CarriedAward
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Account
from jackpot.models.sites import Site
from jackpot.models.terms import TermsChange
from jackpot.selectors import journal as stored_journal
from jackpot.services import bulk, levels
from jackpot.services.award_drafts import AwardDraft
from jackpot.services.days import Calendar, Place

_heads = logging.getLogger("jackpot.chain")

CHANNEL = "jackpot"
"""The channel of PostgreSQL on which each batch of a jackpot is announced, as `code:link`."""

_ENTRY = (
    ("id", "int8"), ("lane_id", "int8"), ("link_seq", "int8"), ("kind", "varchar"), ("source_ref", "varchar"),
    ("table_ref", "varchar"), ("integrator_id", "int8"), ("leg_count", "int2"), ("event_at", "timestamptz"),
    ("posted_at", "timestamptz"), ("actor", "varchar"), ("reason", "varchar"), ("facts_digest", "bytea"),
    ("reverses_id", "int8"),
)  # fmt: skip
_LEG = (
    ("entry_id", "int8"), ("position", "int2"), ("account_id", "int8"), ("amount", "int8"), ("gaming_day", "date"),
)  # fmt: skip
_ROW = (
    ("level_id", "int8"), ("pot", "varchar"), ("seq", "int8"), ("kind", "varchar"), ("amount", "int8"),
    ("before", "numeric"), ("after", "numeric"), ("entry_id", "int8"), ("gaming_day", "date"),
)  # fmt: skip
_AWARD = (
    ("id", "uuid"), ("jackpot_id", "int8"), ("entry_id", "int8"), ("position", "int4"), ("kind", "varchar"),
    ("hit_id", "uuid"), ("source_ref", "uuid"), ("table_ref", "varchar"), ("box", "int4"), ("player", "varchar"),
    ("hand", "varchar"), ("amount", "int8"), ("level_id", "int8"), ("policy_id", "int8"), ("meter_before", "int8"),
    ("meter_after", "int8"), ("reset_to", "int8"), ("seq", "int8"), ("late", "bool"), ("facts", "jsonb"),
    ("hit_at", "timestamptz"), ("state", "varchar"), ("difference_of_id", "uuid"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CarriedDraft:
    """What an award of an earlier version stands for in a later one, with the settlement that says so."""

    carried: CarriedAward
    entry: Entry


@dataclass(frozen=True, slots=True)
class MoveDraft:
    """A move of an award before it is written, with the entry that seals it."""

    move: AwardMove
    entry: Entry


@dataclass(frozen=True, slots=True)
class DecisionDraft:
    """The decision on a change before it is written, with the entry that seals it."""

    decision: ChangeDecision
    entry: Entry


class Days:
    """The gaming day of everything in a batch: a leg's by its account's site, a statement row's by the home site."""

    def __init__(self, account_rows: dict[str, Account], loaded: levels.Loaded | None, at: datetime) -> None:
        sites: dict[int, Site] = {account.site_id: account.site for account in account_rows.values()}
        self._home = loaded.jackpot.home_site_id if loaded else 0
        if loaded:
            sites[self._home] = loaded.jackpot.home_site
        self._accounts = account_rows
        self._calendar = Calendar(sites.values(), now=at, hold=True)
        self.last = {code: row.last_day for code, row in loaded.rows.items()} if loaded else {}
        self._of_pots: dict[tuple[int, str], date] = {}

    def of(self, source: Source) -> Place:
        """The day of what happened at a table."""
        return self._calendar.place(self.site_of(source), source.at)

    def site_of(self, source: Source) -> int:
        """The site of the table where it happened."""
        return self._accounts[accounts.float_of(source.table_ref)].site_id

    def account(self, code: str) -> Account:
        return self._accounts[code]

    def of_row(self, row: Row, at: datetime, pot: tuple[int, str]) -> date:
        """A statement row's day never goes back; to be asked for in the order of posting. `pot`: entry and account."""
        day, last = self._calendar.place(self._home, at).day, self.last[row.level]
        self.last[row.level] = self._of_pots[pot] = self._calendar.not_before(self._home, day, last)
        return self._of_pots[pot]

    def of_leg(self, entry_id: int, code: str, at: datetime) -> date:
        """The day of a leg's site; a pot's leg has that of its statement row, so that both add up day by day."""
        found = self._of_pots.get((entry_id, code))
        return found or self._calendar.place(self._accounts[code].site_id, at).day


def write(
    *,
    lane: Lane,
    books: levels.Loaded | None,
    entries: Sequence[Entry],
    awards: Sequence[AwardDraft] = (),
    moves: Sequence[MoveDraft] = (),
    carried: Sequence[CarriedDraft] = (),
    decisions: Sequence[DecisionDraft] = (),
    table_refs: Iterable[str] = (),
    at: datetime,
) -> Days:
    """Write and seal a computed batch of these tables. Returns the gaming days everything is entered under."""
    days = Days(_accounts(entries, table_refs), books, at)
    if not entries:
        if books is not None:
            levels.store(books, days={}, posted_at=at)
        return days
    ids = bulk.take_ids("jackpot_entry_id_seq", len(entries))
    bulk.copy_rows("jackpot_entry", _ENTRY, _entry_rows(lane, entries, ids, at))
    rows = _statement_rows(entries, ids, books, days) if books else []
    bulk.copy_rows("jackpot_leg", _LEG, _leg_rows(entries, ids, days))
    if books is not None:
        levels.store(books, days={code: day for code, day in days.last.items() if day}, posted_at=at)
        bulk.copy_rows("jackpot_statementrow", _ROW, rows)
    by_entry = {id(entry): pk for entry, pk in zip(entries, ids, strict=True)}
    if awards:
        bulk.copy_rows("jackpot_award", _AWARD, _award_rows(awards, by_entry))
    _carry(carried, by_entry)
    _move(moves, by_entry)
    _decide(decisions, by_entry)
    if books is not None:
        _bring_terms(entries, by_entry, books)
    _seal(lane, at)
    if lane.jackpot is not None:
        _announce(lane.jackpot.code, lane.sealed)
    return days


def _announce(code: str, link: int) -> None:
    """Tell who follows the jackpot, once this transaction commits, that its lane has a new link; see `jackpot.live`."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{code}:{link}"])


def _accounts(entries: Sequence[Entry], table_refs: Iterable[str]) -> dict[str, Account]:
    codes = {code for entry in entries for code in entry.legs}
    codes |= {accounts.float_of(table_ref) for table_ref in table_refs}
    return {account.code: account for account in Account.objects.filter(code__in=codes).select_related("site")}


def _entry_rows(lane: Lane, entries: Sequence[Entry], ids: list[int], at: datetime) -> Iterator[tuple[Any, ...]]:
    reversed_ids = stored_journal.entry_ids(entry.reverses for entry in entries if entry.reverses)
    for entry, pk in zip(entries, ids, strict=True):
        source = entry.source
        reverses = reversed_ids[entry.reverses] if entry.reverses else None
        digest = sha256(entry.facts).digest() if entry.facts else None
        yield (pk, lane.pk, lane.sealed + 1, entry.kind.value, entry.source_ref, source.table_ref, source.integrator_id,
               _count(entry), source.at, at, entry.actor, entry.reason, digest, reverses)  # fmt: skip


def _count(entry: Entry) -> int:
    return sum(1 for amount in entry.legs.values() if amount)


def _leg_rows(entries: Sequence[Entry], ids: list[int], days: Days) -> Iterator[tuple[Any, ...]]:
    for entry, pk in zip(entries, ids, strict=True):
        legs = [(code, amount) for code, amount in entry.legs.items() if amount]
        for position, (code, amount) in enumerate(legs, start=1):
            yield pk, position, days.account(code).pk, amount, days.of_leg(pk, code, entry.day_at)


def _statement_rows(
    entries: Sequence[Entry], ids: list[int], books: levels.Loaded, days: Days
) -> list[tuple[Any, ...]]:
    """The rows in the order of posting, on which their days depend."""
    return [
        (books.rows[row.level].pk, row.pot.value, row.seq, row.kind.value, row.amount, row.before, row.after, pk,
         days.of_row(row, entry.day_at, (pk, accounts.pot_of(books.books.code, row.level, row.pot))))
        for entry, pk in zip(entries, ids, strict=True)
        for row in entry.rows
    ]  # fmt: skip


def _award_rows(awards: Sequence[AwardDraft], entry_ids: dict[int, int]) -> Iterator[tuple[Any, ...]]:
    position: dict[int, int] = {}
    for draft in awards:
        entry_id = entry_ids[id(draft.entry)]
        position[entry_id] = position.get(entry_id, 0) + 1
        values = {"position": position[entry_id]} | draft.values | {"id": draft.id, "entry_id": entry_id}
        yield tuple(values.get(name) for name, _ in _AWARD)


def _carry(carried: Sequence[CarriedDraft], entry_ids: dict[int, int]) -> None:
    for draft in carried:
        draft.carried.entry_id = entry_ids[id(draft.entry)]
    CarriedAward.objects.bulk_create(draft.carried for draft in carried)


def _move(moves: Sequence[MoveDraft], entry_ids: dict[int, int]) -> None:
    """Write moves in their order, a hit's before its Envy's, and let the awards stand as they left them."""
    for draft in moves:
        draft.move.entry_id = entry_ids[id(draft.entry)]
    rows = [draft.move for draft in moves]
    AwardMove.objects.bulk_create(rows)
    for state in {row.state for row in rows if row.state != row.before}:
        moved = [row.award_id for row in rows if row.state == state]
        Award.objects.filter(pk__in=moved).update(state=state)


def _decide(decisions: Sequence[DecisionDraft], entry_ids: dict[int, int]) -> None:
    for draft in decisions:
        draft.decision.entry_id = entry_ids[id(draft.entry)]
        draft.decision.save(force_insert=True)


def _bring_terms(entries: Sequence[Entry], entry_ids: dict[int, int], books: levels.Loaded) -> None:
    """Put on record which reset brought a level the terms it is stored with now."""
    brought = [(entry.terms.code, entry_ids[id(entry)]) for entry in entries if entry.terms is not None]
    TermsChange.objects.bulk_create(
        TermsChange(level=books.rows[code], policy_id=books.latest_id, entry_id=pk) for code, pk in brought
    )


def _seal(lane: Lane, at: datetime) -> None:
    """Seal the batch as the lane's next link; PostgreSQL reckons its digest from the rows it stored."""
    seq = lane.sealed + 1
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO jackpot_link (lane_id, seq, previous, posted_at)
            VALUES (%(lane)s, %(seq)s, %(head)s, %(at)s) RETURNING digest
            """,
            {"lane": lane.pk, "seq": seq, "head": bytes(lane.head), "at": at},
        )
        lane.head = cursor.fetchone()[0]
    lane.sealed, lane.posted_at = seq, at
    lane.save(update_fields=["sealed", "head", "posted_at"])
    transaction.on_commit(partial(_tell_head, str(lane), chain.head(lane.pk, seq, bytes(lane.head))))


def _tell_head(name: str, head: str) -> None:
    """The head to the log, once it is committed: kept off this machine it shows a chain that was made anew."""
    _heads.info("sealed %s head=%s", name, head)
