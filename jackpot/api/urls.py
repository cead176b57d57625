"""The addresses of jackpots, awards and reports, under the version's prefix."""

from collections.abc import Mapping

from django.urls import URLPattern, path

from jackpot.api import awards, jackpots, reports
from jackpot.api.jackpots import Linked
from jackpot.reports import REPORTS, Builder


def addresses(*, linked: Linked, of_rounds: Mapping[str, Builder]) -> list[URLPattern]:
    """`linked` tells which jackpots the tables of some sites are linked to, `of_rounds` are the reports that need
    rounds; both are another app's.
    """
    every = {**REPORTS, **of_rounds}
    return [
        path("jackpots/", jackpots.Jackpots.as_view(linked=linked)),
        path("jackpots/<str:code>/", jackpots.JackpotDetail.as_view(linked=linked)),
        path("jackpots/<str:code>/statement/", jackpots.Statement.as_view(linked=linked)),
        path("awards/", awards.Awards.as_view()),
        path("awards/<uuid:award_id>/", awards.AwardDetail.as_view()),
        path("reports/<str:name>/", reports.Reports.as_view(linked=linked, reports=every)),
    ]
