"""Every address of the service."""

from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("tables.api.urls")),
]

handler400 = "jackpot.http.problems.bad_request"
handler403 = "jackpot.http.problems.permission_denied"
handler404 = "jackpot.http.problems.not_found"
handler500 = "jackpot.http.problems.server_error"
