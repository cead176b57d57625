"""Awards in the console, from the hit to the player's hand: the queue, the page, each step, and what is refused."""

from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from jackpot.models.awards import Award, AwardMove
from jackpot.models.events import Event
from jackpot.models.jackpots import Level
from jackpot.models.ledger import Entry, Leg
from jackpot.selectors import books
from tests.admin.people import page, staff, step, take, text
from tests.factories import House, assert_books_agree, caller, low, person, play, reported, royal
from tests.factories.corrections import approve_correction, ask_correction
from tests.unit.builders import usd

MOVES = ("approve", "dispute", "uphold", "reject", "pay")
ALL = tuple(f"{move}_award" for move in MOVES)
WAITING = reverse("admin:jackpot_award_waiting")


@pytest.fixture
def hit(demo: House) -> Award:
    """A royal of 10,000.00 and two contributions, with an Envy of 1,000.00, in a round that a machine sent."""
    play(reported(royal(1), low(2)), by=caller())
    return Award.objects.get(kind="hit")


@pytest.fixture
def envy(hit: Award) -> Award:
    return Award.objects.get(hit=hit)


@pytest.fixture
def ann(demo: House) -> Client:
    return staff("ann", *ALL)


@pytest.fixture
def ben(demo: House) -> Client:
    return staff("ben", *ALL)


def state(award: Award) -> str:
    return Award.objects.values_list("state", flat=True).get(pk=award.pk)


def told() -> list[str]:
    return list(Event.objects.filter(type__startswith="award.").order_by("seq").values_list("type", flat=True))


def counts() -> tuple[int, ...]:
    return AwardMove.objects.count(), Entry.objects.count(), Event.objects.count(), LogEntry.objects.count()


def test_from_the_hit_to_the_payment_of_hit_and_envy(ann: Client, ben: Client, hit: Award, envy: Award) -> None:
    assert "another person decides next" in text(ann.post(step(hit, "approve"), {"note": "tape"}, follow=True))
    assert (state(hit), told()) == ("pending", [])
    logged = LogEntry.objects.get().change_message
    assert "Decided so far: nobody → ann: approve" in logged and "Age" not in logged
    take(ben, hit, "approve")
    assert (state(hit), state(envy)) == ("approved", "approved")
    take(ann, hit, "pay", note="slip 4711")
    take(ben, envy, "pay", note="slip 4712")
    assert (state(hit), state(envy)) == ("paid", "paid")
    assert told() == ["award.approved", "award.approved", "award.paid", "award.paid"]
    legs = Leg.objects.filter(entry__source_ref=f"award:{hit.pk}").values_list("account__code", "amount")
    assert dict(legs) == {"awards:MAIN": hit.amount, "cage:DEMO": -hit.amount}
    shown = text(ann.get(page(hit)))
    for seen in (
        "slip 4711",
        "approve (1)",
        "approve (2)",
        "ann",
        "ben",
        "P-2",
        "1000.00 USD",
        "ace of spades",
        "MAIN@1",
    ):
        assert seen in shown, seen
    assert LogEntry.objects.filter(object_id=str(hit.pk)).count() == 3
    assert_books_agree()


def test_disputed_upheld_and_paid(ann: Client, ben: Client, hit: Award, envy: Award) -> None:
    take(ann, hit, "dispute", note="the deck was short")
    assert (state(hit), state(envy)) == ("disputed", "disputed")
    take(ann, hit, "uphold")
    assert state(hit) == "disputed"
    take(ben, hit, "uphold", note="all 52 are there")
    take(ben, hit, "pay", note="slip 1")
    assert (state(hit), state(envy)) == ("paid", "approved")
    assert_books_agree()


def test_rejected_the_money_goes_back_as_the_page_said(ann: Client, ben: Client, hit: Award, envy: Award) -> None:
    stood = usd("10000.40")
    take(ann, hit, "dispute", note="the deck was short")
    said = text(ben.get(step(hit, "reject")))
    owed = {"meter:MAIN:main": hit.amount - usd("10000.00"), "win:UTH-01:progressive": envy.amount}
    for account in owed:
        assert f"Goes back to {account}" in said
    assert "1000.00000000 USD" in said and "Envy that goes along (1)" in said
    take(ann, hit, "reject", note="short deck")
    take(ben, hit, "reject", note="short deck")
    assert (state(hit), state(envy)) == ("rejected", "rejected")
    assert Level.objects.get().meter == stood
    posted = dict(Leg.objects.filter(entry__kind="award_returned").values_list("account__code", "amount"))
    for account, units in owed.items():
        assert -posted[account] == units
    assert books.account_balances(["awards:MAIN"]) == {"awards:MAIN": 0}
    assert told() == ["award.disputed"] * 2 + ["award.rejected"] * 2
    assert_books_agree()


