"""What was owed and not yet paid at the end of a gaming day."""

import re
from collections.abc import Collection
from datetime import date
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery

from jackpot.domain import accounts
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry, Leg
from jackpot.selectors import books

_DONE = (Award.State.PAID, Award.State.REJECTED, Award.State.WITHDRAWN)
_AWARD = re.compile(r"award:([0-9a-f-]{36})")


def unpaid_at(awards: QuerySet[Award], day: date) -> QuerySet[Award]:
    """Those of some awards that were owed at the end of a day, each with `owed_day`, oldest first.

    By the ledger: owed by that day, and not paid or returned until after it, whatever their state is now.
    """
    owed_by = Leg.objects.filter(entry=OuterRef("entry"), account__code__startswith=accounts.awards_of(""))
    owed = awards.annotate(owed_day=Subquery(owed_by.values("gaming_day")[:1])).filter(owed_day__lte=day)
    return owed.filter(~Q(state__in=_DONE) | Q(pk__in=_settled_after(day))).order_by("hit_at", "id")


def _settled_after(day: date) -> set[UUID]:
    """Awards that an entry of their own, a payment or a return, took off an awards account after a day."""
    later = Leg.objects.filter(account__code__startswith=accounts.awards_of(""), gaming_day__gt=day, amount__gt=0)
    return _named(Entry.objects.filter(pk__in=later.values("entry_id")))


def ended_on(awards: QuerySet[Award], day: date) -> QuerySet[Award]:
    """Those of some awards that a payment or a return took off an awards account in a day, in the order of the hits."""
    legs = Leg.objects.filter(account__code__startswith=accounts.awards_of(""), gaming_day=day, amount__gt=0)
    entries = Entry.objects.filter(pk__in=legs.values("entry_id"))
    moved = Q(moves__entry__in=entries.values("pk"), moves__state__in=_DONE)
    return awards.filter(Q(pk__in=_named(entries)) | moved).distinct().order_by("hit_at", "id")


def _named(entries: QuerySet[Entry]) -> set[UUID]:
    """The awards that entries of theirs name."""
    refs = entries.values_list("source_ref", flat=True)
    return {UUID(named[1]) for ref in refs if (named := _AWARD.match(ref))}


def owed_at(jackpots: Collection[Jackpot], day: date) -> int:
    """What the awards accounts of some jackpots owed at the end of a day, in ledger units."""
    balances = books.account_balances((accounts.awards_of(jackpot.code) for jackpot in jackpots), until=day)
    return -sum(balances.values())
