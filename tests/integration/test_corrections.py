"""Corrections worked out by hand: a settled round's facts were wrong, and it is settled a second time."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Entry, Leg
from tables.models.rounds import BoxResult, Round
from tests.factories import NOW, assert_books_agree, jackpot_with, low, play, reported, royal, straight_flush
from tests.factories.corrections import correct

pytestmark = pytest.mark.django_db


def money(units: int | None) -> str:
    return f"{Decimal(int(units or 0)).scaleb(-8):.4f}"


def pots(link: Jackpot) -> dict[str, str]:
    level = Level.objects.get(jackpot=link)
    return {"meter": money(level.meter), "reserve": money(level.reserve), "overflow": money(level.overflow)}


def balance(code: str) -> str:
    return money(sum(Leg.objects.filter(account__code=code).values_list("amount", flat=True)))


def awards(round_id: UUID) -> list[tuple[Any, ...]]:
    rows = Award.objects.filter(source_ref=round_id).order_by("entry_id", "position")
    return [(award.kind, award.box, award.hand, money(award.amount), award.state) for award in rows]


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with(code="LINK", tables=("T-01", "T-02"), approvals=1)


def test_a_royal_that_was_none_is_taken_back(link: Jackpot) -> None:
    """10,000.00 + two stakes of 1.00 at 20%: the sign shows 10,000.40, and 0.04 lies in the reserve."""
    was = reported(royal(1), low(2), table="T-01")
    (round_id,) = play(was)
    assert pots(link) == {"meter": "10000.0000", "reserve": "0.0000", "overflow": "0.0000"}
    correct(round_id, reported(low(1, pair="9h 8h"), low(2), table="T-01"))
    rnd = Round.objects.get(pk=round_id)
    assert (rnd.version, rnd.phase) == (2, "settled")
    assert pots(link) == {"meter": "10000.4000", "reserve": "0.0400", "overflow": "0.0000"}
    assert awards(round_id) == [
        ("hit", 1, "royal_flush", "10000.4000", "withdrawn"), ("envy", 2, "royal_flush", "1000.0000", "withdrawn"),
    ]  # fmt: skip
    assert balance("awards:LINK") == "0.0000"
    assert balance("house:LINK") == "10000.0000"
    assert_books_agree()
