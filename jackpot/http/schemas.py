"""The values of `jackpot.http.values` and `jackpot.http.showing` as JSON Schemas (2020-12), for the description.

What is sent and what is shown differ: amounts are shown with exactly their currency's decimals, and a field that may
be left out of a body may also be null there. Every object lists all its fields and takes no other.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any

from jackpot.http.catalogue import CATALOGUE
from jackpot.http.pages import MAX_PAGE_SIZE
from jackpot.http.reading import MAX_VIOLATIONS
from jackpot.http.values import BIGGEST_INTEGER

Schema = dict[str, Any]

# Of the characters that `values.text` refuses those that any pattern can name; Unicode's categories it cannot.
_UNSEEN = (
    r"\u007f-\u00a0\u00ad\u034f\u115f\u1160\u1680\u17b4\u17b5\u180e"
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0"
)
_CONTROL, _CONTROL_BUT_LINES = r"\u0000-\u001f", r"\u0000-\u0008\u000b\u000c\u000e-\u001f"


def ref(name: str) -> Schema:
    """The component of that name."""
    return {"$ref": f"#/components/schemas/{name}"}


def shown(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object in an answer: its fields stand there always, those of `optional` sometimes."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def sent(required: Mapping[str, Schema] | None = None, optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object in a body: what may be left out may be null as well."""
    return shown(required or {}, {name: nullable(schema) for name, schema in (optional or {}).items()})


def nullable(schema: Schema) -> Schema:
    """The schema, or null."""
    if schema.get("type") == "null":
        return schema
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def listed(item: Schema, *, most: int | None = None, least: int = 0) -> Schema:
    """A list of items."""
    return {"type": "array", "items": item, **_bounds("Items", least, most)}


def one_of(kind: type[StrEnum] | Iterable[str]) -> Schema:
    """One of the values of an enumeration."""
    return {"type": "string", "enum": [str(value) for value in kind]}


def said(schema: Schema, description: str) -> Schema:
    """The schema with a description of what it means at this place."""
    return schema | {"description": description}


def integer(least: int = 1, most: int | None = BIGGEST_INTEGER) -> Schema:
    """The schema of `values.integer` and `values.digits`."""
    return {"type": "integer", "minimum": least, **({} if most is None else {"maximum": most})}


def text(most: int, *, lines: bool = False, empty: bool = False) -> Schema:
    """The schema of `values.text`, which also refuses what is not assigned, private or not in form NFC."""
    seen = f"[^{_CONTROL} {_UNSEEN}]"
    if lines:
        any_of_them = f"[^{_CONTROL_BUT_LINES}{_UNSEEN}]*"
        written = f"{any_of_them}{seen}{any_of_them}"
    else:
        written = f"{seen}([^{_CONTROL}{_UNSEEN}]*{seen})?"
    return {
        "type": "string",
        "pattern": f"^({written})?$" if empty else f"^{written}$",
        **_bounds("Length", 0 if empty else 1, most),
    }


def page_of(item: str) -> Schema:
    """A page of a list whose items are the component of that name."""
    link = nullable({"type": "string", "format": "uri"})
    return shown(
        {
            "next": said(link, "The address of the page after this one; null at the end."),
            "previous": said(link, "The address of the page before this one; null at the start."),
            "results": listed(ref(item), most=MAX_PAGE_SIZE),
        }
    )


def problem_of(status: int, codes: Collection[str]) -> Schema:
    """A problem of one status, with the codes that are possible at one place."""
    return {"allOf": [ref("Problem"), {"properties": {"status": {"const": status}, "code": {"enum": list(codes)}}}]}


def _bounds(what: str, least: int, most: int | None) -> Schema:
    return {**({f"min{what}": least} if least else {}), **({} if most is None else {f"max{what}": most})}


CODE = ref("Code")
"""The code of a table, site, jackpot, level or rule set."""

COMPONENTS: dict[str, Schema] = {
    "Code": text(32) | {"description": "In visible characters and spaces, in Unicode's form NFC, as all text."},
    "MoneySent": {
        "type": "string",
        "pattern": r"^[0-9]{1,9}(\.[0-9]{1,3})?$",
        "description": "An amount that is sent: ASCII digits with at most the currency's decimals and nine digits"
        " before the point. No number, sign, exponent or blank.",
        "examples": ["5.00"],
    },
    "Money": {
        "type": "string",
        "pattern": r"^(0|[1-9][0-9]*)(\.[0-9]{2,3})?$",
        "description": "An amount that is shown, with exactly the currency's decimals.",
        "examples": ["10000.40"],
    },
    "Net": {
        "type": "string",
        "pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]{2,3})?$",
        "description": "As Money; negative where more was staked than came back.",
        "examples": ["-5.00"],
    },
    "ExactMoney": {
        "type": "string",
        "pattern": r"^-?(0|[1-9][0-9]*)\.[0-9]{6,9}$",
        "description": "An exact amount, with six decimals more than the currency.",
        "examples": ["0.00750000"],
    },
    "TimeSent": {
        "type": "string",
        "format": "date-time",
        "pattern": r"^(19[7-9][0-9]|20[0-9]{2}|2100)-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        r"[Tt]([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
        "description": "RFC 3339 with an offset, from 1970 to 2100, without leap seconds.",
        "examples": ["2026-11-29T14:22:33+01:00"],
    },
    "Time": {
        "type": "string",
        "format": "date-time",
        "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{6})?Z$",
        "description": "RFC 3339 in UTC, to the microsecond where it has a fraction.",
        "examples": ["2026-11-29T14:22:33Z"],
    },
    "Day": {
        "type": "string",
        "format": "date",
        "pattern": "^(19[7-9][0-9]|20[0-9]{2}|2100)-[0-9]{2}-[0-9]{2}$",
        "description": "A gaming day.",
        "examples": ["2026-11-29"],
    },
    "Uuid": {
        "type": "string",
        "format": "uuid",
        "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        "examples": ["01939a3c-7e5c-7a7e-9a51-6f1d5b5f0c01"],
    },
    "UuidSent": {"type": "string", "format": "uuid", "pattern": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"},
    "Currency": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "ISO 4217.", "examples": ["USD"]},
    "ProblemCode": said(one_of(CATALOGUE), "What went wrong; what to do about each is in docs/errors.md."),
    "Problem": shown(
        {
            "type": {
                "type": "string",
                "format": "uri-reference",
                "description": "The stable path that names and documents this kind of problem.",
                "examples": ["/errors/missing_field"],
            },
            "title": {"type": "string"},
            "status": {"type": "integer", "enum": sorted({kind.status for kind in CATALOGUE.values()})},
            "detail": {"type": "string"},
            "code": ref("ProblemCode"),
            "instance": said({"type": "string"}, "The address of what was asked, or of a part of it."),
            "errors": listed(ref("Fault"), most=MAX_VIOLATIONS, least=1),
        }
    )
    | {"description": "RFC 9457. `detail` and `code` are those of the first of `errors`."},
    "Fault": shown(
        {
            "pointer": said({"type": "string"}, "A JSON pointer (RFC 6901) into what was sent."),
            "code": ref("ProblemCode"),
            "detail": {"type": "string"},
        }
    ),
}
"""What both apps' descriptions share."""
