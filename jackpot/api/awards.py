"""Awards: hits and Envy, as they stand."""

from enum import StrEnum
from uuid import UUID

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.api.showing import show_told
from jackpot.domain.callers import Caller, Scope
from jackpot.http.pages import page_asked, page_of
from jackpot.http.queries import asking
from jackpot.http.reading import ObjectReader
from jackpot.http.values import choice, day, text, time, uuid
from jackpot.http.views import ApiView
from jackpot.models.awards import Award
from jackpot.selectors import award_moves, awards


class Awards(ApiView):
    """The awards of the caller's rounds, newest first. `hands`: the names there are, given by who knows cards."""

    reads = Scope.JACKPOTS_READ
    takes_query = True
    hands: type[StrEnum] = StrEnum

    def get(self, request: Request) -> Response:
        with asking(request) as query:
            wanted = _filters(query, self.hands)
            page = page_asked(query)
        rows = awards.filtered(awards.seen_by(self.caller), wanted).prefetch_related(award_moves.TOLD)
        return Response(page_of(request, page, rows, lambda award: show_told(award, self.caller)))


class AwardDetail(ApiView):
    """One award."""

    reads = Scope.JACKPOTS_READ

    def get(self, request: Request, award_id: UUID) -> Response:
        return Response(show_told(award_of(self.caller, award_id), self.caller))


def award_of(caller: Caller, award_id: UUID) -> Award:
    """An award with its moves. Raises Http404 where this caller sees no such award."""
    award = awards.seen_by(caller).prefetch_related(award_moves.TOLD).filter(pk=award_id).first()
    if award is None:
        raise Http404
    return award


def _filters(query: ObjectReader, hands: type[StrEnum]) -> awards.Filters:
    return awards.Filters(
        jackpot=query.optional("jackpot", text(32)),
        source_ref=query.optional("round", uuid),
        table=query.optional("table", text(32)),
        site=query.optional("site", text(32)),
        kind=query.optional("kind", choice(Award.Kind)),
        state=query.optional("state", choice(Award.State)),
        player=query.optional("player", text(64)),
        hand=query.optional("hand", choice(hands)),
        day=query.optional("day", day),
        since=query.optional("from", time),
        until=query.optional("to", time),
    )
