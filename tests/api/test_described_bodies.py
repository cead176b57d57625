"""What is sent: the description's schemas and the readers take and refuse the same, held against each other by chance.

A schema is stricter at three places, where the readers leave it to the rules to say what is wrong (422).
Where JSON Schema cannot be as strict as the readers is said in `test_schemathesis`.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.domain.errors import Refused
from jackpot.http import values
from jackpot.http.reading import Reader
from jackpot.http.schemas import ref, text
from jackpot.money import Currency
from tables.api import reading_parts, reading_rounds, reading_steps
from tables.api.described import examples
from tests.api.described import validator
from tests.api.floor import ROUNDS, box, example, rows, send
from tests.api.test_problems import problem

KWD = Currency("KWD", 3)
_DAY, _CLOCK = "(20|21|19)[0-9]{2}-[01][0-9]-[0-3][0-9]", "[0-2][0-9]:[0-6][0-9]"
VALUES: dict[str, tuple[Reader[Any], str]] = {
    "MoneySent": (values.money(KWD), r"[0-9]{0,10}\.?[0-9]{0,4}"),
    "TimeSent": (values.time, f"{_DAY}[Tt ]{_CLOCK}:[0-6][0-9](\\.[0-9]{{1,10}})?([zZ]|[+-]{_CLOCK})"),
    "Day": (values.day, _DAY),
    "UuidSent": (values.uuid, r"[0-9a-fA-F]{7,8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    "CardSent": (reading_parts.card, "[0-9TJQKAtjqka]{1,2}[shdcSHDC\u2660\u2665\u2666\u2663][\ufe0f\ufe0e]?"),
    "Code": (values.text(32), r"[ a-zA-Z\u00a0\u2028\u0085\n-]{0,34}"),
}  # fmt: skip
TEXTS = {
    "line": (text(5), values.text(5)),
    "lines": (text(5, lines=True, empty=True), values.text(5, lines=True, empty=True)),
}
_ODD = "0 +-.eE٣\n\t\0\x85\xa0\u2028\u3000\ufe0fA"

BETS = {"player": "P-17", "ante": "5.00", "trips": "5.00", "progressive": None}
PLAY = {"box": 1, "action": "play", "multiplier": 4}
BODIES: dict[str, tuple[Callable[[Any], object], dict[str, Any]]] = {
    "RoundSent": (lambda body: reading_rounds.whole_round(body, {"UTH-01": KWD}), examples.ROUND),
    "OpeningSent": (reading_steps.opening, {"external_id": "live-000124"}),
    "NothingSent": (reading_steps.nothing, {}),
    "BetsSent": (lambda body: reading_steps.one_box(body, 1, KWD), BETS),
    "BoxesSent": (lambda body: reading_steps.many_boxes(body, KWD), {"boxes": [BETS | {"box": 1}, BETS | {"box": 2}]}),
    "DealSent": (reading_steps.deal, {"cards": {"1": ["As", "Ks"], "2": ["2c", "7d"]}, "player_cards": None}),
    "DecisionsSent": (reading_steps.choices, {"decisions": [PLAY, {"box": 2, "action": "check"}]}),
    "ChoiceSent": (reading_steps.choices, PLAY),
    "FlopSent": (reading_steps.flop, {"cards": ["Qs", "Js", "Ts"]}),
    "RiverSent": (reading_steps.river, {"turn": "3c", "river": "7h"}),
    "ShowdownSent": (reading_steps.showdown, {"dealer": ["2d", "2h"]}),
    "NoteSent": (reading_steps.note, {"note": "two\nlines"}),
    "VoidSent": (reading_steps.void, {"reason": "other", "note": ""}),
    "BatchSent": (reading_rounds.batch, {"rounds": [examples.ROUND]}),
}
JUNK: list[Any] = [
    None,
    0,
    1,
    -1,
    2**31,
    1.5,
    True,
    "5.00",
    "5.0000",
    "x",
    "As",
    "1s",
    "void",
    "2026-02-30T00:00:00Z",
    [],
    ["As"],
    {},
]


def takes(schema: dict[str, Any], value: object) -> bool:
    found: bool = validator(schema).is_valid(value)
    return found


def reads(reader: Callable[[Any], object], value: object) -> bool:
    try:
        reader(value)
    except Refused:
        return False
    return True


@st.composite
def nearly(draw: st.DrawFn, pattern: str) -> str:
    """Text as the pattern has it, sometimes with a character too many or too few."""
    written = draw(st.from_regex(pattern, fullmatch=True))
    place = draw(st.integers(0, len(written)))
    return written[:place] + draw(st.sampled_from(["", "", *_ODD])) + written[place + draw(st.integers(0, 1)) :]


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_taken_by_both_or_by_neither(name: str) -> None:
    reader, pattern = VALUES[name]
    schema = validator(ref(name))

    @given(nearly(pattern) | st.text(_ODD, max_size=8) | st.sampled_from(JUNK))
    @settings(max_examples=200, derandomize=True)
    def check(value: object) -> None:
        assert schema.is_valid(value) == reads(reader, value)

    check()


@pytest.mark.parametrize("name", TEXTS)
def test_text_is_taken_by_both_or_by_neither(name: str) -> None:
    """As far as a pattern can tell: it knows neither Unicode's categories nor its form NFC."""
    described, reader = TEXTS[name]
    schema = validator(described)

    @given(st.text(st.characters(codec="latin-1") | st.sampled_from(_ODD), max_size=7))
    @settings(max_examples=300, derandomize=True)
    def check(value: str) -> None:
        assert schema.is_valid(value) == reads(reader, value)

    check()


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every part of a document."""
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in items:
        yield from places(part, (*at, name))


@st.composite
def spoiled(draw: st.DrawFn, body: dict[str, Any]) -> dict[str, Any]:
    """The body with one part replaced, left out, given twice or added to."""
    made = deepcopy(body)
    *path, last = draw(st.sampled_from([path for path in places(made) if path])) if made else (None,)
    whole: Any = made
    for step in path:
        whole = whole[step]
    match draw(st.sampled_from(["keep", "replace", "replace", "remove", "add"])):
        case "replace" if last is not None:
            whole[last] = draw(st.sampled_from(JUNK))
        case "remove" if last is not None:
            del whole[last]
        case "add":
            whole.append(draw(st.sampled_from(JUNK))) if isinstance(whole, list) else whole.update(extra="x")
    return made


@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_taken_by_both_or_by_neither(name: str) -> None:
    reader, body = BODIES[name]
    schema = validator(ref(name))
    assert schema.is_valid(body) and reads(reader, body)

    @given(spoiled(body))
    @settings(max_examples=150, derandomize=True)
    def check(sent: dict[str, Any]) -> None:
        assert schema.is_valid(sent) == reads(reader, sent), json.dumps(sent)

    check()


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (box(player=""), "player_required"),
        (box(decision={"action": "check", "street": "flop"}), "wrong_street"),
        (box(decision={"action": "fold", "street": "river", "multiplier": 1}), "wrong_multiple"),
    ],
)
def test_where_the_schema_is_stricter_than_the_readers_the_rules_are_too(acme: Client, wrong: Any, code: str) -> None:
    body = example(boxes=[wrong])
    assert reads(BODIES["RoundSent"][0], body) and not takes(ref("RoundSent"), body)
    before = rows()
    problem(send(acme, ROUNDS, body), 422, code)
    assert rows() == before
