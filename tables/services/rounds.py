"""Opening a live round, suspending and resuming it."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from uuid_utils.compat import uuid7

from jackpot import services as jackpot
from jackpot.domain.errors import refuse
from tables.domain import record
from tables.domain.game_number import game_number
from tables.domain.round_state import OPEN, Move, Phase
from tables.models.rounds import Round, RoundEvent
from tables.models.tables import Table
from tables.selectors import rounds as found_rounds
from tables.selectors.on_show import OnShow
from tables.selectors.versions import RuleBook
from tables.services import stepping, writing
from tables.services.ingest import Received, retried
from tables.services.stepping import Step

_OPENED = "opened"


def open_round(*, caller: jackpot.Caller, table_code: str, external_id: str | None, now: datetime) -> Received:
    """Open betting at a table. Raises Refused: `not_found`, `table_suspended`, `round_open`, or
    `idempotency_conflict` where the external id names a round of other content.
    """
    return retried(lambda: _open(caller, table_code, external_id, now))


def _open(caller: jackpot.Caller, table_code: str, external_id: str | None, now: datetime) -> Received:
    if caller.integrator_id is None:
        raise refuse("scope_required", "rounds are opened with an integrator's key")
    tables = Table.objects.filter(code=table_code, site_id__in=caller.site_ids or ())
    table = tables.select_for_update(no_key=True, of=("self",)).select_related("site").first()
    if table is None:
        raise refuse("not_found", f"there is no table {table_code!r} for this key")
    content = record.fingerprint({"table": table_code, "live": True})
    if external_id is not None and (known := _known(caller.integrator_id, external_id)):
        if bytes(known.content or b"") != content:
            raise refuse("idempotency_conflict", "this external_id was used for other content", "/external_id")
        return Received(known.id, known.lane_id, replayed=True)
    _check_free(table)
    second = now.replace(microsecond=0)
    number = found_rounds.started_in([(table.pk, second)]).get((table.pk, second), 0) + 1
    rules = RuleBook([table]).at(table, now).read(table.currency_code)
    rnd = Round(
        id=uuid7(), integrator_id=caller.integrator_id, external_id=external_id, content=content, table=table,
        site=table.site, lane_id=table.lane_id, live=True, game_number=game_number(table.code, second, number),
        phase=Phase.BETTING, started_at=now,
    )  # fmt: skip
    step = Step(rnd, now)
    step.start_clock(rules.betting_seconds)
    writing.store_rounds([rnd])
    writing.store_events([(rnd.id, _OPENED, now, {})])
    stored = OnShow(rnd, events=[RoundEvent(round_id=rnd.id, kind=_OPENED, at=now)])
    return Received(rnd.id, rnd.lane_id, replayed=False, stored=stored)


def _known(integrator_id: int, external_id: str) -> Round | None:
    return Round.objects.filter(integrator_id=integrator_id, external_id=external_id).first()


def _check_free(table: Table) -> None:
    if table.state == Table.State.SUSPENDED:
        raise refuse("table_suspended", "the table is suspended; an operator can resume it")
    if Round.objects.filter(table=table, live=True, phase__in=OPEN).exists():
        raise refuse("round_open", "a round is open at this table; finish or void it first")


@transaction.atomic
def suspend(*, caller: jackpot.Caller, round_id: UUID, note: str, now: datetime) -> Step:
    """Stop a round and its clock while an error is looked into. Repeated, it stays as it is; suspended with another
    note it is a `step_conflict`.
    """
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if step.phase is Phase.SUSPENDED or (step.phase not in OPEN and "suspended" in _last_notes(rnd)):
        return _repeated(step, "suspended", note)
    before = rnd.phase
    step.move(Move.SUSPEND)
    rnd.resumes_to, rnd.clock_left = before, rnd.deadline - now if rnd.deadline else None
    rnd.deadline = None
    return step.save("suspended", "resumes_to", "clock_left", note=note).tell(jackpot.EventType.ROUND_SUSPENDED)


@transaction.atomic
def resume(*, caller: jackpot.Caller, round_id: UUID, note: str, now: datetime) -> Step:
    """Go on where a round was suspended; the clock has what was left on it. Repeated at any time, the round stays as it
    is; with another note it is a `step_conflict`.
    """
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if step.phase is not Phase.SUSPENDED:
        if "resumed" in _last_notes(rnd):
            return _repeated(step, "resumed", note)
        raise refuse("wrong_phase", f"the round is in phase {step.phase}, not suspended")
    step.move(Move.RESUME)
    rnd.deadline = now + rnd.clock_left if rnd.clock_left is not None else None
    rnd.resumes_to, rnd.clock_left = "", None
    return step.save("resumed", "resumes_to", "clock_left", note=note).tell(jackpot.EventType.ROUND_RESUMED)


def _last_notes(rnd: Round) -> dict[str, str]:
    """The notes with which the round was last suspended and last resumed, where it was."""
    events = rnd.events.filter(kind__in=["suspended", "resumed"]).order_by("id")
    return {event.kind: event.data["note"] for event in events}


def _repeated(step: Step, event: str, note: str) -> Step:
    """The step as it stands, where it was taken with this note. Raises Refused (`step_conflict`) where with another."""
    if _last_notes(step.round)[event] != note:
        raise stepping.conflict("the note")
    return step
