"""Finding sites."""

from django.db.models import QuerySet

from jackpot.domain.callers import Caller
from jackpot.models.sites import Site


def seen_by(caller: Caller) -> QuerySet[Site]:
    """The sites of a key; for staff all."""
    return Site.objects.all() if caller.site_ids is None else Site.objects.filter(pk__in=caller.site_ids)


def first() -> Site | None:
    """The site that was opened first."""
    return Site.objects.order_by("id").first()


def by_code(code: str) -> Site | None:
    return Site.objects.filter(code=code).first()


def by_id(pk: int) -> Site | None:
    return Site.objects.filter(pk=pk).first()
