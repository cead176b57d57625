"""Verifying everything that is stored: chains, books and rounds, in one snapshot, each from what is there now.

`jackpot.verify` walks the chains; what their entries stand for comes from here where it is a round's: its facts,
results and versions make the canonical document again whose digest was sealed. Where a chain is broken the lane is
re-performed too, which names what was changed. Source: accounting.md §3.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from jackpot import services as jackpot
from jackpot.selectors import queue, snapshots, standing
from tables.selectors import strays
from tables.services import audit, set_up_proof
from tables.services.sealed_rounds import SealedRounds


@dataclass(slots=True)
class Verification:
    """What was verified, the heads of the chains, and what differs; `holds` where nothing does. `by_command`: jackpots
    and tables that no two people opened.
    """

    findings: jackpot.Findings = field(default_factory=jackpot.Findings)
    counts: jackpot.Verified = field(default_factory=jackpot.Verified)
    heads: dict[int, tuple[str, int, bytes]] = field(default_factory=dict)
    by_command: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return self.findings.count == 0


def verify(
    lanes: Iterable[jackpot.Lane] | None = None,
    *,
    heads: jackpot.Heads = (),
    progress: jackpot.Progress = lambda done, total: None,
) -> Verification:
    """Verify these lanes, or everything; `heads` are those kept outside the database, as (lane, seq, digest).

    Reads one snapshot and takes no locks: workers may go on. Memory does not grow with the number of rounds.
    """
    done = Verification()
    with snapshots.snapshot():
        for lane in queue.every_lane() if lanes is None else lanes:
            _lane(lane, done, progress)
        jackpot.verify_heads(heads, done.findings)
        if lanes is None:
            _everything(done.findings)
            done.by_command = [*jackpot.by_command(), *set_up_proof.by_command()]
    return done


def _lane(lane: jackpot.Lane, done: Verification, progress: jackpot.Progress) -> None:
    facts = SealedRounds(lane).facts
    holds = jackpot.verify(lane=lane, facts=facts, findings=done.findings, counts=done.counts, progress=progress)
    done.heads[lane.pk] = (str(lane), lane.sealed, bytes(lane.head))
    audit.look_for_unposted(lane, done.findings)
    audit.look_for_invented(lane, done.findings)
    if not holds:
        audit.reperform(lane, done.findings)


def _everything(findings: jackpot.Findings) -> None:
    """What no walk of a lane comes to: parts that belong to nothing, and counts beside the books."""
    for what, where in (*standing.orphans(), *strays.orphans()):
        findings.invented(what, where, "belongs to nothing")
    for code, said in standing.accounts_misplaced():
        findings.add("account", f"account {code}", expected="its own side and site", stored=said)
    jackpot.verify_changes(findings)
    for found in set_up_proof.differences():
        findings.add(found.what, found.where, expected=found.expected, stored=found.stored)
    for request in set_up_proof.missing():
        findings.missing("change", f"{request}", "what was approved")
    for code, due, state in standing.jackpots_not_as_changed():
        findings.add("state", f"jackpot {code}", expected=due, stored=state)
    for award, number in standing.moves_out_of_order():
        where = f"award {award}, move {number}"
        findings.add("award move", where, expected="to follow the one before it", stored=number)
    for integrator, counter, events, last in standing.events_out_of_count():
        where = f"events of integrator {integrator}"
        findings.add("events", where, expected=f"{counter}, as counted", stored=f"{events} up to number {last}")
    for site, day in standing.days_never_opened():
        findings.missing("gaming day", f"site {site}", f"{day}, under which something is entered")
    for site, day, closed_at in standing.days_closed_by_nobody():
        findings.add("closed at", f"day {site} {day}", expected="an open day: it has no closing", stored=closed_at)
