"""What a client gets when something is refused: `application/problem+json` (RFC 9457), for every error."""

import json
import logging
import math
import re
import sys
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError, DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.views import defaults
from rest_framework import exceptions
from rest_framework.renderers import BrowsableAPIRenderer
from rest_framework.response import Response

from jackpot.domain.errors import Refused, refuse
from jackpot.http.catalogue import error_class
from jackpot.http.reading import MAX_VIOLATIONS

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 1

_API = re.compile(r"/*api(/|$)", re.IGNORECASE)
_log = logging.getLogger(__name__)
_UNAVAILABLE_STATES = frozenset({"25006", "25P03"})  # a standby that only reads; ended for idling in a transaction
_STATUS_CODES = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    429: "throttled",
    503: "busy",
}


def render(refused: Refused, instance: str) -> dict[str, object]:
    """The problem document of a refusal; `instance` is the address of what was asked, or of a part of it."""
    first = refused.violations[0]
    kind = error_class(first.code)
    return {
        "type": kind.type,
        "title": kind.title,
        "status": kind.status,
        "detail": first.detail,
        "code": kind.code,
        "instance": instance,
        "errors": [
            {"pointer": v.pointer, "code": v.code, "detail": v.detail} for v in refused.violations[:MAX_VIOLATIONS]
        ],
    }


def response(refused: Refused, instance: str, *, retry_after: int = RETRY_AFTER_SECONDS) -> HttpResponse:
    """The answer for a refusal, with the headers its status asks for."""
    document = render(refused, instance)
    status = error_class(refused.code).status
    answer = HttpResponse(json.dumps(document), status=status, content_type=CONTENT_TYPE)
    if status == 401:
        answer["WWW-Authenticate"] = 'Bearer realm="api"'
    if status in (429, 503):
        answer["Retry-After"] = str(retry_after)
    return answer


def handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """DRF's exception handler. None leaves what nobody foresaw to Django (and to `server_error`)."""
    refused = as_refusal(error)
    if refused is None:
        return None
    wait: float | None = getattr(error, "wait", None)  # Throttled knows when its caller may come back
    retry_after = max(RETRY_AFTER_SECONDS, math.ceil(wait or 0))
    request = context["request"]
    answer = response(refused, request.get_full_path(), retry_after=retry_after)
    if isinstance(getattr(request, "accepted_renderer", None), BrowsableAPIRenderer):
        headers = {name: value for name, value in answer.items() if name != "Content-Type"}
        return Response(json.loads(answer.content), answer.status_code, headers=headers)
    return answer


def as_refusal(error: Exception) -> Refused | None:
    """An exception as the refusal a client may see, or None where it is a fault of ours.

    Trouble with the database (locks, deadlocks, serialisation, lost connections) is always `busy`: it says
    nothing about the request, which may be repeated.
    """
    match error:
        case Refused():
            return error
        case exceptions.APIException() if error.status_code in _STATUS_CODES:
            return refuse(_STATUS_CODES[error.status_code], _text(error.detail))
        case Http404():
            return refuse("not_found", "there is nothing here for this caller")
        case PermissionDenied():
            return refuse("forbidden", "this is not allowed")
        case RequestDataTooBig():
            return refuse("body_too_large", "the body is too large")
        case SuspiciousOperation() | BadRequest() | UnreadablePostError():
            return refuse("malformed", "the request could not be read")
        case DatabaseError() | InterfaceError() if _is_unavailable(error):
            _log.warning("database not to be had: %s", error)
            return refuse("busy", "a lock or the database is not to be had at the moment; repeat the same request")
        case DataError():
            _log.error("a value reached the database that it cannot store", exc_info=error)
            return refuse("invalid_value", "a value is outside what can be stored")
        case _:
            return None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Django's handler400."""
    if not _wants_problem(request):
        return defaults.bad_request(request, exception)
    return response(as_refusal(exception) or refuse("malformed", "the request could not be read"), request.path)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Django's handler403."""
    if not _wants_problem(request):
        return defaults.permission_denied(request, exception)
    return response(refuse("forbidden", "this is not allowed"), request.path)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Django's handler404: unknown addresses of the API answer as everything else there does."""
    if not _wants_problem(request):
        return defaults.page_not_found(request, exception)
    slash = "" if request.path.endswith("/") else "; addresses end with a slash"
    return response(refuse("not_found", f"there is no such address{slash}"), request.path)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Django's handler500; 503 where the database is not to be had, or only reads, as a replica does."""
    error = sys.exception()  # Django calls while it handles what was raised, and hands over only the request
    busy = as_refusal(error) if isinstance(error, DatabaseError | InterfaceError) and _is_unavailable(error) else None
    if _wants_problem(request):
        failed = refuse("server_error", "the service failed; repeat the same request later")
        return response(busy or failed, request.path)
    if busy is None:
        return defaults.server_error(request)
    page = render_to_string("503.html")  # without the request, which would ask the database who it is from
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})


def _is_unavailable(error: DatabaseError | InterfaceError) -> bool:
    state = getattr(error.__cause__, "sqlstate", None)
    return isinstance(error, OperationalError | InterfaceError) or state in _UNAVAILABLE_STATES


def _wants_problem(request: HttpRequest) -> bool:
    """Under the API always, also where its address is misspelt; elsewhere unless it is a browser that asks."""
    if _API.match(request.path_info):
        return True
    return request.get_preferred_type(["application/json", "text/html"]) != "text/html"


def _text(detail: object) -> str:
    return detail if isinstance(detail, str) else json.dumps(detail, default=str)
