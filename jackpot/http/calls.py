"""Calls of the API as OpenAPI draws them, from a few lines for each: `{"GET /tables/": Call(...)}`.

What a call needs (a key's scope, a person) is read off its view and what its problems are off the catalogue, so that
neither can be said otherwise than it is.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jackpot.domain.callers import STAFF_SCOPES, Scope
from jackpot.http.catalogue import CATALOGUE
from jackpot.http.keys import ANYONE, PERSON, Need
from jackpot.http.pages import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from jackpot.http.problems import CONTENT_TYPE
from jackpot.http.repeats import KEY_HEADER, REPLAYED_HEADER
from jackpot.http.schemas import Schema, integer, problem_of, ref, said

JSON = "application/json"

_LOCATION = {"Location": {"required": True, "schema": {"type": "string", "format": "uri"}}}
_REPLAYED = {
    REPLAYED_HEADER: {
        "description": "The answer repeats an earlier one: the same content was sent before.",
        "schema": {"type": "string", "const": "true"},
    }
}
_KEY = {
    "in": "header",
    "name": KEY_HEADER,
    "required": True,
    "description": "Names this request for ever: sent again with equal content it is answered again, and done once.",
    "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$"},
    "examples": {"key": {"value": "pay-gs-000123-1"}},
}
_FILE_NAME = {
    "Content-Disposition": {
        "description": "The name of the file, for other formats than JSON.",
        "schema": {"type": "string"},
    }
}
_RETRY_AFTER = {"Retry-After": {"description": "Seconds.", "required": True, "schema": integer()}}
_OF_STATUS: dict[int, dict[str, Any]] = {
    401: {"WWW-Authenticate": {"required": True, "schema": {"type": "string"}}},
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}
_ALWAYS = (
    "malformed", "unknown_field", "repeated_field", "invalid_value", "not_acceptable", "body_too_large", "throttled",
    "busy",
)  # fmt: skip
_OF_A_BODY = (
    "missing_field",
    "invalid_money",
    "invalid_time",
    "invalid_card",
    "unsupported_media_type",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A successful answer: JSON of a `schema` (None: none), with examples by name, and what else may be asked for."""

    says: str
    schema: Schema | None = None
    examples: Mapping[str, object] = field(default_factory=dict)
    located: bool = False
    """It says in `Location` where the round is to be read."""
    replayable: bool = False
    """It may be the repetition of an earlier answer, and says so in a header."""
    media_types: Mapping[str, Schema] = field(default_factory=dict)
    kept: bool = False
    """It may be a file to be kept, and then says its name in a header."""

    def drawn(self) -> dict[str, Any]:
        """The OpenAPI response."""
        content = {} if self.schema is None else {JSON: _content(self.schema, self.examples)}
        said = ((self.located, _LOCATION), (self.replayable, _REPLAYED), (self.kept, _FILE_NAME))
        headers = {name: header for holds, named in said if holds for name, header in named.items()}
        return {
            "description": self.says,
            **({"headers": headers} if headers else {}),
            "content": {**content, **{media: {"schema": schema} for media, schema in self.media_types.items()}},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call. `refusals` are the codes it can be refused with beside those of every call."""

    id: str
    tag: str
    summary: str
    says: str
    answers: Mapping[int, Answer]
    body: Schema | None = None
    body_required: bool = True
    examples: Mapping[str, object] = field(default_factory=dict)
    path: Mapping[str, Schema] = field(default_factory=dict)
    query: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, Schema] = field(default_factory=dict)
    needed: Collection[str] = ()
    """Those of the query that must be given."""
    refusals: Iterable[str] = ()
    repeatable: bool = False
    """It needs an `Idempotency-Key`."""

    def drawn(self, *, need: Need, safe: bool) -> dict[str, Any]:
        """The OpenAPI operation. `need` is what the view says of this method, which is `safe` if it only reads."""
        body = {"required": self.body_required, "content": {JSON: _content(self.body or {}, self.examples)}}
        return {
            "operationId": self.id,
            "tags": [self.tag],
            "summary": self.summary,
            "description": f"{self.says}\n\n{_needs(need)}",
            "parameters": [
                *(_parameter("path", name, schema, required=True) for name, schema in self.path.items()),
                *(
                    _parameter("query", name, schema, required=name in self.needed)
                    for name, schema in self.query.items()
                ),
                *(_parameter("header", name, schema) for name, schema in self.headers.items()),
                *([_KEY] if self.repeatable else []),
            ],
            **({} if self.body is None else {"requestBody": body}),
            "security": _security(need),
            "responses": {
                **{str(status): answer.drawn() for status, answer in sorted(self.answers.items())},
                **_problems(self._codes(need, safe=safe)),
            },
        }

    def _codes(self, need: Need, *, safe: bool) -> set[str]:
        codes = {*_ALWAYS, *self.refusals}
        if need != ANYONE:
            codes |= {"unauthenticated", "person_required" if need == PERSON else "scope_required"}
        if self.body is not None:
            codes |= set(_OF_A_BODY)
        if not safe:  # a body may be sent where none belongs
            codes |= {"forbidden", "body_too_large", "unsupported_media_type"}
        if self.path:
            codes |= {"not_found"}
        if self.repeatable:
            codes |= {"missing_field", "idempotency_conflict", "in_progress"}
        return codes


def of_status(status: int) -> list[str]:
    """All codes of the catalogue with that status."""
    return [code for code, kind in CATALOGUE.items() if kind.status == status]


PERIOD: dict[str, Schema] = {
    "day": said(ref("Day"), "Only of this gaming day."),
    "from": said(ref("TimeSent"), "Only from this instant on."),
    "to": said(ref("TimeSent"), "Only before this instant."),
}
"""The query parameters by which lists of what happened are narrowed."""

PAGED: dict[str, Schema] = {
    "page_size": said(integer(1, MAX_PAGE_SIZE) | {"default": DEFAULT_PAGE_SIZE}, "How many rows a page has."),
    "cursor": {
        "type": "string",
        "pattern": "^[A-Za-z0-9_-]{1,512}$",
        "description": "From where the page starts, as the links `next` and `previous` give it.",
    },
}
"""The query parameters of every list."""


def _content(schema: Schema, examples: Mapping[str, object]) -> dict[str, Any]:
    shown = {name: {"value": value} for name, value in examples.items()}
    return {"schema": schema, **({"examples": shown} if shown else {})}


def _parameter(place: str, name: str, schema: Schema, *, required: bool = False) -> dict[str, Any]:
    """A parameter; its schema's description and examples are said of the parameter itself."""
    plain = {key: value for key, value in schema.items() if key not in ("description", "examples")}
    examples = {str(value): {"value": value} for value in schema.get("examples", ())}
    return {
        "in": place,
        "name": name,
        "required": required,
        **({"description": schema["description"]} if "description" in schema else {}),
        "schema": plain,
        **({"examples": examples} if examples else {}),
    }


def shared_responses(paths: Mapping[str, Any]) -> dict[str, Any]:
    """The responses to which these paths refer, as components: those of a single code."""
    named = json.dumps(paths)
    return {_name(code): _problem([code]) for code in CATALOGUE if f'"{_shared(code)["$ref"]}"' in named}


def _problems(codes: Iterable[str]) -> dict[str, Any]:
    """A response for each status, with the codes possible there, in the catalogue's order."""
    by_status: dict[int, list[str]] = {}
    for code, kind in CATALOGUE.items():
        if code in codes:
            by_status.setdefault(kind.status, []).append(code)
    return {str(status): _problem(found) if found[1:] else _shared(found[0]) for status, found in by_status.items()}


def _problem(codes: list[str]) -> dict[str, Any]:
    kinds = [CATALOGUE[code] for code in codes]
    status = kinds[0].status
    return {
        "description": "\n".join(f"- `{kind.code}`: {kind.title}. {kind.remedy}" for kind in kinds),
        **({"headers": _OF_STATUS[status]} if status in _OF_STATUS else {}),
        "content": {CONTENT_TYPE: {"schema": problem_of(status, codes)}},
    }


def _shared(code: str) -> dict[str, Any]:
    return {"$ref": f"#/components/responses/{_name(code)}"}


def _name(code: str) -> str:
    return code.title().replace("_", "")


def _security(need: Need) -> list[dict[str, list[str]]]:
    if need == ANYONE:
        return []
    if not isinstance(need, Scope):
        return [{"session": []}]
    key: dict[str, list[str]] = {"key": [str(need)]}
    return [key, {"session": []}] if need in STAFF_SCOPES else [key]


def _needs(need: Need) -> str:
    if need == ANYONE:
        return "Open to everybody: needs no key."
    if not isinstance(need, Scope):
        return "Needs a staff member's session; keys may not."
    return f"Needs a key with the scope `{need}`" + (", or a staff session." if need in STAFF_SCOPES else ".")
