"""Pay tables: odds, rounding, and documents (domain.md §3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.domain.hands import HandName
from tables.domain.paytables import (
    BLIND_A,
    BLIND_B,
    NAMED,
    TRIPS_7_6_5,
    TRIPS_8_6_5,
    TRIPS_8_7_4,
    TRIPS_9_7_4,
    InvalidPayTable,
    Odds,
    OddsRounding,
    PayTable,
    TableKind,
)
from tests.unit.builders import usd

N = 133_784_560
"""Ways to choose seven of 52 cards, and below how many of them make each hand (the exact counts by enumeration)."""
SEVEN_CARD_HANDS = {
    HandName.ROYAL_FLUSH: 4_324,
    HandName.STRAIGHT_FLUSH: 37_260,
    HandName.FOUR_OF_A_KIND: 224_848,
    HandName.FULL_HOUSE: 3_473_184,
    HandName.FLUSH: 4_047_644,
    HandName.STRAIGHT: 6_180_020,
    HandName.THREE_OF_A_KIND: 6_461_620,
}


@pytest.mark.parametrize(
    ("table", "numerator"),
    [(TRIPS_8_7_4, -4_679_700), (TRIPS_8_6_5, -2_547_324), (TRIPS_9_7_4, -1_206_516), (TRIPS_7_6_5, -8_268_988)],
    ids=lambda value: value.name if isinstance(value, PayTable) else None,
)
def test_trips_tables_return_what_their_published_figures_say(table, numerator):
    # Expected value over N hands: what winners gain, less the stake of everybody else.
    won = sum(SEVEN_CARD_HANDS[hand] * odds.numerator // odds.denominator for hand, odds in table.lines.items())
    lost = N - sum(SEVEN_CARD_HANDS[hand] for hand in table.lines)
    assert won - lost == numerator


def test_blind_b_is_blind_a_with_a_pushing_straight():
    assert dict(BLIND_A.lines) == {**BLIND_B.lines, HandName.STRAIGHT: Odds(1)}


@pytest.mark.parametrize(
    ("stake", "rounding", "win"),
    [
        # 3 to 2: 0.25 wins 0.375, 7.35 wins 11.025, 5.00 wins 7.50 and never rounds.
        ("0.25", OddsRounding.HALF_UP, "0.38"),
        ("0.25", OddsRounding.DOWN, "0.37"),
        ("7.35", OddsRounding.HALF_UP, "11.03"),
        ("7.35", OddsRounding.DOWN, "11.02"),
        ("5.00", OddsRounding.HALF_UP, "7.50"),
        ("5.00", OddsRounding.DOWN, "7.50"),
    ],
)
def test_three_to_two_on_odd_stakes(stake, rounding, win):
    assert Odds(3, 2).win(usd(stake), rounding) == usd(win)


@given(
    minor=st.integers(1, 10**11),
    odds=st.builds(Odds, st.integers(1, 9_999), st.integers(1, 9_999)),
    rounding=st.sampled_from(OddsRounding),
)
def test_a_win_is_whole_minor_units_within_one_of_the_exact_value(minor, odds, rounding):
    unit = 1_000_000
    win = odds.win(minor * unit, rounding)
    assert win % unit == 0
    off_by = win * odds.denominator - minor * unit * odds.numerator  # times the denominator
    if rounding is OddsRounding.DOWN:
        assert -unit * odds.denominator < off_by <= 0
    else:
        assert -unit * odds.denominator < 2 * off_by <= unit * odds.denominator


@pytest.mark.parametrize("table", NAMED.values(), ids=NAMED.keys())
def test_documents_round_trip(table):
    assert PayTable.from_document(table.to_document(), kind=table.kind) == table


def test_lines_run_from_the_strongest_hand_whatever_the_document_does():
    table = PayTable.from_document({"name": "own", "lines": {"straight": "1:1", "flush": "3:2"}}, kind=TableKind.BLIND)
    assert list(table.lines) == [HandName.FLUSH, HandName.STRAIGHT]


def test_a_pay_table_cannot_be_changed():
    with pytest.raises(TypeError):
        BLIND_A.lines[HandName.PAIR] = Odds(1)  # type: ignore[index]


@pytest.mark.parametrize(
    ("document", "key"),
    [
        (None, ""),
        ({"name": "own"}, "lines"),
        ({"lines": {"flush": "3:2"}}, "name"),
        ({"name": "own", "lines": {"flush": "3:2"}, "colour": "red"}, "colour"),
        ({"name": "Own table", "lines": {"flush": "3:2"}}, "name"),
        ({"name": "own", "lines": {}}, "lines"),
        ({"name": "own", "lines": {"five_of_a_kind": "3:2"}}, "lines.five_of_a_kind"),
        ({"name": "own", "lines": {"flush": "1:5:1"}}, "lines.flush"),
        ({"name": "own", "lines": {"flush": "0:1"}}, "lines.flush"),
        ({"name": "own", "lines": {"flush": "-3:2"}}, "lines.flush"),
        ({"name": "own", "lines": {"flush": "\u0663:2"}}, "lines.flush"),
        ({"name": "own", "lines": {"flush": 3}}, "lines.flush"),
        ({"name": "blind-a", "lines": {"flush": "2:1"}}, "name"),
        ({"name": "trips-50-40-30-8-7-4-3", "lines": TRIPS_8_7_4.to_document()["lines"]}, "name"),
    ],
)
def test_wrong_documents_are_refused_naming_the_key(document, key):
    with pytest.raises(InvalidPayTable) as refusal:
        PayTable.from_document(document, kind=TableKind.BLIND)
    assert refusal.value.key == key
