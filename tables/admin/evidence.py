"""The console's evidence packs: a hit's, as a file."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone

from tables.admin.reports import file, page
from tables.http import packs
from tables.reports.evidence import evidence_of

NEEDED = ("jackpot.view_award", "tables.view_round")
"""A pack shows an award and the whole round that it was hit in."""


@page(needs=NEEDED)
def evidence(request: HttpRequest, award_id: UUID, extension: str) -> HttpResponse:
    """The pack of an award's hit."""
    pack = evidence_of(award_id, made_at=timezone.now(), made_by=request.user.get_username())
    if pack is None:
        raise Http404
    made = packs.EVIDENCE[extension](pack)
    return file(made, packs.MEDIA_TYPES[extension], packs.evidence_name(pack, extension))


addresses = [
    path(f"evidence/<uuid:award_id>.{extension}", evidence, {"extension": extension}, name=f"evidence_{extension}")
    for extension in packs.EVIDENCE
]
