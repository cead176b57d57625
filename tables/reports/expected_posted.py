"""Expected v. posted: every round of the day performed again from its facts, and what was posted for it.

Expected are contributions from wagers and rates, everything returned from cards, decisions and versions, shares and
Envy from the pots as they stood just before. `difference` adds up how far apart each contribution, wager and Envy is,
so that two errors never hide each other. A key reads its own rounds. Rounds are taken 2,000 at a time.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import F

from jackpot import services as jackpot
from jackpot.reports import Asked, Line, Report, exact, line, money, numbers, text
from jackpot.selectors import expected
from tables.domain.results import WagerKind
from tables.models.rounds import BoxResult
from tables.reports import scope
from tables.services import batch
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
    return asked.report(NAME, COLUMNS, lines)


def report_of(ids: Sequence[UUID], *, made_at: datetime, made_by: str) -> Report:
    """The same of some rounds, whatever their day."""
    return Report(NAME, COLUMNS, list(_lines(ids)), {}, made_at, made_by)


def _chunks(ids: list[UUID]) -> Iterator[list[UUID]]:
    left = iter(ids)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


def _lines(ids: Sequence[UUID]) -> Iterator[Line]:
    works = batch.load(ids, lock=False)
    settled = {pk: batch.settle(work) for pk, work in works.items()}
    terms = jackpot.Terms({work.round.policy_id for work in works.values() if work.round.policy_id})
    lock_outs = [batch.lock_out(work) for work in works.values() if work.round.locked_at and work.round.policy_id]
    contributed = jackpot.expect_contributions(lock_outs, terms)
    outcomes = jackpot.expect_outcomes(list(settled.values()), terms)
    returned, envy = _returned(ids), expected.envy_posted(ids)
    for pk in ids:
        ref, outcome = str(pk), outcomes.get(str(pk))
        prizes = outcome.prizes if outcome else {}
        due = {row[2]: tuple(row[7:12]) for row in batch.results(works[pk], prizes)}
        owed = (
            _envy((e.claim.box, outcome.hits[e.hit].claim.box, e.amount) for e in outcome.envy) if outcome else Envy()
        )
        yield _line(works[pk], contributed.get(ref, (0, 0)), (due, returned[pk]), (owed, _envy(envy.get(pk, ()))))


def _returned(ids: Sequence[UUID]) -> dict[UUID, dict[int, tuple[int, ...]]]:
    """What results in force say."""
    rows = BoxResult.objects.filter(round_id__in=ids, version=F("round__version"))
    found: dict[UUID, dict[int, tuple[int, ...]]] = defaultdict(dict)
    for round_id, box, *amounts in rows.values_list("round_id", "box", *WagerKind):
        found[round_id][box] = tuple(amounts)
    return found


def _envy(paid: Iterable[tuple[int, int, int]]) -> Envy:
    found = Envy()
    for box, hit_box, amount in paid:
        found[box, hit_box] += amount
    return found


def _line(
    work: Work, contributed: tuple[int, int], returned: tuple[Returned, Returned], envy: tuple[Envy, Envy]
) -> Line:
    rnd = work.round
    off = abs(contributed[0] - contributed[1]) + _apart(*returned)
    off += sum(abs(envy[0][place] - envy[1][place]) for place in envy[0].keys() | envy[1].keys())
    return line(
        rnd.table.currency, rnd.table.code, rnd.table.currency_code, rnd.game_number, rnd.phase, len(returned[1]),
        *contributed, *(_total(boxes) for boxes in returned), *(paid.total() for paid in envy), off, str(rnd.id),
    )  # fmt: skip


def _total(boxes: Returned) -> int:
    return sum(map(sum, boxes.values()))


def _apart(due: Returned, posted: Returned) -> int:
    """How far results are from what is due, wager by wager."""
    nothing = (0,) * len(WagerKind)
    pairs: Iterable[tuple[Any, Any]] = (
        (due.get(box, nothing), posted.get(box, nothing)) for box in due.keys() | posted.keys()
    )
    return sum(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
