"""Bodies: strict JSON or 400, whatever the bytes are."""

import json
from contextlib import suppress
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain.errors import Refused
from jackpot.http import parsing
from jackpot.http.parsing import MAX_DEPTH, loads


def faults(raw: bytes | str) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as caught:
        loads(raw if isinstance(raw, bytes) else raw.encode())
    return [(violation.pointer, violation.code) for violation in caught.value.violations]


def nested(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def test_an_object_is_taken() -> None:
    sent = {"table": "UTH-01", "boxes": [{"box": 1, "cards": ["A♠", "10h"]}], "void": None, "note": "🂡 \\u0000"}
    assert loads(json.dumps(sent).encode()) == sent
    assert loads(json.dumps(sent, ensure_ascii=False, indent=2).encode()) == sent


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b" ", b"null", b"[]", b'"x"', b"1", b"true", b"{}{}", b"{", b'{"a":1,}', b"{'a':1}", b"{a:1}", b"<a/>"),
        *(b"\xff", b'{"a":"\xff"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xc0\x80"}', b'\xef\xbb\xbf{"a":1}'),
        *('{"a":1}'.encode(encoding) for encoding in ("utf-16", "utf-16-le", "utf-32")),
        *(b'{"a":NaN}', b'{"a":Infinity}', b'{"a":-Infinity}', b'{"a":01}', b'{"a":+1}', b'{"a":.5}', b'{"a":0x1}'),
        *(b'{"a":"\x00"}', b'{"a":"\n"}', b'{"a":1}\x00', b'{"a":"\\x00"}', b'{"a":/**/1}', b'{"a":"\\ud8"}'),
    ],
)
def test_what_is_no_json_object(raw: bytes) -> None:
    assert faults(raw) == [("", "malformed")]


def test_repeated_keys_are_found_anywhere_with_their_pointer() -> None:
    assert faults('{"a":1,"a":1}') == [("/a", "repeated_field")]
    assert faults('{"a":1,"\\u0061":2}') == [("/a", "repeated_field")]
    assert faults('{"rounds":[{},{"b":{"x":1,"y":2,"x":3,"y":4}}]}') == [
        ("/rounds/1/b/x", "repeated_field"),
        ("/rounds/1/b/y", "repeated_field"),
    ]


def test_a_repeated_key_is_found_inside_a_repeated_key() -> None:
    assert faults('{"a":{"b":1,"b":1},"a":{"c":1,"c":1}}') == [("/a", "repeated_field"), ("/a/c", "repeated_field")]


def test_nul_and_lone_surrogates_are_found_anywhere() -> None:
    assert faults('{"a":{"note":"a\\u0000"}}') == [("/a/note", "invalid_value")]
    assert faults('{"a":["x","\\ud800"]}') == [("/a/1", "invalid_value")]
    assert faults('{"a":"\\uDFFF\\uD800"}') == [("/a", "invalid_value")]
    assert faults('{"a":{"x\\u0000":1}}') == [("/a", "invalid_value")]
    assert faults('{"\\udead":1}') == [("", "invalid_value")]
    assert loads(b'{"a":"\\ud83c\\udca1"}') == {"a": "🂡"}


@pytest.mark.parametrize(
    "number", ["1e400", "-1e400", "9" * 20, "1" * 5_000, "1" * 10**6, "0." + "1" * 5_000, "1e999999999"]
)
def test_numbers_too_large_become_what_no_reader_takes(number: str) -> None:
    assert loads(f'{{"a":{number}}}'.encode()) == {"a": float(number) if number == "-1e400" else inf}


@pytest.mark.parametrize("value", [b"[]", b"{}", b"1"])
def test_the_number_of_values_is_limited(value: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body of nothing but brackets would take a hundred times its length in memory, before any field is read."""
    monkeypatch.setattr(parsing, "MAX_VALUES", 40)
    loads(b'{"a":[' + b",".join([value] * 19) + b"]}")
    with pytest.raises(Refused) as refused:
        loads(b'{"a":[' + b",".join([value] * 41) + b"]}")
    assert refused.value.code == "body_too_large"


def test_depth_is_limited() -> None:
    assert loads(nested(MAX_DEPTH).encode())
    for depth in (MAX_DEPTH + 1, 500, 990, 10**5):
        assert faults(nested(depth)) == [("", "malformed")]
        assert faults('{"a":' + "[" * depth + "]" * depth + "}") == [("", "malformed")]
        assert faults("[" * depth) == [("", "malformed")]


@given(st.binary(max_size=200))
def test_any_bytes_are_taken_or_refused(raw: bytes) -> None:
    with suppress(Refused):
        assert isinstance(loads(raw), dict)


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(10**17), 10**18),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=9,
        ),
    )
)
def test_what_was_written_is_what_is_read(sent: dict[str, object]) -> None:
    assert loads(json.dumps(sent).encode()) == sent
