"""Readings of signs, with what the statement says was true at that instant."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Max, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from jackpot.domain.accounts import Pot
from jackpot.domain.readings import SIGNATURES, Compared, compare
from jackpot.models.closings import PotClosing
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import StatementRow
from jackpot.models.readings import Reading, ReadingSignature

MOST_ROWS = 2**63 - 1
"""Above every row's number."""


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
    signatures: tuple[ReadingSignature, ...] = ()

    @property
    def signed(self) -> str:
        """How far its variance is signed: `not needed` within the tolerance, else 0, 1 or 2 `of 2`."""
        return "not needed" if self.compared.within else f"{len(self.signatures)} of {SIGNATURES}"


def meter_at(level: Level, instant: datetime) -> StatementRow | None:
    """The meter's last row posted by an instant; None before its first funding."""
    lines = PotClosing.objects.filter(level=level, pot=Pot.METER)
    before = lines.filter(posted_at__lte=instant).aggregate(seq=Max("seq"))["seq"]
    after = lines.filter(posted_at__gt=instant).aggregate(seq=Min("seq"))["seq"]
    rows = StatementRow.objects.filter(
        level=level, pot=Pot.METER, entry__posted_at__lte=instant, seq__gte=before or 0, seq__lte=after or MOST_ROWS
    )
    return rows.order_by("-seq").first()


def readings_of(jackpots: Collection[Jackpot]) -> QuerySet[Reading]:
    """The readings of some jackpots with what they are shown with, in the order of their time."""
    readings = Reading.objects.filter(level__jackpot__in=jackpots)
    return readings.select_related("level__jackpot", "entered_by").order_by("read_at", "id")


def placed(readings: QuerySet[Reading]) -> list[Placed]:
    """Readings held against the statement, with two queries however many there are.

    Rows are looked for between the last closing that was posted by then and the first one after: posting times go up
    with the rows, so the days' closings say where to look, and a reading of last year costs what one of today does.
    """
    lines = PotClosing.objects.filter(level=OuterRef("level"), pot=Pot.METER)
    readings = readings.annotate(
        from_seq=Coalesce(Subquery(
            lines.filter(posted_at__lte=OuterRef("read_at")).order_by("-posted_at").values("seq")[:1]), 0),
        to_seq=Coalesce(Subquery(
            lines.filter(posted_at__gt=OuterRef("read_at")).order_by("posted_at").values("seq")[:1]), MOST_ROWS),
    )  # fmt: skip
    meter = StatementRow.objects.filter(
        level=OuterRef("level"), pot=Pot.METER, seq__gte=OuterRef("from_seq"), seq__lte=OuterRef("to_seq")
    )
    meter = meter.annotate(at=F("entry__posted_at"))
    before = meter.filter(at__lte=OuterRef("read_at")).order_by("-seq")
    after = meter.filter(at__gt=OuterRef("read_at")).order_by("seq")
    found = readings.annotate(
        exact=Subquery(before.values("after")[:1]), seq=Subquery(before.values("seq")[:1]),
        since=Subquery(before.values("at")[:1]), next_seq=Subquery(after.values("seq")[:1]),
        until=Subquery(after.values("at")[:1]),
    )  # fmt: skip
    return [_place(reading) for reading in found.prefetch_related("signatures__signed_by")]


def around(placed: Placed, rows: int = 3) -> list[StatementRow]:
    """The rows of the meter's statement around a reading, with their entries, in order."""
    found = StatementRow.objects.filter(
        level=placed.reading.level, pot=Pot.METER, seq__gt=placed.seq - rows, seq__lte=placed.seq + rows
    )
    return list(found.select_related("entry").order_by("seq"))


def _place(reading: Reading) -> Placed:
    # The fields that the query added, which Django's types know nothing of.
    added = vars(reading)
    exact = int(added["exact"])
    compared = compare(shown=reading.shown, meter=exact, tolerance=reading.tolerance)
    return Placed(reading, compared, exact, added["seq"], added["since"], added["next_seq"], added["until"],
                  tuple(reading.signatures.all()))  # fmt: skip
