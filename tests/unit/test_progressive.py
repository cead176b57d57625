"""What the Progressive and the Envy pay in one round. Source: domain.md §4 and §5; the sums stand beside the cases."""

from datetime import timedelta

import pytest

from jackpot.domain import meter as meters
from jackpot.domain import progressive
from jackpot.domain.progressive import Outcome
from jackpot.money import show
from tests.unit.builders import USD
from tests.unit.meters import NOON, claims, level, plain, policy, shares, stands

RF, SF = "royal_flush", "straight_flush"
LEVELS = [
    {"code": code, "base": base, "increment_ppm": 100_000}
    for code, base in (("mega", "10000.00"), (SF, "1000.00"), ("four_of_a_kind", "100.00"))
]


def settle(hands, *, meter=None, shared=False, at=NOON, **overrides) -> Outcome:
    main = meter or level(meter="100000.00")
    return progressive.settle(policy(**overrides), claims(*hands), {"main": main}, shared=shared, at=at)


def hits(outcome: Outcome) -> list[tuple[int, str]]:
    return [(hit.claim.box, show(hit.amount, USD)) for hit in outcome.hits]


def prizes(outcome: Outcome) -> dict[int, str]:
    return {box: show(prize.returned, USD) for box, prize in outcome.prizes.items()}


def envy(outcome: Outcome) -> list[tuple[int, int, str]]:
    """Who received what for the hit of which box."""
    return [(one.claim.box, outcome.hits[one.hit].claim.box, show(one.amount, USD)) for one in outcome.envy]


@pytest.mark.parametrize(
    ("hand", "prize"),
    [
        ("four_of_a_kind", "300.00"), ("full_house", "50.00"), ("flush", "40.00"), ("straight", "30.00"),
        ("three_of_a_kind", "9.00"),
    ],
)  # fmt: skip
def test_a_fixed_prize_is_for_one(hand, prize):
    # 300 for one on 1.00 returns 300.00, the stake inside
    outcome = settle([(1, hand)])
    assert prizes(outcome) == {1: prize}
    assert not outcome.hits


@pytest.mark.parametrize("hand", ["two_pair", "pair", "high_card", None])
def test_below_the_table_nothing_is_paid(hand):
    assert settle([(1, hand)]) == Outcome()


def test_a_fixed_amount_does_not_depend_on_the_stake():
    table = [{"hand": "flush", "basis": "fixed", "amount": "75.00"}]
    outcome = settle([(1, "flush")], progressive_table=table, envy_table={}, stake="5.00")
    assert prizes(outcome) == {1: "75.00"}


@pytest.mark.parametrize(
    ("order", "paid", "left"),
    [
        # low first: 10% of 100,000.00, then 100% of the 90,000.00 left, then the base
        ("low_first", [(5, "10000.00"), (2, "90000.00")], "10000.00"),
        # high first: all of 100,000.00, the base, then 10% of it
        ("high_first", [(2, "100000.00"), (5, "1000.00")], "9000.00"),
    ],
)
def test_hits_of_one_round_are_paid_in_the_order_of_the_policy(order, paid, left):
    meter = level(meter="100000.00")
    outcome = settle([(2, RF), (5, SF)], meter=meter, hit_order=order)
    assert hits(outcome) == paid
    assert stands(meter)[0] == left


@pytest.mark.parametrize("order", ["low_first", "high_first"])
def test_the_order_does_not_depend_on_who_is_named_first(order):
    assert hits(settle([(5, SF), (2, RF)], hit_order=order)) == hits(settle([(2, RF), (5, SF)], hit_order=order))


@pytest.mark.parametrize(
    ("setting", "paid", "left"),
    [
        # in turn by box: 10% of 100,000.00, then 10% of 90,000.00
        ("in_turn", [(3, "10000.00"), (7, "9000.00")], "81000.00"),
        # one share of 10,000.00 divided
        ("split", [(3, "5000.00"), (7, "5000.00")], "90000.00"),
    ],
)
def test_equal_hands_are_paid_as_the_policy_says(setting, paid, left):
    meter = level(meter="100000.00")
    assert hits(settle([(7, SF), (3, SF)], meter=meter, equal_rank=setting)) == paid
    assert stands(meter)[0] == left


