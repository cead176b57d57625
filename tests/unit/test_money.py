"""Money: one unit inside, decimal strings outside, splits that lose nothing. Source: accounting.md §1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot import money
from jackpot.money import PPM, UNITS_PER_MINOR, AmountTooLarge, InvalidMoney, UnknownCurrency

USD, JPY, KWD = (money.currency(code) for code in ("USD", "JPY", "KWD"))


@pytest.mark.parametrize(
    ("text", "currency", "units"),
    [
        ("1.00", USD, 100_000_000),  # 100 cents of a million units each
        ("5", USD, 500_000_000),
        ("0.5", USD, 50_000_000),
        ("0", USD, 0),
        ("300.00", USD, 30_000_000_000),  # three hundred dollars, not 30,000 of anything
        ("999999999.99", USD, 99_999_999_999_000_000),
        ("7", JPY, 7_000_000),
        ("1.005", KWD, 1_005_000_000),
    ],
)
def test_an_amount_is_read_as_whole_ledger_units(text, currency, units):
    assert money.parse(text, currency) == units


@pytest.mark.parametrize(
    "text",
    ["", " 5.00", "5.00 ", "+5.00", "-5.00", "-0.00", "1e2", "NaN", "Infinity", ".50", "5.", "5,00", "1_000", "5.000",
     "٥", "５", "0x10", "5\n", 5, 5.0, None, True],
)  # fmt: skip
def test_what_is_no_amount_is_refused(text):
    with pytest.raises(InvalidMoney):
        money.parse(text, USD)


def test_a_currency_takes_no_more_decimals_than_it_has():
    with pytest.raises(InvalidMoney):
        money.parse("1.0", JPY)
    with pytest.raises(InvalidMoney):
        money.parse("1.0005", KWD)


def test_ten_digits_before_the_point_are_too_many():
    with pytest.raises(AmountTooLarge):
        money.parse("1000000000", USD)


@pytest.mark.parametrize("code", ["usd", "XXX", "EURO", ""])
def test_an_unknown_currency_is_refused(code):
    with pytest.raises(UnknownCurrency):
        money.currency(code)


@pytest.mark.parametrize(
    ("units", "currency", "text"),
    [
        (1_487_627_930_000_000, USD, "14876279.30"),  # a float would show 14876279.3
        (-500_000_000, USD, "-5.00"),
        (-1_000_000, USD, "-0.01"),
        (0, USD, "0.00"),
        (7_000_000, JPY, "7"),
        (5_000_000, KWD, "0.005"),
    ],
)
def test_an_amount_is_shown_with_exactly_its_decimals(units, currency, text):
    assert money.show(units, currency) == text


def test_a_fraction_of_a_cent_is_never_hidden():
    with pytest.raises(ValueError, match="whole number of minor units"):
        money.show(1_500_000, USD)


@pytest.mark.parametrize(
    ("units", "currency", "text"),
    [
        (750_000, USD, "0.00750000"),  # 0.75% of 1.00
        (-1, USD, "-0.00000001"),
        (0, USD, "0.00000000"),
        (1, JPY, "0.000001"),
        (1_234_567_891, KWD, "1.234567891"),
    ],
)
def test_exact_values_have_six_decimals_more(units, currency, text):
    assert money.show_exact(units, currency) == text


def test_a_sign_shows_whole_minor_units_rounded_down():
    assert money.displayed(100_999_999) == 100_000_000
    assert money.displayed(999_999) == 0


@pytest.mark.parametrize(
    ("numerator", "denominator", "rounded", "down"),
    [
        # 10% of 1,001.25 is 100.125: half up 100.13, and never half-even's 100.12
        (1_001_25 * UNITS_PER_MINOR * 100_000, PPM, 100_13, 100_12),
        (100_12_499_999, 1, 100_12, 100_12),  # just below the half
        (5 * UNITS_PER_MINOR * 3, 2, 8, 7),  # 3:2 on 0.05 is 0.075
        (0, 7, 0, 0),
    ],
)
def test_payouts_round_once_to_the_minor_unit(numerator, denominator, rounded, down):
    assert money.half_up(numerator, denominator) == rounded * UNITS_PER_MINOR
    assert money.round_down(numerator, denominator) == down * UNITS_PER_MINOR


def test_what_is_left_over_of_a_split_goes_to_the_first_parts():
    # 100.00 by three: 33.34 + 33.33 + 33.33
    assert money.split(10_000 * UNITS_PER_MINOR, 3) == [n * UNITS_PER_MINOR for n in (3_334, 3_333, 3_333)]


def test_a_pro_rata_share_adds_up():
    # 10,000.00 over 40,000 / 40,000 / 0.01: 499,999.9 and 499,999.9 and 0.1 cents; the two left over go to the .9s
    weights = [4_000_000, 4_000_000, 1]
    assert money.share(1_000_000 * UNITS_PER_MINOR, weights) == [n * UNITS_PER_MINOR for n in (500_000, 500_000, 0)]


def test_equal_remainders_go_in_order():
    # 0.05 over three equal weights: 1 each, two left over
    assert money.share(5 * UNITS_PER_MINOR, [1, 1, 1]) == [2 * UNITS_PER_MINOR, 2 * UNITS_PER_MINOR, UNITS_PER_MINOR]


@given(st.integers(0, 10**11 - 1), st.sampled_from([USD, KWD]))
def test_what_is_shown_reads_back(minor, currency):
    units = minor * UNITS_PER_MINOR
    assert money.parse(money.show(units, currency), currency) == units


@given(st.integers(0, 10**14), st.integers(1, 50))
def test_a_split_loses_nothing_and_favours_nobody_by_more_than_a_cent(minor, parts):
    split = money.split(minor * UNITS_PER_MINOR, parts)
    assert sum(split) == minor * UNITS_PER_MINOR
    assert len(split) == parts
    assert split == sorted(split, reverse=True)
    assert split[0] - split[-1] <= UNITS_PER_MINOR


@given(st.integers(0, 10**12), st.lists(st.integers(1, 10**12), min_size=1, max_size=8))
def test_a_pro_rata_share_loses_nothing_and_is_off_by_less_than_a_cent(minor, weights):
    shares = money.share(minor * UNITS_PER_MINOR, weights)
    assert sum(shares) == minor * UNITS_PER_MINOR
    for share, weight in zip(shares, weights, strict=True):
        # |share − minor × weight / total| < 1 minor unit, compared as whole numbers
        assert abs(share // UNITS_PER_MINOR * sum(weights) - minor * weight) < sum(weights)


@given(st.integers(1, 10**11), st.integers(0, PPM))
def test_accrual_never_rounds(minor, ppm):
    assert minor * UNITS_PER_MINOR * ppm % PPM == 0


@given(st.integers(0, 10**13), st.integers(1, 10**6))
def test_half_up_is_nearest_and_up_on_the_half(numerator, denominator):
    rounded = money.half_up(numerator, denominator)
    step = denominator * UNITS_PER_MINOR
    assert -step < 2 * (numerator - rounded * denominator) < step or 2 * (rounded * denominator - numerator) == step
