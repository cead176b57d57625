"""What a lane's entries must come to: legs that balance, statements that follow row by row, levels as they stand.

Fed entry by entry in the order in which they were posted; keeps a few numbers for each level, however many there are.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import Sum

from jackpot.domain import accounts, meter
from jackpot.domain.accounts import Pot
from jackpot.domain.audit import Findings
from jackpot.domain.awards import State
from jackpot.domain.policy import LevelTerms
from jackpot.domain.postings import EntryKind
from jackpot.models.awards import Award
from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane
from jackpot.selectors import books, journal, standing
from jackpot.selectors.sealed import AccountPlace, SealedEntry, SealedRow, grouped
from jackpot.selectors.terms import History

_POTS = frozenset(pot.value for pot in Pot)
_OWING = (EntryKind.SETTLEMENT, EntryKind.VOID)
_LATER = re.compile(r"^round:.*:v(?:[2-9]|[1-9][0-9])")
"""References of a corrected round's later versions."""


@dataclass(slots=True)
class _Stand:
    """A level as its rows make it: by pot the last seq, balance and day; totals and hits."""

    level: Level
    last: dict[str, tuple[int, int, date | None]] = field(default_factory=lambda: dict.fromkeys(_POTS, (0, 0, None)))
    by_kind: Counter[str] = field(default_factory=Counter)
    ledger: Counter[str] = field(default_factory=Counter)
    reset_seq: int = 0
    reset_at: datetime | None = None
    last_hit_at: datetime | None = None
    shares: int = 0
    shares_of_nothing: int = 0
    wagers_of_nothing: int = 0
    posted_at: datetime | None = None

    def hit(self, at: datetime, *, corrected: bool) -> None:
        """A hit settled: the last one of its lane, but that one found by a correction does not go back in time."""
        self.last_hit_at = max(at, self.last_hit_at or at) if corrected else at


