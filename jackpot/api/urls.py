"""The addresses of jackpots, awards, reports and events, under the version's prefix."""

from collections.abc import Mapping
from enum import StrEnum

from django.urls import URLPattern, path

from jackpot.api import award_moves, awards, events, jackpots, reports, streams
from jackpot.api.jackpots import Linked
from jackpot.reports import REPORTS, Builder


def addresses(*, linked: Linked, hands: type[StrEnum], of_rounds: Mapping[str, Builder]) -> list[URLPattern]:
    """What another app knows: `linked` tells which jackpots the tables of some sites are linked to, `hands` the names
    that a hand may have, `of_rounds` are the reports that need rounds.
    """
    every = {**REPORTS, **of_rounds}
    return [
        path("jackpots/", jackpots.Jackpots.as_view(linked=linked)),
        path("jackpots/<str:code>/", jackpots.JackpotDetail.as_view(linked=linked)),
        path("jackpots/<str:code>/statement/", jackpots.Statement.as_view(linked=linked)),
        path("jackpots/<str:code>/stream/", streams.JackpotStream.as_view(linked=linked)),
        path("awards/", awards.Awards.as_view(hands=hands)),
        path("awards/<uuid:award_id>/", awards.AwardDetail.as_view()),
        path("awards/<uuid:award_id>/approve/", award_moves.Approve.as_view()),
        path("awards/<uuid:award_id>/dispute/", award_moves.Dispute.as_view()),
        path("awards/<uuid:award_id>/uphold/", award_moves.Uphold.as_view()),
        path("awards/<uuid:award_id>/reject/", award_moves.Reject.as_view()),
        path("awards/<uuid:award_id>/pay/", award_moves.Pay.as_view()),
        path("reports/<str:name>/", reports.Reports.as_view(linked=linked, reports=every)),
        path("events/", events.Events.as_view(linked=linked)),
    ]
