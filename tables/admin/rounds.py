"""The console's rounds: finding them, the page of one that reads like its table, performing it again, its steps."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse

from jackpot.admin.steps import Stepped
from tables.admin import finding, reperformed, round_page
from tables.admin.round_steps import STEPS
from tables.models.rounds import Round
from tables.services.reperforming import reperform


@admin.register(Round)
class RoundAdmin(Stepped):
    steps = STEPS

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        rounds: QuerySet[Round] = super().get_queryset(request)
        return rounds.select_related(
            "table__rule_set", "site", "lane__jackpot", "lane__site", "integrator", "rule_set__rule_set",
            "policy__jackpot",
        )  # fmt: skip

    def get_urls(self) -> list[URLPattern]:
        at = path(
            "<path:object_id>/re-perform/", self.admin_site.admin_view(self.reperform_view),
            name="tables_round_reperform",
        )  # fmt: skip
        return [at, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Rounds that are looked for."""
        self._only_looked_at(request)
        found, status = finding.list_of(request)
        return self._page(request, "tables/rounds.html", {"title": "Rounds", **found}, status=status)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The page of a round."""
        self._only_looked_at(request)
        rnd = self._round(request, object_id)
        steps = [(step, self.step_address(rnd, step)) for step in self.offered(request, rnd)]
        addresses = {
            "steps": steps,
            "reperform": reverse("admin:tables_round_reperform", args=[rnd.pk]),
            "history": reverse("admin:tables_round_history", args=[rnd.pk]),
        }
        context = {
            "title": f"Round {rnd.game_number}",
            "original": rnd,
            **round_page.page_of(rnd, _version(request)),
            **addresses,
        }
        return self._page(request, "tables/round.html", context)

    def reperform_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The round performed again, beside what is stored. It is asked for with GET: it changes nothing."""
        self._only_looked_at(request)
        rnd = self._round(request, object_id)
        shown = reperformed.page_of(rnd, reperform(rnd.pk))
        context = {
            "title": f"Re-performed: {rnd.game_number}",
            "round": rnd,
            "original": rnd,
            "back": self.after(request, STEPS[0], rnd),
        }
        return self._page(request, "tables/reperformed.html", context | shown)

    def _only_looked_at(self, request: HttpRequest) -> None:
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request):
            raise PermissionDenied

    def _round(self, request: HttpRequest, object_id: str) -> Round:
        rnd: Round | None = self.get_object(request, object_id)
        if rnd is None:
            raise Http404
        return rnd

    def _page(self, request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
        return render(request, template, {**self.admin_site.each_context(request), "opts": self.opts, **context},
                      status=status)  # fmt: skip


def _version(request: HttpRequest) -> int | None:
    """The version of which the table is to be drawn; what is none is taken for the one in force."""
    asked = request.GET.get("version", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 5 else None
