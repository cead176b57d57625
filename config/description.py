"""The OpenAPI description of the whole API, made of what both apps say of their calls, and the pages that serve it.

`manage.py spectacular` prints it too. Description and pages are open to everybody who reaches the service: they are
the same for all deployments and tell nothing of what is stored.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from django.conf import settings
from django.urls import path
from drf_spectacular.drainage import warn
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from rest_framework.renderers import BaseRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.api import described as jackpots
from jackpot.http.calls import Answer, Call, shared_responses
from jackpot.http.keys import ANYONE
from jackpot.http.schemas import COMPONENTS, Schema
from jackpot.http.views import ApiView
from tables.api import described as tables

PREFIX = "/api/v1"

_ANY_OBJECT: Schema = {"type": "object"}
_OWN: dict[str, Call] = {
    "GET /schema/": Call(
        id="readSchema",
        tag="Description",
        summary="This description",
        says="OpenAPI 3.1, as JSON or, for who accepts `application/yaml`, as YAML.",
        answers={
            200: Answer(
                says="The description.",
                schema=_ANY_OBJECT,
                media_types={
                    renderer.media_type: _ANY_OBJECT
                    for renderer in (OpenApiJsonRenderer, OpenApiYamlRenderer, OpenApiYamlRenderer2)
                },
            )
        },
    ),
    "GET /docs/": Call(
        id="readDocs",
        tag="Description",
        summary="Interactive documentation",
        says="A page to read this description and to try its calls. It loads nothing from other hosts.",
        answers={200: Answer(says="The page.", media_types={"text/html": {"type": "string"}})},
    ),
}
CALLS: dict[str, Call] = {**tables.CALLS, **jackpots.CALLS, **_OWN}
SCHEMAS: dict[str, Schema] = {**COMPONENTS, **jackpots.SCHEMAS, **tables.SCHEMAS}

_SECURITY = {
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "`Authorization: Bearer <key>`: a key of an integrator, with the scope that the call names.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": settings.SESSION_COOKIE_NAME,
        "description": "The console's session of a staff member; other calls than GET also need the CSRF token in the"
        " header `X-CSRFToken`.",
    },
}
_TAGS = {
    "Rounds": "Whole rounds in, and rounds as they stand.",
    "Live rounds": "Rounds played step by step, on the server's clock.",
    "Tables": "What a house is made of.",
    "Jackpots": "How the meters stand, and every change of them.",
    "Awards": "What hits and Envy owe.",
    "Reports": "What a gaming day came to.",
    "Events": "What happened, for who has to catch up.",
    "Description": "This description.",
}


class Inspector(AutoSchema):
    """Draws an operation as `CALLS` describes it; warns of a view that nobody described."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> dict[str, Any] | None:
        name = f"{method} {path.removeprefix(PREFIX)}"
        if name not in CALLS:
            warn(f"{name} is not described")
            return None
        view, safe = cast(ApiView, self.view), method == "GET"
        need = view.reads if safe else view.writes
        if need is None:
            raise TypeError(f"{name} does not say what it needs")
        return CALLS[name].drawn(need=need, safe=safe)


def complete(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """drf-spectacular's hook after it has gone through the addresses: adds what they share."""
    result["tags"] = [{"name": name, "description": says} for name, says in _TAGS.items()]
    result["webhooks"] = jackpots.WEBHOOKS
    result["components"] = {
        "schemas": dict(sorted(SCHEMAS.items())),
        "responses": shared_responses(result["paths"]),
        "securitySchemes": _SECURITY,
    }
    return result


@cache
def document() -> Mapping[str, Any]:
    """The description; the same for everybody and as long as the process lives."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return made


class Description(ApiView):
    """The description itself, as JSON or YAML."""

    reads = ANYONE
    authentication_classes = ()
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer2, OpenApiYamlRenderer)

    def get(self, request: Request) -> Response:
        return Response(document())


class Documentation(ApiView):
    """Swagger UI from our own static files; its policy lets it reach no other host."""

    reads = ANYONE
    authentication_classes = ()
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )

    def get_renderers(self) -> list[BaseRenderer]:
        """The page has one form only, whoever asks."""
        return [TemplateHTMLRenderer()]

    def get(self, request: Request) -> Response:
        return Response(template_name="jackpot/docs.html", headers={"Content-Security-Policy": self.policy})


addresses = [path("schema/", Description.as_view(), name="schema"), path("docs/", Documentation.as_view())]
