"""Closing a gaming day: once, when it is over and its books agree, with everything it came to.

One transaction: the site's lane, then the day's row, which is the last lock but for the head of the lane's chain and
the event counters of who is told. Whoever posts under the day shares its row, so nothing comes in meanwhile.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import connection, transaction

from jackpot.domain import closings as domain
from jackpot.domain import events
from jackpot.domain.callers import actor_of
from jackpot.domain.closings import OpenRound, StaysOpen, Why
from jackpot.domain.errors import refuse
from jackpot.domain.events import Event
from jackpot.domain.meter import Kind
from jackpot.domain.postings import Entry, EntryKind, Source
from jackpot.models.closings import AccountClosing, Closing, PotClosing, UnpaidAward
from jackpot.models.jackpots import Level
from jackpot.models.lanes import Lane
from jackpot.models.sites import GamingDay, Site
from jackpot.selectors import clients, closings, day_figures, days
from jackpot.selectors.day_figures import Figures
from jackpot.services import journal, lanes

PERMISSION = "jackpot.close_day"

Unsettled = Callable[[Site, datetime], Sequence[OpenRound]]
"""Answers which rounds of a site began before an instant and are not settled: whoever knows rounds gives it."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed day. `now`: it was closed by this call, whose caller publishes the events; else it was before."""

    closing: Closing
    now: bool
    events: tuple[Event, ...] = ()


