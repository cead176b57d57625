"""Two reports are the same if their content is, however it was written."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.domain.hands import HandName
from tables.domain.record import canonical, fingerprint, reported
from tests.factories.shuffle import Shuffle
from tests.factories.shuffle import reported as read

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS | st.sampled_from(HandName)
DOCUMENTS = st.dictionaries(
    TEXTS, st.recursive(PLAIN, lambda parts: st.lists(parts) | st.tuples(parts, parts) | st.dictionaries(TEXTS, parts))
)
BODY = Shuffle(1, ["T-01"]).round("royal_flush")


def test_the_order_of_keys_does_not_count_and_that_of_items_does() -> None:
    assert fingerprint({"a": 1, "b": [1, 2]}) == fingerprint({"b": (1, 2), "a": 1})
    assert fingerprint({"a": [1, 2]}) != fingerprint({"a": [2, 1]})


def test_different_content_differs() -> None:
    different: list[object] = [
        None,
        "",
        "1",
        1,
        0,
        [],
        {},
        [None],
        {"a": None},
        "e\u0301",
        "\u00e9",
        [[]],
        [1, 2],
        [12],
    ]
    assert len({fingerprint({"content": content}) for content in different}) == len(different)


def test_it_is_sha_256_of_canonical_json() -> None:
    assert canonical({"b": None, "a": "♠"}) == '{"a":"♠","b":null}'.encode()
    assert fingerprint({}).hex() == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@given(DOCUMENTS)
def test_whoever_audits_makes_the_same_bytes_with_any_json_library(document: dict[str, Any]) -> None:
    plain = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical(document) == plain.encode()


@pytest.mark.parametrize(
    "written",
    [
        {"boxes": BODY["boxes"][::-1]},
        {"boxes": [box | {"blind": box["ante"]} for box in BODY["boxes"]]},
        {"started_at": BODY["started_at"].replace("+00:00", "Z")},
    ],
    ids=["boxes in another order", "with the Blind", "another way to write a time"],
)
def test_a_report_written_otherwise_is_the_same(written: dict[str, Any]) -> None:
    assert reported(read(BODY | written)) == reported(read(BODY))


@pytest.mark.parametrize("changed", [{"turn": BODY["river"], "river": BODY["turn"]}, {"table": "T-02"}])
def test_a_report_of_something_else_is_not(changed: dict[str, Any]) -> None:
    assert fingerprint(reported(read(BODY | changed))) != fingerprint(reported(read(BODY)))
