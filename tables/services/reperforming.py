"""One round performed again, for whoever looks at it: every figure it should have beside the one that is stored.

Each version is settled from its facts, its entries are held against what they stand for, and the links that seal them
are reckoned again. It changes nothing and takes no locks. The audit does the same of whole lanes, and replays meters.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import UUID

from jackpot import services as jackpot
from jackpot.domain.errors import Refused
from jackpot.selectors import corrections, evidence, sealed
from jackpot.selectors.snapshots import snapshot
from tables.domain.results import WagerKind
from tables.models.rounds import Round
from tables.services import audit, batch
from tables.services.batch import Work
from tables.services.reckoning import Reckoned, reckon, terms_of
from tables.services.sealed_rounds import SealedRounds
from tables.services.versions import Versions

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Line:
    """One figure: what it should be, and what is stored. An `int` is an amount in ledger units."""

    where: str
    what: str
    expected: object
    stored: object

    @property
    def agrees(self) -> bool:
        return self.expected == self.stored


@dataclass(frozen=True, slots=True)
class Reperformed:
    """A round performed again: the lines of each version, those of its entries, and of the links that seal them."""

    versions: Mapping[int, Sequence[Line]]
    entries: Sequence[Line] = ()
    seals: Sequence[Line] = ()

    @property
    def lines(self) -> list[Line]:
        return [*(line for lines in self.versions.values() for line in lines), *self.entries, *self.seals]

    @property
    def differences(self) -> list[Line]:
        return [line for line in self.lines if not line.agrees]


@dataclass(slots=True)
class _Case:
    """The round and its entries: of each version the digest that was sealed, and what was posted of its awards."""

    rnd: Round
    books: evidence.Books
    digests: dict[str, bytes | None] = field(init=False)
    owed: dict[str, list[corrections.Owed]] = field(init=False)

    def __post_init__(self) -> None:
        kinds = ("settlement", "void")
        entries = [posted.entry for posted in self.books.posted if posted.entry.kind in kinds]
        self.digests = {one.source_ref: bytes(one.facts_digest) if one.facts_digest else None for one in entries}
        self.owed = corrections.owed_by([self.source(version) for version in range(1, self.rnd.version + 1)])

    def source(self, version: int) -> str:
        return f"round:{self.rnd.id}:v{version}"


def reperform(round_id: UUID, books: evidence.Books | None = None) -> Reperformed:
    """Perform a settled round again, in one snapshot. Of one that is not settled there is nothing to compare.

    `books` are what was posted of it, where they were read already.
    """
    with snapshot():
        versions = Versions([round_id])
        work = versions.in_force[round_id]
        rnd = work.round
        stored = audit.stored_results([round_id])
        lines: dict[int, Sequence[Line]] = {
            version: [Line("round", "results of a version that it has not", NOTHING, "results")]
            for _, version in stored
            if version > rnd.version
        }
        if not rnd.version:
            return Reperformed(lines)
        case = _Case(rnd, books or books_of(rnd))
        for version in range(batch.FIRST_VERSION, rnd.version + 1):
            lines[version] = list(_version(case, versions.at(round_id, version), version, stored))
        return Reperformed(lines, list(_entries(case)), list(_seals(case)))


def books_of(rnd: Round) -> evidence.Books:
    """All that was posted of a round, of its awards and of what was asked to be corrected of it."""
    return evidence.books_of(rnd.id, versions=rnd.version, subjects=(f"round:{rnd.id}",))


def _version(case: _Case, work: Work | None, version: int, stored: audit.Results) -> Iterator[Line]:
    """The lines of one version; what its facts can't be settled for is one too."""
    if work is None:
        yield Line("round", "facts", f"those of version {version}", NOTHING)
        return
    source = case.source(version)
    found = stored.get((case.rnd.id, version), {})
    try:
        made = reckon(work, terms_of(work), sealed=case.digests.get(source))
    except (KeyError, ValueError, Refused) as error:
        yield Line("round", "facts", "a round that can be settled", f"{error!r}")
        return
    yield Line("round", "entry of its settlement", source, source if source in case.digests else NOTHING)
    sealed_as = case.digests.get(source)
    made_as = sha256(made.settlement.facts).digest()
    yield Line("round", "digest of its facts and results", made_as.hex(), sealed_as.hex() if sealed_as else NOTHING)
    if version == case.rnd.version:
        yield Line("round", "phase", batch.phase_of(work).value, case.rnd.phase)
    if version == batch.FIRST_VERSION:
        yield from _contributions(work)
    for place in sorted(made.results | found, key=_number):
        yield from _box(place, made.results.get(place), found.get(place))
    yield from _awards(made, case.owed[source])