def test_what_is_left_over_of_a_split_goes_by_box():
    # 10% of 1,000.05 is 100.005, half up 100.01: 50.01 to box 4, 50.00 to box 9
    assert hits(settle([(9, SF), (4, SF)], meter=level(meter="1000.05"), equal_rank="split")) == [
        (4, "50.01"),
        (9, "50.00"),
    ]


def test_each_later_share_is_of_the_meter_displayed_after_the_earlier_one():
    # 10% of 100.05 is 10.005, half up 10.01; of the 90.04 left 9.004, so 9.00
    assert hits(settle([(1, SF), (2, SF)], meter=level(meter="100.05"))) == [(1, "10.01"), (2, "9.00")]


def test_a_whole_share_resets_before_the_next_hit_of_the_same_line():
    # a minor level that a straight flush takes whole: box 1 all of 250.00, box 2 the base of 100.00
    table = [{"hand": SF, "basis": "meter_share", "level": "main", "ppm": 1_000_000}]
    meter = level(meter="250.00", base="100.00")
    outcome = settle([(1, SF), (2, SF)], meter=meter, progressive_table=table, envy_table={})
    assert hits(outcome) == [(1, "250.00"), (2, "100.00")]
    assert stands(meter)[0] == "100.00"


def test_the_award_freezes_what_the_sign_showed():
    meter = level(meter="10000.4075", seq=2)
    (hit,) = settle([(1, RF)], meter=meter).hits
    # seq 3 is the award, seq 4 the reset; the fraction of 0.0075 stays in the meter and off the sign
    shown = [show(amount, USD) for amount in (hit.amount, hit.meter_before, hit.meter_after, hit.reset_to or 0)]
    assert shown == ["10000.40", "10000.40", "0.00", "10000.00"]
    assert (hit.seq, meter.reset_seq) == (3, 4)
    assert stands(meter)[0] == "10000.0075"


def test_a_smaller_share_resets_nothing():
    meter = level(meter="10000.40")
    (hit,) = settle([(1, SF)], meter=meter).hits
    # 10% of 10,000.40 is 1,000.04
    assert (show(hit.amount, USD), hit.reset_to) == ("1000.04", None)
    assert stands(meter)[0] == "9000.36"


def test_the_base_is_restored_after_each_share():
    # 10% of 10,000.00, back to 10,000.00, and again
    outcome = settle([(1, SF), (2, SF)], meter=level(), after_share="restore_base")
    assert hits(outcome) == [(1, "1000.00"), (2, "1000.00")]
    assert [(n, kind, plain(funding.house)) for n, kind, funding in outcome.fundings] == [
        (0, meters.Kind.RESTORE, "1000.00"),
        (1, meters.Kind.RESTORE, "1000.00"),
    ]


def test_every_hand_takes_from_its_own_level():
    # mega 100% of 20,000.00, the straight flush 100% of 1,500.00, quads half of 300.00
    levels = {"mega": level("20000.00", code="mega"), SF: level("1500.00", base="1000.00", code=SF),
              "four_of_a_kind": level("300.00", base="100.00", code="four_of_a_kind")}  # fmt: skip
    rules = policy(levels=LEVELS, progressive_table=shares(straight_flush=1_000_000, four_of_a_kind=500_000))
    table = claims((1, RF), (2, SF), (3, "four_of_a_kind"))
    outcome = progressive.settle(rules, table, levels, shared=False, at=NOON)
    assert prizes(outcome) == {1: "20000.00", 2: "1500.00", 3: "150.00"}
    assert [stands(levels[code])[0] for code in levels] == ["10000.00", "1000.00", "150.00"]


