"""Which rounds a report is about."""

from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat

from jackpot.reports import Asked
from tables.models.rounds import Round, Superseded
from tables.selectors import rounds


def rounds_of(asked: Asked) -> QuerySet[Round]:
    """The rounds settled (or their void posted) under the day that was asked for, at the site or in the jackpot's lane,
    as far as they exist for the caller. The day is that of each round's own site, and stays when it is corrected: a
    report of the day shows the first version, one of the correction's day the difference.
    """
    return seen_of(asked).filter(gaming_day=asked.day, version__gt=0)


def seen_of(asked: Asked) -> QuerySet[Round]:
    """All rounds at the site or in the jackpot's lane, as far as they exist for the caller."""
    found = rounds.seen_by(asked.caller)
    if asked.site is not None:
        found = found.filter(site_id=asked.site.pk)
    if asked.jackpot is not None:
        found = found.filter(lane__jackpot=asked.jackpot)
    return found


def corrections_of(asked: Asked) -> list[Superseded]:
    """What corrections replaced under the day that was asked for, in the order in which they were made; of the rounds
    at the site or in the jackpot's lane, as far as they exist for the caller.
    """
    found = seen_of(asked).filter(superseded__replaced_day=asked.day)
    rows = Superseded.objects.filter(
        replaced_day=asked.day, round__in=found.select_related(None).order_by().values("id")
    )
    return list(rows.select_related("change").order_by("replaced_at", "id"))


def sources_of(found: QuerySet[Round]) -> Any:
    """The source references of the rounds' entries, as a query: of their lock-outs, and of their first settlements."""
    bare = found.select_related(None).order_by()
    lock_out = Concat(Value("round:"), Cast("id", CharField()))
    settled = Concat(Value("round:"), Cast("id", CharField()), Value(":v1"))
    return bare.values_list(lock_out).union(bare.values_list(settled), all=True)


def ids_of(found: QuerySet[Round]) -> Any:
    """The rounds' ids, as a query."""
    return found.select_related(None).order_by().values("id")
