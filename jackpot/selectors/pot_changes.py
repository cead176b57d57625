"""Changes by two people as they concern a jackpot's pots: which wait, and which must be in its lane."""

from collections.abc import Iterable
from uuid import UUID

from jackpot.domain import change_postings
from jackpot.domain.change_postings import Place
from jackpot.domain.change_requests import ChangeKind, Decision
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot

_BETWEEN = (ChangeKind.TRANSFER, ChangeKind.RETIREMENT)
"""Kinds in which a second jackpot may take part."""


def waiting(jackpot: Jackpot, *, without: UUID) -> int:
    """How many other changes of a jackpot wait for their decision, those that would bring it something among them."""
    asked = ChangeRequest.objects.filter(decided=None).exclude(pk=without)
    coming = asked.filter(kind__in=_BETWEEN).exclude(jackpot=jackpot)
    return asked.filter(jackpot=jackpot).count() + len(_into(jackpot, coming))


def decided(jackpot: Jackpot) -> set[UUID]:
    """The requests of a jackpot that were decided on: its lane seals each decision."""
    return set(ChangeDecision.objects.filter(request__jackpot=jackpot).values_list("request_id", flat=True))


def came_in(jackpot: Jackpot) -> set[UUID]:
    """The approved requests of other jackpots that brought this one something: its lane has an entry of each."""
    found = ChangeRequest.objects.filter(kind__in=_BETWEEN, decided__decision=Decision.APPROVED).exclude(
        jackpot=jackpot
    )
    coming = _into(jackpot, found.select_related("decided"))
    currency = jackpot.currency
    return {one.pk for one in coming if change_postings.read_stands(one.decided.after or {}, jackpot.code, currency)}


def _into(jackpot: Jackpot, requests: Iterable[ChangeRequest]) -> list[ChangeRequest]:
    """Those that go to a pot of this jackpot."""
    return [request for request in requests if _target(request) == jackpot.code]


def _target(request: ChangeRequest) -> str:
    to: str = request.document["to"]
    return Place.named(to).jackpot if request.kind == ChangeKind.TRANSFER else to
