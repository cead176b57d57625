"""The console's pages of gaming days, integrators and their keys."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot.admin.base import ReadOnly
from jackpot.models.clients import ApiKey, Integrator
from jackpot.models.sites import GamingDay


@admin.register(GamingDay)
class GamingDayAdmin(ReadOnly):
    list_display = ("site", "day", "opened_at", "closed_at", "reports")
    list_select_related = ("site",)
    list_filter = ("site",)
    ordering = ("-day", "site")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A day's own page, which the tables make: the log leads here."""
        day = self.get_object(request, object_id)
        if day is None or request.method != "GET" or not self.has_view_permission(request, day):
            answer: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
            return answer
        return redirect("console:day", code=day.site.code, day=day.day)

    @admin.display(description="reports")
    def reports(self, day: GamingDay) -> SafeString:
        """A link to the day's reports, whose pages the tables make."""
        asked = urlencode({"place": f"site:{day.site.code}", "day": day.day.isoformat()})
        return format_html('<a href="{}?{}" class="underline">Reports</a>', reverse("console:reports"), asked)


@admin.register(Integrator)
class IntegratorAdmin(ReadOnly):
    list_display = ("name",)
    search_fields = ("name",)


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    list_display = ("prefix", "integrator", "scopes", "created_at", "expires_at", "revoked_at", "last_used_at")
    list_select_related = ("integrator",)
    list_filter = ("integrator",)
    search_fields = ("prefix", "integrator__name")
    exclude = ("secret_hash",)
