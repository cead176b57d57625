"""Which rounds a report is about."""

from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat

from jackpot.reports import Asked
from tables.models.rounds import Round
from tables.selectors import rounds


def rounds_of(asked: Asked) -> QuerySet[Round]:
    """The rounds settled (or their void posted) under the day that was asked for, at the site or in the jackpot's lane,
    as far as they exist for the caller. The day is that of each round's own site.
    """
    found = rounds.seen_by(asked.caller).filter(gaming_day=asked.day, version__gt=0)
    if asked.site is not None:
        found = found.filter(site_id=asked.site.pk)
    if asked.jackpot is not None:
        found = found.filter(lane__jackpot=asked.jackpot)
    return found


def sources_of(found: QuerySet[Round]) -> Any:
    """The source references of the rounds' entries, as a query: of their lock-outs, and of what is in force."""
    bare = found.select_related(None).order_by()
    lock_out = Concat(Value("round:"), Cast("id", CharField()))
    settled = Concat(Value("round:"), Cast("id", CharField()), Value(":v"), Cast("version", CharField()))
    return bare.values_list(lock_out).union(bare.values_list(settled), all=True)


def ids_of(found: QuerySet[Round]) -> Any:
    """The rounds' ids, as a query."""
    return found.select_related(None).order_by().values("id")
