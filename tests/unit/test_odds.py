"""Odds that need no board: how often hands are dealt, Trips, and the Progressive, against figures known exactly."""

import random
from fractions import Fraction
from typing import Any

import pytest

from jackpot.services import Policy
from tables.domain.cards import DECK
from tables.domain.facts import Action, Decision, RoundFacts, Street
from tables.domain.hands import HandName, qualifies, rank
from tables.domain.paytables import BLIND_A, NAMED, TableKind
from tables.domain.results import WagerKind
from tables.domain.settlement import settle
from tables.odds.frequencies import hands_of
from tables.odds.patterns import multisets
from tables.odds.progressive import ProgressiveOdds
from tables.odds.settings import OddsTooFine, Settings
from tables.odds.tallies import Ending, Tally, ante_of, blind_of, play_of
from tables.odds.theory import Theory
from tables.odds.trips import trips_odds
from tables.services.demo_data import policy_document
from tests.unit.builders import FOLD, USD, box, document, rules, usd

FIVE = 2_598_960
SEVEN = 133_784_560


def test_hands_of_five_cards() -> None:
    counted = (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
    assert dict(hands_of(5)) == dict(zip(HandName, counted, strict=True))


def test_hands_of_seven_cards() -> None:
    counted = (4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620)
    assert tuple(hands_of(7).values())[:7] == counted
    assert sum(hands_of(7).values()) == SEVEN
    dealer_fails = Fraction(hands_of(7)[HandName.HIGH_CARD], SEVEN)
    assert round(float(1 - dealer_fails) * 100, 6) == 82.588080


def test_hands_of_seven_cards_dealt_at_random() -> None:
    """Each of the two ways by which hands are counted is right on its own cards: by ranks, and by the suit."""
    draw, dealt = random.Random(5), 20_000
    found = dict.fromkeys(HandName, 0)
    for _ in range(dealt):
        found[rank(draw.sample(DECK, 7)).name] += 1
    for hand, count in hands_of(7).items():
        share = count / SEVEN
        assert abs(found[hand] - dealt * share) <= 5 * (dealt * share * (1 - share)) ** 0.5 + 1, hand


@pytest.mark.parametrize(
    ("odds", "numerator"),
    [("8-7-4", -4_679_700), ("8-6-5", -2_547_324), ("9-7-4", -1_206_516), ("7-6-5", -8_268_988)],
)
def test_trips(odds: str, numerator: int) -> None:
    (table,) = (table for name, table in NAMED.items() if table.kind is TableKind.TRIPS and f"-{odds}-" in name)
    found = trips_odds(table)
    assert found.net.mean == Fraction(numerator, SEVEN)
    assert found.net.returned == 1 + Fraction(numerator, SEVEN)
    assert found.hit == Fraction(sum(hands_of(7)[hand] for hand in table.lines), SEVEN)
    # The variance by hand: net is -1 but where the table pays.
    second = sum(hands_of(7)[hand] * (odds.numerator**2 - 1) for hand, odds in table.lines.items())
    assert found.net.variance == Fraction(second, SEVEN) + 1 - found.net.mean**2


def test_trips_returns_as_they_are_published() -> None:
    returns = [trips_odds(NAMED[f"trips-{lines}"]).net.returned for lines in (
        "50-40-30-8-7-4-3", "50-40-30-8-6-5-3", "50-40-30-9-7-4-3", "50-40-20-7-6-5-3",
    )]  # fmt: skip
    assert [f"{float(found) * 100:.6f}" for found in returns] == ["96.502063", "98.095951", "99.098165", "93.819176"]


def progressive(**settings: Any) -> ProgressiveOdds:
    return ProgressiveOdds(Policy.from_document(policy_document() | settings, currency=USD))


@pytest.mark.parametrize("meter", ["0.00", "10000.00", "160530.53", "999999.99"])
def test_progressive_as_a_function_of_its_meter(meter: str) -> None:
    stakes = Fraction(usd(meter), usd("1.00"))
    found = progressive().returned({"main": usd(meter)})
    assert found == (Fraction("7.6") * stakes + 1_378_928) / FIVE
    assert progressive().hit == Fraction(6219, 216_580)
    assert progressive().paid().mean / usd("1.00") == Fraction(1_378_928, FIVE)


@pytest.mark.parametrize(
    ("others", "meter"),
    [(0, "160530.53"), (1, "158583.16"), (2, "156635.79"), (3, "154688.42"), (4, "152741.05"), (5, "150793.68"),
     (6, "148846.32")],
)  # fmt: skip
def test_progressive_breaks_even(others: int, meter: str) -> None:
    odds = progressive()
    found = odds.break_even("main", {"main": 0}, others=others)
    assert found is not None
    assert round(float(found) / usd("1.00"), 2) == float(meter)
    assert (found * Fraction("7.6") / usd("1.00") + 1_378_928) / FIVE + others * Fraction(185, 32_487) == 1


def test_progressive_in_the_long_run() -> None:
    found = progressive().long_run("main")
    assert found is not None
    assert found / usd("1.00") == (Fraction("0.2") * FIVE + 4 * 10_000) / Fraction("7.6")
    assert progressive(after_share="restore_base").long_run("main") is None


def test_progressive_of_several_levels_and_fixed_amounts() -> None:
    levels = [{"code": code, "base": "100.00", "increment_ppm": 100_000, "limit": None} for code in ("big", "small")]
    table = [
        {"hand": "royal_flush", "basis": "meter_share", "level": "big", "ppm": 1_000_000},
        {"hand": "straight_flush", "basis": "meter_share", "level": "small", "ppm": 500_000},
        {"hand": "four_of_a_kind", "basis": "fixed", "amount": "750.00"},
        {"hand": "full_house", "basis": "for_one", "odds": 50},
    ]
    odds = progressive(stake="2.00", levels=levels, progressive_table=table, envy_table={"royal_flush": "10.00"})
    meters = {"big": usd("1000.00"), "small": usd("200.00")}
    won = 4 * 1_000 + 36 * 100 + 624 * 750 + 3_744 * 2 * 50
    assert odds.returned(meters) == Fraction(won, 2 * FIVE)
    assert odds.returned(meters, others=3) == Fraction(won + 3 * 4 * 10, 2 * FIVE)
    even = odds.break_even("small", meters)
    assert even is not None
    assert odds.returned(meters | {"small": 0}) + even * Fraction(18, FIVE) / usd("2.00") == 1
    # Four royals of 50.00 to 5 others, quads and full houses of the wager itself.
    paid = odds.paid(5)
    assert paid.mean == Fraction(4 * usd("50.00") + 624 * usd("750.00") + 3_744 * usd("100.00"), FIVE)


def _dealt(draw: random.Random) -> tuple[RoundFacts, Tally]:
    """A random deal with a random decision, as settlement takes it and as it would be counted."""
    cards = draw.sample(DECK, 9)
    pair, dealer, board = tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:])
    street, multiplier = draw.choice(
        [(Street.PREFLOP, 4), (Street.PREFLOP, 3), (Street.FLOP, 2), (Street.RIVER, 1), (Street.RIVER, 0)]
    )
    decision = Decision(Action.PLAY, street, multiplier) if multiplier else FOLD
    facts = RoundFacts(
        boxes=(box(" ".join(pair), ante="1.00", decision=decision),), flop=board[:3], turn=board[3], river=board[4],
        dealer=dealer, player_cards=None, void=None,
    )  # fmt: skip
    mine, his = rank(pair + board), rank(dealer + board)
    if not multiplier:
        ending = Ending.FOLDED
    elif mine.strength == his.strength:
        ending = Ending.TIED
    else:
        ending = Ending(f"{'won' if mine.beats(his) else 'lost'}_{'' if qualifies(his) else 'un'}qualified")
    return facts, Tally(street, multiplier, ending, mine.name, 1)


