"""What a lane's entries stand for that are a round's: the canonical bytes made again from what is stored now.

The verifying walk (`jackpot.verify`) asks for many at a time. A round that is not there, or in another lane or version,
is left out, and its entry so named as invented.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from uuid import UUID

from jackpot import services as jackpot
from jackpot.domain.errors import Refused
from jackpot.selectors import corrections, sealed
from tables.selectors import superseded
from tables.services import audit, batch, documents
from tables.services.batch import Work
from tables.services.versions import Versions

Told = dict[int, bytes | None]
_Found = tuple[jackpot.SealedEntry, Work, jackpot.Settlement]


class SealedRounds:
    """What entries of one lane stand for that are a round's; `facts` by the kind of entry."""

    def __init__(self, lane: jackpot.Lane) -> None:
        self._lane = lane
        self._accounts = sealed.accounts()
        self.facts: dict[str, jackpot.Facts] = {
            "lockout": self.locked_out,
            "settlement": self.settled,
            "void": self.settled,
            "document": self.documents,
        }

    def locked_out(self, entries: Sequence[jackpot.SealedEntry], findings: jackpot.Findings) -> Told:
        """A lock-out is that of a round whose betting closed: its Progressive stakes, then."""
        told: Told = {}
        for entry, work in self._works(entries):
            rnd = work.round
            if rnd.locked_at is None or entry.source_ref != f"round:{rnd.id}":
                continue
            told[entry.id] = None
            with _named(entry, work, findings):
                _compare_source(entry, batch.lock_out(work).source, findings)
                staked = batch.lock_out(work).staked
                self._compare_legs(entry, {f"float:{rnd.table.code}": staked}, findings)
                told[entry.id] = b""
        return told

    def settled(self, entries: Sequence[jackpot.SealedEntry], findings: jackpot.Findings) -> Told:
        """A settlement or void is that of a round in this version: facts, results and versions make its digest."""
        told: Told = {}
        found: list[_Found] = []
        for entry, work in self._works(entries):
            rnd = work.round
            if not rnd.version or entry.source_ref != f"round:{rnd.id}:v{work.version}":
                continue
            told[entry.id] = None
            with _named(entry, work, findings):
                settlement = batch.settle(work, sealed=entry.facts_digest)
                if settlement.void != (entry.kind == "void"):
                    findings.add("kind", _where(entry, work), expected="void" if settlement.void else "settlement",
                                 stored=entry.kind)  # fmt: skip
                told[entry.id] = settlement.facts
                found.append((entry, work, settlement))
        self._compare_rounds(found, findings)
        _compare_replaced(found, findings)
        return told

    def documents(self, entries: Sequence[jackpot.SealedEntry], findings: jackpot.Findings) -> Told:
        """The versions of rule sets."""
        refs = {entry.id: entry.source_ref.removeprefix(f"document:{self._lane.pk}:") for entry in entries}
        made = {pk: documents.rule_set(ref) for pk, ref in refs.items()}
        return {pk: document.content for pk, document in made.items() if document}

    def _works(self, entries: Sequence[jackpot.SealedEntry]) -> Iterator[tuple[jackpot.SealedEntry, Work]]:
        """Entries with the round that they name, where this lane has it."""
        ids = {entry.id: _round_of(entry) for entry in entries}
        versions = Versions({pk for pk in ids.values() if pk})
        for entry in entries:
            work = versions.at(ids[entry.id] or UUID(int=0), _version_of(entry))
            if work is not None and work.round.lane_id == self._lane.pk:
                yield entry, work

    def _compare_rounds(self, found: Sequence[_Found], findings: jackpot.Findings) -> None:
        terms = jackpot.Terms({settlement.policy_id for _, _, settlement in found if settlement.policy_id})
        first = [settlement for _, _, settlement in found if settlement.version == batch.FIRST_VERSION]
        owed = jackpot.prizes_owed(first, terms)
        stored = audit.stored_results([work.round.id for _, work, _ in found])
        for entry, work, settlement in found:
            rnd, table = work.round, work.round.table
            with _named(entry, work, findings):
                by = f"user:{work.entered_by}" if work.entered_by else ""
                _compare_source(entry, settlement.source, findings, actor=by)
                prizes = owed[str(rnd.id)] if work.version == batch.FIRST_VERSION else _priced(settlement, terms)
                expected = audit.expected_results(work, prizes)
                findings.compare_each("result", _where(entry, work), expected, stored[rnd.id, work.version])
                self._compare_legs(
                    entry,
                    {f"win:{table.code}:main": settlement.main_net, f"win:{table.code}:trips": settlement.trips_net},
                    findings,
                )
                self._compare_place(entry, work, findings)
                _compare_frozen(entry, settlement.facts, findings)

    def _compare_legs(
        self, entry: jackpot.SealedEntry, expected: Mapping[str, int], findings: jackpot.Findings
    ) -> None:
        legs = sealed.grouped(self._accounts, entry.legs)
        findings.compare("legs of", str(entry), expected, {code: legs.get(code, 0) for code in expected})

    def _compare_place(self, entry: jackpot.SealedEntry, work: Work, findings: jackpot.Findings) -> None:
        """When and where a round says it was settled, and as what."""
        rnd = work.round
        if work.version != rnd.version:
            return
        expected = {"phase": batch.phase_of(work), "settled_at": entry.posted_at, "site_id": rnd.table.site_id}
        places = ((self._accounts.get(leg.account_id), leg.gaming_day) for leg in entry.legs)
        days = [day for place, day in places if place and place.code.startswith("float:")]
        if days and work.version == batch.FIRST_VERSION:
            expected["gaming_day"] = days[0]
        stored = {name: getattr(rnd, name) for name in expected}
        findings.compare("round", _where(entry, work), expected, stored)


