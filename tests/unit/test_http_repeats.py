"""Two requests are the same if their content is, however it was written."""

import pytest

from jackpot.http.repeats import fingerprint, replay_headers


def test_the_order_of_keys_does_not_count_and_that_of_items_does() -> None:
    assert fingerprint({"a": 1, "b": [1, 2]}) == fingerprint({"b": [1, 2], "a": 1})
    assert fingerprint([1, 2]) != fingerprint([2, 1])
    assert fingerprint((1, 2)) == fingerprint([1, 2])


def test_different_content_differs() -> None:
    different: list[object] = [
        None,
        "",
        "1",
        1,
        0,
        True,
        False,
        [],
        {},
        [None],
        {"a": None},
        "e\u0301",
        "\u00e9",
        "🂡",
        [[]],
        [1, 2],
        [12],
    ]
    assert len({fingerprint(content) for content in different}) == len(different)


def test_it_is_sha_256_of_canonical_json() -> None:
    assert len(fingerprint({})) == 32
    assert fingerprint({}).hex() == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize("content", [1.0, [0.1], {"a": 1e400}, {1: "a"}, b"x", object(), {"a": {1, 2}}])
def test_what_has_no_canonical_form_is_refused(content: object) -> None:
    with pytest.raises(TypeError):
        fingerprint(content)


def test_replays_are_marked() -> None:
    assert replay_headers(True) == {"Idempotency-Replayed": "true"}
    assert replay_headers(False) == {}