def close_day(*, site: Site, day: date, by: User | None, now: datetime, unsettled: Unsettled) -> Closed:
    """Close a gaming day of a site, or find that it is closed already. `by`: who does, None for a command.

    The caller publishes the events as the last thing of its transaction. Raises StaysOpen where the day was never
    opened, is not over, has an earlier open one before it, or its books do not agree; Refused with `person_required` or
    `forbidden`. Nothing is written then.
    """
    _allow(by)
    with transaction.atomic():
        lane = lanes.hold_of_site(site.pk)
        row = _locked(site, day)
        if (found := closings.of_day(site.pk, day)) is not None:
            return Closed(found, now=False)
        end = days.bounds_of(site, day)[1]
        _may_close(site, day, end, now)
        last = closings.last_until(site.pk, day)
        figures = day_figures.of_day(site, day, last)
        if (differ := _differ(site, day, figures)) is not None:
            raise differ
        rounds = unsettled(site, end)
        closing = domain.Closing(
            site=site.code,
            day=day,
            previous=last.gaming_day.day if last else None,
            closed_at=lanes.clock(lane),
            closed_by=actor_of(user_id=by.pk, key_id=None) if by else closings.COMMAND,
            pots=figures.pots,
            accounts=figures.accounts,
            unpaid=figures.unpaid,
            rounds=[one.document() for one in rounds],
        )
        stored = _write(lane, row, last, closing, by, now)
        told = _told(site, closing, rounds, now)
    return Closed(stored, now=True, events=told)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What closing a day would say now: its figures, and why it would stay open; None where it would close."""

    figures: Figures | None
    stays: StaysOpen | None


def foresee_closing(*, site: Site, day: date, now: datetime) -> Foreseen:
    """Look at a day as `close_day` would, writing and locking nothing; figures where its turn to be closed has come."""
    row = GamingDay.objects.filter(site=site, day=day).first()
    try:
        if row is None:
            raise _never_opened(site, day)
        _may_close(site, day, days.bounds_of(site, day)[1], now)
    except StaysOpen as stays:
        return Foreseen(None, stays)
    figures = day_figures.of_day(site, day, closings.last_until(site.pk, day))
    return Foreseen(figures, _differ(site, day, figures))


def entry_of(closing: domain.Closing, at: datetime) -> Entry:
    """The entry that seals a closing: without legs, its facts the whole record; `at` is when closing was asked for."""
    reference = domain.source_of(closing.site, closing.day)
    return Entry(
        EntryKind.DAY_CLOSED,
        reference,
        Source(reference, "", None, at),
        facts=closing.record(),
        actor=closing.closed_by,
    )


def days_over(site: Site, *, now: datetime) -> list[date]:
    """The open days of a site that are over, oldest first."""
    opened = GamingDay.objects.filter(site=site, closed_at=None).order_by("day").values_list("day", flat=True)
    return [day for day in opened if days.bounds_of(site, day)[1] <= now]


def _allow(by: User | None) -> None:
    if by is None:
        return
    if not (by.is_active and by.is_staff):
        raise refuse("person_required", "days are closed by staff")
    if not by.has_perm(PERMISSION):
        raise refuse("forbidden", f"this needs the permission {PERMISSION}")


def _locked(site: Site, day: date) -> GamingDay:
    rows = GamingDay.objects.select_for_update(no_key=True, of=("self",)).filter(site=site, day=day)
    row = rows.first()
    if row is None:
        raise _never_opened(site, day)
    return row


def _never_opened(site: Site, day: date) -> StaysOpen:
    return StaysOpen(Why.NEVER_OPENED, f"{day} was never a gaming day of {site.code}: nothing was entered under it")


def _differ(site: Site, day: date, figures: Figures) -> StaysOpen | None:
    """Why a day stays open whose books do not agree."""
    differ = list(domain.differences(figures.pots, figures.accounts, figures.unpaid, figures.against))
    if not differ:
        return None
    listed = "; ".join(map(str, differ[:5]))
    return StaysOpen(Why.BOOKS_DIFFER, f"the books of {site.code}, {day} do not agree: {listed}", differ)


def _may_close(site: Site, day: date, end: datetime, now: datetime) -> None:
    if now < end:
        raise StaysOpen(Why.NOT_OVER, f"{day} of {site.code} is not over: it ends at {end:%Y-%m-%d %H:%M} UTC")
    earlier = GamingDay.objects.filter(site=site, day__lt=day, closed_at=None).order_by("day").first()
    if earlier is not None:
        raise StaysOpen(Why.EARLIER_OPEN, f"{earlier.day} of {site.code} is still open; days are closed in order")


def _write(
    lane: Lane, row: GamingDay, last: Closing | None, closing: domain.Closing, by: User | None, now: datetime
) -> Closing:
    """Entry and seal, then the closing with its lines, then the day; PostgreSQL holds all of it against the books."""
    entry = entry_of(closing, now)
    journal.write(lane=lane, books=None, entries=[entry], at=closing.closed_at)
    stored = Closing.objects.create(
        gaming_day=row,
        previous=last,
        entry=closings.sealing(entry.source_ref),
        closed_at=closing.closed_at,
        closed_by=by,
        pots=len(closing.pots),
        accounts=len(closing.accounts),
        unpaid=len(closing.unpaid),
        rounds=list(closing.rounds),
    )
    _write_lines(stored, closing)
    row.closed_at = closing.closed_at
    row.save(update_fields=["closed_at"])
    with connection.cursor() as cursor:  # before the counters, under which nothing may be waited for
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    return stored


def _write_lines(stored: Closing, closing: domain.Closing) -> None:
    codes = {line.jackpot for line in closing.pots}
    levels = {(jackpot, code): pk for jackpot, code, pk in Level.objects.filter(
        jackpot__code__in=codes).values_list("jackpot__code", "code", "pk")}  # fmt: skip
    PotClosing.objects.bulk_create(
        PotClosing(
            closing_of=stored, level_id=levels[line.jackpot, line.level], pot=line.pot.value, opening=line.opening,
            closing=line.closing, seq=line.seq, posted_at=line.posted_at, **_all_kinds(line),
        )
        for line in closing.pots
    )  # fmt: skip
    accounts = closings.account_ids([line.account for line in closing.accounts])
    AccountClosing.objects.bulk_create(
        AccountClosing(
            closing_of=stored, account_id=accounts[line.account], opening=line.opening, debits=line.debits,
            credits=line.credits, closing=line.closing,
        )
        for line in closing.accounts
    )  # fmt: skip
    UnpaidAward.objects.bulk_create(
        UnpaidAward(closing_of=stored, award_id=line.award, amount=line.amount, owed_day=line.owed_day)
        for line in closing.unpaid
    )


def _all_kinds(line: domain.PotLine) -> dict[str, int]:
    return {kind.value: line.by_kind.get(kind.value, 0) for kind in Kind}


def _told(site: Site, closing: domain.Closing, rounds: Iterable[OpenRound], now: datetime) -> tuple[Event, ...]:
    """For every integrator with a live key at the site; of rounds each is told the number of its own."""
    own = list(rounds)
    integrators = sorted(clients.with_live_keys_at([site.pk], now=now).get(site.pk, ()))
    return tuple(
        events.day_closed(
            integrator_id,
            site=site.code,
            site_id=site.pk,
            test=site.sandbox,
            day=closing.day,
            at=closing.closed_at,
            rounds_open=sum(one.integrator_id == integrator_id for one in own),
            late=sum(one.integrator_id == integrator_id and one.comes_late for one in own),
        )
        for integrator_id in integrators
    )
