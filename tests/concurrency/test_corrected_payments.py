"""A correction of a round against the payment of its hit: one comes first, and the other finds how it stands then."""

from uuid import UUID

import pytest

from jackpot.domain.awards import Move
from jackpot.domain.errors import Refused
from jackpot.models.awards import Award, AwardMove
from jackpot.models.ledger import Entry
from jackpot.selectors import books
from jackpot.services import award_moves
from tables.models.rounds import Round
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import NOW, assert_books_agree, caller, house, low, person, play, reported, royal, straight_flush
from tests.factories.corrections import approve_correction, ask_correction

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked() -> UUID:
    """A royal that two people have approved, and a correction of its round that makes it a straight flush."""
    house()
    (round_id,) = play(reported(royal(1), low(2)), by=caller())
    for name in ("ann", "ben"):
        move(name, Move.APPROVE)
    return ask_correction(round_id, reported(straight_flush(1), low(2)), by=person("cleo"))


def hit() -> Award:
    return Award.objects.filter(kind="hit").earliest("entry_id")


def move(name: str, move: Move) -> None:
    award_moves.move(caller=person(name), award_id=hit().pk, move=move, note="slip", now=NOW)


def pay() -> str:
    try:
        move("emil", Move.PAY)
    except Refused as refused:
        return refused.code
    return "paid"


def correct(asked: UUID) -> str:
    approve_correction(asked, by=person("dora"))
    return "corrected"


def test_a_correction_waits_for_a_payment_and_finds_it_paid(asked: UUID) -> None:
    payment = Actor(pay, hold=True)
    correction = Actor(lambda: correct(asked))
    correction.wait_until_blocked()
    assert (payment.commit(), correction.result()) == ("paid", "corrected")
    assert hit().state == "paid"
    assert not AwardMove.objects.filter(award=hit(), move="withdraw").exists()
    assert Entry.objects.filter(kind="correction", source_ref__endswith=":mispay").count() == 1
    assert_books_agree()


def test_a_payment_waits_for_a_correction_and_finds_it_withdrawn(asked: UUID) -> None:
    correction = Actor(lambda: correct(asked), hold=True)
    payment = Actor(pay)
    payment.wait_until_blocked()
    assert (correction.commit(), payment.result()) == ("corrected", "illegal_move")
    assert hit().state == "withdrawn"
    assert not Entry.objects.filter(kind="award_paid").exists()
    assert_books_agree()


def test_at_once_the_hit_is_paid_or_withdrawn_never_both(asked: UUID) -> None:
    for name in ("dora", "emil"):
        person(name)
    answers = all_at_once([pay, lambda: correct(asked)])
    paid = answers[0] == "paid"
    assert answers == ["paid" if paid else "illegal_move", "corrected"]
    assert (hit().state, Entry.objects.filter(kind="award_paid").count()) == (
        "paid" if paid else "withdrawn",
        int(paid),
    )
    assert Round.objects.get().version == 2
    owed = sum(award.amount for award in Award.objects.filter(state__in=("pending", "approved")))
    assert books.account_balances(["awards:MAIN"]) == {"awards:MAIN": -owed}
    assert_books_agree()
