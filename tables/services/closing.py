"""Closing a site's gaming day with the rounds that are not settled then, and telling integrators of it."""

from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction

from jackpot import services as jackpot
from tables.selectors.unsettled import unsettled
from tables.services import telling


def close_day(*, site: jackpot.Site, day: date, by: User | None, now: datetime) -> jackpot.Closed:
    """As `jackpot.services.close_day`, which says when a day stays open. What is not settled is listed in the closing
    and goes on: complete rounds are entered under the open day, marked late, others under the day in which they end.
    """
    with transaction.atomic():
        closed = jackpot.close_day(site=site, day=day, by=by, now=now, unsettled=unsettled)
        telling.publish(closed.events)
    return closed