class TestEnvy:
    def test_every_other_players_wager_receives_it(self):
        outcome = settle([(1, RF), (2, "flush"), (3, None)])
        assert envy(outcome) == [(2, 1, "1000.00"), (3, 1, "1000.00")]

    def test_a_straight_flush_pays_its_own_amount(self):
        assert envy(settle([(4, "pair"), (5, SF)])) == [(4, 5, "300.00")]

    def test_by_player_not_by_box(self):
        # P owns boxes 1 and 2 and hits on 1: his box 2 receives nothing; Q's boxes 3 and 4 receive two
        outcome = settle([(1, "P", RF), (2, "P", None), (3, "Q", None), (4, "Q", "pair")])
        assert envy(outcome) == [(3, 1, "1000.00"), (4, 1, "1000.00")]

    def test_a_winner_receives_it_for_another_players_hit(self):
        outcome = settle([(1, RF), (2, SF)])
        assert sorted(envy(outcome)) == [(1, 2, "300.00"), (2, 1, "1000.00")]

    def test_not_for_a_hit_of_ones_own_second_box(self):
        # P has the royal and the straight flush; only Q receives, once for each
        outcome = settle([(1, "P", RF), (2, "P", SF), (3, "Q", None)])
        assert sorted(envy(outcome)) == [(3, 1, "1000.00"), (3, 2, "300.00")]

    @pytest.mark.parametrize(
        ("per", "received"), [("hit", [(3, 1, "300.00"), (3, 2, "300.00")]), ("round", [(3, 1, "300.00")])]
    )
    def test_two_hits_pay_once_a_hit_or_once_a_round(self, per, received):
        outcome = settle([(1, SF), (2, SF), (3, None)], envy_per=per)
        assert [one for one in envy(outcome) if one[0] == 3] == received

    def test_once_a_round_is_the_highest_among_other_players_hits(self):
        # the royal's owner gets 300.00 for the straight flush, everybody else the royal's 1,000.00
        outcome = settle([(1, RF), (2, SF), (3, None)], envy_per="round")
        assert sorted(envy(outcome)) == [(1, 2, "300.00"), (2, 1, "1000.00"), (3, 1, "1000.00")]

    def test_a_split_share_pays_it_for_each_hit(self):
        outcome = settle([(1, SF), (2, SF), (3, None)], equal_rank="split")
        assert sorted(envy(outcome)) == [(1, 2, "300.00"), (2, 1, "300.00"), (3, 1, "300.00"), (3, 2, "300.00")]

    def test_not_where_the_table_says_nothing(self):
        assert envy(settle([(1, SF), (2, None)], envy_table={RF: "1000.00"})) == []


class TestSharedHand:
    def test_a_hit_is_one_share_split_by_box_and_one_reset(self):
        # 10,000.01 among three: 3,333.34 + 3,333.34 + 3,333.33, the two cents left over by box
        meter = level(meter="10000.01")
        outcome = settle([(8, RF), (2, RF), (5, RF)], meter=meter, shared=True)
        assert hits(outcome) == [(2, "3333.34"), (5, "3333.34"), (8, "3333.33")]
        assert [kind for _, kind, _ in outcome.fundings] == [meters.Kind.RESET]
        assert stands(meter)[0] == "10000.00"

    def test_a_smaller_share_is_split_as_well_whatever_equal_rank_says(self):
        # one share of 10% of 10,000.00
        assert hits(settle([(1, SF), (2, SF)], meter=level(), shared=True, equal_rank="in_turn")) == [
            (1, "500.00"),
            (2, "500.00"),
        ]

    def test_nobody_gets_envy(self):
        assert settle([(1, RF), (2, RF)], shared=True).envy == []

    def test_a_fixed_prize_goes_to_each_wager(self):
        assert prizes(settle([(1, "flush"), (2, "flush")], shared=True)) == {1: "40.00", 2: "40.00"}


@pytest.mark.parametrize(("before", "late"), [(timedelta(seconds=1), True), (timedelta(0), False)])
def test_a_hit_that_was_complete_before_the_last_reset_is_late(before, late):
    meter = level()
    meters.reset(meter, NOON)
    (hit,) = settle([(1, SF)], meter=meter, at=NOON - before).hits
    assert hit.late is late


def test_after_a_late_reset_an_older_hit_is_still_late():
    # reset at noon; a royal of 11:00 comes in and resets too; a straight flush of 11:30 lies before the noon reset
    meter = level()
    meters.reset(meter, NOON)
    settle([(1, RF)], meter=meter, at=NOON - timedelta(hours=1))
    (hit,) = settle([(1, SF)], meter=meter, at=NOON - timedelta(minutes=30)).hits
    assert hit.late
