"""Lists in pages: `{next, previous, results}`, newest first, without skips or repeats while rows are added.

A page starts where another ended, by the values of a unique order (never by counting rows). A cursor belongs to the
address it came from; there it is a place in the list with any filters and page size.
"""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q, QuerySet
from rest_framework.request import Request

from jackpot.domain.errors import Refused, refuse
from jackpot.http.reading import ObjectReader
from jackpot.http.values import digits, text

M = TypeVar("M", bound=Model)

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 500
_LONGEST_CURSOR = 512


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place between rows: the values of the order at the row it lies behind (going back: before).

    `list` marks the list that it is a place of, whatever filters that is read with.
    """

    list: str
    values: tuple[str, ...]
    back: bool


@dataclass(frozen=True, slots=True)
class Page:
    """What a client asked for: how many rows, and from where."""

    size: int = DEFAULT_PAGE_SIZE
    cursor: Cursor | None = None


def page_asked(query: ObjectReader) -> Page:
    """Reads `page_size` (1 to 500) and `cursor`."""
    size = query.optional("page_size", digits(1, MAX_PAGE_SIZE), DEFAULT_PAGE_SIZE)
    return Page(size, query.optional("cursor", _cursor))


def page_of(
    request: Request,
    page: Page,
    rows: QuerySet[M],
    show: Callable[[M], dict[str, object]],
    *,
    order: Sequence[str] = ("id",),
    newest_first: bool = True,
) -> dict[str, object]:
    """One page of `rows` as the body of the answer; one query, plus what the queryset prefetches.

    `order` names fields that are unique together and never null, as ("received_at", "id").
    Raises Refused for a cursor that does not fit the order.
    """

    def show_each(found: Sequence[M]) -> list[dict[str, object]]:
        return [show(row) for row in found]

    return page_together(request, page, rows, show_each, order=order, newest_first=newest_first)


def page_together(
    request: Request,
    page: Page,
    rows: QuerySet[M],
    show: Callable[[Sequence[M]], list[dict[str, object]]],
    *,
    order: Sequence[str] = ("id",),
    newest_first: bool = True,
) -> dict[str, object]:
    """As `page_of`, for rows whose parts are read for the whole page at once."""
    back = page.cursor is not None and page.cursor.back
    descending = newest_first != back
    mark = _mark(request)
    if page.cursor is not None:
        if page.cursor.list != mark:
            raise _bad_cursor("/cursor")
        rows = rows.filter(_beyond(order, _values(rows.model, order, page.cursor), descending))
    found = list(rows.order_by(*(f"-{name}" if descending else name for name in order))[: page.size + 1])
    more = len(found) > page.size
    found = found[: page.size][:: -1 if back else 1]

    has_next = bool(found) if back else more
    has_previous = more if back else bool(found) and page.cursor is not None
    return {
        "next": _link(request, Cursor(mark, _place(found[-1], order), back=False)) if has_next else None,
        "previous": _link(request, Cursor(mark, _place(found[0], order), back=True)) if has_previous else None,
        "results": show(found),
    }


def _beyond(order: Sequence[str], values: Sequence[object], descending: bool) -> Q:
    """Rows behind a place: (a, b) < (x, y), written so that an index on the order serves it."""
    side = "lt" if descending else "gt"
    strictly = Q(**{f"{order[0]}__{side}": values[0]})
    if len(order) == 1:
        return strictly
    return Q(**{f"{order[0]}__{side}e": values[0]}) & (strictly | _beyond(order[1:], values[1:], descending))


def _place(row: Model, order: Sequence[str]) -> tuple[str, ...]:
    values = (getattr(row, name) for name in order)
    return tuple(value.isoformat() if isinstance(value, date) else str(value) for value in values)


def _link(request: Request, cursor: Cursor) -> str:
    document = json.dumps([cursor.list, int(cursor.back), *cursor.values], separators=(",", ":"))
    written = base64.urlsafe_b64encode(document.encode()).decode().rstrip("=")
    kept = {name: value for name, value in request.query_params.items() if name != "cursor"}
    return request.build_absolute_uri(f"{request.path}?{urlencode(kept | {'cursor': written})}")


def _mark(request: Request) -> str:
    return sha256(request.path.encode()).hexdigest()[:8]


def _cursor(value: object) -> Cursor:
    written = text(_LONGEST_CURSOR)(value)
    try:
        document = json.loads(base64.b64decode(written + "=" * (-len(written) % 4), altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        raise _bad_cursor() from None
    match document:
        case [str(mark), 0 | 1 as back, _, *_] if all(isinstance(v, str) and v.isprintable() for v in document[2:]):
            return Cursor(mark, tuple(document[2:]), back=back == 1)
    raise _bad_cursor()


def _values(model: type[Model], order: Sequence[str], cursor: Cursor) -> list[Any]:
    try:
        fields = [cast("Field[Any, Any]", model._meta.get_field(name)) for name in order]
        return [field.to_python(value) for field, value in zip(fields, cursor.values, strict=True)]
    except (ValidationError, ValueError, OverflowError):
        raise _bad_cursor("/cursor") from None


def _bad_cursor(pointer: str = "") -> Refused:
    return refuse("invalid_value", "follow the links of a page; this cursor is from no page of this list", pointer)
