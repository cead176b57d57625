"""Reports: a gaming day of a site or a jackpot, as JSON, CSV or XLSX."""

from collections.abc import Collection, Mapping

from django.http import Http404
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.domain.callers import Scope
from jackpot.http.negotiation import ByQuality
from jackpot.http.queries import asking
from jackpot.http.reports.documents import document
from jackpot.http.reports.renderers import ReportCSV, ReportFile, ReportXLSX, file_name
from jackpot.http.values import day, text
from jackpot.http.views import ApiView
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site
from jackpot.reports import Asked, Builder
from jackpot.selectors import clients, jackpots, sites
from jackpot.selectors.snapshots import snapshot

_CODE = text(32)


class Reports(ApiView):
    """One report by its name. Those that need rounds, and which jackpots tables are linked to, are handed in."""

    reads = Scope.REPORTS_READ
    takes_query = True
    renderer_classes = (JSONRenderer, ReportCSV, ReportXLSX)
    content_negotiation_class = ByQuality

    reports: Mapping[str, Builder] = {}

    def linked(self, site_ids: Collection[int]) -> Collection[int]:
        return ()

    def get(self, request: Request, name: str) -> Response:
        build = self.reports.get(name)
        if build is None:
            raise Http404
        with asking(request) as query:
            wanted = query.required("day", day)
            site, jackpot = query.optional("site", _CODE), query.optional("jackpot", _CODE)
            places = [name for name in ("site", "jackpot") if query.given(name)]
            if not places:
                query.fault("missing_field", "a report is made for a site or a jackpot: give one of them", "site")
            if len(places) > 1:
                query.fault("invalid_value", "give either a site or a jackpot", "jackpot")
        with snapshot():
            report = build(
                Asked(
                    caller=self.caller,
                    day=wanted,
                    made_at=timezone.now(),
                    made_by=clients.name_of(self.caller),
                    linked=self.linked,
                    site=self._site(site),
                    jackpot=self._jackpot(jackpot),
                )
            )
        kept = request.accepted_renderer
        if not isinstance(kept, ReportFile):
            return Response(document(report))
        named = f'attachment; filename="{file_name(report, kept.format)}"'
        return Response(report, headers={"Content-Disposition": named})

    def _site(self, code: str | None) -> Site | None:
        if code is None:
            return None
        found = sites.seen_by(self.caller).filter(code=code).first()
        if found is None:
            raise Http404
        return found

    def _jackpot(self, code: str | None) -> Jackpot | None:
        if code is None:
            return None
        found = jackpots.seen_by(self.caller, linked=self.linked).filter(code=code).first()
        if found is None:
            raise Http404
        return found