def _compare_replaced(found: Sequence[_Found], findings: jackpot.Findings) -> None:
    """When a version that was corrected came into force and was replaced, and under which gaming day: a report of that
    day takes it back.
    """
    kept = superseded.versions_of({work.round.id for _, work, _ in found if work.round.version > batch.FIRST_VERSION})
    days = corrections.entered_under([row.change_id for rows in kept.values() for row in rows])
    for entry, work, _ in found:
        for row in kept.get(work.round.id, ()):
            expected: dict[str, object] = {}
            if row.version == work.version:
                expected = {"settled_at": entry.posted_at}
            elif row.version == work.version - 1:
                expected = {"replaced_at": entry.posted_at, "replaced_day": days.get(row.change_id, row.replaced_day)}
            stored = {name: getattr(row, name) for name in expected}
            findings.compare("replaced version", _where(entry, work), expected, stored)


@contextmanager
def _named(entry: jackpot.SealedEntry, work: Work, findings: jackpot.Findings) -> Iterator[None]:
    """What a round can't be read or settled for is a finding of its own; the others go on."""
    try:
        yield
    except (KeyError, ValueError, Refused) as error:
        findings.add("facts", _where(entry, work), expected="a round that can be settled", stored=f"{error!r}")


def _where(entry: jackpot.SealedEntry, work: Work) -> str:
    return f"round {work.round.game_number}, {entry}"


def _round_of(entry: jackpot.SealedEntry) -> UUID | None:
    """The round an entry's reference names ("round:ID", "round:ID:v1")."""
    kind, _, rest = entry.source_ref.partition(":")
    try:
        return UUID(rest.partition(":")[0]) if kind == "round" else None
    except ValueError:
        return None


def _version_of(entry: jackpot.SealedEntry) -> int:
    """The version an entry's reference names; the first for a lock-out."""
    version = entry.source_ref.rpartition(":v")[2]
    return int(version) if version.isdecimal() else batch.FIRST_VERSION


def _priced(settlement: jackpot.Settlement, terms: jackpot.Terms) -> Mapping[int, jackpot.Prize]:
    """The prizes of a later version: its shares are priced on the pots as they stood before the first."""
    outcome = jackpot.expect_outcomes([jackpot.Showdown.of(settlement)], terms).get(settlement.source.ref)
    return outcome.prizes if outcome else {}


def _compare_source(
    entry: jackpot.SealedEntry, source: jackpot.Source, findings: jackpot.Findings, *, actor: str = ""
) -> None:
    """An entry names its round's table, integrator and time, and of a corrected version who entered its facts."""
    expected: dict[str, object] = {"table_ref": source.table_ref, "integrator_id": source.integrator_id}
    expected |= {"event_at": source.at, "actor": actor}
    findings.compare("entry", str(entry), expected, {name: getattr(entry, name) for name in expected})


def _compare_frozen(entry: jackpot.SealedEntry, facts: bytes, findings: jackpot.Findings) -> None:
    """The facts that were frozen with a round's first hit are the round's."""
    for award in entry.awards:
        if award.facts is not None and json.loads(award.facts) != json.loads(facts):
            findings.add("award facts", f"award {award.id}", expected=facts.decode(), stored=award.facts)
