"""The canonical form of what is sealed, in Python: pinned by hand, and the same as PostgreSQL's for any text."""

from datetime import UTC, date, datetime
from hashlib import sha256
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain.chain import BEGINNING, head, heads_in, link_digest, sealed_text

DIGEST = sha256(b"x").digest()


def test_each_field_stands_behind_its_length() -> None:
    assert sealed_text("leg", 12, None, "", True, date(2026, 11, 29)) == "3:leg,2:12,-,0:,4:true,10:2026-11-29"
    assert sealed_text(datetime(2026, 11, 29, 14, 22, 33, 5, tzinfo=UTC)) == "16:1795962153000005"
    assert sealed_text(b"\x00\xff", UUID(int=1)) == "4:00ff,36:00000000-0000-0000-0000-000000000001"


def test_lengths_count_characters_and_composed_differs_from_decomposed() -> None:
    assert sealed_text("𝔓🂡") == "2:𝔓🂡"
    assert sealed_text("Zo\u00eb") == "3:Zo\u00eb"
    assert sealed_text("Zoe\u0308") == "4:Zoe\u0308"


texts = st.none() | st.text(max_size=8)


@given(st.lists(texts, max_size=4), st.lists(texts, max_size=4))
def test_no_two_lists_of_fields_look_alike(one: list[str | None], other: list[str | None]) -> None:
    assert (sealed_text(*one) == sealed_text(*other)) == (one == other)


def test_a_link_is_the_one_before_it_its_place_and_its_lines() -> None:
    expected = sha256(BEGINNING + b"4:link,1:3,1:1\none\ntwo").digest()
    assert link_digest(3, 1, BEGINNING, ["one", "two"]) == expected
    assert link_digest(3, 1, BEGINNING, []) == sha256(BEGINNING + b"4:link,1:3,1:1\n").digest()


@pytest.mark.parametrize(
    "around", ["{}", "2026-11-29 12:00:00,000 jackpot.chain INFO sealed MAIN head={}", "{}  MAIN", "({})"]
)
def test_a_head_is_read_back_wherever_it_stands(around: str) -> None:
    assert heads_in(around.format(head(3, 12, DIGEST))) == [(3, 12, DIGEST)]


@pytest.mark.parametrize("text", ["3:12:abc", f"3:{DIGEST.hex()}", f"3:12:{DIGEST.hex()}0", f"1:3:12:{DIGEST.hex()}"])
def test_what_is_no_head_is_none(text: str) -> None:
    assert heads_in(text) == []
