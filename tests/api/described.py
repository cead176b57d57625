"""Holding answers of the service against its own description: status, media type, headers and every field."""

import json
import re
from functools import cache
from typing import Any

import jsonschema_rs
from django.http import Http404

from config import description
from jackpot.http.problems import CONTENT_TYPE
from jackpot.http.renderers import Browsable

_CONVERTER = re.compile(r"<(?:\w+:)?(\w+)>")
_PREFIX = "/api/v1/"
_SPARE = frozenset(
    {
        "Allow", "Cache-Control", "Content-Length", "Content-Security-Policy", "Content-Type",
        "Cross-Origin-Opener-Policy", "Referrer-Policy", "Vary", "X-Accel-Buffering", "X-Content-Type-Options",
        "X-Frame-Options",
    }
)  # fmt: skip
"""Headers of HTTP and of Django that the description does not mention."""


def operation_of(response: Any) -> dict[str, Any] | None:
    """The operation that answered; None for an address or a method that the service does not have."""
    method = response.request["REQUEST_METHOD"].lower()
    try:
        route = response.resolver_match.route
    except Http404:
        return None
    methods = description.document()["paths"].get("/" + _CONVERTER.sub(r"{\1}", route), {})
    found: dict[str, Any] | None = methods.get("get" if method == "head" else method)
    return found


def check_described(response: Any) -> None:
    """Fails where an answer is not as described."""
    if not response.request["PATH_INFO"].startswith(_PREFIX):
        return
    operation = operation_of(response)
    if operation is None:
        assert response.status_code in {400, 401, 403, 404, 405, 406, 429}, response.status_code
        _check(response, {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}})
        return
    where = f"{operation['operationId']} {response.status_code}"
    assert str(response.status_code) in operation["responses"], where
    described = _resolved(operation["responses"][str(response.status_code)])
    headers = described.get("headers", {})
    assert set(response.headers) - _SPARE <= headers.keys(), where
    assert {name for name, header in headers.items() if header.get("required")} <= set(response.headers), where
    _check(response, described["content"])


def validator(schema: dict[str, Any]) -> Any:
    """A validator of a schema that may use the description's components."""
    document = {**schema, "components": description.document()["components"]}
    return jsonschema_rs.Draft202012Validator(document, validate_formats=True)


def _check(response: Any, content: dict[str, Any]) -> None:
    media_type = response["Content-Type"].split(";")[0]
    if media_type == "text/html" and isinstance(getattr(response, "accepted_renderer", None), Browsable):
        return  # a page around the answer, for staff in a browser
    assert media_type in content, media_type
    if response.request["REQUEST_METHOD"] != "HEAD" and media_type.endswith("json"):
        error = next(_validator(json.dumps(content[media_type]["schema"])).iter_errors(response.json()), None)
        assert error is None, str(error)


@cache
def _validator(schema: str) -> Any:
    return validator(json.loads(schema))


def _resolved(part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    found: dict[str, Any] = description.document()["components"]["responses"][part["$ref"].rpartition("/")[2]]
    return found
