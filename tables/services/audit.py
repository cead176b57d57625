"""Proving what is settled: every result from its cards, every posting from the first funding on, to the unit.

Nothing stored is trusted but facts (cards, bets, decisions) and the versions each round pinned. A share of a meter
depends on all that came before it, so a round is proved with the whole lane it lies in. Source: accounting.md §5.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet

from jackpot import services as jackpot
from jackpot.selectors import journal, queue, snapshots
from tables.domain import corrections
from tables.models.rounds import BoxResult, Round
from tables.models.tables import Table
from tables.services import batch, documents
from tables.services.batch import Work
from tables.services.versions import Versions

CHUNK = 2_000
_RESULT = (
    "hand", "progressive_hand", "outcomes", "capped", "ante", "blind", "play", "trips", "progressive", "basis",
)  # fmt: skip


@dataclass(slots=True)
class Audit:
    """What was re-performed, and what differs; `proved` where nothing does."""

    findings: jackpot.Findings = field(default_factory=jackpot.Findings)
    lanes: int = 0
    boxes: int = 0
    entries: int = 0
    legs: int = 0
    statement_rows: int = 0
    awards: int = 0
    settlements: int = 0

    @property
    def proved(self) -> bool:
        return self.findings.count == 0

    def count(self, counts: jackpot.Counts, boxes: int) -> None:
        self.lanes += 1
        self.boxes += boxes
        self.entries += counts.entries
        self.legs += counts.legs
        self.statement_rows += counts.statement_rows
        self.awards += counts.awards
        self.settlements += counts.settlements


def lanes_of(
    *,
    jackpots: Collection[jackpot.Jackpot] = (),
    sites: Collection[jackpot.Site] = (),
    tables: Collection[Table] = (),
    rounds: QuerySet[Round] | None = None,
) -> QuerySet[jackpot.Lane]:
    """The lanes of jackpots, and those in which any round of these sites or tables, or of these rounds, was settled."""
    played = Round.objects.filter(site__in=sites) | Round.objects.filter(table__in=tables)
    ids = set(played.values_list("lane_id", flat=True).distinct())
    if rounds is not None:
        ids |= set(rounds.values_list("lane_id", flat=True).distinct())
    return queue.lanes_of(jackpots=jackpots, ids=ids)


def audit(lanes: Iterable[jackpot.Lane], *, progress: jackpot.Progress = lambda done, total: None) -> Audit:
    """Re-perform everything settled in these lanes, and compare it with what is stored.

    Reads one snapshot and takes no locks: workers may go on. Memory does not grow with the number of rounds.
    `progress` is told of each lane how many of its entries are done.
    """
    done = Audit()
    with snapshots.snapshot():
        for lane in lanes:
            done.count(*reperform(lane, done.findings, progress))
            look_for_unposted(lane, done.findings)
            look_for_invented(lane, done.findings)
    return done


def reperform(
    lane: jackpot.Lane, findings: jackpot.Findings, progress: jackpot.Progress = lambda done, total: None
) -> tuple[jackpot.Counts, int]:
    """Re-perform one lane, in the caller's snapshot; what it came to, and how many boxes it had."""
    rounds = _Rounds(lane, findings)
    counts = jackpot.replay(lane=lane, rounds=rounds, findings=findings, progress=progress)
    return counts, rounds.boxes


