"""Jackpot policies: defaults, settings, and documents that are refused. Source: domain.md §4 and §5."""

import copy

import pytest

from jackpot.domain.policy import (
    AfterShare,
    Basis,
    EnvyPer,
    EqualRank,
    HitOrder,
    InvalidPolicy,
    OverflowTo,
    Policy,
    VoidContributions,
)  # fmt: skip
from jackpot.money import currency
from tables.services.demo_data import policy_document
from tests.unit.builders import USD, usd
from tests.unit.meters import policy

LEVEL = {"code": "main", "base": "100.00", "increment_ppm": 200_000, "reserve_ppm": 20_000, "limit": None}


def test_the_defaults_are_those_of_the_design():
    read = policy()
    assert read.stake == usd("1.00")
    assert (read.hit_order, read.equal_rank) == (HitOrder.LOW_FIRST, EqualRank.IN_TURN)
    assert (read.after_share, read.overflow_to) == (AfterShare.LEAVE, OverflowTo.NEXT_RESET)
    assert (read.void_contributions, read.envy_per) == (VoidContributions.KEEP, EnvyPer.HIT)
    assert (read.verify_from, read.approvals) == (0, 2)
    assert read.envy == {"royal_flush": usd("1000.00"), "straight_flush": usd("300.00")}


@pytest.mark.parametrize(
    ("hand", "basis", "value"),
    [
        ("royal_flush", Basis.METER_SHARE, 1_000_000),
        ("straight_flush", Basis.METER_SHARE, 100_000),
        ("four_of_a_kind", Basis.FOR_ONE, 300),
        ("full_house", Basis.FOR_ONE, 50),
        ("flush", Basis.FOR_ONE, 40),
        ("straight", Basis.FOR_ONE, 30),
        ("three_of_a_kind", Basis.FOR_ONE, 9),
    ],
)
def test_the_default_pay_table(hand, basis, value):
    line = policy().line(hand)
    assert line is not None
    assert (line.basis, line.value) == (basis, value)


@pytest.mark.parametrize("hand", ["two_pair", "pair", "high_card", None])
def test_a_hand_below_the_table_has_no_line(hand):
    assert policy().line(hand) is None


def test_amounts_are_of_the_jackpots_currency():
    document = policy_document() | {"stake": "100", "envy_table": {"royal_flush": "100000"}}
    document["levels"] = [LEVEL | {"base": "1000000"}]
    assert Policy.from_document(document, currency=currency("JPY")).stake == 100_000_000
    with pytest.raises(InvalidPolicy, match="stake"):
        Policy.from_document(document | {"stake": "0.50"}, currency=currency("JPY"))


def test_rates_may_take_the_whole_stake_but_no_more():
    # 60% + 30% of one level and 10% + 0% of another are the whole stake
    both = [LEVEL | {"increment_ppm": 600_000, "reserve_ppm": 300_000}, LEVEL | {"code": "minor", "reserve_ppm": 0}]
    both[1]["increment_ppm"] = 100_000
    assert len(policy(levels=both).levels) == 2
    both[1]["increment_ppm"] = 100_001
    with pytest.raises(InvalidPolicy, match="more than the stake"):
        policy(levels=both)


@pytest.mark.parametrize("limit", ["99.99", "100.00"])
def test_a_limit_must_leave_room_for_base_and_fraction(limit):
    with pytest.raises(InvalidPolicy, match="limit"):
        policy(levels=[LEVEL | {"limit": limit}])


def test_a_limit_of_a_cent_above_the_base_is_served():
    assert policy(levels=[LEVEL | {"limit": "100.01"}]).levels[0].limit == usd("100.01")


WRONG = [
    ("unknown key", {"tip": "1.00"}, "tip"),
    ("no stake", {"stake": None}, "stake"),
    ("a stake of nothing", {"stake": "0.00"}, "stake"),
    ("a stake as a number", {"stake": 1}, "stake"),
    ("no levels", {"levels": []}, "levels"),
    ("levels of text", {"levels": ["main"]}, "levels"),
    ("a level twice", {"levels": [LEVEL, LEVEL | {"increment_ppm": 0}]}, "twice"),
    ("a level without code", {"levels": [LEVEL | {"code": ""}]}, "code"),
    ("a level with a colon", {"levels": [LEVEL | {"code": "a:b"}]}, "code"),
    ("an unknown level key", {"levels": [LEVEL | {"colour": "red"}]}, "colour"),
    ("a negative rate", {"levels": [LEVEL | {"increment_ppm": -1}]}, "increment_ppm"),
    ("a rate as a truth", {"levels": [LEVEL | {"increment_ppm": True}]}, "increment_ppm"),
    ("a rate as text", {"levels": [LEVEL | {"reserve_ppm": "20000"}]}, "reserve_ppm"),
    ("no lines", {"progressive_table": []}, "progressive_table"),
    ("lines of text", {"progressive_table": ["royal_flush"]}, "progressive_table"),
    ("a line without hand", {"progressive_table": [{"odds": 9}]}, "hand"),
    ("an unknown basis", {"progressive_table": [{"hand": "flush", "basis": "to_one", "odds": 9}]}, "basis"),
    ("odds of nothing", {"progressive_table": [{"hand": "flush", "odds": 0}]}, "odds"),
    ("a key of another basis", {"progressive_table": [{"hand": "flush", "odds": 9, "level": "main"}]}, "level"),
    ("a share of no level", {"progressive_table": [{"hand": "flush", "basis": "meter_share", "ppm": 1}]}, "flush"),
    (
        "a share of an unknown level",
        {"progressive_table": [{"hand": "flush", "basis": "meter_share", "ppm": 1, "level": ["main"]}]},
        "unknown level",
    ),
    (
        "more than all of a level",
        {"progressive_table": [{"hand": "flush", "basis": "meter_share", "ppm": 1_000_001, "level": "main"}]},
        "ppm",
    ),
    ("a hand twice", {"progressive_table": [{"hand": "flush", "odds": 9}, {"hand": "flush", "odds": 8}]}, "twice"),
    ("Envy for a fixed prize", {"envy_table": {"flush": "10.00"}}, "envy_table"),
    ("an Envy table of text", {"envy_table": "1000.00"}, "envy_table"),
    ("an Envy as a number", {"envy_table": {"royal_flush": 1000}}, "royal_flush"),
    ("an unknown hit order", {"hit_order": "random"}, "hit_order"),
    ("an unknown equal rank", {"equal_rank": None}, "equal_rank"),
    ("no approvals", {"approvals": 0}, "approvals"),
    ("a negative threshold", {"verify_from": "-1.00"}, "verify_from"),
    ("ten digits", {"verify_from": "1000000000.00"}, "verify_from"),
    (
        "more than the books hold",
        {"stake": "999999999.00", "progressive_table": [{"hand": "flush", "odds": 1_000_000}], "envy_table": {}},
        "more than the books can hold",
    ),
]


@pytest.mark.parametrize(("change", "named"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_document_that_cannot_be_served_is_refused_and_says_why(change, named):
    with pytest.raises(InvalidPolicy, match=named):
        policy(**change)


def test_reading_leaves_the_document_as_it_is():
    document = policy_document()
    before = copy.deepcopy(document)
    Policy.from_document(document, currency=USD)
    assert document == before
