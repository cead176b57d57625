"""A gaming day as it was closed: its figures, what must agree, its record. Pure; source: accounting.md, section 5.

Amounts in ledger units. Pots count what is owed upwards; accounts count debits upwards, as the ledger does.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from jackpot.domain import accounts
from jackpot.domain.accounts import Pot


@dataclass(frozen=True, slots=True)
class PotLine:
    """A pot's day: opening, one sum a kind of statement row, closing, which is what its row `seq` says."""

    jackpot: str
    level: str
    pot: Pot
    opening: int
    by_kind: Mapping[str, int]
    closing: int
    seq: int = 0
    posted_at: datetime | None = None

    @property
    def account(self) -> str:
        return accounts.pot_of(self.jackpot, self.level, self.pot)

    @property
    def footed(self) -> int:
        """What opening and kinds add up to."""
        return self.opening + sum(self.by_kind.values())


@dataclass(frozen=True, slots=True)
class AccountLine:
    """An account's day: opening, what was debited and credited, closing."""

    account: str
    opening: int
    debits: int
    credits: int

    @property
    def closing(self) -> int:
        return self.opening + self.debits - self.credits


@dataclass(frozen=True, slots=True)
class UnpaidLine:
    """An award that was owed and neither paid nor returned at the end of the day."""

    award: str
    jackpot: str
    amount: int
    owed_day: date


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round that began in the day or before and is not settled; `ref` is opaque to the jackpot.

    `comes_late`: it was complete before the day ended, so it will be entered under the open day, marked late. Any other
    is still played, or void: it is entered under the day in which it ends. `void_waits`: a void of it or of one of its
    boxes waits for a second person, and until then it stays as it is.
    """

    ref: str
    integrator_id: int
    table: str
    game_number: str
    phase: str
    started_at: datetime
    comes_late: bool
    void_waits: bool = False

    def document(self) -> dict[str, Any]:
        """As it is kept in the closing."""
        return asdict(self) | {"started_at": _instant(self.started_at)}


@dataclass(frozen=True, slots=True)
class Closing:
    """What a gaming day of a site came to. `previous` is the day that was closed before it, None for the first.

    `rounds` are documents of `OpenRound`; `closed_by` is a `Caller.actor`, or the name of a command.
    """

    site: str
    day: date
    previous: date | None
    closed_at: datetime
    closed_by: str
    pots: Sequence[PotLine] = ()
    accounts: Sequence[AccountLine] = ()
    unpaid: Sequence[UnpaidLine] = ()
    rounds: Sequence[Mapping[str, Any]] = ()

    def record(self) -> bytes:
        """The closing as one byte form, whatever the order in which its lines were read: the facts that its entry
        digests. Keys sorted, no blanks, times in UTC to the microsecond.
        """
        document = {
            "site": self.site,
            "day": self.day.isoformat(),
            "previous": self.previous.isoformat() if self.previous else None,
            "closed_at": _instant(self.closed_at),
            "closed_by": self.closed_by,
            "pots": [_pot(line) for line in sorted(self.pots, key=lambda line: line.account)],
            "accounts": [
                [line.account, line.opening, line.debits, line.credits, line.closing]
                for line in sorted(self.accounts, key=lambda line: line.account)
            ],
            "unpaid": [
                [line.award, line.jackpot, line.amount, line.owed_day.isoformat(), (self.day - line.owed_day).days]
                for line in sorted(self.unpaid, key=lambda line: line.award)
            ],
            "rounds": sorted(map(dict, self.rounds), key=lambda one: str(one["ref"])),
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def source_of(site: str, day: date) -> str:
    """The source reference of the entry that seals a closing."""
    return f"day:{site}:{day.isoformat()}"


def _pot(line: PotLine) -> list[Any]:
    kinds = {kind: amount for kind, amount in line.by_kind.items() if amount}
    posted = _instant(line.posted_at) if line.posted_at else None
    return [line.jackpot, line.level, line.pot.value, line.opening, kinds, line.closing, line.seq, posted]


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


@dataclass(frozen=True, slots=True)
class Difference:
    """Two places that should say the same and do not. Amounts in ledger units."""

    what: str
    where: str
    expected: int
    found: int

    def __str__(self) -> str:
        return f"{self.what}, {self.where}: {self.expected} expected, {self.found} found"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a day's figures are held against, read from elsewhere than the figures were: of each pot (by its account)
    the statement's last rows before and in the day, and how far its level's row is from its last row now; entries of
    the day that do not balance, by what they are off.
    """

    statement_before: Mapping[str, int] = field(default_factory=dict)
    statement: Mapping[str, int] = field(default_factory=dict)
    level_off: Mapping[str, int] = field(default_factory=dict)
    unbalanced: Mapping[int, int] = field(default_factory=dict)


def differences(
    pots: Iterable[PotLine], accounts_of: Iterable[AccountLine], unpaid: Iterable[UnpaidLine], against: Evidence
) -> Iterator[Difference]:
    """Everything that does not agree: each pot foots, opens as it closed and closes as statement and ledger say; the
    awards accounts owe what is unpaid; entries balance.
    """
    booked = {line.account: line.closing for line in accounts_of}
    for pot in pots:
        yield from _pot_differences(pot, booked, against)
    owed: dict[str, int] = {}
    for line in unpaid:
        code = accounts.awards_of(line.jackpot)
        owed[code] = owed.get(code, 0) + line.amount
    awards = {code: -amount for code, amount in booked.items() if code.startswith(accounts.awards_of(""))}
    for code in sorted(owed.keys() | awards.keys()):
        yield from _differ("unpaid awards", code, expected=awards.get(code, 0), found=owed.get(code, 0))
    for entry, off in against.unbalanced.items():
        yield from _differ("legs", f"entry {entry}", expected=0, found=off)


def _pot_differences(pot: PotLine, booked: Mapping[str, int], against: Evidence) -> Iterator[Difference]:
    where = pot.account
    yield from _differ("opening", where, expected=pot.opening, found=against.statement_before.get(where, 0))
    yield from _differ("roll-forward", where, expected=pot.footed, found=pot.closing)
    yield from _differ("statement", where, expected=pot.closing, found=against.statement.get(where, 0))
    yield from _differ("ledger", where, expected=pot.closing, found=-booked.get(where, 0))
    yield from _differ("meter", where, expected=0, found=against.level_off.get(where, 0))


def _differ(what: str, where: str, *, expected: int, found: int) -> Iterator[Difference]:
    if expected != found:
        yield Difference(what, where, expected, found)


class Why(StrEnum):
    """Why a day stays open."""

    NEVER_OPENED = "never_opened"
    NOT_OVER = "not_over"
    EARLIER_OPEN = "earlier_open"
    BOOKS_DIFFER = "books_differ"


class StaysOpen(Exception):
    """A gaming day that is not closed, and why; nothing was written. `differences` where the books do not agree."""

    def __init__(self, why: Why, detail: str, differences: Sequence[Difference] = ()) -> None:
        self.why, self.detail, self.differences = why, detail, tuple(differences)
        super().__init__(detail)
