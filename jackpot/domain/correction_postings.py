"""What a correction posts: everything of the version in force mirrored, the difference of changed stakes, and the next
version. Pure; source: accounting.md, section 6.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import groupby

from jackpot.domain import accounts, correction_awards, correction_stakes, meter, postings, progressive
from jackpot.domain.accounts import Bet, Pot
from jackpot.domain.awards import State
from jackpot.domain.correction_awards import Fates, Held, Item
from jackpot.domain.correction_parking import Parking
from jackpot.domain.meter import Contribution, Kind, Meter
from jackpot.domain.policy import Basis, OverflowTo, Policy
from jackpot.domain.postings import Accrued, Books, Entry, EntryKind, Settlement
from jackpot.domain.progressive import Hit, Outcome
from jackpot.money import PPM

MISPAY = "mispay"
"""The reason of what was paid and is not owed; the house bears it."""

CHARGED = "what no longer fits waits in the overflow or is the house's; what is no longer there the house bears"
BACK = "what had no room in the meter until the share was taken comes back"
SHORT = "the meter has less than version 1 recorded; the house bears the rest"


@dataclass(frozen=True, slots=True)
class Returned:
    """An award that the version in force owed and that was rejected since: its share, or Envy, went back already."""

    amount: int
    level: str | None


@dataclass(frozen=True, slots=True)
class InForce:
    """What stands of the version that is replaced.

    `posted`: its entries, the settlement first, then resets and restores that still stand, then what it charged as
    mispaid. `returned`: what the settlement owed and was rejected since. `held`: all awards of the round. `staked` and
    `accrued`: the Progressive stakes that stand, and what they contributed. `before`: the levels just before version 1
    was settled, on which shares are priced for ever.
    """

    posted: Sequence[Entry]
    returned: Sequence[Returned]
    held: Sequence[Held]
    staked: int
    accrued: Accrued
    before: Mapping[str, Meter]


@dataclass(slots=True)
class Corrected:
    """All entries of a correction, the one that seals it first; what the new version comes to; and its settlement.

    `accrued` is what the stakes of the new version contributed. The hits of `outcome` are as priced, with the row of
    today's statement.
    """

    entries: list[Entry]
    settlement: Entry
    outcome: Outcome
    items: list[Item]
    fates: Fates
    accrued: Accrued


def correct(entry: Entry, after: Settlement, was: InForce, books: Books | None) -> Corrected:
    """Replace the version in force by the next one, `after`. `entry` seals the correction and has no legs yet.

    Pots never go below zero or above a limit: what does not fit waits in the overflow or stays with the house, what is
    missing the house bears.
    """
    policy = books.policies[after.policy_id] if books and after.policy_id is not None else None
    work = _Work(entry, after, was, books, policy)
    work.mirror()
    work.change_stakes()
    work.settle()
    return work.corrected()


class _Work:
    """One correction on its way. `parking` keeps what a mirrored share has no room for until its reset is mirrored too,
    and until the next version's share is taken.
    """

    def __init__(
        self, entry: Entry, after: Settlement, was: InForce, books: Books | None, policy: Policy | None
    ) -> None:
        self.entry, self.after, self.was, self.books, self.policy = entry, after, was, books, policy
        source = after.source
        entry.source = replace(entry.source, table_ref=source.table_ref, integrator_id=source.integrator_id)
        self.entries = [entry]
        self.accrued: Accrued = was.accrued
        to_house = policy is not None and policy.overflow_to is OverflowTo.HOUSE
        self.parking = Parking(books, to_house) if books else None
        self.back: Entry | None = None
        self.outcome, self.items, self.fates = Outcome(), list[Item](), Fates()
        ref = f"round:{source.ref}:v{after.version}"
        kind = EntryKind.VOID if after.void else EntryKind.SETTLEMENT
        by = f"user:{after.entered_by}" if after.entered_by else ""
        self.settlement = Entry(kind, ref, source, facts=after.facts, actor=by, as_of=entry.source.at)

    def corrected(self) -> Corrected:
        return Corrected(self.entries, self.settlement, self.outcome, self.items, self.fates, self.accrued)

    # What was posted, the other way round.

    def mirror(self) -> None:
        for n, of in enumerate(self.was.posted):
            entry = self.entry if n == 0 else self._companion(str(n + 1))
            entry.reverses = (of.kind, of.source_ref)
            self._mirror(entry, of, self.was.returned if n == 0 else ())

    def _companion(self, name: str) -> Entry:
        ref = f"{self.entry.source_ref}:{name}"
        made = Entry(EntryKind.CORRECTION, ref, self.entry.source, reason=self.entry.reason, actor=self.entry.actor)
        self.entries.append(made)
        return made

    def _mirror(self, entry: Entry, of: Entry, returned: Sequence[Returned]) -> None:
        books = self.books
        moved: dict[tuple[str, Pot], int] = {}
        for row in of.rows:
            pot = Pot.METER if row.kind is Kind.CORRECTION else row.pot  # a share that was partly taken where it waited
            moved[row.level, pot] = moved.get((row.level, pot), 0) - row.amount
        pots = {accounts.pot_of(books.code, row.level, row.pot) for row in of.rows} if books else set()
        for code, amount in of.legs.items():
            if code not in pots:
                entry.debit(code, -amount)
        if books is None:
            return
        for award in returned:
            entry.credit(accounts.awards_of(books.code), award.amount)
            if award.level is None:
                entry.debit(accounts.win_of(of.source.table_ref, Bet.PROGRESSIVE), award.amount)
            else:
                moved[award.level, Pot.METER] = moved.get((award.level, Pot.METER), 0) - award.amount
        places = [(level, pot) for level in books.levels for pot in Pot if (level, pot) in moved]
        charged = sum(self._put(entry, books, level, pot, moved[level, pot]) for level, pot in places)
        if charged and entry is not self.entry:  # the one that seals it has the reason that was given
            entry.reason = CHARGED

    def _put(self, entry: Entry, books: Books, code: str, pot: Pot, amount: int) -> int:
        """Change a pot by as much as there is room or money for; says what went elsewhere, now or before."""
        level = books.levels[code]
        if pot is Pot.METER and self.parking:
            return self.parking.put(entry, level, amount)
        change = max(amount, -level.balances[pot])
        books.change(entry, level.change(pot, Kind.CORRECTION, change))
        entry.debit(accounts.house_of(books.code), change - amount)
        return change - amount

    # What changed stakes contribute.

    def change_stakes(self) -> None:
        books, policy, change = self.books, self.policy, self.after.staked - self.was.staked
        if books is None or policy is None or not change:
            return
        entry = self._companion("stakes")
        accrued: dict[str, Contribution] = {}
        charged = 0
        for code, level in books.levels.items():
            had = self.was.accrued.get(code) or correction_stakes.nothing(level)
            made = correction_stakes.stakes_changed(level, policy, self.was.staked, self.after.staked, had)
            books.change(entry, made.rows)
            accrued[code] = made.accrued
            charged += made.charged
        self.accrued = accrued
        table = self.after.source.table_ref
        entry.debit(accounts.float_of(table), change)
        entry.debit(accounts.house_of(books.code), charged)
        entry.debit(accounts.win_of(table, Bet.PROGRESSIVE), -sum(entry.legs.values()))
        if charged:
            entry.reason = CHARGED

    # The next version.

    def settle(self) -> None:
        after, books, policy = self.after, self.books, self.policy
        self.entries.append(self.settlement)
        postings.post_nets(self.settlement, after)
        if books is None or policy is None:
            return
        if after.refunded:
            postings.refund(self.settlement, after, policy, books, lambda ref: self.accrued)
        priced = deepcopy(dict(self.was.before))
        self.outcome = progressive.settle(policy, after.claims, priced, shared=after.shared, at=after.source.at)
        self.items = correction_awards.items(self.outcome)
        self.fates = correction_awards.match(self.items, self.was.held)
        self._pay_fixed(books)
        self._pay_awards(books, policy)
        self._charge_mispaid(books)

    def _pay_fixed(self, books: Books) -> None:
        table = self.after.source.table_ref
        prizes = self.outcome.prizes.values()
        fixed = sum(prize.returned for prize in prizes if prize.basis is not Basis.METER_SHARE)
        envy = sum(self._owed(len(self.outcome.hits) + n) for n in range(len(self.outcome.envy)))
        self.settlement.credit(accounts.float_of(table), fixed)
        self.settlement.credit(accounts.awards_of(books.code), envy)
        self.settlement.debit(accounts.win_of(table, Bet.PROGRESSIVE), fixed + envy)

    def _owed(self, place: int) -> int:
        return self.fates.owed(place, self.items[place])

    def _pay_awards(self, books: Books, policy: Policy) -> None:
        """Take each share from today's meter; what is reset or restored then is today's too."""
        hits: list[Hit] = []
        self.outcome.award_rows, self.outcome.fundings = [], []
        for first, share in _shares(self.outcome.hits):
            amount = sum(self._owed(first + n) for n in range(len(share)))
            if not amount and share[0].share:
                hits += share
                continue
            level = books.levels[share[0].line.level or ""]
            late = level.reset_at is not None and self.after.source.at < level.reset_at
            self._take(books, level, amount)
            seq = level.seqs[Pot.METER]
            caused = next((n for n in range(first, first + len(share)) if self._owed(n)), first)
            reset_to = self._fund(books, policy, caused, share[0], level)
            hits += [replace(hit, seq=seq, reset_to=reset_to, late=late) for hit in share]
        self.outcome.hits = hits

    def _take(self, books: Books, level: Meter, amount: int) -> None:
        taken, at = min(amount, level.balances[Pot.METER]), self.after.source.at
        books.change(self.settlement, level.change(Pot.METER, Kind.AWARD, -taken))
        level.awarded += taken
        level.hits += 1
        level.last_hit_at, level.touched = max(at, level.last_hit_at or at), True
        self.settlement.credit(accounts.awards_of(books.code), amount)
        if self.parking is None:
            return
        if missing := self.parking.cover(self.settlement, level, amount - taken):
            self.settlement.debit(accounts.house_of(books.code), missing)
            self.settlement.reason = SHORT
        if self.parking.room(level):
            self.back = self.back or self._companion("back")
            self.back.reason = BACK
            self.parking.come_back(self.back, level)

    def _fund(self, books: Books, policy: Policy, place: int, hit: Hit, level: Meter) -> int | None:
        """The reset or restore that follows a share, in an entry of its own; what the meter shows after a reset."""
        whole = hit.line.value == PPM
        funding = meter.reset(level, self.after.source.at) if whole else meter.after_share(level, policy.after_share)
        if funding.rows:
            kind = EntryKind.RESET if whole else EntryKind.RESTORE
            self.outcome.fundings.append((place, Kind.RESET if whole else Kind.RESTORE, funding))
            ref = f"{self.settlement.source_ref}:hit{place + 1}"
            put = postings.funding(books, ref, self.after.source, funding, kind)
            put.as_of = self.entry.source.at
            self.entries.append(put)
        return level.displayed if whole else None

    def _charge_mispaid(self, books: Books) -> None:
        if not self.fates.mispaid:
            return
        amount = sum(self.fates.mispaid.values())
        entry = self._companion(MISPAY)
        entry.reason = MISPAY
        entry.debit(accounts.house_of(books.code), amount)
        entry.credit(accounts.awards_of(books.code), amount)


def shares(outcome: Outcome) -> list[list[int]]:
    """The places of the hits that took one share together."""
    return [list(range(first, first + len(share))) for first, share in _shares(outcome.hits)]


def _shares(hits: Sequence[Hit]) -> Iterator[tuple[int, list[Hit]]]:
    """Hits that took one share together, with the place of the first."""
    numbered = enumerate(hits)
    for _, together in groupby(numbered, key=lambda one: (one[1].line.hand, one[1].seq)):
        group = list(together)
        yield group[0][0], [hit for _, hit in group]


def returned_of(held: Sequence[Held], owed: Sequence[str]) -> list[Returned]:
    """Those of the awards that a version owed (by their refs) that were rejected since."""
    by_ref = {award.ref: award for award in held}
    awards = [by_ref[ref] for ref in owed if by_ref[ref].state is State.REJECTED]
    return [Returned(award.amount, award.level) for award in awards]
