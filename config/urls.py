"""Every address of the service. The API of both apps shares one prefix; each app lists its own."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config import description, health
from jackpot.admin import signing_in
from jackpot.api import urls as jackpot_api
from jackpot.http import error_pages
from jackpot.sign import urls as sign
from tables.admin import days, evidence, figures, home, reports
from tables.api import urls as tables_api
from tables.domain.hands import HandName
from tables.reports import REPORTS
from tables.selectors.tables import jackpots_linked

_API = [
    *tables_api.urlpatterns,
    *jackpot_api.addresses(linked=jackpots_linked, hands=HandName, of_rounds=REPORTS),
    *description.addresses,
]

_CONSOLE = [
    *signing_in.addresses,
    *home.addresses(signs=health.signs),
    *days.addresses,
    *reports.addresses,
    *evidence.addresses,
    *figures.addresses,
]

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),  # people type a host: the console asks who they are
    path("livez", health.livez),
    path("readyz", health.readyz),
    path("admin/", include((_CONSOLE, "console"))),
    path("admin/", admin.site.urls),
    path("api/v1/", include(_API)),
    path("sign/", include(sign.addresses)),
    *error_pages.addresses,
]

handler400 = "jackpot.http.problems.bad_request"
handler403 = "jackpot.http.problems.permission_denied"
handler404 = "jackpot.http.problems.not_found"
handler500 = "jackpot.http.problems.server_error"
