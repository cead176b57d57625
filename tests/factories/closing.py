"""Closing gaming days as the product does, in their order, whatever today is."""

from datetime import date

from jackpot.models.closings import Closing
from jackpot.models.sites import GamingDay, Site
from jackpot.selectors.days import bounds_of
from tables.services import closing


def close_until(site: Site, day: date) -> list[Closing]:
    """Close every open day of a site up to this one, as a command does at its very end; the closings made."""
    opened = GamingDay.objects.filter(site=site, day__lte=day, closed_at=None).order_by("day")
    now = bounds_of(site, day)[1]
    done = [closing.close_day(site=site, day=row.day, by=None, now=now) for row in opened]
    return [closed.closing for closed in done if closed.now]
