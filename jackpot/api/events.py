"""Events: everything the webhooks say, for those who catch up."""

from collections.abc import Collection

from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.domain.callers import Scope
from jackpot.http.pages import page_asked, page_of
from jackpot.http.queries import asking
from jackpot.http.showing import shown_time
from jackpot.http.values import digits, text
from jackpot.http.views import ApiView
from jackpot.models.events import Event
from jackpot.selectors import events

MOST_EVENTS = 9_999_999_999


class Events(ApiView):
    """The events of the caller's integrator after a number, oldest first; staff name the integrator.

    `linked` as of `jackpot.api.jackpots.JackpotView`.
    """

    reads = Scope.ROUNDS_READ
    takes_query = True

    def linked(self, site_ids: Collection[int]) -> Collection[int]:
        return ()

    def get(self, request: Request) -> Response:
        with asking(request) as query:
            after = query.optional("after", digits(0, MOST_EVENTS), 0)
            named = query.required("integrator", text(100)) if self.caller.is_person else None
            page = page_asked(query)
        rows = events.seen_by(self.caller, named, linked=self.linked).filter(seq__gt=after)
        return Response(page_of(request, page, rows, self._show, order=("seq",), newest_first=False))

    def _show(self, event: Event) -> dict[str, object]:
        return {
            "seq": event.seq,
            "id": str(event.id),
            "type": event.type,
            "at": shown_time(event.at),
            "data": events.data_for(self.caller, event),
        }
