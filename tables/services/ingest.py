"""Whole rounds come in: checked, stored with their boxes and one event, and given their place in the lane's queue.

One round and a thousand take the same way. Callers wake a worker once the transaction is committed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TypeVar
from uuid import UUID

from uuid_utils.compat import uuid7

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, Violation, refuse
from jackpot.selectors import jackpots as policies
from tables.domain import checks, record
from tables.domain.facts import Reported
from tables.domain.game_number import game_number
from tables.domain.round_state import Phase
from tables.models.rounds import Round, RoundEvent
from tables.models.tables import Table
from tables.selectors import rounds
from tables.selectors.on_show import MOST_BOXES, OnShow
from tables.selectors.versions import RuleBook
from tables.services import telling, voiding, writing

CLOCK_SKEW = timedelta(seconds=60)
_ATTEMPTS = 3
_RECEIVED = "received"
_FIRST_RUNS = Violation("in_progress", "a round with this external_id is just coming in; repeat it", "/external_id")
_TAKEN_MEANWHILE = {"round_external_id_once": _FIRST_RUNS, "round_game_number_once": _FIRST_RUNS}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Received:
    """A round that is stored; `replayed` where it had been before, with the same content.

    `stored` is a round that is new, with its parts, as it was stored.
    """

    round_id: UUID
    lane_id: int
    replayed: bool
    stored: OnShow | None = None


def receive_one(*, caller: jackpot.Caller, report: Reported, now: datetime) -> Received:
    """Take one round. Raises Refused."""
    (answer,) = receive(caller=caller, reports=[report], now=now)
    if isinstance(answer, Refused):
        raise answer
    return answer


def receive(*, caller: jackpot.Caller, reports: Sequence[Reported], now: datetime) -> list[Received | Refused]:
    """Take rounds of one integrator, each for itself: a refused one leaves nothing behind and stops no other.

    A repeat (same `external_id`, same content) is answered with the round as it stands; with other content it is
    refused with `idempotency_conflict`. Old rounds are taken under the versions in force at their lock-out.
    """
    return retried(lambda: _Intake(caller, reports, now).answers())


def retried(work: Callable[[], T]) -> T:
    """Does work that stores new rounds in a transaction, again where another one took an external id meanwhile.

    By then that round is there to be seen. Raises Refused with `in_progress` where it is always another one.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with jackpot.refined(_TAKEN_MEANWHILE):
                return work()
        except Refused as refused:
            if refused.code != _FIRST_RUNS.code or attempt == _ATTEMPTS:
                raise
    raise AssertionError("unreachable")


