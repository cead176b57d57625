"""The console's pages of sites, integrators and their keys."""

from django.contrib import admin

from jackpot.admin.base import ReadOnly
from jackpot.models.clients import ApiKey, Integrator
from jackpot.models.sites import GamingDay, Site


@admin.register(Site)
class SiteAdmin(ReadOnly):
    list_display = ("code", "name", "timezone", "day_starts_at", "sandbox")
    search_fields = ("code", "name")


@admin.register(GamingDay)
class GamingDayAdmin(ReadOnly):
    list_display = ("site", "day", "opened_at", "closed_at")
    list_select_related = ("site",)
    list_filter = ("site",)
    ordering = ("-day", "site")


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
