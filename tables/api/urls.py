"""The addresses of tables and rounds, under the version's prefix."""

from django.urls import path

from tables.api import rounds

urlpatterns = [
    path("rounds/", rounds.Rounds.as_view(), name="rounds"),
    path("rounds/batch/", rounds.RoundBatch.as_view()),
    path("rounds/<uuid:round_id>/", rounds.RoundDetail.as_view(), name="round"),
]
