"""Addresses that exist only here, to try what every view of the API inherits."""

from django.db import DataError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.domain.callers import Scope
from jackpot.domain.errors import Refused, Violation
from jackpot.http.keys import PERSON
from jackpot.http.pages import page_asked, page_of
from jackpot.http.queries import asking
from jackpot.http.reading import reading
from jackpot.http.values import integer, text
from jackpot.http.views import ApiView
from jackpot.models.clients import ApiKey

TROUBLES: dict[str, Exception] = {
    "rules": Refused([Violation("bet_limit", "too much", "/ante"), Violation("duplicate_card", "twice", "/flop/0")]),
    "busy": OperationalError("canceling statement due to lock timeout"),
    "data": DataError("integer out of range"),
    "throttled": Throttled(wait=6.2),
    "bug": ZeroDivisionError(),
}


class Things(ApiView):
    """The caller's keys as a list, and a body that is read and given back."""

    reads = Scope.ROUNDS_READ
    writes = Scope.ROUNDS_WRITE
    takes_query = True

    def get(self, request: Request) -> Response:
        with asking(request) as query:
            prefix = query.optional("prefix", text(12))
            page = page_asked(query)
        rows = ApiKey.objects.all()
        if self.caller.integrator_id is not None:
            rows = rows.filter(integrator_id=self.caller.integrator_id)
        if prefix is not None:
            rows = rows.filter(prefix=prefix)
        return Response(page_of(request, page, rows, _show, order=("created_at", "id")))

    def post(self, request: Request) -> Response:
        with reading(self.body) as sent:
            number = sent.required("number", integer())
            note = sent.optional("note", text(2_000, lines=True), "")
        return Response({"number": number, "note": note}, status=201)


class Approval(ApiView):
    """Something only a person may do."""

    writes = PERSON

    def post(self, request: Request) -> Response:
        return Response({"by": self.caller.user_id})


class Trouble(ApiView):
    """Fails in the way that the address names."""

    writes = Scope.ROUNDS_WRITE
    max_body_bytes = 32

    def post(self, request: Request, kind: str) -> Response:
        if kind == "echo":
            return Response(self.body)
        raise TROUBLES[kind]


def _show(key: ApiKey) -> dict[str, object]:
    return {"id": key.pk}


def console(request: HttpRequest) -> HttpResponse:
    return HttpResponse("console")


urlpatterns = [
    path("api/v1/things/", Things.as_view()),
    path("api/v1/approval/", Approval.as_view()),
    path("api/v1/trouble/<str:kind>/", Trouble.as_view()),
    path("console/", console),
]
handler400 = "jackpot.http.problems.bad_request"
handler403 = "jackpot.http.problems.permission_denied"
handler404 = "jackpot.http.problems.not_found"
handler500 = "jackpot.http.problems.server_error"
