"""Liabilities are what was owed at the end of the day asked for, whatever became of an award since."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from jackpot.models.jackpots import Jackpot
from tests.api.conftest import Clock
from tests.api.people import moved, person
from tests.api.reporting import AFTER, DAY, NOON, report, small_day, table


@pytest.fixture
def link(db: None, clock: Clock) -> Jackpot:
    made = small_day()
    clock.now = NOON + timedelta(days=1, hours=1)
    return made


@pytest.fixture
def staff(link: Jackpot) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("auditor", is_staff=True))
    return client


@pytest.mark.parametrize(
    ("moves", "left"),
    [(("approve", "pay"), ["envy"]), (("dispute", "reject"), []), (("approve",), ["hit", "envy"])],
    ids=("paid", "returned", "approved"),
)
def test_what_was_paid_or_returned_the_day_after(moves: Sequence[str], left: list[str], staff: Client) -> None:
    """The day itself still owes both awards; the day after what is left; each to the unit what the ledger says."""
    ann, ben = person("ann"), person("ben")
    hit = report(staff, "awards")["rows"][0]["award"]
    for move in moves:
        moved(ann, hit, move)
        if move in ("approve", "reject"):
            moved(ben, hit, move)
    then, now = report(staff, "liabilities"), report(staff, "liabilities", day=AFTER)
    assert table(then, "kind") == [("hit",), ("envy",)]
    assert table(now, "kind") == [(kind,) for kind in left]
    assert then["totals"]["amount"] == then["totals"]["ledger"] == "11000.40"
    assert {found["totals"]["difference"] for found in (then, now)} == {"0.00"}
    assert {row["difference"] for row in report(staff, "roll-forward", day=AFTER)["rows"]} == {"0.00000000"}


def test_a_returned_share_is_of_its_site(staff: Client) -> None:
    ann, ben = person("ann"), person("ben")
    hit = report(staff, "awards")["rows"][0]["award"]
    moved(ann, hit, "dispute", "reject")
    moved(ben, hit, "reject")
    found = table(report(staff, "by-site", day=AFTER), "site", "returned")
    rolled = report(staff, "roll-forward", day=AFTER)["totals"]["award_returned"]
    assert found == [("HOME", rolled)]
    assert report(staff, "by-site", day=DAY)["totals"]["returned"] == "0.00000000"
