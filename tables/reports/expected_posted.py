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
from uuid import UUID

from jackpot import services as jackpot
from jackpot.reports import Asked, Line, Report, exact, line, money, numbers, text
from jackpot.selectors import expected, rolls
from tables.domain.results import WagerKind
from tables.domain.round_state import Phase
from tables.reports import scope
from tables.selectors import results
from tables.services import batch, performing, versions
from tables.services.performing import Played, Returned

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

Envy = Counter[tuple[int, int]]
"""What each box got for the hit of another, by (box, hit box)."""
_NO_ENVY = Envy()


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

    played: Played
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
    performed = _perform(performing.first_of(ids))
    yield from (_line(performed[pk]) for pk in ids)


def _perform(played: Mapping[UUID, Played]) -> dict[UUID, _Performed]:
    """One version of each of some rounds. Shares are priced on the pots as they stood before the first version."""
    settled = {pk: one.settle() for pk, one in played.items()}
    terms = jackpot.Terms({one.policy_id for one in played.values() if one.policy_id})
    contributed = jackpot.expect_contributions(list(_staked(played.values())), terms)
    outcomes = jackpot.expect_outcomes([one.showdown(settled[pk]) for pk, one in played.items()], terms)
    posted = results.returned_at({pk: one.version for pk, one in played.items()})
    sources = {pk: one.source for pk, one in played.items()}
    envy = expected.envy_posted(sources.values())
    done = {}
    for pk, one in played.items():
        outcome = outcomes.get(one.ref)
        due = _envy(_owed(outcome)) if outcome and outcome.envy else _NO_ENVY
        paid = _envy(found) if (found := envy[sources[pk]]) else _NO_ENVY
        returned = (one.returned(settled[pk], outcome), posted[one.ref])
        done[pk] = _Performed(one, contributed.get(one.ref, (0, 0)), returned, (due, paid))
    return done


def _staked(played: Iterable[Played]) -> Iterator[jackpot.Staked]:
    """The Progressive stakes of the first versions, as they stood when betting closed."""
    for one in played:
        if one.version == batch.FIRST_VERSION and one.policy_id is not None:
            yield jackpot.Staked(one.ref, one.policy_id, sum([box.progressive for box in one.facts.boxes]))


def _owed(outcome: jackpot.Outcome) -> Iterator[tuple[int, int, int]]:
    for envy in outcome.envy:
        yield envy.claim.box, outcome.hits[envy.hit].claim.box, envy.amount


def _envy(paid: Iterable[tuple[int, int, int]]) -> Envy:
    found = Envy()
    for box, hit_box, amount in paid:
        found[box, hit_box] += amount
    return found


def _line(done: _Performed, was: _Performed | None = None) -> Line:
    """A version, or how it differs from the one it replaced. What changed stakes contributed, the audit proves."""
    played, table = done.played, done.played.table
    off = abs(done.contributed[0] - done.contributed[1]) + done.apart + (was.apart if was else 0)
    before = was.amounts if was else (0,) * 4
    amounts = (now - then for now, then in zip(done.amounts, before, strict=True))
    phase = Phase.VOID if played.facts.void else Phase.SETTLED
    return line(
        table.currency, table.code, table.currency_code, played.game_number,
        f"{phase} (corrected)" if was else phase, 0 if was else len(done.returned[1]), *done.contributed, *amounts, off,
        played.ref,
    )  # fmt: skip


def _corrected(changed: Sequence[versions.Changed]) -> Iterator[Line]:
    """What corrections of the day changed."""
    for row, was, becomes in changed:
        pk = row.round_id
        before, now = (_perform({pk: Played.of(one.work)})[pk] for one in (was, becomes))
        taken = rolls.taken_by([rolls.Corrected(str(row.change_id), was.ref, becomes.ref)])
        came = sum(one.contributed for one in taken.values())
        yield _line(replace(now, contributed=(came, came)), before)


def _total(boxes: Returned) -> int:
    return sum(map(sum, boxes.values()))


def _apart(due: Returned, posted: Returned) -> int:
    """How far results are from what is due, wager by wager."""
    if due == posted:
        return 0
    nothing = (0,) * len(WagerKind)
    pairs = [(due.get(box, nothing), posted.get(box, nothing)) for box in due.keys() | posted.keys()]
    return sum(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
