"""Closed gaming days as they are stored: which one to start from, and each as the pure closing it was made from."""

from collections.abc import Collection
from datetime import date

from django.db.models import QuerySet

from jackpot.domain import closings as domain
from jackpot.domain.accounts import Pot
from jackpot.domain.callers import actor_of
from jackpot.domain.postings import EntryKind
from jackpot.models.closings import Closing
from jackpot.models.ledger import Account, Entry

COMMAND = "command:close_day"
"""Who closed a day where no person did."""


def stored() -> QuerySet[Closing]:
    """All closings with their days."""
    return Closing.objects.select_related("gaming_day__site", "previous__gaming_day", "closed_by")


def of_day(site_id: int, day: date) -> Closing | None:
    """The closing of a site's gaming day; None of a day that is open or never was."""
    return stored().filter(gaming_day__site_id=site_id, gaming_day__day=day).first()


def last_until(site_id: int, day: date) -> Closing | None:
    """A site's last closing of a day up to this one."""
    return stored().filter(gaming_day__site_id=site_id, gaming_day__day__lte=day).order_by("-gaming_day__day").first()


def first_from(site_id: int, day: date) -> Closing | None:
    """A site's first closing of this day or a later one."""
    return stored().filter(gaming_day__site_id=site_id, gaming_day__day__gte=day).order_by("gaming_day__day").first()


def last_of_each(site_ids: Collection[int], day: date) -> dict[int, Closing]:
    """Of each of these sites the last closing of a day up to this one, where there is one."""
    found = stored().filter(gaming_day__site_id__in=site_ids, gaming_day__day__lte=day)
    return {
        closing.gaming_day.site_id: closing
        for closing in found.order_by("gaming_day__site_id", "-gaming_day__day").distinct("gaming_day__site_id")
    }


def closed_by(closing: Closing) -> str:
    """Who closed a day, as the books know them."""
    return COMMAND if closing.closed_by_id is None else actor_of(user_id=closing.closed_by_id, key_id=None)


def sealing(source_ref: str) -> Entry:
    """The entry that seals a closing."""
    return Entry.objects.get(source_ref=source_ref, kind=EntryKind.DAY_CLOSED)


def account_ids(codes: Collection[str]) -> dict[str, int]:
    """The ids of accounts, by their codes."""
    return dict(Account.objects.filter(code__in=codes).values_list("code", "pk"))


def read(closing: Closing) -> domain.Closing:
    """A closing rebuilt from its stored rows: its `record` must be what its entry digests."""
    pots = closing.pot_lines.select_related("level__jackpot")
    lines = closing.account_lines.values_list("account__code", "opening", "debits", "credits")
    unpaid = closing.unpaid_lines.values_list("award_id", "award__jackpot__code", "amount", "owed_day")
    return domain.Closing(
        site=closing.gaming_day.site.code,
        day=closing.gaming_day.day,
        previous=closing.previous.gaming_day.day if closing.previous else None,
        closed_at=closing.closed_at,
        closed_by=closed_by(closing),
        pots=[
            domain.PotLine(
                line.level.jackpot.code, line.level.code, Pot(line.pot), line.opening, line.by_kind, line.closing,
                line.seq, line.posted_at,
            )
            for line in pots
        ],
        accounts=[domain.AccountLine(*line) for line in lines],
        unpaid=[domain.UnpaidLine(str(pk), code, amount, owed) for pk, code, amount, owed in unpaid],
        rounds=closing.rounds,
    )  # fmt: skip
