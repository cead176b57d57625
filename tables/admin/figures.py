"""What pay tables return as they stand in a form, for its script: worked out for who may look, and stored nowhere."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from jackpot.selectors import jackpots, sites
from tables.admin.policies import NextPolicyForm
from tables.admin.reports import View, page
from tables.admin.rule_set_form import RuleSetForm
from tables.admin.sites import OpeningForm
from tables.selectors import set_up


def _of(form: type[Any], find: Callable[[int], Any], needs: str) -> View:
    @page(needs=(needs,))
    def view(request: HttpRequest, pk: int) -> HttpResponse:
        record = find(pk)
        if record is None:
            raise Http404
        return render(request, "tables/figures.html", {"figures": form(request.GET, record=record).figures()})

    return view


addresses = [
    path("figures/rule-set/<int:pk>/", _of(RuleSetForm, set_up.version_by_id, "tables.view_rulesetversion"),
         name="rule_set_figures"),
    path("figures/policy/<int:pk>/", _of(NextPolicyForm, jackpots.by_id, "jackpot.view_jackpot"),
         name="policy_figures"),
    path("figures/opening/<int:pk>/", _of(OpeningForm, sites.by_id, "jackpot.view_site"), name="opening_figures"),
]  # fmt: skip
