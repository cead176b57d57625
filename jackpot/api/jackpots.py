"""Jackpots: how their meters stand, and the statement of every change."""

from collections.abc import Callable, Collection, Sequence

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.api.showing import show_jackpot, show_row
from jackpot.domain.accounts import Pot
from jackpot.domain.callers import Scope
from jackpot.domain.meter import Kind
from jackpot.http.pages import page_asked, page_of, page_together
from jackpot.http.queries import asking
from jackpot.http.reading import ObjectReader
from jackpot.http.values import choice, day, text, time
from jackpot.http.views import ApiView
from jackpot.models.jackpots import Jackpot
from jackpot.selectors import jackpots, statements
from jackpot.selectors.statements import StatementRow

Linked = Callable[[Collection[int]], Collection[int]]
_NEWEST_ENTRY_FIRST = ("entry_id", "level_id", "pot", "seq")


class JackpotView(ApiView):
    """`linked` tells which jackpots the tables of some sites are linked to: whoever knows the tables gives it."""

    reads = Scope.JACKPOTS_READ

    def linked(self, site_ids: Collection[int]) -> Collection[int]:
        return ()

    def seen(self) -> QuerySet[Jackpot]:
        return jackpots.seen_by(self.caller, linked=self.linked)

    def one(self, code: str) -> Jackpot:
        """The jackpot of a code. Raises Http404 where this caller sees none."""
        found = self.seen().filter(code=code).first()
        if found is None:
            raise Http404
        return found


class Jackpots(JackpotView):
    """The jackpots this caller sees."""

    takes_query = True

    def get(self, request: Request) -> Response:
        with asking(request) as query:
            page = page_asked(query)
        return Response(page_together(request, page, self.seen(), show_together))


class JackpotDetail(JackpotView):
    """One jackpot."""

    def get(self, request: Request, code: str) -> Response:
        return Response(show_together([self.one(code)])[0])


class Statement(JackpotView):
    """Every change of a jackpot's pots, newest first; what others caused without its source."""

    takes_query = True

    def get(self, request: Request, code: str) -> Response:
        jackpot = self.one(code)
        with asking(request) as query:
            wanted = _filters(query)
            page = page_asked(query)
        rows = statements.shown_to(self.caller, jackpot, wanted)

        def show(row: StatementRow) -> dict[str, object]:
            return show_row(row, jackpot.currency)

        return Response(page_of(request, page, rows, show, order=_NEWEST_ENTRY_FIRST))


def show_together(found: Sequence[Jackpot]) -> list[dict[str, object]]:
    """Jackpots with their pending hits, counted for all of them at once."""
    now = timezone.now()
    pending = jackpots.pending_hits([jackpot.pk for jackpot in found])
    return [show_jackpot(jackpot, pending_hits=pending.get(jackpot.pk, 0), now=now) for jackpot in found]


def _filters(query: ObjectReader) -> statements.Filters:
    return statements.Filters(
        level=query.optional("level", text(32)),
        pot=query.optional("pot", choice(Pot)),
        kind=query.optional("kind", choice(Kind)),
        table=query.optional("table", text(32)),
        day=query.optional("day", day),
        since=query.optional("from", time),
        until=query.optional("to", time),
    )
