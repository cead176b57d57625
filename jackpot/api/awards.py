"""Awards: hits and Envy, as they stand."""

from enum import StrEnum
from uuid import UUID

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.domain.callers import Scope
from jackpot.http.pages import page_asked, page_of
from jackpot.http.queries import asking
from jackpot.http.reading import ObjectReader
from jackpot.http.showing import show_award
from jackpot.http.values import choice, day, text, time, uuid
from jackpot.http.views import ApiView
from jackpot.models.awards import Award
from jackpot.selectors import awards


class Awards(ApiView):
    """The awards of the caller's rounds, newest first. `hands`: the names there are, given by who knows cards."""

    reads = Scope.JACKPOTS_READ
    takes_query = True
    hands: type[StrEnum] = StrEnum

    def get(self, request: Request) -> Response:
        with asking(request) as query:
            wanted = _filters(query, self.hands)
            page = page_asked(query)
        rows = awards.filtered(awards.seen_by(self.caller), wanted)
        return Response(page_of(request, page, rows, show_award))


class AwardDetail(ApiView):
    """One award."""

    reads = Scope.JACKPOTS_READ

    def get(self, request: Request, award_id: UUID) -> Response:
        award = awards.seen_by(self.caller).filter(pk=award_id).first()
        if award is None:
            raise Http404
        return Response(show_award(award))


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
