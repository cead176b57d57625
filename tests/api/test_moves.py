"""What integrators and staff read of adjustments, transfers and retirements: statement, jackpots, roll-forward."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client

from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import StatementRow
from tests.api.floor import Json, key_client
from tests.api.reporting import report, table
from tests.factories import jackpot_with, person
from tests.factories.moves import adjust, retire, transfer

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def old(db: None) -> Jackpot:
    """LINK, adjusted by -0.20, with 5.00 of its meter in its reserve and 7.00 at NEW."""
    made = jackpot_with()
    jackpot_with(code="NEW", site=made.home_site, tables=("N-01",))
    adjust(made, "-0.20", reason="reading_variance", note="as read in the pit")
    transfer("meter:LINK:main", "reserve:LINK:main", "5.00")
    transfer("meter:LINK:main", "meter:NEW:main", "7.00", reason="split")
    return made


@pytest.fixture
def acme(old: Jackpot) -> Client:
    return key_client("Acme", sites=[old.home_site.code])


@pytest.fixture
def staff(old: Jackpot) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("auditor", is_staff=True))
    return client


def rows(client: Client, code: str = "LINK", query: str = "") -> list[Json]:
    answer = client.get(f"/api/v1/jackpots/{code}/statement/?{query}")
    assert answer.status_code == 200, answer.content
    found: list[Json] = answer.json()["results"]
    return found


def test_a_statement_says_what_why_and_when_and_not_who(acme: Client, staff: Client) -> None:
    shown = [(row["pot"], row["kind"], row["amount"], row["after"], row["reason"]) for row in rows(acme)]
    assert shown == [
        ("meter", "transfer_out", "-7.00000000", "9987.80000000", "split"),
        ("reserve", "transfer_in", "5.00000000", "5.00000000", "merge"),
        ("meter", "transfer_out", "-5.00000000", "9994.80000000", "merge"),
        ("meter", "adjustment", "-0.20000000", "9999.80000000", "reading_variance"),
        ("meter", "reset", "10000.00000000", "10000.00000000", None),
    ]
    assert {(row["source"], row["table"]) for row in rows(acme)} == {(None, None)}
    assert {row["event_at"] for row in rows(acme)} == {"2026-11-29T14:24:10Z"}
    assert rows(acme, query="kind=adjustment") == [row for row in rows(acme) if row["kind"] == "adjustment"]
    for hidden in ("ann", "ben", "pit", person("ben").actor):
        assert hidden not in str(rows(acme))
    assert [row["source"] is not None for row in rows(staff)] == [True] * 5
    (came,) = rows(acme, "NEW", "kind=transfer_in")
    assert (came["amount"], came["after"], came["reason"]) == ("7.00000000", "10007.00000000", "split")


def test_a_roll_forward_has_a_column_for_each_and_foots(old: Jackpot, staff: Client) -> None:
    day: date = StatementRow.objects.latest("entry_id").gaming_day
    columns = ("pot", "opening", "reset", "adjustment", "transfer_in", "transfer_out", "closing", "difference")
    zero = "0.00000000"
    found = report(staff, "roll-forward", day=day)
    assert table(found, *columns)[:2] == [
        ("meter", zero, "10000.00000000", "-0.20000000", zero, "-12.00000000", "9987.80000000", zero),
        ("reserve", zero, zero, zero, "5.00000000", zero, "5.00000000", zero),
    ]


def test_a_retired_jackpot_is_shown_as_such(old: Jackpot, acme: Client) -> None:
    retire(old, Jackpot.objects.get(code="NEW"))
    found = acme.get("/api/v1/jackpots/LINK/").json()
    assert (found["state"], found["levels"][0]["exact"]) == ("retired", "0.00000000")
    other = acme.get("/api/v1/jackpots/NEW/").json()
    assert (other["state"], other["levels"][0]["exact"]) == ("active", "19994.80000000")
    assert len(rows(acme, query="kind=transfer_out")) == 4
