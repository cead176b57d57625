"""A correction that leaves an award as it was leaves the pots as they were; who asked for it does not decide on it."""

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from jackpot.domain.accounts import Pot
from jackpot.domain.awards import Move
from jackpot.domain.errors import Refused
from jackpot.models.awards import Award, AwardMove
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry
from jackpot.services import award_moves
from tables.services.audit import audit
from tests.factories import (
    NOW,
    assert_books_agree,
    change_policy,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    straight_flush,
)
from tests.factories.corrections import correct
from tests.factories.moves import adjust
from tests.integration.corrected import awards, balance, pots
from tests.owner import as_owner
from tests.unit.builders import FOLD

pytestmark = pytest.mark.django_db
OVERFLOW = pytest.mark.parametrize("overflow_to", ["next_reset", "house"])


def fold_and_play_again(round_id: UUID, box: Any) -> None:
    """Two corrections of another box: it folded, and then it did not."""
    correct(round_id, reported(box, low(2, decision=FOLD), table="T-01"), reason="wrong_decision")
    correct(round_id, reported(box, low(2), table="T-01"), reason="wrong_decision")


def assert_left_alone(link: Jackpot, round_id: UUID, box: Any) -> None:
    """Whatever is corrected of another box, pots, house and the award stay as they are, in both versions."""
    stood = pots(link), balance("house:LINK"), balance("awards:LINK"), awards(round_id)
    fold_and_play_again(round_id, box)
    assert (pots(link), balance("house:LINK"), balance("awards:LINK"), awards(round_id)) == stood
    assert_books_agree()


@OVERFLOW
@pytest.mark.parametrize("filled", ["10004.00", "10003.90"])
def test_a_part_of_a_full_meter_carries_over(overflow_to: str, filled: str) -> None:
    """10% of 10,000.40 is 1,000.04; the meter is at its limit of 10,004.00 again, or nearly. What the mirrored share
    has no room for comes back once the share is taken again.
    """
    link = jackpot_with(limit="10004.00", overflow_to=overflow_to, approvals=1)
    (round_id,) = play(reported(straight_flush(1), low(2), table="T-01"))
    assert pots(link)["meter"] == "9000.3600"
    adjust(link, str(Decimal(filled) - Decimal("9000.36")))
    assert pots(link)["meter"] == f"{filled}00"
    assert_left_alone(link, round_id, straight_flush(1))


@OVERFLOW
@pytest.mark.parametrize("filled", ["10004.00", "10003.50", "10000.00"])
def test_a_whole_meter_carries_over(overflow_to: str, filled: str) -> None:
    """The royal took 10,000.40, the base of 10,000.00 came in; 0.40 of the share have no room even so."""
    link = jackpot_with(limit="10004.00", overflow_to=overflow_to, approvals=1)
    (round_id,) = play(reported(royal(1), low(2), table="T-01"))
    if filled != "10000.00":
        adjust(link, str(Decimal(filled) - 10000))
    assert pots(link) == {"meter": f"{filled}00", "reserve": "0.0000", "overflow": "0.0000"}
    assert_left_alone(link, round_id, royal(1))


def test_what_waited_in_the_overflow_before_goes_on_waiting() -> None:
    link = jackpot_with(limit="10004.00", approvals=1)
    (round_id,) = play(reported(straight_flush(1), low(2), table="T-01"))
    adjust(link, "1003.64")
    adjust(link, "5.00", pot=Pot.OVERFLOW)
    assert_left_alone(link, round_id, straight_flush(1))


@OVERFLOW
def test_both_shares_of_a_round_carry_over(overflow_to: str) -> None:
    """A royal and a straight flush in one round: two shares, each taken where the other one made room."""
    link = jackpot_with(limit="10004.00", overflow_to=overflow_to, approvals=1)
    boxes = royal(1), straight_flush(3)
    (round_id,) = play(reported(*boxes, low(2), table="T-01"))
    adjust(link, str(Decimal("10004.00") - Decimal(pots(link)["meter"])))
    stood = pots(link), balance("house:LINK"), awards(round_id)
    correct(round_id, reported(*boxes, low(2, decision=FOLD), table="T-01"), reason="wrong_decision")
    assert (pots(link), balance("house:LINK"), awards(round_id)) == stood
    assert_books_agree()


