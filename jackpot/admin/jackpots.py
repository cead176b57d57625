"""The console's pages of jackpots, their levels and their policies."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jackpot.admin import asking, readings
from jackpot.admin.base import ReadOnly, amount, exact
from jackpot.admin.jackpot_pages import JackpotPages
from jackpot.domain import chain
from jackpot.models.jackpots import Jackpot, Level, PolicyVersion


@admin.register(Jackpot)
class JackpotAdmin(JackpotPages):
    steps = (*asking.STEPS, *readings.STEPS)
    list_display = ("code", "name", "meters", "state", "home_site")
    list_filter = ("state", "home_site")
    search_fields = ("code", "name")
    fields = ("code", "name", "currency_code", "home_site", "state", "meters", "head")
    readonly_fields = ("meters", "head")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Jackpot]:
        jackpots: QuerySet[Jackpot] = super().get_queryset(request)
        return jackpots.select_related("home_site", "lane").prefetch_related("levels")

    @admin.display(description="on the sign")
    def meters(self, jackpot: Jackpot) -> str:
        return " · ".join(f"{level.code} {amount(level.meter, jackpot.currency)}" for level in jackpot.levels.all())

    @admin.display(description="head of its chain")
    def head(self, jackpot: Jackpot) -> SafeString:
        """As it is logged, so that it can be kept elsewhere: see docs/security.md."""
        head = chain.head(jackpot.lane.pk, jackpot.lane.sealed, bytes(jackpot.lane.head))
        return format_html('<span class="console-digest">{}</span>', head)


@admin.register(Level)
class LevelAdmin(ReadOnly):
    list_display = (
        "__str__", "on_the_sign", "exact_meter", "reserve_now", "overflow_now", "hits", "last_hit_at", "policy",
        "waits",
    )  # fmt: skip
    list_select_related = ("jackpot", "policy__jackpot")
    list_filter = ("jackpot",)

    @admin.display(description="on the sign")
    def on_the_sign(self, level: Level) -> str:
        return amount(level.meter, level.jackpot.currency)

    @admin.display(description="meter")
    def exact_meter(self, level: Level) -> str:
        return exact(level.meter, level.jackpot.currency)

    @admin.display(description="waits for its reset")
    def waits(self, level: Level) -> str:
        """The version whose base, rates or limit come with the next reset."""
        last = level.jackpot.policies.select_related("jackpot").latest("version")
        return "–" if last.terms[level.code] == level.policy.terms[level.code] else str(last)

    @admin.display(description="reserve")
    def reserve_now(self, level: Level) -> str:
        return exact(level.reserve, level.jackpot.currency)

    @admin.display(description="overflow")
    def overflow_now(self, level: Level) -> str:
        return exact(level.overflow, level.jackpot.currency)


@admin.register(PolicyVersion)
class PolicyVersionAdmin(ReadOnly):
    list_display = ("__str__", "in_force_at", "change")
    list_select_related = ("jackpot", "change")
    list_filter = ("jackpot",)
