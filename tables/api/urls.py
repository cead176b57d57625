"""The addresses of tables and rounds, under the version's prefix."""

from django.urls import path

from tables.api import boxes, houses, rounds, steps

_ROUND = "rounds/<uuid:round_id>/"

urlpatterns = [
    path("rounds/", rounds.Rounds.as_view(), name="rounds"),
    path("rounds/batch/", rounds.RoundBatch.as_view()),
    path(_ROUND, rounds.RoundDetail.as_view(), name="round"),
    path(_ROUND + "boxes/", boxes.Boxes.as_view()),
    path(_ROUND + "boxes/<int:box>/", boxes.OneBox.as_view()),
    path(_ROUND + "boxes/<int:box>/void/", boxes.VoidBox.as_view()),
    path(_ROUND + "lock/", steps.Lock.as_view()),
    path(_ROUND + "deal/", steps.Deal.as_view()),
    path(_ROUND + "decisions/", steps.Decisions.as_view()),
    path(_ROUND + "flop/", steps.Flop.as_view()),
    path(_ROUND + "river/", steps.River.as_view()),
    path(_ROUND + "showdown/", steps.Showdown.as_view()),
    path(_ROUND + "suspend/", steps.Suspend.as_view()),
    path(_ROUND + "resume/", steps.Resume.as_view()),
    path(_ROUND + "void/", steps.VoidRound.as_view()),
    path("tables/", houses.Tables.as_view()),
    path("tables/<str:code>/rounds/", steps.Opening.as_view()),
    path("rule-sets/<str:code>/", houses.RuleSets.as_view()),
]
