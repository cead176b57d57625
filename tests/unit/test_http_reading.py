"""Objects and lists: every fault is found, with its pointer; nothing unknown is dropped without a word."""

import pytest

from jackpot import money as amounts
from jackpot.domain.errors import Refused, refuse
from jackpot.http.reading import MAX_VIOLATIONS, Reader, anything, by_number, each, reading
from jackpot.http.values import integer, money, text

USD = amounts.currency("USD")


def box(value: object) -> tuple[int, int, int]:
    with reading(value) as sent:
        number = sent.required("box", integer(1, 9))
        ante = sent.required("ante", money(USD))
        trips = sent.optional("trips", money(USD), 0)
    return number, ante, trips


def round_(value: object) -> list[tuple[int, int, int]]:
    with reading(value) as sent:
        sent.required("table", text(9))
        return sent.required("boxes", each(box, most=200))


def faults(reader: Reader[object], value: object) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as caught:
        reader(value)
    return [(violation.pointer, violation.code) for violation in caught.value.violations]


def test_reads_like_what_is_read() -> None:
    sent = {"table": "UTH-01", "boxes": [{"box": 1, "ante": "5.00"}, {"box": 2, "ante": "5.00", "trips": "1.00"}]}
    assert round_(sent) == [(1, 5 * 10**8, 0), (2, 5 * 10**8, 10**8)]


def test_null_counts_as_left_out() -> None:
    assert box({"box": 1, "ante": "5.00", "trips": None}) == (1, 5 * 10**8, 0)
    assert faults(box, {"box": None, "ante": "5.00"}) == [("/box", "missing_field")]


def test_everything_wrong_is_reported_together() -> None:
    sent = {
        "boxes": [
            {"box": 1, "ante": "5,00"},
            {"box": True, "ante": "5.00", "tripz": "5.00"},
            {"ante": "5.00"},
            None,
        ],
        "payout": "9999.00",
    }
    assert faults(round_, sent) == [
        ("/table", "missing_field"),
        ("/boxes/0/ante", "invalid_money"),
        ("/boxes/1/box", "invalid_value"),
        ("/boxes/1/tripz", "unknown_field"),
        ("/boxes/2/box", "missing_field"),
        ("/boxes/3", "invalid_value"),
        ("/payout", "unknown_field"),
    ]


def test_errors_of_shape_come_before_errors_of_rule() -> None:
    assert faults(box, {"box": "1", "ante": "9999999999"}) == [("/box", "invalid_value"), ("/ante", "amount_too_large")]
    assert faults(box, {"ante": "9999999999", "box": 1, "": 1}) == [
        ("/", "unknown_field"),
        ("/ante", "amount_too_large"),
    ]


def test_an_unknown_field_is_named_and_the_known_ones_listed() -> None:
    with pytest.raises(Refused) as caught:
        box({"box": 1, "ante": "5.00", "tripz": "5.00"})
    assert caught.value.violations[0].detail == '"tripz" is not a field here; known: ante, box, trips'


def test_pointers_are_escaped_and_endless_names_cut() -> None:
    assert faults(box, {"box": 1, "ante": "5.00", "a/b~c": 1}) == [("/a~1b~0c", "unknown_field")]
    ((pointer, _),) = faults(box, {"box": 1, "ante": "5.00", "x" * 10**6: 1})
    assert pointer == "/" + "x" * 64 + "…"


@pytest.mark.parametrize("sent", [None, [], "text", 5, True])
def test_no_object(sent: object) -> None:
    assert faults(box, sent) == [("", "invalid_value")]


def test_a_list_has_its_length() -> None:
    assert faults(each(integer(), most=2), [1, 2, 3]) == [("", "invalid_value")]
    assert faults(each(integer(), most=2, least=1), []) == [("", "invalid_value")]
    assert faults(each(integer(), most=2), {"0": 1}) == [("", "invalid_value")]
    assert faults(each(integer(), most=2), "ab") == [("", "invalid_value")]
    assert each(anything, most=2)([{}, None]) == [{}, None]


def test_the_report_is_capped() -> None:
    assert len(faults(each(integer(), most=10**6), ["x"] * 10**5)) == MAX_VIOLATIONS
    assert len(faults(box, {str(n): n for n in range(10**4)})) == MAX_VIOLATIONS


def test_by_number() -> None:
    cards = by_number(text(2), most=3)
    assert cards({"1": "As", "12": "Ks"}) == {1: "As", 12: "Ks"}
    assert faults(cards, {"1": "As", "01": "Ks"}) == [("/01", "invalid_value")]
    for name in ("", "0", "-1", "1.0", " 1", "one", "\u0661", "9" * 10):
        assert faults(cards, {name: "As"}) == [("/" + name, "invalid_value")]
    assert faults(cards, {"1": "toolong"}) == [("/1", "invalid_value")]
    assert faults(cards, {str(n): "As" for n in range(1, 5)}) == [("", "invalid_value")]
    assert faults(cards, ["As"]) == [("", "invalid_value")]


def test_what_the_reader_of_an_object_finds_itself_is_reported_with_the_rest() -> None:
    def read(value: object) -> None:
        with reading(value) as sent:
            first = sent.required("first", integer())
            last = sent.required("last", integer())
            if first and last and first > last:
                sent.fault("time_order", "first after last", "last")
            sent.required("note", text(9))

    assert faults(read, {"first": 2, "last": 1}) == [("/note", "missing_field"), ("/last", "time_order")]


def test_a_refusal_raised_inside_the_block_is_added() -> None:
    def read(value: object) -> None:
        with reading(value) as sent:
            sent.required("a", integer())
            raise refuse("bet_limit", "no")

    assert faults(read, {}) == [("/a", "missing_field"), ("", "bet_limit")]


def test_a_refused_value_used_inside_the_block_is_still_only_refused() -> None:
    def read(value: object) -> int:
        with reading(value) as sent:
            return sent.required("a", integer()) + 1

    assert read({"a": 1}) == 2
    assert faults(read, {"a": "x"}) == [("/a", "invalid_value")]


def test_a_fault_of_the_reading_code_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), reading({}):
        raise ZeroDivisionError
