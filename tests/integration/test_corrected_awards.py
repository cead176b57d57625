"""What becomes of awards when their round is corrected: paid, mispaid, rejected, split."""

from decimal import Decimal

import pytest

from jackpot.domain.awards import Move
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry, Leg
from jackpot.services import award_moves
from tests.factories import (
    NOW,
    assert_books_agree,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    rule_set_with,
    straight_flush,
)
from tests.factories.corrections import correct
from tests.integration.corrected import awards, balance, money, paid, pots
from tests.unit.builders import FOLD, box, usd

pytestmark = pytest.mark.django_db


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with(code="LINK", tables=("T-01", "T-02"), approvals=1)


def test_what_was_paid_and_is_more_by_now_opens_a_difference(link: Jackpot) -> None:
    """A straight flush was paid 1,000.02; it was a royal: 10,000.20 is owed, so 9,000.18 more."""
    (round_id,) = play(reported(straight_flush(1), table="T-01"))
    was = paid(round_id)
    correct(round_id, reported(royal(1), table="T-01"))
    assert awards(round_id) == [
        ("hit", 1, "straight_flush", "1000.0200", "paid"), ("hit", 1, "royal_flush", "9000.1800", "pending"),
    ]  # fmt: skip
    difference = Award.objects.get(difference_of=was)
    assert (balance("awards:LINK"), money(difference.amount)) == ("-9000.1800", "9000.1800")
    assert pots(link)["meter"] == "10000.0000"
    assert_books_agree()
    award_moves.move(caller=person("cleo"), award_id=difference.pk, move=Move.DISPUTE, note="", now=NOW)
    award_moves.move(caller=person("cleo"), award_id=difference.pk, move=Move.REJECT, note="", now=NOW)
    assert pots(link)["meter"] == "19000.1800"  # the reset stays: a part of the royal was paid
    assert_books_agree()


def test_what_was_paid_and_is_not_owed_is_charged_to_the_house_as_mispay(link: Jackpot) -> None:
    (round_id,) = play(reported(royal(1), table="T-01"))
    paid(round_id)
    before = Decimal(balance("house:LINK"))
    correct(round_id, reported(straight_flush(1), table="T-01"))
    assert awards(round_id) == [("hit", 1, "royal_flush", "10000.2000", "paid")]
    mispay = Entry.objects.get(reason="mispay")
    house = Leg.objects.get(entry=mispay, account__code="house:LINK")
    assert money(house.amount) == "9000.1800"
    assert Decimal(balance("house:LINK")) - before == Decimal("9000.18") - Decimal("9999.98")  # the base came back
    assert (balance("awards:LINK"), pots(link)["meter"]) == ("0.0000", "9000.1800")
    correct(round_id, reported(royal(1), table="T-01"))
    assert awards(round_id) == [("hit", 1, "royal_flush", "10000.2000", "paid")]
    assert (balance("awards:LINK"), pots(link)["meter"]) == ("0.0000", "10000.0000")
    assert Entry.objects.get(reverses=mispay).kind == "correction"
    assert_books_agree()


def test_what_was_rejected_is_not_given_back_twice(link: Jackpot) -> None:
    (round_id,) = play(reported(royal(1), low(2), table="T-01"))
    award = Award.objects.get(source_ref=round_id, kind="hit")
    for move in (Move.DISPUTE, Move.REJECT):
        award_moves.move(caller=person("cleo"), award_id=award.pk, move=move, note="a marked card", now=NOW)
    stood = pots(link)
    assert stood == {"meter": "10000.4000", "reserve": "0.0400", "overflow": "0.0000"}
    correct(round_id, reported(royal(1), low(2, decision=FOLD), table="T-01"), reason="wrong_decision")
    assert (pots(link), [one[-1] for one in awards(round_id)]) == (stood, ["rejected", "rejected"])
    correct(round_id, reported(low(1, pair="9h 8h"), low(2, decision=FOLD), table="T-01"))
    assert (pots(link), balance("awards:LINK")) == (stood, "0.0000")
    assert_books_agree()


def test_what_was_rejected_stays_rejected_for_whatever_amount() -> None:
    """Three parts of a royal, the first one rejected. The third box had no Progressive: two have 5,000.30 each, and the
    first one's is not owed.
    """
    link = jackpot_with(code="LINK", rules=rule_set_with(hand_mode="shared"), approvals=1)
    boxes = [box(None, number=number, progressive="1.00") for number in (1, 2, 3)]
    (round_id,) = play(reported(*boxes, table="T-01", player_cards="As Ks"))
    first = Award.objects.get(source_ref=round_id, box=1)
    for move in (Move.DISPUTE, Move.REJECT):
        award_moves.move(caller=person("cleo"), award_id=first.pk, move=move, note="a marked card", now=NOW)
    without = [*boxes[:2], box(None, number=3)]
    correct(round_id, reported(*without, table="T-01", player_cards="As Ks"), reason="wrong_bets")
    assert [(box, amount, state) for _, box, _, amount, state in awards(round_id)] == [
        (1, "3333.5400", "rejected"), (2, "3333.5300", "withdrawn"), (3, "3333.5300", "withdrawn"),
        (2, "5000.3000", "pending"),
    ]  # fmt: skip
    assert (balance("awards:LINK"), pots(link)["meter"]) == ("-5000.3000", "15000.3000")
    assert_books_agree()


def test_the_parts_of_a_split_share_carry_over_where_they_are_the_same() -> None:
    """One shared hand: 10,000.60 in three parts. The third box had no Progressive: 10,000.40 would have shown, but the
    sign showed 10,000.60, so two have 5,000.30 each.
    """
    link = jackpot_with(code="LINK", rules=rule_set_with(hand_mode="shared"), approvals=1)
    boxes = [box(None, number=number, progressive="1.00") for number in (1, 2, 3)]
    (round_id,) = play(reported(*boxes, table="T-01", player_cards="As Ks"))
    assert [award[3] for award in awards(round_id)] == ["3333.5400", "3333.5300", "3333.5300"]
    without = [*boxes[:2], box(None, number=3)]
    correct(round_id, reported(*without, table="T-01", player_cards="As Ks"), reason="wrong_bets")
    assert [award[3:] for award in awards(round_id)][3:] == [("5000.3000", "pending"), ("5000.3000", "pending")]
    dearer = [one._replace(ante=usd("10.00")) for one in without]
    correct(round_id, reported(*dearer, table="T-01", player_cards="As Ks"), reason="wrong_bets")
    assert [award[-1] for award in awards(round_id)] == ["withdrawn"] * 3 + ["pending"] * 2
    one, other = Award.objects.filter(state="pending")
    for award in (one, other):
        for move in (Move.DISPUTE, Move.REJECT):
            award_moves.move(caller=person("cleo"), award_id=award.pk, move=move, note="", now=NOW)
    assert pots(link) == {"meter": "10000.6000", "reserve": "0.0400", "overflow": "0.0000"}
    stakes = Leg.objects.get(entry__source_ref__endswith=":stakes", account__code="house:LINK")
    assert money(stakes.amount) == "0.2000"  # a contribution that a 100% share took is the house's to give back
    assert_books_agree()