class _Rounds:
    """The rounds of one lane, as the jackpot's replay asks for them: each version settled again from its facts."""

    def __init__(self, lane: jackpot.Lane, findings: jackpot.Findings) -> None:
        self.lane, self.findings, self.boxes = lane, findings, 0
        self._versions = Versions(())
        self._stored: Results = {}
        self._sealed: dict[str, bytes] = {}

    def prepare(self, refs: Collection[str]) -> None:
        self._versions = Versions(map(UUID, refs))
        works = self._versions.in_force
        sources = [f"round:{pk}:v{version}" for pk, work in works.items() for version in range(1, work.version + 1)]
        self._sealed = journal.facts_digests(sources)
        self._stored = stored_results(list(works))

    def lock_out(self, ref: str) -> jackpot.LockOut | None:
        work = self._at(ref, batch.FIRST_VERSION)
        return batch.lock_out(work) if work and work.round.locked_at else None

    def settlement(self, ref: str, version: int) -> jackpot.Settlement | None:
        work = self._at(ref, version)
        if work is None or not work.round.version:
            return None
        rnd = work.round
        if (change := self._versions.change_to(rnd.id, version)) is not None:
            asked = corrections.read(change.document, rnd.table.currency).facts
            if asked != work.facts:
                where = f"round {rnd.game_number} v{version}"
                self.findings.add("facts", where, expected=asked, stored=work.facts)
        return batch.settle(work, sealed=self._sealed.get(f"round:{ref}:v{version}"))

    def document(self, ref: str) -> jackpot.Document | None:
        return documents.rule_set(ref)

    def corrected(self, ref: str) -> bool:
        work = self._at(ref, batch.FIRST_VERSION)
        return work is not None and work.round.version > batch.FIRST_VERSION

    def settled(self, ref: str, version: int, prizes: Mapping[int, jackpot.Prize]) -> None:
        """Compare the results of every box, the Progressive's prizes included."""
        work = self._at(ref, version)
        if work is None:
            return
        batch.settle(work)
        rnd = work.round
        where = f"round {rnd.game_number} ({ref})"
        expected = expected_results(work, prizes)
        self.findings.compare_each("result", where, expected, self._stored.get((rnd.id, version), {}))
        phase = batch.phase_of(work)
        if version == rnd.version and rnd.phase != phase:
            self.findings.add("phase", where, expected=phase, stored=rnd.phase)
        self.boxes += len(expected)

    def _at(self, ref: str, version: int) -> Work | None:
        """A version of one of this lane's rounds."""
        work = self._versions.at(UUID(ref), version) if ref else None
        return work if work is not None and work.round.lane_id == self.lane.pk else None


Fields = dict[str, dict[str, Any]]
"""What the results of one version say of every box, by "box 1"."""

Results = dict[tuple[UUID, int], Fields]
"""The same by round and version."""


def stored_results(round_ids: Collection[UUID]) -> Results:
    """The results of some rounds as they are stored."""
    found: Results = defaultdict(dict)
    results = BoxResult.objects.filter(round_id__in=round_ids)
    for row in results.values("round_id", "version", "box", *_RESULT):
        place = (row.pop("round_id"), row.pop("version"))
        found[place][f"box {row.pop('box')}"] = row
    return found


def expected_results(work: Work, prizes: Mapping[int, jackpot.Prize]) -> dict[str, dict[str, Any]]:
    """What the results of a round that was settled again must say."""
    return {f"box {row[2]}": dict(zip(_RESULT, row[3:], strict=True)) for row in batch.results(work, prizes)}


def look_for_unposted(lane: jackpot.Lane, findings: jackpot.Findings) -> None:
    """Rounds that claim to be settled, and have no entry in the ledger."""
    settled = Round.objects.filter(lane=lane, version__gt=0).order_by("id")
    last = UUID(int=0)
    while page := list(settled.filter(id__gt=last).values_list("id", "version", "game_number")[:CHUNK]):
        last = page[-1][0]
        refs = {
            f"round:{round_id}:v{version}": number
            for round_id, in_force, number in page
            for version in range(batch.FIRST_VERSION, in_force + 1)
        }
        for ref in refs.keys() - journal.posted(list(refs)):
            findings.missing("entry", f"round {refs[ref]}", ref)


def look_for_invented(lane: jackpot.Lane, findings: jackpot.Findings) -> None:
    """Results of a version that no settlement of their round has."""
    invented = BoxResult.objects.filter(round__lane=lane, version__gt=F("round__version"))
    for round_id, version, box in invented.values_list("round_id", "version", "box").iterator(chunk_size=CHUNK):
        findings.invented("result", f"round {round_id}, box {box}", f"version {version}")
