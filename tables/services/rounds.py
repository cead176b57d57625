"""Opening a live round, suspending and resuming it."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from uuid_utils.compat import uuid7

from jackpot import services as jackpot
from jackpot.domain.errors import Refused, refuse
from tables.domain import record
from tables.domain.game_number import game_number
from tables.domain.round_state import OPEN, Move, Phase
from tables.models.rounds import Round
from tables.models.tables import Table
from tables.selectors import rounds as found_rounds
from tables.selectors.versions import RuleBook
from tables.services import stepping, writing
from tables.services.ingest import Received, retried
from tables.services.stepping import Step


def open_round(*, caller: jackpot.Caller, table_code: str, external_id: str | None, now: datetime) -> Received:
    """Open betting at a table. Raises Refused: `not_found`, `table_suspended`, `round_open`, or
    `idempotency_conflict` where the external id names a round of other content.
    """
    return retried(lambda: _open(caller, table_code, external_id, now))


def _open(caller: jackpot.Caller, table_code: str, external_id: str | None, now: datetime) -> Received:
    if caller.integrator_id is None:
        raise refuse("scope_required", "rounds are opened with an integrator's key")
    tables = Table.objects.filter(code=table_code, site_id__in=caller.site_ids or ())
    table = tables.select_for_update(no_key=True, of=("self",)).first()
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
        site_id=table.site_id, lane_id=table.lane_id, live=True, game_number=game_number(table.code, second, number),
        phase=Phase.BETTING, started_at=now,
    )  # fmt: skip
    step = Step(rnd, now)
    step.start_clock(rules.betting_seconds)
    writing.store_rounds([rnd])
    writing.store_events([(rnd.id, "opened", now, {})])
    return Received(rnd.id, rnd.lane_id, replayed=False)


def _known(integrator_id: int, external_id: str) -> Round | None:
    return Round.objects.filter(integrator_id=integrator_id, external_id=external_id).first()


def _check_free(table: Table) -> None:
    if table.state == Table.State.SUSPENDED:
        raise refuse("table_suspended", "the table is suspended; an operator can resume it")
    if Round.objects.filter(table=table, live=True, phase__in=OPEN).exists():
        raise refuse("round_open", "a round is open at this table; finish or void it first")


@transaction.atomic
def suspend(*, caller: jackpot.Caller, round_id: UUID, note: str, now: datetime) -> Step:
    """Stop a round and its clock while an error is looked into. Repeated, it stays as it is."""
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if step.phase is Phase.SUSPENDED:
        return step
    before = rnd.phase
    step.move(Move.SUSPEND)
    rnd.resumes_to, rnd.clock_left = before, rnd.deadline - now if rnd.deadline else None
    rnd.deadline = None
    return step.save("suspended", "resumes_to", "clock_left", note=note).tell(jackpot.EventType.ROUND_SUSPENDED)


@transaction.atomic
def resume(*, caller: jackpot.Caller, round_id: UUID, note: str, now: datetime) -> Step:
    """Go on where a round was suspended; the clock has what was left on it. Repeated, it stays as it is."""
    step = stepping.take(round_id, caller=caller, now=now)
    rnd = step.round
    if step.phase in OPEN and step.phase is not Phase.SUSPENDED and was_suspended(rnd):
        return step
    if step.phase is not Phase.SUSPENDED:
        raise _not_suspended(step)
    step.move(Move.RESUME)
    rnd.deadline = now + rnd.clock_left if rnd.clock_left is not None else None
    rnd.resumes_to, rnd.clock_left = "", None
    return step.save("resumed", "resumes_to", "clock_left", note=note).tell(jackpot.EventType.ROUND_RESUMED)


def was_suspended(rnd: Round) -> bool:
    """Whether the round's last step was to be resumed: then resuming it again is a repeat."""
    last = rnd.events.order_by("-id").values_list("kind", flat=True).first()
    return bool(last == "resumed")


def _not_suspended(step: Step) -> Refused:
    return refuse("wrong_phase", f"the round is in phase {step.phase}, not suspended")
