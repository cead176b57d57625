"""One batch of rounds on its way through settlement: facts in, postings out, results and phases back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from jackpot import services as jackpot
from tables.domain import record, settlement
from tables.domain.corrections import Recorded
from tables.domain.facts import BoxFacts, RoundFacts
from tables.domain.results import Outcome, RoundResult, WagerKind, WagerResult, lost, refunded
from tables.domain.round_state import Phase
from tables.domain.rules import RuleSet
from tables.models.rounds import Round
from tables.selectors import loading
from tables.selectors.versions import RuleBook
from tables.services import documents, writing
from tables.services.telling import Ended

FIRST_VERSION = 1
_TRIPS, _PROGRESSIVE = WagerKind.TRIPS, WagerKind.PROGRESSIVE
TOLD = ("external_id", "live", "void_note", "box_notes", "automatic")
"""What records of settlements say since it was sealed too, though no rule reads it."""


class Work:
    """A version of a round, under the round's lock, with its boxes as they are stored; `result` once it is settled.

    The version is the one in force, or the first. Facts and rules are read when they are asked for: a round that can't
    be read is that round's own failure.
    """

    def __init__(self, rnd: Round, rows: Sequence[loading.Stored], book: RuleBook) -> None:
        self.round = rnd
        self.version = max(rnd.version, FIRST_VERSION)
        self.entered_by: int | None = None
        self.result: RoundResult | None = None
        self.void_note = rnd.void_note
        self._rows, self._book = rows, book

    def at(self, version: int, recorded: Recorded, *, entered_by: int | None = None) -> "Work":
        """Another version of the round, from its own facts, entered by a person."""
        work = Work(self.round, (), self._book)
        work.version, work.facts, work.entered_by = version, recorded.facts, entered_by
        work.void_note = recorded.void_note if recorded.facts.void else ""
        work.notes = {str(box): note for box, note in sorted(recorded.notes.items())}
        return work

    @cached_property
    def facts(self) -> RoundFacts:
        return loading.facts_of(self.round, loading.boxes_in(self._rows))

    @cached_property
    def rules(self) -> RuleSet:
        rnd = self.round
        version = rnd.rule_set or self._book.at(rnd.table, rnd.started_at)
        return self._book.rules(version, rnd.table.currency_code)

    @cached_property
    def notes(self) -> dict[str, str]:
        """What was noted for void boxes, by number."""
        return loading.notes_in(self._rows)

    @property
    def documents(self) -> tuple[jackpot.Document, ...]:
        """The rule set that the round pinned, as it is sealed."""
        version = self.round.rule_set
        return (jackpot.Document(documents.ref_of(version), self._book.document(version)),) if version else ()

    @property
    def source(self) -> jackpot.Source:
        rnd = self.round
        return jackpot.Source(str(rnd.id), rnd.table.code, rnd.integrator_id, rnd.completed_at or rnd.started_at)


def load(round_ids: Iterable[UUID], *, lock: bool = True) -> dict[UUID, Work]:
    """The rounds, locked in order of their ids, with what their facts and rules are made from: a few queries,
    however many there are. An audit, which changes nothing, takes no locks.
    """
    wanted = list(round_ids)
    rounds = Round.objects.filter(pk__in=wanted).order_by("id")
    if lock:
        rounds = rounds.select_for_update(no_key=True, of=("self",))
    # Not joined: a thousand rounds share a few tables, rule sets and policies, whose documents would be read for each.
    found = list(rounds.prefetch_related("table", "site", "rule_set__rule_set", "policy__jackpot"))
    rows = loading.rows_of(wanted)
    book = RuleBook(rnd.table for rnd in found)
    return {rnd.id: Work(rnd, rows.get(str(rnd.id), ()), book) for rnd in found}


def lock_out(work: Work) -> jackpot.LockOut:
    """The Progressive wagers of a round as they stand when betting closes."""
    rnd = work.round
    wagers = tuple(jackpot.Wager(b.box, b.player, b.progressive) for b in work.facts.boxes if b.progressive)
    source = jackpot.Source(str(rnd.id), rnd.table.code, rnd.integrator_id, rnd.locked_at or rnd.started_at)
    return jackpot.LockOut(source, rnd.policy_id or 0, wagers if rnd.policy_id else ())


def settle(work: Work, *, sealed: bytes | None = None) -> jackpot.Settlement:
    """What a settled round hands over: nets by bet, live Progressive wagers, refunds, and what it was made from.

    `sealed` is the digest of what it was made from, where a round is settled again.
    """
    rnd, facts = work.round, work.facts
    result = work.result = settlement.settle(facts, work.rules)
    main_net, trips_net = _nets(result)
    locked = rnd.locked_at is not None and rnd.policy_id is not None
    return jackpot.Settlement(
        source=work.source,
        policy_id=rnd.policy_id,
        version=work.version,
        main_net=main_net,
        trips_net=trips_net,
        claims=claims(facts, result) if locked else (),
        staked=staked(work),
        refunded=_refunded(facts) if locked else 0,
        shared=work.rules.shared_hand,
        void=facts.void is not None,
        facts=_record(work, result, sealed),
        documents=work.documents,
        entered_by=work.entered_by,
    )


def _nets(result: RoundResult) -> tuple[int, int]:
    """What the players won, less what they lost, by the main bets and by Trips."""
    main = trips = 0
    for box in result.boxes:
        for kind, stake, _, returned, _ in box.wagers:
            if kind is _TRIPS:
                trips += returned - stake
            else:
                main += returned - stake
    return main, trips


def _refunded(facts: RoundFacts) -> int:
    """The Progressive stakes that are given back: those of void boxes, or of a void round."""
    return sum(box.progressive for box in facts.boxes if box.void or facts.void)


def staked(work: Work) -> int:
    """The Progressive stakes that were locked out, in ledger units."""
    rnd = work.round
    if rnd.locked_at is None or rnd.policy_id is None:
        return 0
    return sum(box.progressive for box in work.facts.boxes)


def _record(work: Work, result: RoundResult, sealed: bytes | None) -> bytes:
    """What a settlement was made from, in the form in which it was sealed: before notes were sealed too, without."""
    rnd, facts = work.round, work.facts
    context = _context(rnd) | {"version": work.version}
    made = record.settled(facts, result, **context, **_told(work))
    if sealed is None or sha256(made).digest() == sealed:
        return made
    before = record.settled(facts, result, **context)
    return before if sha256(before).digest() == sealed else made


def _told(work: Work) -> dict[str, Any]:
    """What is sealed with a round though no rule reads it."""
    rnd = work.round
    told = (rnd.external_id, rnd.live, work.void_note, work.notes, record.automatic(work.facts))
    return dict(zip(TOLD, told, strict=True))


def _context(rnd: Round) -> dict[str, Any]:
    return {
        "round": str(rnd.id),
        "game_number": rnd.game_number,
        "table": rnd.table.code,
        "rule_set": str(rnd.rule_set) if rnd.rule_set else None,
        "policy": str(rnd.policy) if rnd.policy else None,
        "started_at": record.instant(rnd.started_at),
        "locked_at": record.instant(rnd.locked_at) if rnd.locked_at else None,
        "completed_at": record.instant(rnd.completed_at) if rnd.completed_at else None,
    }


def claims(facts: RoundFacts, result: RoundResult) -> tuple[jackpot.Claim, ...]:
    """The Progressive wagers of a round that are alive, with the hands they made."""
    return tuple(
        [
            jackpot.Claim(box.box, box.player, bets.progressive, box.progressive_hand)
            for bets, box in zip(facts.boxes, result.boxes, strict=True)
            if box.progressive_alive
        ]
    )


def results(work: Work, prizes: Mapping[int, jackpot.Prize]) -> Iterator[tuple[Any, ...]]:
    """The rows of a round's results, with its Progressive prizes by box as the jackpot priced them."""
    facts, result = work.facts, _result(work)
    for bets, box in zip(facts.boxes, result.boxes, strict=True):
        prize = prizes.get(box.box)
        wagers = (*box.wagers, *progressive(bets, facts, prize))
        hands = (box.hand or "", (box.progressive_hand or "") if bets.progressive else "")
        basis = prize.basis.value if prize else ""
        yield writing.result_row(work.round.id, work.version, box.box, hands, wagers, basis)


