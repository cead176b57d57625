"""What nobody changes alone: pools that are short, meters that would be overwritten, payouts that are made up."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client

from jackpot.domain.accounts import Pot
from jackpot.domain.errors import Refused
from jackpot.models.awards import Award
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Entry, Leg, StatementRow
from jackpot.selectors import books
from jackpot.services.changes import adjustments
from tables.services import audit
from tests.api.floor import Json, example, key_client, settled
from tests.api.people import move, moved
from tests.api.people import person as signed_in
from tests.api.reporting import report
from tests.api.test_problems import problem
from tests.factories import NOW, assert_books_agree, jackpot_with, person
from tests.factories.moves import adjust
from tests.integration.test_audit import guards_off
from tests.unit.builders import usd

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def staff(db: None) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("auditor", is_staff=True))
    return client


def link(**policy: Any) -> Jackpot:
    return jackpot_with(tables=("UTH-01",), **policy)


def meter_shown(jackpot: Jackpot) -> Json:
    """The meter as the API shows it."""
    client = key_client("Acme", sites=[jackpot.home_site.code])
    (level,) = client.get(f"/api/v1/jackpots/{jackpot.code}/").json()["levels"]
    return {name: level[name] for name in ("displayed", "exact")}


def refused(call: Callable[[], object], code: str) -> None:
    """Refused, and nothing was written."""
    before = Entry.objects.count(), StatementRow.objects.count(), ChangeRequest.objects.count()
    with pytest.raises(Refused) as raised:
        call()
    assert raised.value.code == code
    assert (Entry.objects.count(), StatementRow.objects.count(), ChangeRequest.objects.count()) == before


def ask(jackpot: Jackpot, amount: str, reason: str = "meter_fault") -> ChangeRequest:
    level = Level.objects.select_related("jackpot").get(jackpot=jackpot)
    return adjustments.ask_adjustment(
        caller=person("ann"), level=level, pot=Pot.METER, amount=amount, reason=reason, now=NOW
    )


class TestAPoolThatIsShort:
    @pytest.fixture
    def short(self, db: None) -> Jackpot:
        """A meter of 100,000.00 whose ledger account holds 90,000.00: as the owner of the tables, past every guard."""
        made = link(increment_ppm=0, reserve_ppm=0)
        adjusted = adjust(made, "90000.00").entry
        connection.check_constraints()  # what was written until here is right
        with guards_off() as cursor:
            cursor.execute("UPDATE jackpot_leg SET amount = amount / 9 * 8 WHERE entry_id = %s", [adjusted.pk])
        return made

    def test_42_the_award_stays_whole_and_the_gap_is_seen(self, short: Jackpot, staff: Client) -> None:
        last = Entry.objects.latest("id").pk
        found = settled(key_client("Acme", sites=[short.home_site.code]), example())["settlement"]
        assert [award["amount"] for award in found["awards"] if award["kind"] == "hit"] == ["100000.00"]
        (check,) = [check for check in books.check_pots(short) if not check.agrees]
        assert (check.pot, check.statement - check.ledger) == ("meter", usd("10000.00"))
        day = StatementRow.objects.latest("entry_id").gaming_day
        rows = {row["pot"]: row["difference"] for row in report(staff, "roll-forward", day=day)["rows"]}
        assert rows == {"meter": "10000.00000000", "reserve": "0.00000000", "overflow": "0.00000000"}
        named = audit.audit(audit.lanes_of(jackpots=[short])).findings.differences
        assert {difference.what for difference in named} == {"legs"}
        touched = Leg.objects.filter(entry_id__gt=last, entry__kind__in=("settlement", "reset"))
        assert {code.partition(":")[0] for code in touched.values_list("account__code", flat=True)} == {
            "float", "win", "meter", "awards", "house",
        }  # fmt: skip
        of_house = touched.filter(account__code=f"house:{short.code}").values_list("amount", flat=True)
        assert list(of_house) == [usd("10000.00")]  # the reset's base, and nothing of the gap

    def test_42_only_two_people_change_what_is_in_it(self, short: Jackpot) -> None:
        asked = ask(short, "-10000.00")
        refused(
            lambda: adjustments.approve_adjustment(caller=person("ann"), request_id=asked.pk, now=NOW),
            "second_person_required",
        )
        assert meter_shown(short)["displayed"] == "100000.00"


class TestMeters:
    def test_43_nothing_is_taken_from_a_meter_of_nothing(self) -> None:
        made = link(base="0.00")
        refused(lambda: ask(made, "-0.20"), "invalid_value")
        assert meter_shown(made) == {"displayed": "0.00", "exact": "0.00000000"}

    def test_43_a_meter_counts_on_beyond_32_bits(self) -> None:
        made = link(base="0.00")
        adjust(made, "42949672.95")
        adjust(made, "0.50")
        assert meter_shown(made) == {"displayed": "42949673.45", "exact": "42949673.45000000"}
        assert_books_agree()

    @pytest.mark.parametrize(("most", "state"), [("10000.40", "pending"), ("10000.41", "paid")])
    def test_43_a_payout_above_what_may_be_paid_at_once_is_held(self, most: str, state: str) -> None:
        made = link(verify_from=most)
        settled(key_client("Acme", sites=[made.home_site.code]), example())
        hit = Award.objects.get(kind="hit")
        assert (hit.amount, hit.state) == (usd("10000.40"), state)
        assert_books_agree()

    def test_90_a_meter_is_lowered_by_two_people_with_a_reason_and_never_overwritten(self) -> None:
        made = link(base="50000.00")
        for reason in ("", "because", "other"):
            refused(lambda reason=reason: ask(made, "-10000.00", reason), "invalid_value")  # type: ignore[misc]
        asked = ask(made, "-10000.00", "regulator")
        assert meter_shown(made)["displayed"] == "50000.00"
        refused(
            lambda: adjustments.approve_adjustment(caller=person("ann"), request_id=asked.pk, now=NOW),
            "second_person_required",
        )
        adjustments.approve_adjustment(caller=person("ben"), request_id=asked.pk, now=NOW)
        assert meter_shown(made)["displayed"] == "40000.00"
        rows = StatementRow.objects.filter(pot="meter").order_by("seq").values_list("kind", "before", "amount", "after")
        assert list(rows) == [
            ("reset", 0, usd("50000.00"), usd("50000.00")),
            ("adjustment", usd("50000.00"), -usd("10000.00"), usd("40000.00")),
        ]
        assert_books_agree()

    @pytest.mark.parametrize("change", ["meter = 4000000000000", '"limit" = 4500000000000'])
    def test_90_nobody_sets_a_meter_or_a_limit_below_it(self, change: str) -> None:
        made = link(base="50000.00", limit="60000.00")
        statement = f"UPDATE jackpot_level SET {change}; SET CONSTRAINTS ALL IMMEDIATE"  # noqa: S608
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
        level = Level.objects.get(jackpot=made)
        assert (level.meter, level.limit) == (usd("50000.00"), usd("60000.00"))


class TestMadeUpPayouts:
    def test_91_without_a_round(self) -> None:
        made = link()
        problem(move(signed_in("dora"), str(uuid4()), "pay"), 404, "not_found")
        asked = ask(made, "-5000.00")  # what the meter loses goes to the house, not to a person
        refused(
            lambda: adjustments.approve_adjustment(caller=person("ann"), request_id=asked.pk, now=NOW),
            "second_person_required",
        )
        decided = adjustments.approve_adjustment(caller=person("ben"), request_id=asked.pk, now=NOW)
        assert set(decided.entry.legs.values_list("account__code", flat=True)) == {"meter:LINK:main", "house:LINK"}

    def test_91_approved_by_one_or_paid_already(self) -> None:
        made = link()
        settled(key_client("Acme", sites=[made.home_site.code]), example())
        hit = str(Award.objects.get(kind="hit").pk)
        dora, emil = signed_in("dora"), signed_in("emil")
        moved(dora, hit, "approve")
        problem(move(dora, hit, "approve"), 403, "second_person_required")
        problem(move(dora, hit, "pay"), 409, "illegal_move")
        moved(emil, hit, "approve", "pay")
        problem(move(emil, hit, "pay"), 409, "illegal_move")
        assert Entry.objects.filter(kind="award_paid").count() == 1
        assert_books_agree()
