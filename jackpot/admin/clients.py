"""The console's pages of gaming days, integrators and their keys."""

from urllib.parse import urlencode

from django.contrib import admin
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