def ended(work: Work, posted: jackpot.Posted) -> Ended:
    """What became of a round, as its results and awards say it. The day is that of the posting."""
    facts = work.facts
    back = sum(box.returned for box in _result(work).boxes) + _refunded(facts)
    won = sum(prize.returned for prize in posted.prizes.values()) + posted.envy
    return Ended(
        phase=phase_of(work),
        version=work.version,
        gaming_day=posted.gaming_day,
        late=posted.late,
        staked=sum(box.staked for box in facts.boxes),
        returned=back + won,
        envy=posted.envy,
    )


def _result(work: Work) -> RoundResult:
    if work.result is None:
        raise ValueError("a round has results once it is settled")
    return work.result


def progressive(box: BoxFacts, facts: RoundFacts, prize: jackpot.Prize | None) -> tuple[WagerResult, ...]:
    """How a box's Progressive ended, with the prize that the jackpot gives it, if any."""
    if not box.progressive:
        return ()
    if facts.void or box.void:
        return (refunded(_PROGRESSIVE, box.progressive),)
    if prize is None:
        return (lost(_PROGRESSIVE, box.progressive),)
    return (WagerResult(_PROGRESSIVE, box.progressive, Outcome.WIN, prize.returned),)


def phase_of(work: Work) -> Phase:
    """The phase of a round whose settlement is posted."""
    return Phase.VOID if work.facts.void else Phase.SETTLED


def store_phases(settled: Sequence[tuple[Work, jackpot.Posted]], *, at: datetime) -> None:
    """Rounds are settled, or their void is posted, under the gaming day the books gave them; one statement for all."""
    if not settled:
        return
    columns = list(
        zip(
            *((work.round.id, phase_of(work), posted.gaming_day, posted.late) for work, posted in settled),
            strict=True,
        )
    )
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE tables_round AS round
               SET phase = done.phase, version = %s, settled_at = %s, gaming_day = done.day, late = done.late
              FROM unnest(%s::uuid[], %s::text[], %s::date[], %s::bool[]) AS done (id, phase, day, late)
             WHERE round.id = done.id
            """,
            [FIRST_VERSION, at, *(list(column) for column in columns)],
        )


def check_deferred() -> None:
    """Let PostgreSQL check now what it would check at the commit, while a bad round can still be found."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def clock() -> datetime:
    """The service's clock, for what has no posting time of its own."""
    return timezone.now()