def _contributions(work: Work) -> Iterator[Line]:
    if work.round.locked_at is None or work.round.policy_id is None:
        return
    staked = jackpot.Staked(str(work.round.id), work.round.policy_id, batch.staked(work))
    for due, came in jackpot.expect_contributions([staked], terms_of(work)).values():
        yield Line("round", "contributed to the jackpot", due, came)


def _box(place: str, due: dict[str, Any] | None, stored: dict[str, Any] | None) -> Iterator[Line]:
    """A box's hands, and what each bet came to."""
    if due is None or stored is None:
        yield Line(place, "result", NOTHING if due is None else "a result", NOTHING if stored is None else "a result")
        return
    for name in ("hand", "progressive_hand", "basis"):
        if due[name] or stored[name]:
            yield Line(place, name.replace("_", " "), due[name] or NOTHING, stored[name] or NOTHING)
    for n, kind in enumerate(WagerKind):
        letters = [one["outcomes"][n : n + 1] or "-" for one in (due, stored)]
        if letters == ["-", "-"] and due[kind] == stored[kind] == 0:
            continue
        yield Line(place, f"{kind} outcome", *(_OUTCOMES.get(letter, letter) for letter in letters))
        yield Line(place, f"{kind} returned", due[kind], stored[kind])
        capped = [one["capped"][n : n + 1] == "c" for one in (due, stored)]
        if any(capped):
            yield Line(place, f"{kind} capped", *("yes" if one else "no" for one in capped))


_OUTCOMES = {"w": "win", "l": "lose", "p": "push", "r": "refund", "-": "not staked"}


def _awards(made: Reckoned, owed: Iterable[corrections.Owed]) -> Iterator[Line]:
    """Hits by box and Envy by where it comes from, each as it is owed by the version's awards."""
    hits: Counter[int] = Counter()
    envy: Counter[tuple[int, int]] = Counter()
    for one in owed:
        if one.award.kind == jackpot.Award.Kind.HIT:
            hits[one.award.box] += one.amount
        else:
            envy[one.award.box, one.from_box or 0] += one.amount
    for box in sorted(hits | made.hits):
        yield Line(f"box {box}", "award of its hit", made.hits[box], hits[box])
    for box, source in sorted(envy | made.envy):
        yield Line(f"box {box}", f"Envy from box {source}", made.envy[box, source], envy[box, source])


def _entries(case: _Case) -> Iterator[Line]:
    """What the round's entries stand for, as `verify` looks at them: kind, source, legs, day, frozen facts."""
    own = [one.entry.pk for one in case.books.posted if one.entry.kind in ("lockout", "settlement", "void")]
    lane = case.rnd.lane
    findings = jackpot.Findings()
    facts = SealedRounds(lane).facts
    found = sealed.entries_of(lane, own)
    yield Line("books", "entries in the lane of the round", str(len(own)), str(len(found)))
    for entry in found:
        told = facts[entry.kind]([entry], findings)
        stands = "this round" if entry.id in told else NOTHING
        yield Line(str(entry), "what it stands for", "this round", stands)
    for one in findings.differences:
        if not one.what.startswith("result"):
            yield Line(one.where, one.what, one.expected, one.stored)


def _seals(case: _Case) -> Iterator[Line]:
    for seal in case.books.seals:
        where = f"link {seal.link.seq} of the chain"
        yield Line(where, "seal", seal.reckoned.hex(), bytes(seal.link.digest).hex())


def _number(place: str) -> int:
    return int(place.rpartition(" ")[2])
