"""The console's pages of jackpots, their levels and their awards."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from jackpot.admin.base import ReadOnly, amount, exact
from jackpot.admin.jackpot_pages import JackpotPages
from jackpot.domain import chain
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level, PolicyVersion


@admin.register(Jackpot)
class JackpotAdmin(JackpotPages):
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
    def head(self, jackpot: Jackpot) -> str:
        """As it is logged, so that it can be kept elsewhere: see docs/security.md."""
        return chain.head(jackpot.lane.pk, jackpot.lane.sealed, bytes(jackpot.lane.head))


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


@admin.register(Award)
class AwardAdmin(ReadOnly):
    list_display = ("hit_at", "kind", "jackpot", "table_ref", "box", "player", "hand", "owed", "state", "late")
    list_select_related = ("jackpot",)
    list_filter = ("state", "kind", "jackpot", "hand")
    search_fields = ("player", "table_ref")
    ordering = ("-hit_at", "-id")
    exclude = ("facts",)
    readonly_fields = ("evidence",)

    @admin.display(description="amount", ordering="amount")
    def owed(self, award: Award) -> str:
        return amount(award.amount, award.jackpot.currency)

    @admin.display(description="evidence")
    def evidence(self, award: Award) -> SafeString:
        """Links to the pack of its hit; the tables make it, and their pages are known here by their names."""
        kinds = ((reverse(f"console:evidence_{kind}", args=[award.pk]), kind.upper()) for kind in ("pdf", "json"))
        return format_html_join(" · ", '<a href="{}" class="underline">Evidence ({})</a>', kinds)
