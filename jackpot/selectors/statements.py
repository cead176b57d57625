"""Reading statements: the rows of a jackpot's pots, and what a round contributed."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import BooleanField, Case, Q, QuerySet, Value, When

from jackpot.domain.callers import Caller
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import StatementRow
from jackpot.selectors import places

__all__ = ["Contributed", "Filters", "StatementRow", "contributions_of", "rows_of", "shown_to"]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rows are wanted; None where it does not matter. Of event times `since` is inside, `until` is not."""

    level: str | None = None
    pot: str | None = None
    kind: str | None = None
    table: str | None = None
    day: date | None = None
    since: datetime | None = None
    until: datetime | None = None


def rows_of(jackpot: Jackpot) -> QuerySet[StatementRow]:
    """Every statement row of a jackpot, with its level and entry."""
    return StatementRow.objects.filter(level__jackpot=jackpot).select_related("level", "entry")


def shown_to(caller: Caller, jackpot: Jackpot, wanted: Filters) -> QuerySet[StatementRow]:
    """The rows that are wanted, each with `own`: whether the caller may see what caused it.

    An integrator may see that of its own rounds at the tables of its sites, staff of everything. A filter by table
    finds own rows only: it must not tell what others caused.
    """
    own = Q()
    if caller.integrator_id is not None:
        own &= Q(entry__integrator_id=caller.integrator_id)
    if caller.site_ids is not None:
        own &= Q(places.at_sites("entry__table_ref", caller.site_ids))
    fields: dict[str, Any] = {
        "level__code": wanted.level,
        "pot": wanted.pot,
        "kind": wanted.kind,
        "gaming_day": wanted.day,
        "entry__event_at__gte": wanted.since,
        "entry__event_at__lt": wanted.until,
    }
    rows = rows_of(jackpot).filter(**{name: value for name, value in fields.items() if value is not None})
    mine = Case(When(own, then=True), default=False, output_field=BooleanField()) if own else Value(True)
    rows = rows.annotate(own=mine)
    return rows if wanted.table is None else rows.filter(own=True, entry__table_ref=wanted.table)


@dataclass(slots=True)
class Contributed:
    """What a lock-out put into a level's pots (ledger units), the seq of its meter row or 0, and its entry."""

    entry_id: int
    amounts: dict[str, int] = field(default_factory=dict)
    meter_seq: int = 0


def contributions_of(source_ref: str) -> dict[str, Contributed]:
    """What a round's lock-out contributed, by the code of the level."""
    rows = StatementRow.objects.filter(
        entry__kind="lockout", entry__source_ref=f"round:{source_ref}", kind="contribution"
    ).values_list("level__code", "entry_id", "pot", "amount", "seq")
    found: dict[str, Contributed] = {}
    for level, entry_id, pot, amount, seq in rows:
        contributed = found.setdefault(level, Contributed(entry_id))
        contributed.amounts[pot] = amount
        if pot == "meter":
            contributed.meter_seq = seq
    return found