class _Intake:
    """One transaction's worth of reports."""

    def __init__(self, caller: jackpot.Caller, reports: Sequence[Reported], now: datetime) -> None:
        if caller.integrator_id is None:
            raise refuse("scope_required", "rounds are sent with an integrator's key")
        self.integrator_id, self.reports, self.now = caller.integrator_id, reports, now
        self.asked_by = caller.actor
        codes = {report.table_code for report in reports}
        tables = Table.objects.filter(code__in=codes, site_id__in=caller.site_ids or ())
        locked = tables.select_for_update(no_key=True, of=("self",)).select_related("site").order_by("id")
        self.tables = {table.code: table for table in locked}
        self.rule_book = RuleBook(self.tables.values())
        linked = {setup.jackpot_id for setup in self.rule_book.setups.ever() if setup.jackpot_id}
        self.policies = policies.policies_in_force(linked)
        self.numbers = _numbers_taken(self.tables, reports)
        self.stored: list[tuple[Round, Reported]] = []
        self.waits: list[tuple[Round, int | None]] = []

    @cached_property
    def calendar(self) -> jackpot.Calendar:
        """The days of the tables' sites. It opens today's, so it is not asked before a round is found to be right."""
        return jackpot.Calendar({table.site for table in self.tables.values()}, now=self.now)

    def answers(self) -> list[Received | Refused]:
        known = self._known()
        answers: list[Received | Refused] = []
        for report in self.reports:
            if report.table_code not in self.tables:
                answers.append(_unknown_table(report))
                continue
            content = record.fingerprint(record.reported(report))
            if report.external_id in known:
                answers.append(_repeat(known[report.external_id], content))
                continue
            try:
                rnd = self._make(report, content)
            except Refused as refused:
                answers.append(Refused(refused.violations))  # the raised one holds its frames, and these all reports
                continue
            known[report.external_id] = rnd
            self.stored.append((rnd, report))
            answers.append(Received(rnd.id, rnd.lane_id, replayed=False, stored=self._shown(rnd, report)))
        if self.stored:
            self._store()
        return answers

    def _known(self) -> dict[str, Round]:
        ids = {report.external_id for report in self.reports}
        rounds = Round.objects.filter(integrator_id=self.integrator_id, external_id__in=ids)
        return {rnd.external_id: rnd for rnd in rounds.only("external_id", "content", "lane_id") if rnd.external_id}

    def _make(self, report: Reported, content: bytes) -> Round:
        table = self.tables[report.table_code]
        version = self.rule_book.at(table, report.lock_out_at)
        rules = self.rule_book.rules(version, table.currency_code)
        setup = self.rule_book.setups.at(table, report.lock_out_at)
        policy = self.policies[setup.jackpot_id].at(report.lock_out_at) if setup.jackpot_id else None
        # The jackpot as it stands under the table's lock, which who retires it waits for: read after it, not with it.
        offered = policy.read() if policy and policy.jackpot.takes_bets(report.lock_out_at) else None
        stake = offered.stake if offered else None
        wrong = [*_times(report, self.now), *checks.check(report.facts, rules, progressive_stake=stake)]
        if wrong:
            raise Refused(wrong)
        cancels = voiding.cancelling(report.facts, rules, offered) if offered else []
        day = self.calendar.place(table.site_id, report.completed_at)
        facts = report.facts
        rnd = Round(
            id=uuid7(), integrator_id=self.integrator_id, external_id=report.external_id, content=content,
            table=table, site=table.site, rule_set=version, policy=policy, lane_id=setup.lane_id, live=False,
            game_number=self._next_number(table, report.started_at), phase=_first_phase(report, bool(cancels)),
            started_at=report.started_at, completed_at=report.completed_at,
            locked_at=None if facts.void and report.locked_at is None else report.lock_out_at,
            gaming_day=day.day, late=day.late, flop=writing.joined(facts.flop), turn=facts.turn or "",
            river=facts.river or "", dealer=writing.joined(facts.dealer),
            player_cards=writing.joined(facts.player_cards), void_reason=facts.void or "", void_note=report.void_note,
            problem=voiding.SECOND_PERSON if cancels else None,
        )  # fmt: skip
        self.waits += [(rnd, box) for box in cancels]
        return rnd

    def _next_number(self, table: Table, started_at: datetime) -> str:
        second = started_at.replace(microsecond=0)
        self.numbers[table.pk, second] += 1
        return game_number(table.code, second, self.numbers[table.pk, second])

    def _shown(self, rnd: Round, report: Reported) -> OnShow:
        """What reading it back would give."""
        events = [RoundEvent(round_id=rnd.id, kind=_RECEIVED, at=self.now)]
        if len(report.facts.boxes) > MOST_BOXES:
            return OnShow(rnd, events=events, wide=True)
        boxes = [writing.stored_box(rnd.id, box) for box in sorted(report.facts.boxes, key=lambda box: box.box)]
        return OnShow(rnd, boxes, events=events)

    def _store(self) -> None:
        # In one order whatever the batch's: two batches with the same ids wait for each other, but never in a circle.
        writing.store_rounds(sorted((rnd for rnd, _ in self.stored), key=lambda rnd: rnd.external_id or ""))
        writing.store_boxes((rnd.id, box) for rnd, report in self.stored for box in report.facts.boxes)
        writing.store_events((rnd.id, _RECEIVED, self.now, {}) for rnd, _ in self.stored)
        jackpot.enqueue((rnd.lane_id, kind, rnd.id) for rnd, _ in self.stored if (kind := _place(rnd)))
        aside = [rnd for rnd, _ in self.stored if rnd.phase == Phase.FAILED]
        voiding.keep_reported(self.waits, asked_by=self.asked_by, now=self.now)
        telling.publish([telling.of_round(jackpot.EventType.ROUND_FAILED, rnd, at=self.now) for rnd in aside])


def _unknown_table(report: Reported) -> Refused:
    return refuse("unknown_table", f"there is no table {report.table_code!r} for this key", "/table")


def _repeat(rnd: Round, content: bytes) -> Received | Refused:
    if bytes(rnd.content or b"") == content:
        return Received(rnd.id, rnd.lane_id, replayed=True)
    return refuse("idempotency_conflict", f"external_id {rnd.external_id!r} was used for other content", "/external_id")


def _times(report: Reported, now: datetime) -> Iterable[Violation]:
    if report.lock_out_at < report.started_at:
        yield Violation("time_order", "betting closes after the round has started", "/locked_at")
    if report.completed_at < report.lock_out_at:
        yield Violation("time_order", "a round is complete after its betting has closed", "/completed_at")
    if report.completed_at > now + CLOCK_SKEW:
        yield Violation("time_order", "a round that is complete lies in the past; check the clock", "/completed_at")


def _first_phase(report: Reported, cancels: bool) -> str:
    if cancels:
        return Phase.FAILED
    return Phase.VOID if report.facts.void else Phase.COMPLETE


def _place(rnd: Round) -> str | None:
    """What of the round waits for a worker: all of it, or its completion or lock-out alone."""
    if rnd.locked_at is None:
        return "completion" if rnd.phase != Phase.FAILED else None
    return "lockout" if rnd.phase == Phase.FAILED else "whole"


def _numbers_taken(tables: dict[str, Table], reports: Sequence[Reported]) -> Counter[tuple[int, datetime]]:
    """How many rounds each table has already started in each of the seconds the reports name."""
    named = {
        (tables[report.table_code].pk, report.started_at.replace(microsecond=0))
        for report in reports
        if report.table_code in tables
    }
    return Counter(rounds.started_in(named))