class Books:
    """The books of a lane as its entries make them."""

    def __init__(self, lane: Lane, accounts_by_id: Mapping[int, AccountPlace], findings: Findings) -> None:
        self._lane, self._jackpot, self._findings = lane, lane.jackpot, findings
        self._accounts = accounts_by_id
        levels = self._jackpot.levels.order_by("position") if self._jackpot else ()
        self._levels = {level.pk: _Stand(level) for level in levels}
        self._pots = {
            accounts.pot_of(self._jackpot.code, stand.level.code, pot): (stand, pot.value)
            for stand in self._levels.values()
            for pot in Pot
            if self._jackpot
        }
        self._staked = 0
        self._corrected, self._correcting = 0, ""
        self._rows: list[tuple[SealedRow, SealedEntry]] = []

    def take(self, entry: SealedEntry) -> None:
        """Hold an entry's legs, rows and awards against each other, and its rows against those before them."""
        legs = grouped(self._accounts, entry.legs)
        self._check_legs(entry)
        self._check_pots(entry, legs)
        self._check_days(entry)
        if entry.kind == EntryKind.CORRECTION or (entry.kind in _OWING and _is_later(entry)):
            self._correct(entry, legs)
        elif entry.kind in _OWING:
            owed = -sum(amount for code, amount in legs.items() if code.startswith("awards:"))
            awarded = sum(award.amount for award in entry.awards)
            if owed != awarded:
                self._findings.add("awards", str(entry), expected=owed, stored=awarded)
        if entry.kind == EntryKind.LOCKOUT:
            self._staked += sum(amount for code, amount in legs.items() if code.startswith("float:"))
        self._rows += [(row, entry) for row in entry.rows]
        self._hits(entry)
        self._shares(entry)

    def _correct(self, entry: SealedEntry, legs: Mapping[str, int]) -> None:
        """A correction owes what it opens and no longer what it withdraws; its entries, a link's, come out together."""
        ended = [move.award_id for move in entry.moves if move.state == State.WITHDRAWN]
        withdrawn = Award.objects.filter(pk__in=ended).aggregate(total=Sum("amount"))["total"] or 0
        self._corrected -= sum(amount for code, amount in legs.items() if code.startswith("awards:"))
        self._corrected -= sum(award.amount for award in entry.awards) - int(withdrawn)
        self._correcting = str(entry)

    def take_rows(self) -> None:
        """Hold the rows of the entries taken since the last call against those before them: a link's, all together,
        since two hits of one round take from a meter in turn, each with an entry of its own for its reset.
        """
        if self._corrected:
            self._findings.add("awards", f"the link of {self._correcting}", expected=self._corrected, stored=0)
        self._corrected = 0
        for row, entry in sorted(self._rows, key=lambda placed: (placed[0].level_id, placed[0].pot, placed[0].seq)):
            self._row(row, entry)
        self._rows.clear()

    def finish(self) -> None:
        """Hold every level as it is stored against its rows, and the awards account against what is not paid."""
        if self._jackpot is None:
            return
        history = History([self._jackpot.pk])
        for stand in self._levels.values():
            self._finish_level(stand)
            self._check_terms(stand.level, history)
        owed, unpaid = books.unpaid_awards(self._jackpot)
        if owed != unpaid:
            self._findings.add("unpaid awards", f"jackpot {self._jackpot}", expected=owed, stored=unpaid)
        for award, expected, stored in standing.awards_not_as_moved(self._jackpot):
            self._findings.add("award state", f"award {award}", expected=expected, stored=stored)
        for what, where in journal.strays(self._jackpot, self._lane):
            self._findings.invented(what, where, "outside the jackpot's lane")

    def _check_legs(self, entry: SealedEntry) -> None:
        if [leg.position for leg in entry.legs] != list(range(1, entry.leg_count + 1)):
            stored = [leg.position for leg in entry.legs]
            self._findings.add("legs", str(entry), expected=f"{entry.leg_count}, numbered from 1", stored=stored)
        if total := sum(leg.amount for leg in entry.legs):
            self._findings.add("sum of the legs", str(entry), expected=0, stored=total)
        for leg in entry.legs:
            if leg.account_id not in self._accounts:
                self._findings.invented("leg", f"{entry}, leg {leg.position}", f"account {leg.account_id}")

    def _check_pots(self, entry: SealedEntry, legs: Mapping[str, int]) -> None:
        """What an entry's legs do to a pot is what its statement rows say, to the unit."""
        said: Counter[str] = Counter()
        for row in entry.rows:
            if stand := self._levels.get(row.level_id):
                said[accounts.pot_of(stand.level.jackpot.code, stand.level.code, Pot(row.pot))] += row.amount
        moved = {code: -amount for code, amount in legs.items() if code.partition(":")[0] in _POTS}
        for code in sorted(said.keys() | moved.keys()):
            if said[code] != moved.get(code, 0):
                self._findings.add(f"legs of {code}", str(entry), expected=said[code], stored=moved.get(code, 0))
            if code in self._pots:
                stand, pot = self._pots[code]
                stand.ledger[pot] += moved.get(code, 0)

    def _check_days(self, entry: SealedEntry) -> None:
        """Legs of one site lie in one gaming day, and a pot's in that of its statement rows."""
        stated = {row.gaming_day for row in entry.rows}
        days: dict[int, set[date]] = defaultdict(set)
        for leg in entry.legs:
            place = self._accounts.get(leg.account_id)
            if place is None:
                continue
            if place.code.partition(":")[0] not in _POTS:
                days[place.site_id].add(leg.gaming_day)
            elif leg.gaming_day not in stated:
                where = f"{entry}, leg {leg.position}"
                self._findings.add("gaming day", where, expected=sorted(map(str, stated)), stored=leg.gaming_day)
        for found in days.values():
            if len(found) > 1:
                self._findings.add("gaming day", str(entry), expected="one", stored=sorted(map(str, found)))

    def _row(self, row: SealedRow, entry: SealedEntry) -> None:
        where = f"{entry}, {row.pot} {row.seq}"
        stand = self._levels.get(row.level_id)
        if stand is None or row.pot not in _POTS:
            self._findings.invented("statement row", where, f"level {row.level_id}, {row.pot}")
            return
        seq, after, day = stand.last[row.pot]
        where = f"{entry}, {row.pot} {row.seq} of level {stand.level.code}"
        expected = {"seq": seq + 1, "before": after, "after": row.before + row.amount}
        self._findings.compare("statement row", where, expected, row._asdict())
        if day is not None and row.gaming_day < day:
            self._findings.add("statement row gaming day", where, expected=f"{day} or later", stored=row.gaming_day)
        stand.last[row.pot] = (row.seq, row.after, row.gaming_day)
        stand.by_kind[row.kind] += row.amount
        stand.posted_at = entry.posted_at
        if row.kind == meter.Kind.RESET and row.pot == Pot.METER:
            stand.reset_seq = row.seq

    def _hits(self, entry: SealedEntry) -> None:
        """Each share is a hit, however many divide it; a share of a meter that shows nothing has no row of its own."""
        shares: dict[tuple[int, str], set[int]] = defaultdict(set)
        for award in entry.awards:
            if award.kind != "hit" or award.level_id not in self._levels:
                continue
            stand = self._levels[award.level_id]
            stand.hit(award.hit_at, corrected=_is_later(entry))
            if award.reset_to is not None:
                stand.reset_at = max(award.hit_at, stand.reset_at or award.hit_at)
            if _is_later(entry):  # priced on what the sign once showed: today's meter may have nothing to give
                stand.wagers_of_nothing += 1
            elif award.meter_before == award.meter_after:
                stand.wagers_of_nothing += 1
                shares[award.level_id, award.hand].add(award.seq or 0)
        for level_id, _ in shares:
            self._levels[level_id].shares_of_nothing += 1

    def _shares(self, entry: SealedEntry) -> None:
        """Shares that were taken; of a later version the hits that carry over have no award of their own."""
        for row in entry.rows:
            if row.level_id not in self._levels:
                continue
            stand = self._levels[row.level_id]
            if row.kind == meter.Kind.AWARD:
                stand.shares += 1
                stand.hit(entry.event_at, corrected=_is_later(entry))
            elif row.kind == meter.Kind.RESET and _is_later(entry):
                stand.reset_at = max(entry.event_at, stand.reset_at or entry.event_at)
        for stand in self._levels.values():  # a hit that carries over may have nothing left to take
            stand.wagers_of_nothing += len(entry.carried)

    def _check_terms(self, level: Level, history: History) -> None:
        """A level is run by the terms of the version that its last reset brought, which sealed them."""
        held = LevelTerms(level.code, level.base, level.increment_ppm, level.reserve_ppm, level.limit)
        expected = {"policy": history.version(level, None).pk, "terms": history.at(level, None)}
        self._findings.compare("level", f"level {level}", expected, {"policy": level.policy_id, "terms": held})

    def _finish_level(self, stand: _Stand) -> None:
        level, where = stand.level, f"level {stand.level}"
        self._findings.compare("level", where, dict(self._expected(stand)), _stored(level))
        if not stand.shares + stand.shares_of_nothing <= level.hits <= stand.shares + stand.wagers_of_nothing:
            self._findings.add("level hits", where, expected=stand.shares, stored=level.hits)
        for pot in sorted(_POTS):
            if stand.ledger[pot] != stand.last[pot][1]:
                self._findings.add(f"ledger of its {pot}", where, expected=stand.last[pot][1], stored=stand.ledger[pot])

    def _expected(self, stand: _Stand) -> Iterator[tuple[str, Any]]:
        for pot in sorted(_POTS):
            seq, after, _ = stand.last[pot]
            yield pot, after
            yield f"{pot}_seq", seq
        yield "last_day", max((day for _, _, day in stand.last.values() if day), default=None)
        yield "contributed", stand.by_kind[meter.Kind.CONTRIBUTION]
        yield "awarded", -stand.by_kind[meter.Kind.AWARD]
        yield "wagered", self._staked
        yield "last_hit_at", stand.last_hit_at
        yield "reset_at", stand.reset_at
        if stand.level.base:  # a reset to nothing has no row
            yield "reset_seq", stand.reset_seq


def _is_later(entry: SealedEntry) -> bool:
    return _LATER.search(entry.source_ref) is not None


def _stored(level: Level) -> dict[str, Any]:
    names = ("last_day", "contributed", "awarded", "wagered", "last_hit_at", "reset_at", "reset_seq")
    pots = (name for pot in _POTS for name in (pot, f"{pot}_seq"))
    return {name: getattr(level, name) for name in (*pots, *names)}
