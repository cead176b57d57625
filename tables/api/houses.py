"""What a house is made of: its tables and its rule sets."""

from collections.abc import Sequence
from datetime import datetime

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.http.pages import page_asked, page_together
from jackpot.http.queries import asking
from jackpot.http.showing import shown_time
from jackpot.http.values import text
from jackpot.http.views import ApiView
from jackpot.services import Scope
from tables.models.tables import Table
from tables.selectors import tables
from tables.selectors.versions import RuleBook


class Tables(ApiView):
    """The tables of the caller's sites."""

    reads = Scope.ROUNDS_READ
    takes_query = True

    def get(self, request: Request) -> Response:
        with asking(request) as query:
            table = query.optional("table", text(32))
            site = query.optional("site", text(32))
            page = page_asked(query)
        rows = tables.seen_by(self.caller)
        rows = rows if table is None else rows.filter(code=table)
        rows = rows if site is None else rows.filter(site__code=site)
        return Response(page_together(request, page, rows, self._show))

    def _show(self, found: Sequence[Table]) -> list[dict[str, object]]:
        book, now = RuleBook(found), timezone.now()
        open_rounds = tables.open_rounds(self.caller, [table.pk for table in found])
        return [_show_table(table, book, now) | {"open_round": open_rounds.get(table.pk)} for table in found]


class RuleSets(ApiView):
    """One rule set: the document in force, and which versions there are."""

    reads = Scope.ROUNDS_READ

    def get(self, request: Request, code: str) -> Response:
        rule_set = tables.rule_sets().filter(code=code).first()
        if rule_set is None:
            raise Http404
        versions = list(rule_set.versions.all())
        now = timezone.now()
        current = next((version for version in versions if version.in_force_at <= now), versions[-1])
        return Response(
            {
                "code": rule_set.code,
                "name": rule_set.name,
                "version": current.version,
                "in_force_at": shown_time(current.in_force_at),
                "document": current.document,
                "versions": [
                    {"version": version.version, "in_force_at": shown_time(version.in_force_at)} for version in versions
                ],
            }
        )


def _show_table(table: Table, book: RuleBook, now: datetime) -> dict[str, object]:
    return {
        "code": table.code,
        "name": table.name,
        "site": table.site.code,
        "state": table.state,
        "rule_set": str(book.at(table, now)),
        "jackpot": table.jackpot.code if table.jackpot else None,
    }
