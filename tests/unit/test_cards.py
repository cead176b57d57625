"""Cards: every accepted spelling, and nothing beside it (domain.md §1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.domain.cards import DECK, InvalidCard, in_symbols, parse


def test_a_deck_has_52_different_cards():
    assert len(DECK) == len(set(DECK)) == 13 * 4


@pytest.mark.parametrize("text", ["As", "as", "AS", "aS", "A♠", "a♠", "A♠\ufe0f"])
def test_every_spelling_of_the_ace_of_spades(text):
    assert parse(text) == "As"


@pytest.mark.parametrize("text", ["Th", "th", "TH", "10h", "10H", "T♥", "10♥", "10♥\ufe0f"])
def test_ten_may_be_written_with_one_letter_or_two_digits(text):
    assert parse(text) == "Th"


def test_normal_forms_stand_for_themselves():
    assert [parse(card) for card in DECK] == list(DECK)


def test_cards_as_people_write_them_are_read():
    assert (in_symbols("As"), in_symbols("Th")) == ("A♠", "10♥")
    assert [parse(in_symbols(card)) for card in DECK] == list(DECK)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("\u0410s", "U+0410 CYRILLIC CAPITAL LETTER A"),
        ("\uff21s", "U+FF21 FULLWIDTH LATIN CAPITAL LETTER A"),
        ("\u212as", "U+212A KELVIN SIGN"),
        ("A\u017f", "U+017F LATIN SMALL LETTER LONG S"),
        ("\u0665s", "U+0665 ARABIC-INDIC DIGIT FIVE"),
        (" As", "U+0020 SPACE"),
        ("As\u200b", "U+200B ZERO WIDTH SPACE"),
        ("A\u2664", "U+2664 WHITE SPADE SUIT"),
        ("As\x00", "U+0000"),
    ],
)
def test_look_alikes_and_blanks_are_refused_by_name(text, named):
    with pytest.raises(InvalidCard, match=named.replace("+", r"\+")):
        parse(text)


@pytest.mark.parametrize("text", ["", "A", "s", "sA", "1s", "11s", "100h", "0h", "Asd", "AsAs", "As\ufe0f", "Xs", "10"])
def test_other_words_are_refused(text):
    with pytest.raises(InvalidCard, match="not a card"):
        parse(text)


@pytest.mark.parametrize("value", [None, 12, 1.5, True, ["As"], {"card": "As"}, b"As"])
def test_what_is_not_text_is_refused(value):
    with pytest.raises(InvalidCard, match="a card is a string"):
        parse(value)


@given(st.text(max_size=40))
def test_no_text_does_anything_but_name_a_card_or_be_refused(text):
    try:
        card = parse(text)
    except InvalidCard as refusal:
        card, message = "", str(refusal)
    else:
        message = ""
    assert card in DECK or 0 < len(message) < 250
