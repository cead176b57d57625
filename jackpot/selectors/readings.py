"""Readings of signs, with what the statement says was true at that instant."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, OuterRef, QuerySet, Subquery

from jackpot.domain.accounts import Pot
from jackpot.domain.readings import Compared, compare
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import StatementRow
from jackpot.models.readings import Reading


@dataclass(frozen=True, slots=True)
class Placed:
    """A reading between two rows of its meter's statement: the one that was in force, and the next, if there is one."""

    reading: Reading
    compared: Compared
    exact: int
    seq: int
    since: datetime
    next_seq: int | None
    until: datetime | None


def meter_at(level: Level, instant: datetime) -> StatementRow | None:
    """The meter's last row posted by an instant; None before its first funding."""
    rows = StatementRow.objects.filter(level=level, pot=Pot.METER, entry__posted_at__lte=instant)
    return rows.order_by("-seq").first()


def readings_of(jackpots: Collection[Jackpot]) -> QuerySet[Reading]:
    """The readings of some jackpots with what they are shown with, in the order of their time."""
    readings = Reading.objects.filter(level__jackpot__in=jackpots)
    return readings.select_related("level__jackpot", "entered_by").order_by("read_at", "id")


def placed(readings: QuerySet[Reading]) -> list[Placed]:
    """Readings held against the statement, all with one query."""
    meter = StatementRow.objects.filter(level=OuterRef("level"), pot=Pot.METER)
    meter = meter.annotate(at=F("entry__posted_at"))
    before = meter.filter(at__lte=OuterRef("read_at")).order_by("-seq")
    after = meter.filter(at__gt=OuterRef("read_at")).order_by("seq")
    found = readings.annotate(
        exact=Subquery(before.values("after")[:1]), seq=Subquery(before.values("seq")[:1]),
        since=Subquery(before.values("at")[:1]), next_seq=Subquery(after.values("seq")[:1]),
        until=Subquery(after.values("at")[:1]),
    )  # fmt: skip
    return [_place(reading) for reading in found]


def _place(reading: Reading) -> Placed:
    # The fields that the query added, which Django's types know nothing of.
    added = vars(reading)
    exact = int(added["exact"])
    compared = compare(shown=reading.shown, meter=exact, tolerance=reading.tolerance)
    return Placed(reading, compared, exact, added["seq"], added["since"], added["next_seq"], added["until"])
