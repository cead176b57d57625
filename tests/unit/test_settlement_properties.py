"""What holds for every round, whatever was dealt, staked and decided."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from jackpot import money
from tables.domain.cards import DECK
from tables.domain.checks import check
from tables.domain.facts import AUTOMATIC_FOLD, BoxFacts, RoundFacts, VoidReason
from tables.domain.results import Outcome
from tables.domain.settlement import settle
from tests.unit.builders import FOLD, PLAY_1X, PLAY_2X, PLAY_4X, limits, rules, usd

RULES = rules(bet_limits=limits(ante="1000.00", trips="1000.00"))
decisions = st.sampled_from([PLAY_4X, PLAY_2X, PLAY_1X, FOLD, AUTOMATIC_FOLD])
cents = st.integers(1, 100_000).map(lambda n: n * money.UNITS_PER_MINOR)


@st.composite
def rounds(draw, most=6):
    deck = list(draw(st.permutations(DECK)))
    count = draw(st.integers(1, most))
    boxes = tuple(
        BoxFacts(
            box=number,
            player=draw(st.sampled_from(["A", "B", "C"])),
            ante=draw(cents),
            trips=draw(st.one_of(st.just(0), cents)),
            progressive=draw(st.sampled_from([0, usd("1.00")])),
            cards=(deck.pop(), deck.pop()),
            decision=draw(decisions),
            void=draw(st.sampled_from([None, None, None, VoidReason.OTHER])),
        )
        for number in range(1, count + 1)
    )
    flop = (deck.pop(), deck.pop(), deck.pop())
    return RoundFacts(boxes, flop=flop, turn=deck.pop(), river=deck.pop(), dealer=(deck.pop(), deck.pop()))


@given(rounds())
def test_what_is_in_order_settles_and_every_stake_is_answered_for(facts):
    assert check(facts, RULES, progressive_stake=usd("1.00")) == []
    for box, result in zip(facts.boxes, settle(facts, RULES).boxes, strict=True):
        assert result.staked == box.staked - box.progressive
        assert result.returned - result.staked == sum(wager.net for wager in result.wagers)
        for wager in result.wagers:
            assert wager.stake > 0
            assert wager.returned % money.UNITS_PER_MINOR == 0
            match wager.outcome:
                case Outcome.WIN:
                    assert wager.returned > wager.stake
                case Outcome.LOSE:
                    assert wager.returned == 0
                case Outcome.PUSH | Outcome.REFUND:
                    assert wager.returned == wager.stake


@given(rounds(), st.randoms())
def test_the_order_in_which_cards_are_written_decides_nothing(facts, chance):
    def shuffled(cards):
        return tuple(chance.sample(cards, len(cards)))

    again = dataclasses.replace(
        facts,
        boxes=tuple(box._replace(cards=shuffled(box.cards)) for box in facts.boxes),
        flop=shuffled(facts.flop),
        turn=facts.river,
        river=facts.turn,
        dealer=shuffled(facts.dealer),
    )
    assert settle(again, RULES) == settle(facts, RULES)


@given(rounds())
def test_no_box_changes_the_result_of_another(facts):
    together = settle(facts, RULES)
    for box, result in zip(facts.boxes, together.boxes, strict=True):
        alone = settle(dataclasses.replace(facts, boxes=(box,)), RULES)
        assert alone.boxes == (result,)
        assert (alone.dealer, alone.qualifies) == (together.dealer, together.qualifies)


@given(rounds(most=1), st.integers(2, 5))
def test_stakes_scale_whole_odds(facts, times):
    """Five times the stakes are five times the money, as long as no 3 to 2 is rounded."""
    (box,) = facts.boxes
    even = box._replace(ante=2 * box.ante)
    larger = even._replace(ante=even.ante * times, trips=even.trips * times)
    small, large = (settle(dataclasses.replace(facts, boxes=(one,)), RULES).boxes[0] for one in (even, larger))
    assert large.returned == small.returned * times


@given(rounds(), st.integers(1, 10**7))
def test_a_payout_limit_only_takes_from_wins(facts, cents_left):
    limit = {"amount": f"{cents_left // 100}.{cents_left % 100:02}", "scope": "round"}
    limited = settle(facts, rules(bet_limits=limits(), payout_limit=limit))
    free = settle(facts, RULES)
    won = sum(max(wager.net, 0) for box in limited.boxes for wager in box.wagers)
    would_win = sum(max(wager.net, 0) for box in free.boxes for wager in box.wagers)
    assert won == min(would_win, cents_left * money.UNITS_PER_MINOR)
    for box, uncapped in zip(limited.boxes, free.boxes, strict=True):
        for wager, before in zip(box.wagers, uncapped.wagers, strict=True):
            assert wager.outcome is before.outcome
            assert wager.capped or wager == before
