"""What was owed and not yet paid at the end of a gaming day."""

import re
from collections.abc import Collection
from datetime import date
from uuid import UUID

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from jackpot.domain import accounts
from jackpot.models.awards import Award, AwardMove
from jackpot.models.closings import Closing, UnpaidAward
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Account, Entry, Leg
from jackpot.selectors import books, closings

_DONE = (Award.State.PAID, Award.State.REJECTED, Award.State.WITHDRAWN)
_AWARD = re.compile(r"award:([0-9a-f-]{36})")


def unpaid_at(awards: QuerySet[Award], day: date) -> QuerySet[Award]:
    """Those of some awards that were owed at the end of a day, each with `owed_day`, oldest first.

    By the ledger: owed by that day, and not paid or returned until after it, whatever their state is now. The day is
    that of the jackpot's home site, whose last closing it starts from.
    """
    site_ids = set(awards.order_by().values_list("jackpot__home_site_id", flat=True).distinct())
    last = closings.last_of_each(site_ids, day)
    unpaid = [pk for site_id in site_ids for pk in unpaid_of_site(site_id, day, last.get(site_id))]
    owed_by = Leg.objects.filter(entry=OuterRef("entry"), account__code__startswith=accounts.awards_of(""))
    owed = awards.annotate(owed_day=Subquery(owed_by.values("gaming_day")[:1]))
    return owed.filter(pk__in=unpaid).order_by("hit_at", "id")


def unpaid_of_site(site_id: int, day: date, last: Closing | None) -> dict[UUID, date]:
    """The awards of jackpots at home at a site that were owed at the end of a day, with the day since which they were:
    what was unpaid at the last closing or became owed since, less what was paid, returned or withdrawn since.
    """
    since = last.gaming_day.day if last else date.min
    booked = Leg.objects.filter(account__in=_accounts(site_id), gaming_day__gt=since, gaming_day__lte=day)
    owed = dict(UnpaidAward.objects.filter(closing_of=last).values_list("award_id", "owed_day")) if last else {}
    days = dict(booked.values_list("entry_id", "gaming_day"))
    made = Award.objects.filter(entry_id__in=list(days)).values_list("pk", "entry_id")
    owed |= {pk: days[entry_id] for pk, entry_id in made}
    for pk in _settled_by(booked):
        owed.pop(pk, None)
    return owed


def _accounts(site_id: int) -> list[int]:
    found = Account.objects.filter(site_id=site_id, code__startswith=accounts.awards_of(""))
    return list(found.values_list("pk", flat=True))


def _settled_by(booked: QuerySet[Leg]) -> set[UUID]:
    """Awards that the entries of these legs paid or gave back: each in an entry of its own, or with a move that ended
    it.
    """
    entries = Entry.objects.filter(pk__in=booked.values("entry_id"))
    ended = AwardMove.objects.filter(entry__in=entries, state__in=_DONE).exclude(before=F("state"))
    return _named(entries) | set(ended.values_list("award_id", flat=True))


def ended_on(awards: QuerySet[Award], day: date) -> QuerySet[Award]:
    """Those of some awards that a payment or a return took off an awards account in a day, in the order of the hits."""
    legs = Leg.objects.filter(account__code__startswith=accounts.awards_of(""), gaming_day=day, amount__gt=0)
    entries = Entry.objects.filter(pk__in=legs.values("entry_id"))
    moved = Q(moves__entry__in=entries.values("pk"), moves__state__in=_DONE)
    return awards.filter(Q(pk__in=_named(entries)) | moved).distinct().order_by("hit_at", "id")


def _named(entries: QuerySet[Entry]) -> set[UUID]:
    """The awards that entries of theirs name."""
    refs = entries.values_list("source_ref", flat=True)
    return {UUID(named[1]) for ref in refs if (named := _AWARD.fullmatch(ref))}


def owed_at(jackpots: Collection[Jackpot], day: date) -> int:
    """What the awards accounts of some jackpots owed at the end of a day, in ledger units."""
    balances = books.balances_at((accounts.awards_of(jackpot.code) for jackpot in jackpots), day)
    return -sum(balances.values())