@OVERFLOW
def test_a_share_that_is_over_the_limit_by_now_carries_over(overflow_to: str) -> None:
    """The royal's reset brought a base of 5,000.00 and a limit of 10,000.00: its share of 10,000.40 never has room in
    the meter, and what the meter lacks for it is taken where it waits. A royal that was none leaves it waiting there.
    """
    link = jackpot_with(limit="10004.00", overflow_to=overflow_to, approvals=1)
    change_policy(link, base="5000.00", limit="10000.00", overflow_to=overflow_to, approvals=1)
    (round_id,) = play(reported(royal(1), low(2), table="T-01"))
    assert (pots(link)["meter"], awards(round_id)[0][3]) == ("5000.0000", "10000.4000")
    house = Decimal(balance("house:LINK"))
    assert_left_alone(link, round_id, royal(1))
    correct(round_id, reported(low(1, pair="9h 8h"), low(2), table="T-01"))
    waits, gained = ("0.4000", "0") if overflow_to == "next_reset" else ("0.0000", "0.40")
    assert pots(link) == {"meter": "10000.0000", "reserve": "0.0400", "overflow": waits}
    assert house - Decimal(balance("house:LINK")) == Decimal("4999.96") + Decimal(gained)
    assert_books_agree()


def test_the_last_hit_does_not_go_back_in_time() -> None:
    link = jackpot_with(tables=("T-01", "T-02"), approvals=1)
    (missed,) = play(reported(low(1, pair="9h 8h"), low(2), table="T-01"))
    (last,) = play(reported(royal(1), table="T-02", at=NOW + timedelta(minutes=5)))
    hit_at = Award.objects.get(source_ref=last, kind="hit").hit_at
    correct(missed, reported(straight_flush(1), low(2), table="T-01"))
    assert Award.objects.get(source_ref=missed, kind="hit").hit_at < hit_at
    assert Level.objects.get(jackpot=link).last_hit_at == hit_at
    assert_books_agree()


@pytest.mark.parametrize(
    ("moves", "begins"),
    [
        ((Move.APPROVE,), "approved"),
        ((Move.APPROVE, Move.PAY), "approved"),
        ((Move.DISPUTE,), "disputed"),
        ((Move.DISPUTE, Move.UPHOLD), "approved"),
        ((), "pending"),
    ],
)
def test_an_envy_that_was_missed_begins_where_its_hit_stands(moves: tuple[Move, ...], begins: str) -> None:
    jackpot_with(tables=("T-01",), approvals=1)
    (round_id,) = play(reported(royal(1), low(2, progressive="0"), table="T-01"))
    hit = Award.objects.get(source_ref=round_id)
    for move in moves:
        award_moves.move(caller=person("cleo"), award_id=hit.pk, move=move, note="because", now=NOW)
    correct(round_id, reported(royal(1), low(2), table="T-01"), reason="wrong_bets")
    envy = Award.objects.get(source_ref=round_id, kind="envy")
    assert (envy.state, envy.hit_id, envy.moves.count()) == (begins, hit.pk, 0)
    assert_books_agree()
    if begins == "approved":
        award_moves.move(caller=person("cleo"), award_id=envy.pk, move=Move.PAY, note="receipt", now=NOW)
    if begins == "disputed":
        award_moves.move(caller=person("dora"), award_id=hit.pk, move=Move.UPHOLD, note="", now=NOW)
    assert_books_agree()


@pytest.fixture
def carried() -> Award:
    """A royal that waits, in a round that ann had corrected in another box."""
    jackpot_with(tables=("T-01",), approvals=1)
    (round_id,) = play(reported(royal(1), low(2), table="T-01"))
    correct(round_id, reported(royal(1), low(2, decision=FOLD), table="T-01"), reason="wrong_decision")
    return Award.objects.get(source_ref=round_id, kind="hit")


def test_who_asked_for_the_correction_does_not_decide_on_what_carried_over(carried: Award) -> None:
    written = Entry.objects.count(), AwardMove.objects.count()
    with pytest.raises(Refused, match="who entered the round") as refused:
        award_moves.move(caller=person("ann"), award_id=carried.pk, move=Move.APPROVE, note="", now=NOW)
    assert refused.value.code == "second_person_required"
    carried.refresh_from_db()
    assert (carried.state, Entry.objects.count(), AwardMove.objects.count()) == ("pending", *written)
    award_moves.move(caller=person("ben"), award_id=carried.pk, move=Move.APPROVE, note="", now=NOW)
    assert_books_agree()


def test_an_audit_names_a_decision_of_who_asked_for_the_correction(carried: Award) -> None:
    award_moves.move(caller=person("cleo"), award_id=carried.pk, move=Move.APPROVE, note="", now=NOW)
    with as_owner(past_guards=True) as cursor:
        ann = person("ann").user_id
        cursor.execute("UPDATE jackpot_awardmove SET user_id = %s", [ann])
        cursor.execute("UPDATE jackpot_entry SET actor = %s WHERE kind = 'award_move'", [f"user:{ann}"])
    found = audit(Lane.objects.select_related("jackpot", "site")).findings.differences
    assert any("who entered the round" in str(one) for one in found), found