@pytest.mark.parametrize(
    ("moves", "last", "said", "status", "why"),
    [
        (("approve",), "approve", {}, 403, "another person must decide"),
        ((), "pay", {"note": "x"}, 409, "the award is pending, which does not allow pay"),
        ((), "dispute", {}, 400, "This field is required"),
        (("dispute",), "reject", {"note": " "}, 400, "This field is required"),
        ((), "pay", {"note": "x" * 101}, 400, "at most 100 characters"),
    ],
)
def test_what_is_refused_says_why_and_writes_nothing(
    ann: Client, hit: Award, moves: tuple[str, ...], last: str, said: dict[str, str], status: int, why: str
) -> None:
    for move in moves:
        take(ann, hit, move, note="first")
    before = counts()
    answer = take(ann, hit, last, status, form=said)
    assert why in text(answer) and counts() == before


@pytest.mark.parametrize("move", MOVES)
def test_each_step_needs_its_permission_and_get_changes_nothing(hit: Award, ann: Client, move: str) -> None:
    before = counts()
    others = staff("cleo", *(code for code in ALL if code != f"{move}_award"))
    assert others.get(step(hit, move)).status_code == 403
    assert others.post(step(hit, move), {"note": "x"}).status_code == 403
    assert ann.get(step(hit, move)).status_code == 200
    assert ann.head(step(hit, move)).status_code == 200
    assert counts() == before


def test_nobody_moves_an_award_from_another_site_of_the_web(hit: Award, ann: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = ann.cookies
    assert strict.post(step(hit, "approve"), {}).status_code == 403
    assert AwardMove.objects.count() == 0


def test_who_asked_for_the_correction_that_made_it_is_told_so_and_refused(demo: House, ann: Client) -> None:
    (round_id,) = play(reported(low(1), low(2, pair="8h 8d")), by=caller())
    asked = ask_correction(round_id, reported(royal(1), low(2, pair="8h 8d")), by=person("dora"))
    approve_correction(asked, by=person("emil"))
    hit, dora = Award.objects.get(kind="hit"), staff("dora")
    assert "may not: you asked for the correction that made it" in text(dora.get(WAITING))
    assert "You may not decide on this award: you asked for" in text(dora.get(page(hit)))
    before = counts()
    assert "not one who entered the round" in text(take(dora, hit, "approve", 403))
    assert counts() == before
    take(ann, hit, "approve")


def test_a_form_that_is_sent_twice_acts_once(ann: Client, hit: Award) -> None:
    once = str(uuid4())
    for _ in range(2):
        take(ann, hit, "approve", note="tape", once=once)
    assert AwardMove.objects.count() == 1
    assert LogEntry.objects.filter(object_id=str(hit.pk)).count() == 1
    answer = take(ann, hit, "approve", 409, note="another", once=once)
    assert "was sent before with other content" in text(answer)


def test_the_queue_says_what_waits_and_what_one_may_not_decide(ann: Client, ben: Client, hit: Award) -> None:
    assert "may decide" in text(ann.get(WAITING)) and "1 Envy, 1000.00 USD" in text(ann.get(WAITING))
    take(ann, hit, "approve")
    assert "may not: you decided already: approve" in text(ann.get(WAITING))
    assert "Uphold" not in text(ann.get(page(hit))) and step(hit, "approve") not in text(ann.get(page(hit)))
    assert "may not: not your role" in text(staff("dee", "view_award", "pay_award").get(WAITING))
    assert "1 of 2" in text(ben.get(WAITING)) and "may not" not in text(ben.get(WAITING))
    take(ben, hit, "approve")
    assert "Approved: to be paid · 2 · " in text(ben.get(WAITING + "?order=age"))
    assert Client().get(WAITING).status_code == 302
