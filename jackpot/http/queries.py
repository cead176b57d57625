"""Query parameters, read as strictly as bodies and with the same readers.

A parameter is pointed at like a field of an object: `?page_size=x` is `/page_size`.
"""

from urllib.parse import unquote_to_bytes

from django.http import HttpRequest
from rest_framework.request import Request

from jackpot.domain.errors import Refused, Violation, refuse
from jackpot.http.reading import MAX_VIOLATIONS, ObjectReader, step


def asking(request: Request | HttpRequest) -> ObjectReader:
    """Reads the query parameters: each given once, in UTF-8, without NUL; unknown ones refused on leaving."""
    try:
        unquote_to_bytes(request.META.get("QUERY_STRING", "")).decode()
    except UnicodeDecodeError:
        raise refuse("malformed", "the query is not UTF-8") from None
    given = dict(request.GET.lists())
    violations = [*_repeated(given), *_with_nul(given)]
    if violations:
        raise Refused(violations[:MAX_VIOLATIONS])
    return ObjectReader({name: values[0] for name, values in given.items()})


def _repeated(given: dict[str, list[str]]) -> list[Violation]:
    detail = "this parameter is given more than once"
    return [Violation("repeated_field", detail, step(name)) for name, values in given.items() if len(values) > 1]


def _with_nul(given: dict[str, list[str]]) -> list[Violation]:
    if any("\0" in name for name in given):
        return [Violation("invalid_value", "the query holds a NUL character")]
    detail = "NUL characters are not allowed here"
    return [Violation("invalid_value", detail, step(name)) for name, values in given.items() if "\0" in values[0]]
