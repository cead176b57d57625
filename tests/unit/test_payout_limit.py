"""The payout limit of domain.md §5: whose wins, which wins, and how they are brought down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot import money
from tables.domain.payout_limit import cap
from tables.domain.results import BoxResult, Outcome, WagerKind, WagerResult
from tables.domain.rules import LimitScope, PayoutLimit
from tables.domain.settlement import settle
from tests.unit.builders import box, deal, limits, rules, usd

CENT = money.UNITS_PER_MINOR


def limited(amount, scope):
    return rules(payout_limit={"amount": amount, "scope": scope}, bet_limits=limits())


def winner(number, player, net, *, stake=500 * CENT):
    wager = WagerResult(WagerKind.BLIND, stake, Outcome.WIN, stake + net)
    return BoxResult(number, player, None, None, (wager,), progressive_alive=False)


def nets(boxes):
    return [wager.net for one in boxes for wager in one.wagers]


class TestTwoStraightFlushesOnOneFlop:
    """Blind 800 each: 50 * 800 = 40,000 each. Box 4 also wins Ante and Play, so the Blinds stand alone below."""

    facts = deal(
        box("3c 4c", number=2, player="A", ante="800.00"),
        box("8c 9c", number=4, player="B", ante="800.00"),
        board="5c 6c 7c Kd 2h",
        dealer="Ks Kh",
    )

    def test_without_a_limit(self):
        # Each: Ante 800 + Blind 40,000 + Play 3,200 = 44,000 won, 4,800 staked.
        result = settle(self.facts, rules(bet_limits=limits()))
        assert [one.returned for one in result.boxes] == [usd("48800.00")] * 2
        assert not any(wager.capped for one in result.boxes for wager in one.wagers)

    def test_a_limit_of_the_round_is_shared_by_both(self):
        # 50,000 over 88,000 of wins: each box 25,000 = Ante 454.5454… + Blind 22,727.2727… + Play 1,818.1818…
        # Floors leave 50,000.00 - 2 * (454.54 + 22,727.27 + 1,818.18) = 0.02; the largest remainders are the
        # Antes' (0.5454…), so one cent goes to each Ante. Stakes 800, 800, 3,200 come back on top.
        result = settle(self.facts, limited("50000.00", "round"))
        for one in result.boxes:
            assert [wager.net for wager in one.wagers] == [usd("454.55"), usd("22727.27"), usd("1818.18")]
            assert all(wager.capped and wager.outcome is Outcome.WIN for wager in one.wagers)
            assert one.returned == usd("29800.00")

    def test_a_limit_of_a_player_is_his_alone(self):
        assert settle(self.facts, limited("44000.00", "player")) == settle(self.facts, rules(bet_limits=limits()))
        # 22,000 of 44,000: every win is halved.
        result = settle(self.facts, limited("22000.00", "player"))
        assert nets(result.boxes) == [usd("400.00"), usd("20000.00"), usd("1600.00")] * 2


def test_the_blind_alone_in_the_published_dispute():
    # 40,000 each under 50,000 for the round: 25,000 each.
    boxes = [winner(2, "A", usd("40000.00")), winner(5, "B", usd("40000.00"))]
    assert nets(cap(boxes, PayoutLimit(usd("50000.00"), LimitScope.ROUND))) == [usd("25000.00")] * 2


def test_a_player_is_limited_over_all_his_boxes():
    # A wins 60 + 40 and may win 50: 30 + 20. B's 40 are his own.
    boxes = [winner(1, "A", usd("60.00")), winner(2, "B", usd("40.00")), winner(3, "A", usd("40.00"))]
    capped = cap(boxes, PayoutLimit(usd("50.00"), LimitScope.PLAYER))
    assert nets(capped) == [usd("30.00"), usd("40.00"), usd("20.00")]
    assert [one.wagers[0].capped for one in capped] == [True, False, True]


def test_left_over_units_go_by_largest_remainder():
    # 10,000.00 over 40,000 + 40,000 + 0.01: exact 4,999.999375, 4,999.999375 and 0.00125; the two floors of
    # 4,999.99 and one of 0.00 leave 0.02, and the large ones have the larger remainders.
    boxes = [winner(1, "A", usd("40000.00")), winner(2, "B", usd("40000.00")), winner(3, "C", usd("0.01"))]
    capped = cap(boxes, PayoutLimit(usd("10000.00"), LimitScope.ROUND))
    assert nets(capped) == [usd("5000.00"), usd("5000.00"), 0]


def test_equal_remainders_go_by_box_number_not_by_place():
    # 100.00 over three equal wins: 33.33 each, and the cent left over to the lowest box.
    boxes = [winner(9, "A", usd("80.00")), winner(2, "B", usd("80.00")), winner(5, "C", usd("80.00"))]
    capped = cap(boxes, PayoutLimit(usd("100.00"), LimitScope.ROUND))
    assert nets(capped) == [usd("33.33"), usd("33.34"), usd("33.33")]


def test_equal_remainders_within_a_box_go_by_wager():
    # Ante 5 and Play 5 under 9.99: 4.995 each, the cent to the Ante.
    wagers = tuple(
        WagerResult(kind, 500 * CENT, Outcome.WIN, 1_000 * CENT) for kind in (WagerKind.ANTE, WagerKind.PLAY)
    )
    one = BoxResult(1, "A", None, None, wagers, progressive_alive=False)
    capped = cap([one], PayoutLimit(usd("9.99"), LimitScope.ROUND))
    assert nets(capped) == [usd("5.00"), usd("4.99")]
    assert [wager.capped for wager in capped[0].wagers] == [False, True]


def test_losses_do_not_offset_wins():
    # Three queens lose 30 to a straight but win Trips 3 * 5 = 15, of which 10 are left.
    facts = deal(box("Qc Qd", trips="5.00"), board="Qs Jh Ts 3c 7h", dealer="8d 9h")
    wagers = settle(facts, limited("10.00", "player")).boxes[0].wagers
    assert [(wager.net, wager.capped) for wager in wagers] == [
        (-usd("5.00"), False),
        (-usd("5.00"), False),
        (-usd("20.00"), False),
        (usd("10.00"), True),
    ]


@pytest.mark.parametrize("scope", LimitScope)
def test_wins_that_meet_the_limit_exactly_are_not_capped(scope):
    boxes = [winner(1, "A", usd("50.00"))]
    assert list(cap(boxes, PayoutLimit(usd("50.00"), scope))) == boxes


wins = st.lists(
    st.tuples(st.integers(0, 10**7), st.sampled_from("ABC"), st.integers(1, 10**6)), min_size=1, max_size=12
)


@given(wins, st.integers(1, 10**8), st.sampled_from(LimitScope))
def test_a_cap_takes_no_more_and_no_less_than_it_says(drawn, cents, scope):
    boxes = [winner(n, player, net * CENT, stake=stake * CENT) for n, (net, player, stake) in enumerate(drawn, start=1)]
    limit = PayoutLimit(cents * CENT, scope)
    capped = cap(boxes, limit)
    for owner in "ABC" if scope is LimitScope.PLAYER else [None]:
        before = sum(one.wagers[0].net for one in boxes if owner in (None, one.player))
        after = sum(one.wagers[0].net for one in capped if owner in (None, one.player))
        assert after == min(before, limit.amount)
    for was, now in zip(boxes, capped, strict=True):
        assert now.wagers[0].returned >= now.wagers[0].stake
        assert now.wagers[0].returned % CENT == 0
        assert now.wagers[0].capped == (now.wagers[0].net < was.wagers[0].net)
        assert now.wagers[0].net <= was.wagers[0].net
