"""The addresses of jackpots and awards, under the version's prefix."""

from django.urls import URLPattern, path

from jackpot.api import award_moves, awards, jackpots
from jackpot.api.jackpots import Linked


def addresses(*, linked: Linked) -> list[URLPattern]:
    """`linked` tells which jackpots the tables of some sites are linked to; the tables are another app's."""
    return [
        path("jackpots/", jackpots.Jackpots.as_view(linked=linked)),
        path("jackpots/<str:code>/", jackpots.JackpotDetail.as_view(linked=linked)),
        path("jackpots/<str:code>/statement/", jackpots.Statement.as_view(linked=linked)),
        path("awards/", awards.Awards.as_view()),
        path("awards/<uuid:award_id>/", awards.AwardDetail.as_view()),
        path("awards/<uuid:award_id>/approve/", award_moves.Approve.as_view()),
        path("awards/<uuid:award_id>/dispute/", award_moves.Dispute.as_view()),
        path("awards/<uuid:award_id>/uphold/", award_moves.Uphold.as_view()),
        path("awards/<uuid:award_id>/reject/", award_moves.Reject.as_view()),
        path("awards/<uuid:award_id>/pay/", award_moves.Pay.as_view()),
    ]
