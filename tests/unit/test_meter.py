"""A level's meter: accrual, limit, reset, restore, take-back. Source: accounting.md §1 and §2, domain.md §4 and §5."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain import meter as meters
from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Contribution, Kind
from jackpot.domain.policy import AfterShare, LevelTerms, OverflowTo
from jackpot.money import UNITS_PER_MINOR
from tests.unit.builders import usd
from tests.unit.meters import NOON, exact, level, plain, stands

NEXT, HOUSE = OverflowTo.NEXT_RESET, OverflowTo.HOUSE


def test_a_thousand_small_contributions_add_up_exactly():
    # 0.75% of 1.00 is 0.0075; a thousand are 7.50, of which 0.50% go to the meter and 0.25% to the reserve
    meter = level(increment=5_000, reserve_rate=2_500)
    for _ in range(1_000):
        meters.contribute(meter, usd("1.00"), NEXT)
    assert stands(meter) == ("10005.00", "2.50", "0.00")


def test_ten_thousand_contributions_of_seven_cents_are_seven_hundred():
    meter = level(meter="0", base="0", increment=70_000, reserve_rate=0)
    for _ in range(10_000):
        meters.contribute(meter, usd("1.00"), NEXT)
    assert stands(meter) == ("700.00", "0.00", "0.00")


@pytest.mark.parametrize(
    ("before", "overflow_to", "after", "house"),
    [
        # due 20% of 1.00 = 0.20 under a limit of 100.00
        ("99.80", NEXT, ("100.00", "0.00"), "0.00"),
        ("99.90", NEXT, ("100.00", "0.10"), "0.00"),
        ("100.00", NEXT, ("100.00", "0.20"), "0.00"),
        ("99.90", HOUSE, ("100.00", "0.00"), "0.10"),
        ("100.00", HOUSE, ("100.00", "0.00"), "0.20"),
    ],
)
def test_only_what_fits_under_the_limit_goes_into_the_meter(before, overflow_to, after, house):
    meter = level(meter=before, base="50.00", limit="100.00")
    accrued = meters.contribute(meter, usd("1.00"), overflow_to)
    assert stands(meter) == (after[0], "0.02", after[1])
    assert plain(exact("0.20") - accrued.meter - accrued.overflow) == house


def test_a_contribution_is_one_row_a_pot_and_nothing_is_no_row():
    meter = level(meter="100.00", base="50.00", limit="100.00", reserve_rate=0)
    accrued = meters.contribute(meter, usd("1.00"), NEXT)
    assert [(row.pot, row.kind, row.seq) for row in accrued.rows] == [(Pot.OVERFLOW, Kind.CONTRIBUTION, 1)]
    assert accrued.meter_seq == 0


@pytest.mark.parametrize(
    ("shown", "ppm", "amount", "left"),
    [
        ("1001.25", 100_000, "100.13", "901.12"),  # 100.125 half up; the rest by subtraction
        ("1001.2499", 100_000, "100.12", "901.1299"),  # the sign shows 1,001.24: 100.124
        ("10000.4075", 1_000_000, "10000.40", "0.0075"),  # exactly what the sign showed; the fraction stays
        ("0.0099", 1_000_000, "0.00", "0.0099"),  # nothing on the sign, nothing to win
        ("0.04", 100_000, "0.00", "0.04"),  # 0.004
        ("0.05", 100_000, "0.01", "0.04"),  # 0.005 half up
    ],
)
def test_a_share_is_of_the_displayed_meter(shown, ppm, amount, left):
    meter = level(meter=shown)
    share = meters.award(meter, ppm, NOON)
    assert (plain(share.amount), stands(meter)[0]) == (amount, left)
    assert share.meter_before % UNITS_PER_MINOR == share.meter_after % UNITS_PER_MINOR == 0
    assert share.meter_before - share.amount == share.meter_after


@pytest.mark.parametrize(
    ("reserve", "house", "left"),
    [("0", "100.00", "0.00"), ("30.005", "69.995", "0.00"), ("100.00", "0.00", "0.00"), ("130.00", "0.00", "30.00")],
)
def test_a_reset_adds_exactly_the_base_from_the_reserve_first(reserve, house, left):
    meter = level(meter="0.0075", base="100.00", reserve=reserve, seq=7)
    funding = meters.reset(meter, NOON)
    assert stands(meter) == ("100.0075", left, "0.00")
    assert plain(funding.house) == house
    assert (meter.reset_seq, meter.reset_at) == (8, NOON)


def test_waiting_overflow_comes_in_as_a_row_of_its_own_up_to_the_limit():
    # 0.0075 left + base 100.00 leave room for 9.9925 under a limit of 110.00; 2.5075 of 12.50 go on waiting
    meter = level(meter="0.0075", base="100.00", overflow="12.50", limit="110.00")
    rows = meters.reset(meter, NOON).rows
    assert stands(meter) == ("110.00", "0.00", "2.5075")
    assert [(row.pot, row.kind, plain(row.amount)) for row in rows if row.kind is Kind.OVERFLOW_IN] == [
        (Pot.METER, Kind.OVERFLOW_IN, "9.9925"),
        (Pot.OVERFLOW, Kind.OVERFLOW_IN, "-9.9925"),
    ]


def test_all_waiting_overflow_comes_in_where_it_fits():
    meter = level(meter="0", base="100.00", overflow="12.50", limit="200.00")
    meters.reset(meter, NOON)
    assert stands(meter) == ("112.50", "0.00", "0.00")


def test_first_funding_is_a_reset_from_nothing():
    meter = level(meter="0", seq=0, reset_seq=0)
    funding = meters.reset(meter, NOON)
    (row,) = funding.rows
    assert (row.kind, row.seq, row.before, row.after) == (Kind.RESET, 1, 0, usd("10000.00"))
    assert funding.house == usd("10000.00")


def test_a_late_reset_does_not_move_the_last_one_back():
    meter = level()
    meters.reset(meter, NOON)
    meters.reset(meter, NOON - timedelta(hours=1))
    assert meter.reset_at == NOON


@pytest.mark.parametrize(
    ("setting", "meter_before", "reserve", "meter_after", "house"),
    [
        (AfterShare.LEAVE, "9000.0075", "0", "9000.0075", "0.00"),
        (AfterShare.RESTORE_BASE, "9000.0075", "0", "10000.00", "999.9925"),  # up to the base, the fraction inside
        (AfterShare.RESTORE_BASE, "9000.0075", "400.00", "10000.00", "599.9925"),
        (AfterShare.RESTORE_BASE, "10000.00", "400.00", "10000.00", "0.00"),  # nothing is missing
        (AfterShare.RESTORE_BASE, "12000.00", "400.00", "12000.00", "0.00"),
    ],
)
def test_after_a_share_the_base_is_restored_where_the_policy_says_so(
    setting, meter_before, reserve, meter_after, house
):
    meter = level(meter=meter_before, reserve=reserve)
    funding = meters.after_share(meter, setting)
    assert (stands(meter)[0], plain(funding.house)) == (meter_after, house)
    assert meter.reset_seq == 1


def accrued(meter: str, overflow: str = "0", reserve: str = "0.02", seq: int = 5) -> Contribution:
    return Contribution(exact(meter), exact(overflow), exact(reserve), seq, [], level().terms)


@pytest.mark.parametrize(
    ("stands_at", "contribution", "after", "house"),
    [
        # 1.00 gave 0.20 to the meter and 0.02 to the reserve
        ({"meter": "10000.20", "reserve": "0.02"}, accrued("0.20"), ("10000.00", "0.00", "0.00"), "0.00"),
        # a 100% share came since: the meter part was won, the house bears it; the reserve gives back what it has
        (
            {"meter": "10000.50", "reserve": "0.02", "reset_seq": 6},
            accrued("0.20"),
            ("10000.50", "0.00", "0.00"),
            "0.20",
        ),
        # only down to the base: 0.05 lie above it, 0.15 are charged to the house
        ({"meter": "10000.05", "reserve": "0.02"}, accrued("0.20"), ("10000.00", "0.00", "0.00"), "0.15"),
        # a 10% share took it below the base
        ({"meter": "9000.00", "reserve": "0.02"}, accrued("0.20"), ("9000.00", "0.00", "0.00"), "0.20"),
        # the reserve went into a reset that needed it
        ({"meter": "10000.20", "reserve": "0"}, accrued("0.20"), ("10000.00", "0.00", "0.00"), "0.02"),
        # 0.15 fitted under the limit, 0.05 waited
        (
            {"meter": "10000.15", "reserve": "0.02", "overflow": "0.05", "limit": "10000.15"},
            accrued("0.15", "0.05"),
            ("10000.00", "0.00", "0.00"),
            "0.00",
        ),
        # all of it waited: the shown meter does not move
        (
            {"meter": "10000.15", "reserve": "0.02", "overflow": "0.30", "limit": "10000.15"},
            accrued("0", "0.20", seq=0),
            ("10000.15", "0.00", "0.10"),
            "0.00",
        ),
        # under `house` the excess never came in, and there is nothing to take back but what did
        (
            {"meter": "10000.15", "reserve": "0.02", "limit": "10000.15"},
            accrued("0.15"),
            ("10000.00", "0.00", "0.00"),
            "0.00",
        ),
    ],
)
def test_a_voided_contribution_is_taken_back_from_where_it_lies(stands_at, contribution, after, house):
    meter = level(**stands_at)
    assert plain(voided(meter, contribution, staked="1.00")) == house
    assert stands(meter) == after


def test_of_a_round_of_two_only_the_voided_wager_is_taken_back():
    # two wagers gave 0.40 and 0.04; one is void
    meter = level(meter="10000.40", reserve="0.04")
    assert voided(meter, accrued("0.40", reserve="0.04"), staked="2.00") == 0
    assert stands(meter) == ("10000.20", "0.02", "0.00")


@pytest.mark.parametrize(
    ("overflow", "after"),
    [
        # two wagers were due 0.40; 0.30 fitted, 0.10 went to the house: the one that lives gives 0.20 by itself
        ("0", ("10000.20", "0.02", "0.00")),
        # the same where 0.10 waits in the overflow
        ("0.10", ("10000.20", "0.02", "0.00")),
    ],
)
def test_under_a_limit_the_meter_stands_as_if_the_voided_bet_had_never_been_made(overflow, after):
    meter = level(meter="10000.30", reserve="0.04", overflow=overflow, limit="10000.30")
    assert voided(meter, accrued("0.30", overflow, reserve="0.04"), staked="2.00") == 0
    assert stands(meter) == after


def voided(meter, contribution, staked):
    """Void a stake of 1.00 of a round in which `staked` was locked out; what nothing gave back is the house's part."""
    part = meters.part_of(usd("1.00"), usd(staked), contribution)
    return part.amount + sum(row.amount for row in meters.take_back(meter, part, contribution))


AMOUNTS = st.integers(0, 10**6).map(lambda minor: minor * UNITS_PER_MINOR)


@given(
    start=AMOUNTS,
    stakes=st.lists(st.integers(1, 10**5).map(lambda minor: minor * UNITS_PER_MINOR), max_size=20),
    rate=st.integers(0, 700_000),
    reserve=st.integers(0, 300_000),
    room=st.none() | AMOUNTS,
)
def test_accrual_is_exact_and_stays_under_the_limit(start, stakes, rate, reserve, room):
    meter = level(increment=rate, reserve_rate=reserve)
    meter.balances[Pot.METER] = start
    limit = None if room is None else start + room
    meter.terms = LevelTerms("main", 0, rate, reserve, limit)
    for stake in stakes:
        meters.contribute(meter, stake, NEXT)
    due = sum(stakes) * rate // 1_000_000
    assert meter.balances[Pot.METER] - start + meter.balances[Pot.OVERFLOW] == due
    assert meter.balances[Pot.RESERVE] == sum(stakes) * reserve // 1_000_000
    assert limit is None or meter.balances[Pot.METER] == min(limit, start + due)
