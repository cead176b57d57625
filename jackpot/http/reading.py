"""Reading JSON strictly, so that the code that reads looks like what is read.

A *reader* is a function from a parsed JSON value to a checked one; it raises `Refused` with pointers relative
to its own value. Readers of parts make readers of wholes, which put their own step before the pointers:

    def read_box(value: object) -> Box:
        with reading(value) as box:
            number = box.required("box", integer(1, 5_000))
            ante = box.required("ante", money(USD))
            trips = box.optional("trips", money(USD), 0)
        return Box(number, ante, trips)

    with reading(body) as sent:
        boxes = sent.required("boxes", each(read_box, most=5_000))

Everything wrong with a body is reported together, errors of shape (400) before errors of rule (422).
Inside the `with` block a field that was refused reads as None; after the block everything is as declared.
"""

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self, TypeVar, cast, overload

from jackpot.domain.errors import Refused, Violation, refuse
from jackpot.http.catalogue import error_class

T = TypeVar("T")
D = TypeVar("D")
Reader = Callable[[object], T]

MAX_VIOLATIONS = 100
_LONGEST_NAME_SHOWN = 64


def reading(value: object) -> "ObjectReader":
    """Reads the fields of a JSON object. Raises Refused (invalid_value) where it is none."""
    if not isinstance(value, dict):
        raise refuse("invalid_value", "an object is expected here")
    return ObjectReader(value)


class ObjectReader:
    """The fields of one object, each read once; on leaving the block, what is left over is refused."""

    def __init__(self, fields: dict[str, object]) -> None:
        self._fields = fields
        self._known: set[str] = set()
        self._violations: list[Violation] = []

    def required(self, name: str, reader: Reader[T]) -> T:
        """The field's value; missing or null is `missing_field`."""
        if not self.given(name):
            self.fault("missing_field", f"{name} is missing", name)
            return cast(T, None)
        return self._read(name, reader)

    @overload
    def optional(self, name: str, reader: Reader[T]) -> T | None: ...
    @overload
    def optional(self, name: str, reader: Reader[T], default: D) -> T | D: ...
    def optional(self, name: str, reader: Reader[T], default: D | None = None) -> T | D | None:
        """The field's value, or the default where it is left out or null."""
        return self._read(name, reader) if self.given(name) else default

    def given(self, name: str) -> bool:
        """Whether the field stands there with a value other than null."""
        self._known.add(name)
        return self._fields.get(name) is not None

    def fault(self, code: str, detail: str, name: str | None = None) -> None:
        """Notes something else that is wrong, with the field `name` or with the object itself."""
        self._violations.append(Violation(code, detail, "" if name is None else step(name)))

    def _read(self, name: str, reader: Reader[T]) -> T:
        try:
            return reader(self._fields[name])
        except Refused as refused:
            self._violations.extend(under(name, refused))
            return cast(T, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Refused):
            self._violations.extend(error.violations)
        elif error is not None and not (isinstance(error, Exception) and self._violations):
            return
        self._refuse_unknown()
        if self._violations:
            raise Refused(shape_first(self._violations)) from error

    def _refuse_unknown(self) -> None:
        if self._fields.keys() <= self._known:
            return
        known = ", ".join(sorted(self._known)) or "none"
        for name in list(self._fields.keys() - self._known)[:MAX_VIOLATIONS]:
            self.fault("unknown_field", f'"{shortened(name)}" is not a field here; known: {known}', name)


def each(reader: Reader[T], *, most: int, least: int = 0) -> Reader[list[T]]:
    """Reads a list of `least` to `most` items. A list of the wrong length is not read any further."""

    def read(value: object) -> list[T]:
        if not isinstance(value, list):
            raise refuse("invalid_value", "a list is expected here")
        if not least <= len(value) <= most:
            raise refuse("invalid_value", f"a list of {least} to {most} items is expected here")
        return _read_all(enumerate(value), reader)

    return read


def by_number(reader: Reader[T], *, most: int) -> Reader[dict[int, T]]:
    """Reads an object whose keys are positive whole numbers ("1"), such as box numbers, into a dict."""

    def read(value: object) -> dict[int, T]:
        if not isinstance(value, dict):
            raise refuse("invalid_value", "an object is expected here")
        if len(value) > most:
            raise refuse("invalid_value", f"at most {most} entries are expected here")
        wrong = [name for name in value if not _is_number(name)]
        if wrong:
            detail = "a whole number from 1, without leading zeros, is expected as the name"
            raise Refused(Violation("invalid_value", detail, step(name)) for name in wrong[:MAX_VIOLATIONS])
        return dict(zip(map(int, value), _read_all(value.items(), reader), strict=True))

    return read


def anything(value: object) -> object:
    """The value as it stands, for items that are read one by one later."""
    return value


def under(name: str | int, refused: Refused) -> list[Violation]:
    """The violations of a part, as violations of the whole in which the part stands at `name`."""
    return [Violation(v.code, v.detail, step(name) + v.pointer) for v in refused.violations]


def step(name: str | int) -> str:
    """One step of a JSON pointer (RFC 6901); endless names are cut."""
    return "/" + shortened(str(name)).replace("~", "~0").replace("/", "~1")


def shortened(name: str) -> str:
    """A name as shown in an answer."""
    return name if len(name) <= _LONGEST_NAME_SHOWN else name[:_LONGEST_NAME_SHOWN] + "…"


def shape_first(violations: Iterable[Violation]) -> list[Violation]:
    """Errors of shape before errors of rule, otherwise in the order found; at most MAX_VIOLATIONS."""
    return sorted(violations, key=lambda v: error_class(v.code).status)[:MAX_VIOLATIONS]


def _read_all(items: Iterable[tuple[str | int, object]], reader: Reader[T]) -> list[T]:
    found: list[T] = []
    violations: list[Violation] = []
    for name, item in items:
        try:
            found.append(reader(item))
        except Refused as refused:
            violations.extend(under(name, refused))
            if len(violations) >= MAX_VIOLATIONS:
                break
    if violations:
        raise Refused(shape_first(violations))
    return found


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= 9 and name[0] != "0"
