"""Expected v. posted: every round of the day performed again from its facts, and what was posted for it.

Expected are contributions from wagers and rates, everything returned from cards, decisions and versions, shares and
Envy from the pots as they stood just before. `difference` adds up how far apart each contribution, wager and Envy is,
so that two errors never hide each other. A key reads its own rounds. Rounds are taken 2,000 at a time. A correction of
the day has a line of its own: how the new version differs from the one it replaced.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from jackpot import services as jackpot
from jackpot.reports import Asked, Line, Report, exact, line, money, numbers, text
from jackpot.selectors import expected, rolls
from tables.domain.results import WagerKind
from tables.reports import scope
from tables.selectors import results
from tables.services import batch, versions
from tables.services.batch import Work

NAME = "expected-posted"
COLUMNS = (
    *text("table", "currency", "game_number", "phase"),
    *numbers("boxes"),
    *exact("contribution_expected", "contribution_posted"),
    *money("returned_expected", "returned_posted", "envy_expected", "envy_posted"),
    *exact("difference"),
    *text("round"),
)
CHUNK = 2_000

Returned = Mapping[int, tuple[int, ...]]
"""What came back to each box for each bet, in the order of `WagerKind`, in ledger units."""
Envy = Counter[tuple[int, int]]
"""What each box got for the hit of another, by (box, hit box)."""


def build(asked: Asked) -> Report:
    ids = scope.rounds_of(asked).order_by("table__code", "started_at", "id").values_list("id", flat=True)
    lines = [made for chunk in _chunks(list(ids)) for made in _lines(chunk)]
    lines += _corrected(versions.changed_by(scope.corrections_of(asked)))
    return asked.report(NAME, COLUMNS, lines)


def report_of(ids: Sequence[UUID], *, made_at: datetime, made_by: str) -> Report:
    """The same of some rounds, whatever their day."""
    return Report(NAME, COLUMNS, list(_lines(ids)), {}, made_at, made_by)


def _chunks(ids: list[UUID]) -> Iterator[list[UUID]]:
    left = iter(ids)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


@dataclass(frozen=True, slots=True)
class _Performed:
    """A version performed again and as it was posted: contributions, what came back, Envy; each expected and posted."""

    work: Work
    contributed: tuple[int, int]
    returned: tuple[Returned, Returned]
    envy: tuple[Envy, Envy]

    @property
    def amounts(self) -> tuple[int, ...]:
        """What came back and what Envy there was, each expected and posted."""
        return (*map(_total, self.returned), *(paid.total() for paid in self.envy))

    @property
    def apart(self) -> int:
        """How far what was posted is from what is due, wager by wager and Envy by Envy."""
        due, posted = self.envy
        return _apart(*self.returned) + sum(abs(due[place] - posted[place]) for place in due.keys() | posted.keys())


def _lines(ids: Sequence[UUID]) -> Iterator[Line]:
    performed = _perform(versions.first_of(ids))
    yield from (_line(performed[pk]) for pk in ids)


def _perform(works: Mapping[UUID, Work]) -> dict[UUID, _Performed]:
    """One version of each of some rounds. Shares are priced on the pots as they stood before the first version."""
    settled = {pk: batch.settle(work) for pk, work in works.items()}
    terms = jackpot.Terms({work.round.policy_id for work in works.values() if work.round.policy_id})
    first = [work for work in works.values() if work.version == batch.FIRST_VERSION]
    lock_outs = [batch.lock_out(work) for work in first if work.round.locked_at and work.round.policy_id]
    contributed = jackpot.expect_contributions(lock_outs, terms)
    priced = [replace(posting, version=batch.FIRST_VERSION) for posting in settled.values()]
    outcomes = jackpot.expect_outcomes(priced, terms)
    posted = results.results_at((pk, work.version) for pk, work in works.items())
    envy = expected.envy_posted([_source(work) for work in works.values()])
    done = {}
    for pk, work in works.items():
        outcome = outcomes.get(str(pk))
        prizes = outcome.prizes if outcome else {}
        due = {row[2]: tuple(row[7:12]) for row in batch.results(work, prizes)}
        owed = (
            _envy((e.claim.box, outcome.hits[e.hit].claim.box, e.amount) for e in outcome.envy) if outcome else Envy()
        )
        returned = {box: tuple(results.returned_to(row).values()) for box, row in posted[pk, work.version].items()}
        came = contributed.get(str(pk), (0, 0))
        done[pk] = _Performed(work, came, (due, returned), (owed, _envy(envy[_source(work)])))
    return done


def _source(work: Work) -> str:
    return f"round:{work.round.id}:v{work.version}"


def _envy(paid: Iterable[tuple[int, int, int]]) -> Envy:
    found = Envy()
    for box, hit_box, amount in paid:
        found[box, hit_box] += amount
    return found


def _line(done: _Performed, was: _Performed | None = None) -> Line:
    """A version, or how it differs from the one it replaced. What changed stakes contributed, the audit proves."""
    rnd = done.work.round
    off = abs(done.contributed[0] - done.contributed[1]) + done.apart + (was.apart if was else 0)
    before = was.amounts if was else (0,) * 4
    amounts = (now - then for now, then in zip(done.amounts, before, strict=True))
    phase = batch.phase_of(done.work)
    return line(
        rnd.table.currency, rnd.table.code, rnd.table.currency_code, rnd.game_number,
        f"{phase} (corrected)" if was else phase, 0 if was else len(done.returned[1]), *done.contributed, *amounts, off,
        str(rnd.id),
    )  # fmt: skip


def _corrected(changed: Sequence[versions.Changed]) -> Iterator[Line]:
    """What corrections of the day changed."""
    for row, was, becomes in changed:
        pk = row.round_id
        before, now = _perform({pk: was.work})[pk], _perform({pk: becomes.work})[pk]
        taken = rolls.taken_by([rolls.Corrected(str(row.change_id), was.ref, becomes.ref)])
        came = sum(one.contributed for one in taken.values())
        yield _line(replace(now, contributed=(came, came)), before)


def _total(boxes: Returned) -> int:
    return sum(map(sum, boxes.values()))


def _apart(due: Returned, posted: Returned) -> int:
    """How far results are from what is due, wager by wager."""
    nothing = (0,) * len(WagerKind)
    pairs: Iterable[tuple[Any, Any]] = (
        (due.get(box, nothing), posted.get(box, nothing)) for box in due.keys() | posted.keys()
    )
    return sum(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
