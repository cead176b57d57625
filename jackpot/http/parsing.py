"""JSON bodies, strictly: what other parsers let pass without a word is refused here.

UTF-8 only; an object at the top; no repeated key, NUL, lone surrogate, NaN or Infinity; bounded size, depth and
number of values.
"""

import json
import math
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import IO, Any

from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser

from jackpot.domain.errors import Refused, Violation, refuse
from jackpot.http.reading import MAX_VIOLATIONS, step

MAX_BODY_BYTES = 8 * 1024 * 1024
MAX_ROUNDS_BODY_BYTES = 32 * 1024 * 1024
MAX_DEPTH = 32
MAX_VALUES = 4_000_000
"""More than the longest body holds where it is rounds: no box is as short as eight bytes a value. One of nothing but
brackets takes many times its length in memory, and seconds in which nobody else is served.
"""

_LONGEST_NUMBER = 19
_MEDIA_TYPE = re.compile(r'application/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?', re.IGNORECASE)
_ESCAPED_SUSPECT = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_BAD_CHARACTER = re.compile("[\x00\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """Puts `loads` of the body into `request.data`. A view raises the limit with `max_body_bytes`."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, object]:
        if not _MEDIA_TYPE.fullmatch((media_type or "").strip()):
            raise UnsupportedMediaType(media_type or "")
        context = parser_context or {}
        if (coding := _coding(context)) not in ("", "identity"):
            raise UnsupportedMediaType(coding, "send the body as it is, without a Content-Encoding")
        limit: int = getattr(context.get("view"), "max_body_bytes", MAX_BODY_BYTES)
        raw = b"" if _announced(context) > limit else stream.read(limit + 1)
        if max(_announced(context), len(raw)) > limit:
            raise refuse("body_too_large", f"the body is larger than {limit} bytes")
        return loads(raw)


class _Repeating(dict[str, object]):
    """An object that gave some of its keys more than once."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.repeated = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]


class _NotANumber(ValueError):
    pass


def loads(raw: bytes) -> dict[str, object]:
    """The object that a JSON body holds. Raises Refused with pointers.

    Numbers too large to mean anything become infinite, which no reader takes: the field's own code answers.
    """
    if sum(map(raw.count, (b"[", b"{", b","))) > MAX_VALUES:
        raise refuse("body_too_large", f"the body holds more than {MAX_VALUES} values")
    suspect = _ESCAPED_SUSPECT.search(raw) is not None

    def make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal suspect
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        suspect = True
        return _Repeating(pairs)

    decoder = json.JSONDecoder(
        object_pairs_hook=make_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
    )
    try:
        tree = decoder.decode(raw.decode())
    except UnicodeDecodeError as error:
        raise refuse("malformed", f"the body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise refuse("malformed", f"the body is not JSON: {error.msg} at character {error.pos}") from None
    except _NotANumber:
        raise refuse("malformed", "the body is not JSON: NaN and Infinity are no numbers") from None
    except RecursionError:
        raise _too_deep() from None
    if not isinstance(tree, dict):
        raise refuse("malformed", "the body must be a JSON object")
    _check_depth(tree)
    if suspect and (violations := list(islice(_faults(tree), MAX_VIOLATIONS))):
        raise Refused(violations)
    return tree


def _coding(context: Mapping[str, Any]) -> str:
    request = context.get("request")
    return str(request.META.get("HTTP_CONTENT_ENCODING", "")).strip().lower() if request is not None else ""


def _announced(context: Mapping[str, Any]) -> int:
    request = context.get("request")
    announced = request.META.get("CONTENT_LENGTH", "") if request is not None else ""
    return int(announced) if announced.isdecimal() else 0


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else math.inf


def _fraction(digits: str) -> float:
    return float(digits) if len(digits) <= _LONGEST_NUMBER else math.inf


def _constant(name: str) -> object:
    raise _NotANumber(name)


def _too_deep() -> Refused:
    return refuse("malformed", f"the body is nested more than {MAX_DEPTH} levels deep")


def _check_depth(tree: dict[str, object]) -> None:
    level: list[dict[str, object] | list[object]] = [tree]
    for _ in range(MAX_DEPTH):
        level = [
            part
            for whole in level
            for part in (whole.values() if isinstance(whole, dict) else whole)
            if isinstance(part, dict | list)
        ]
        if not level:
            return
    raise _too_deep()


def _faults(tree: dict[str, object]) -> Iterator[Violation]:
    """Repeated keys and characters that cannot be stored, with where they stand."""
    waiting: deque[tuple[str, object]] = deque([("", tree)])
    while waiting:
        at, value = waiting.popleft()
        if isinstance(value, str) and _BAD_CHARACTER.search(value):
            yield Violation("invalid_value", "NUL and lone surrogates are not allowed here", at)
        elif isinstance(value, list):
            waiting.extend((f"{at}/{index}", item) for index, item in enumerate(value))
        elif isinstance(value, dict):
            if any(_BAD_CHARACTER.search(name) for name in value):
                yield Violation("invalid_value", "NUL and lone surrogates are not allowed in a name", at)
                continue
            if isinstance(value, _Repeating):
                for name in value.repeated:
                    yield Violation("repeated_field", "this field is given more than once", at + step(name))
            waiting.extend((at + step(name), item) for name, item in value.items())