def test_what_is_counted_pays_as_settlement_does() -> None:
    draw = random.Random(11)
    seen = set()
    for _ in range(2_000):
        facts, tally = _dealt(draw)
        (result,) = settle(facts, rules()).boxes
        net = {wager.kind: Fraction(wager.returned - wager.stake, usd("1.00")) for wager in result.wagers}
        assert net[WagerKind.ANTE] == ante_of(tally), facts
        assert net[WagerKind.BLIND] == blind_of(tally, BLIND_A), facts
        assert net.get(WagerKind.PLAY, 0) == play_of(tally), facts
        seen.add(tally.ending)
    assert seen == set(Ending)


def test_theory_is_stored_without_loss() -> None:
    settings = Settings.from_document(document())
    deals = [_dealt(random.Random(seed))[1] for seed in range(50)]
    theory = Theory.of(settings, deals)
    assert Theory.from_document(theory.to_document(), settings) == theory
    assert theory.trips is not None
    without = Theory.of(Settings.from_document(document(trips_survives_fold=False)), deals)
    assert without.trips is None
    assert Theory.from_document(without.to_document(), settings) == without


def test_odds_too_fine_to_stay_exact_are_refused() -> None:
    blind = {"name": "mine", "lines": {"straight_flush": "9998:9997", "flush": "3:2", "straight": "9973:9967"}}
    with pytest.raises(OddsTooFine, match="mine: a common denominator of"):
        _ = Settings.from_document(document(blind_table=blind)).unit
    assert Settings.from_document(document()).unit == 2
    blind["lines"] = {"straight": "9999:7", "flush": "3:2"}
    assert Settings.from_document(document(blind_table=blind)).unit == 14


def test_multisets() -> None:
    assert sum(1 for _ in multisets(5)) == 6_175
    assert sum(1 for _ in multisets(7)) == 49_205
