"""What waits for somebody, and since when: awards, changes, days that are over, what is queued. For the console's home.

Each reads what is open now, however much has been: the number of queries does not grow either.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Min, OuterRef, Subquery, Sum

from jackpot.domain import chain
from jackpot.domain.awards import State
from jackpot.models.awards import Award
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.lanes import Lane, Queued
from jackpot.models.ledger import Link
from jackpot.models.sites import GamingDay, Site
from jackpot.money import Currency, currency
from jackpot.selectors.days import bounds_of

_OPEN = (State.PENDING, State.DISPUTED, State.APPROVED)


class Owed(NamedTuple):
    """Awards of one kind, state and currency that are open: how many, how much (ledger units), since when."""

    kind: str
    state: str
    currency: Currency
    number: int
    amount: int
    since: datetime


def awards_open() -> list[Owed]:
    """What is owed and neither paid, rejected nor withdrawn."""
    rows = Award.objects.filter(state__in=_OPEN).values_list("kind", "state", "jackpot__currency_code")
    summed = rows.annotate(count=Count("id"), total=Sum("amount"), since=Min("hit_at")).order_by("kind", "state")
    return [Owed(kind, state, currency(code), n, int(total), at) for kind, state, code, n, total, at in summed]


class Asked(NamedTuple):
    """Changes of one kind that wait for a second person."""

    kind: str
    number: int
    since: datetime


def changes_undecided() -> list[Asked]:
    """What was asked for and not decided on, by kind."""
    rows = ChangeRequest.objects.filter(decided=None).values_list("kind")
    return [Asked(*row) for row in rows.annotate(Count("id"), Min("asked_at")).order_by("kind")]


class OpenDay(NamedTuple):
    """A gaming day that is open, and when it ends."""

    site: Site
    day: date
    ends_at: datetime


def days_open() -> list[OpenDay]:
    """Every open gaming day, by site, oldest first."""
    rows = GamingDay.objects.filter(closed_at=None).select_related("site").order_by("site__code", "day")
    return [OpenDay(row.site, row.day, bounds_of(row.site, row.day)[1]) for row in rows]


class Queue(NamedTuple):
    """How much waits in all lanes, and the source of what came first, None where nothing waits."""

    number: int
    first: UUID | None


def queue() -> Queue:
    """What is received and not yet posted."""
    waiting = Queued.objects.order_by("id")
    return Queue(waiting.count(), waiting.values_list("source_ref", flat=True).first())


@dataclass(frozen=True, slots=True)
class Head:
    """A lane's last sealed link, and whether the lane's own note of it is the link that is stored."""

    lane: Lane
    sealed_at: datetime | None
    agrees: bool

    @property
    def text(self) -> str:
        """As it is logged, so that it can be held against the log."""
        return chain.head(self.lane.pk, self.lane.sealed, bytes(self.lane.head))


def heads() -> list[Head]:
    """The head of every chain, jackpots first. Says what was sealed last; what the links seal `verify` recomputes."""
    last = Link.objects.filter(lane=OuterRef("pk"), seq=OuterRef("sealed"))
    lanes = Lane.objects.select_related("jackpot", "site").annotate(
        digest=Subquery(last.values("digest")[:1]), sealed_at=Subquery(last.values("posted_at")[:1])
    )
    return [_head(lane) for lane in lanes.order_by("jackpot__code", "site__code")]


def _head(lane: Lane) -> Head:
    # The fields that the query added, which Django's types know nothing of.
    added = vars(lane)
    stored = chain.BEGINNING if lane.sealed == 0 else bytes(added["digest"] or b"")
    return Head(lane, added["sealed_at"], stored == bytes(lane.head))
