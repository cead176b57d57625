"""What a problem's `type` leads to: the catalogue's entry, as JSON for machines and as a page for people."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from jackpot.domain.errors import refuse
from jackpot.http import problems
from jackpot.http.catalogue import CATALOGUE, ErrorClass

_PAGE = "jackpot/errors.html"


@vary_on_headers("Accept")
@require_safe
def every_kind(request: HttpRequest) -> HttpResponse:
    """All errors a client can meet."""
    if _is_for_people(request):
        return render(request, _PAGE, {"kinds": CATALOGUE.values()})
    return JsonResponse({"errors": [_show(kind) for kind in CATALOGUE.values()]})


@vary_on_headers("Accept")
@require_safe
def one_kind(request: HttpRequest, code: str) -> HttpResponse:
    """One kind of error; 404 for a code that is none."""
    kind = CATALOGUE.get(code)
    if _is_for_people(request):
        return render(request, _PAGE, {"kind": kind, "code": code}, status=200 if kind else 404)
    if kind is None:
        return problems.response(refuse("not_found", "there is no error of this code"), request.path)
    return JsonResponse(_show(kind))


def _is_for_people(request: HttpRequest) -> bool:
    return request.get_preferred_type(["application/json", "text/html"]) == "text/html"


def _show(kind: ErrorClass) -> dict[str, object]:
    return {"type": kind.type, **asdict(kind)}


addresses: list[URLPattern] = [
    path("errors/", every_kind, name="errors"),
    path("errors/<str:code>", one_kind),
]
