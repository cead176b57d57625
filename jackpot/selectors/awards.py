"""Reading awards."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from jackpot.models.awards import Award


def all_awards() -> QuerySet[Award]:
    """Awards with what they are shown with."""
    return Award.objects.select_related("jackpot", "level", "hit", "policy").defer("facts", "hit__facts", "policy__document")


def of_rounds(source_refs: Iterable[UUID]) -> dict[UUID, list[Award]]:
    """The awards of some rounds, in the order in which each round made them."""
    found: dict[UUID, list[Award]] = {}
    for award in all_awards().filter(source_ref__in=list(source_refs)).order_by("entry_id", "position"):
        found.setdefault(award.source_ref, []).append(award)
    return found
