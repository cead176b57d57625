"""Adjustments: an entry against the house that two people stand for, never an overwrite."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Sum

from jackpot.domain.accounts import Pot, house_of
from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Entry, Leg, StatementRow
from jackpot.services.changes import adjustments, change_requests
from tests.factories import NOW, assert_books_agree, caller, jackpot_with, low, person, play, reported, royal
from tests.factories.moves import adjust

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)
METER = "meter:LINK:main"


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with(limit="20000.00")


def level(jackpot: Jackpot) -> Level:
    return Level.objects.select_related("jackpot").get(jackpot=jackpot)


def borne(jackpot: Jackpot) -> int:
    """What the house has borne of a jackpot."""
    return int(Leg.objects.filter(account__code=house_of(jackpot.code)).aggregate(sum=Sum("amount"))["sum"] or 0)


def ask(jackpot: Jackpot, amount: str, *, pot: Pot = Pot.METER, **changes: Any) -> ChangeRequest:
    asked: dict[str, Any] = {"caller": person("ann"), "reason": "reading_variance", "now": NOW} | changes
    return adjustments.ask_adjustment(level=level(jackpot), pot=pot, amount=amount, **asked)


def approve(asked: ChangeRequest, by: str = "ben") -> ChangeDecision:
    return adjustments.approve_adjustment(caller=person(by), request_id=asked.pk, now=LATER)


def refused(call: Callable[[], object], code: str) -> str:
    """The detail of a refusal, after which nothing is posted that was not before."""
    written = (Entry.objects.count(), StatementRow.objects.count(), ChangeDecision.objects.count())
    with pytest.raises(Refused) as raised:
        call()
    assert raised.value.code == code
    assert (Entry.objects.count(), StatementRow.objects.count(), ChangeDecision.objects.count()) == written
    return raised.value.violations[0].detail


@pytest.mark.parametrize(
    ("pot", "amount", "stands"),
    [
        (Pot.METER, "-0.20", "9999.80000000"),
        (Pot.METER, "10000.00", "20000.00000000"),
        (Pot.METER, "0.00000001", "10000.00000001"),
        (Pot.RESERVE, "12.3456", "12.34560000"),
        (Pot.OVERFLOW, "1", "1.00000000"),
    ],
)
def test_a_pot_is_adjusted_against_the_house(link: Jackpot, pot: Pot, amount: str, stands: str) -> None:
    before = borne(link)
    asked = ask(link, amount, pot=pot)
    name = f"{pot}:LINK:main"
    was = "10000.00000000" if pot is Pot.METER else "0.00000000"
    assert (asked.subject, asked.before, asked.document["after"]) == (name, {name: was}, {name: stands})
    decided = approve(asked)
    assert (decided.before, decided.after) == ({name: was}, {name: stands})
    row = StatementRow.objects.get(kind="adjustment")
    assert (row.pot, row.entry.kind, row.entry.source_ref) == (pot, "adjustment", f"change:{asked.pk}")
    assert (row.entry.reason, row.entry.actor, row.entry.event_at) == ("reading_variance", person("ben").actor, LATER)
    assert borne(link) - before == row.amount
    assert_books_agree()


def test_base_terms_and_totals_stay(link: Jackpot) -> None:
    was = level(link)
    adjust(link, "-9000.00")
    now = level(link)
    same = ("base", "increment_ppm", "limit", "wagered", "contributed", "awarded", "hits", "reset_seq", "reset_at")
    assert [getattr(now, name) for name in same] == [getattr(was, name) for name in same]
    assert now.meter < now.base
    play(reported(royal(), low(2), table="T-01"), by=caller())
    assert level(link).meter == was.base
    assert_books_agree()


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("0", "invalid_value"), ("-0.00", "invalid_value"), ("1e2", "invalid_money"), ("0.000000001", "invalid_money"),
        ("+1.00", "invalid_money"), ("1234567890.00", "amount_too_large"), ("-10000.01", "invalid_value"),
        ("10000.00000001", "invalid_value"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_not_asked_for(link: Jackpot, amount: str, code: str) -> None:
    refused(lambda: ask(link, amount), code)
    assert ChangeRequest.objects.count() == 0


def test_how_the_pot_stands_when_it_is_approved_decides(link: Jackpot) -> None:
    """Two that were right when they were asked for, and would be too much together."""
    down, up = ("-6000.00", "-6000.00"), ("9000.00", "9000.00")
    first, second = (ask(link, amount) for amount in down)
    approve(first)
    assert "below zero" in refused(lambda: approve(second), "invalid_value")
    adjust(link, "6000.00")
    first, second = (ask(link, amount) for amount in up)
    approve(first)
    assert "limit" in refused(lambda: approve(second), "invalid_value")
    adjust(link, "-9000.00")
    assert approve(second).after == {METER: "19000.00000000"}
    assert_books_agree()


def test_one_person_alone_adjusts_nothing(link: Jackpot) -> None:
    asked = ask(link, "-1.00")
    refused(lambda: approve(asked, "ann"), "second_person_required")
    refused(lambda: ask(link, "-1.00", caller=caller()), "person_required")
    refused(lambda: adjustments.approve_adjustment(caller=caller(), request_id=asked.pk, now=LATER), "person_required")


def test_a_reason_from_the_list_is_needed(link: Jackpot) -> None:
    for changes in ({"reason": ""}, {"reason": "because"}, {"reason": "other"}, {"reason": "other", "note": " "}):
        refused(lambda changes=changes: ask(link, "-1.00", **changes), "invalid_value")  # type: ignore[misc]
    assert ChangeRequest.objects.count() == 0
    assert approve(ask(link, "-1.00", reason="other", note="a cable")).after == {METER: "9999.00000000"}


def test_it_is_decided_once(link: Jackpot) -> None:
    asked = ask(link, "-1.00")
    approve(asked)
    refused(lambda: approve(asked, "cleo"), "illegal_move")
    other = ask(link, "-1.00")
    change_requests.refuse_change(caller=person("ben"), request_id=other.pk, note="", now=LATER)
    refused(lambda: approve(other, "cleo"), "illegal_move")
    assert level(link).meter == 999_900_000_000
    assert_books_agree()


def test_a_request_of_another_kind_is_none(link: Jackpot) -> None:
    other = change_requests.ask(
        caller=person("ann"), kind=ChangeKind.TRANSFER, site=link.home_site, jackpot=link,
        subject="s", reason="merge", note="", document={}, before={}, now=NOW,
    )  # fmt: skip
    refused(lambda: approve(other), "not_found")
