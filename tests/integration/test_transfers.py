"""Transfers: what leaves one pot comes into another, in one lane or in two, in one transaction."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Sum

from jackpot.domain.accounts import house_of
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Entry, Leg, StatementRow
from jackpot.services import journal
from jackpot.services.changes import change_requests, jackpot_states, transfers
from tests.factories import NOW, SiteFactory, assert_books_agree, caller, jackpot_with, person
from tests.factories.moves import adjust, transfer
from tests.integration.test_adjustments import refused
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def pair() -> tuple[Jackpot, Jackpot]:
    """Two jackpots of two sites, LINK with a level more."""
    levels = [{"code": code, "base": base, "increment_ppm": 100_000} for code, base in (("main", "10000.00"),
                                                                                   ("mini", "500.00"))]  # fmt: skip
    return jackpot_with(levels=levels), jackpot_with(code="OTHER", tables=("O-01",), limit="11000.00")


def stands(*names: str) -> list[int]:
    """What lies in these pots, in cents."""
    found = []
    for name in names:
        pot, jackpot, code = name.split(":")
        found.append(int(getattr(Level.objects.get(jackpot__code=jackpot, code=code), pot)) // 1_000_000)
    return found


def borne() -> dict[str, int]:
    rows = Leg.objects.filter(account__code__startswith="house:").values_list("account__code").annotate(Sum("amount"))
    return {code: int(amount) for code, amount in rows}


def ask(source: str, target: str, amount: str = "1.00", **changes: Any) -> ChangeRequest:
    asked: dict[str, Any] = {"caller": person("ann"), "reason": "equipment_change", "now": NOW} | changes
    return transfers.ask_transfer(source=source, target=target, amount=amount, **asked)


def approve(asked: ChangeRequest, by: str = "ben") -> Any:
    return transfers.approve_transfer(caller=person(by), request_id=asked.pk, now=LATER)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("meter:LINK:main", "meter:LINK:mini"), ("meter:LINK:main", "reserve:LINK:main"),
        ("meter:LINK:mini", "overflow:LINK:main"),
    ],
)  # fmt: skip
def test_between_pots_of_one_jackpot_the_house_has_no_part(pair: Any, source: str, target: str) -> None:
    before, house = stands(source, target), borne()
    decided = transfer(source, target, "12.50000001")
    assert decided.entry.legs.count() == 2
    assert dict(decided.entry.statement_rows.values_list("kind", "amount")) == {
        "transfer_out": -1_250_000_001, "transfer_in": 1_250_000_001,
    }  # fmt: skip
    assert stands(source, target) == [before[0] - 1251, before[1] + 1250]
    assert borne() == house
    assert_books_agree()


def test_between_two_jackpots_each_lane_has_its_entry(pair: tuple[Jackpot, Jackpot]) -> None:
    house = borne()
    asked = ask("meter:LINK:main", "reserve:OTHER:main", "300.00")
    assert (asked.jackpot, asked.subject) == (pair[0], "meter:LINK:main")
    assert asked.before == {"meter:LINK:main": "10000.00000000", "reserve:OTHER:main": "0.00000000"}
    decided = approve(asked)
    assert decided.after == {"meter:LINK:main": "9700.00000000", "reserve:OTHER:main": "300.00000000"}
    assert decided.after == asked.document["after"]
    out, into = Entry.objects.filter(source_ref__startswith="change:").order_by("id")
    assert [(entry.lane.jackpot, entry.source_ref, entry.actor, entry.reason) for entry in (out, into)] == [
        (pair[0], f"change:{asked.pk}", person("ben").actor, "equipment_change"),
        (pair[1], f"change:{asked.pk}:in", person("ben").actor, "equipment_change"),
    ]
    for entry in (out, into):
        assert entry.legs.aggregate(sum=Sum("amount"))["sum"] == 0
    moved = {code: amount - house[code] for code, amount in borne().items()}
    assert moved == {house_of("LINK"): -usd("300.00"), house_of("OTHER"): usd("300.00")}
    assert_books_agree()


@pytest.mark.parametrize(
    ("source", "target", "amount", "code"),
    [
        ("meter:LINK:main", "meter:LINK:main", "1.00", "invalid_value"),
        ("meter:LINK:main", "meter:NONE:main", "1.00", "invalid_value"),
        ("meter:LINK:none", "meter:OTHER:main", "1.00", "invalid_value"),
        ("meter:LINK:main", "meter:OTHER:none", "1.00", "invalid_value"),
        ("chips:LINK:main", "meter:OTHER:main", "1.00", "invalid_value"),
        ("meter", "meter:OTHER:main", "1.00", "invalid_value"),
        ("meter:LINK:main", "meter:OTHER:main", "-1.00", "invalid_value"),
        ("meter:LINK:main", "meter:OTHER:main", "0.00", "invalid_value"),
        ("meter:LINK:main", "meter:OTHER:main", "1.001x", "invalid_money"),
        ("meter:LINK:mini", "meter:OTHER:main", "500.01", "invalid_value"),
        ("meter:LINK:main", "meter:OTHER:main", "1000.01", "invalid_value"),
    ],
    ids=(
        "the same pot", "no jackpot", "no level", "no level there", "no pot", "no name", "backwards", "nothing",
        "no money", "more than there is", "above the limit",
    ),
)  # fmt: skip
def test_what_cannot_be_is_not_asked_for(pair: Any, source: str, target: str, amount: str, code: str) -> None:
    refused(lambda: ask(source, target, amount), code)
    assert ChangeRequest.objects.count() == 0


def test_currencies_and_sandboxes_are_kept_apart(pair: Any) -> None:
    jackpot_with(code="EURO", tables=(), currency="EUR")
    jackpot_with(code="TRIAL", tables=(), site=SiteFactory.create(sandbox=True))
    for code in ("EURO", "TRIAL"):
        refused(lambda code=code: ask("meter:LINK:main", f"meter:{code}:main"), "invalid_value")  # type: ignore[misc]
        refused(lambda code=code: ask(f"meter:{code}:main", "meter:LINK:main"), "invalid_value")  # type: ignore[misc]


def test_how_both_pots_stand_when_it_is_approved_decides(pair: tuple[Jackpot, Jackpot]) -> None:
    less, full = (
        ask("meter:LINK:mini", "meter:OTHER:main", "400.00"),
        ask("meter:LINK:main", "meter:OTHER:main", "900.00"),
    )
    adjust(pair[0], "-200.00", level="mini")
    refused(lambda: approve(less), "invalid_value")
    adjust(pair[1], "200.00")
    refused(lambda: approve(full), "invalid_value")
    assert stands("meter:LINK:mini", "meter:LINK:main", "meter:OTHER:main") == [30_000, 1_000_000, 1_020_000]
    assert_books_agree()


def test_one_person_alone_transfers_nothing(pair: Any) -> None:
    asked = ask("meter:LINK:main", "meter:OTHER:main")
    refused(lambda: approve(asked, "ann"), "second_person_required")
    refused(lambda: transfers.approve_transfer(caller=caller(), request_id=asked.pk, now=LATER), "person_required")
    refused(lambda: ask("meter:LINK:main", "meter:OTHER:main", reason="promotion"), "invalid_value")
    approve(asked)
    refused(lambda: approve(asked, "cleo"), "illegal_move")
    change_requests.refuse_change(
        caller=person("ben"), request_id=ask("meter:LINK:main", "meter:OTHER:main").pk, note="", now=LATER
    )
    assert_books_agree()


def test_into_a_suspended_jackpot_and_out_of_it(pair: tuple[Jackpot, Jackpot]) -> None:
    jackpot_states.suspend_jackpot(caller=person("ann"), jackpot_id=pair[1].pk, now=NOW)
    transfer("meter:LINK:main", "meter:OTHER:main", "5.00")
    transfer("meter:OTHER:main", "meter:LINK:main", "7.00")
    assert stands("meter:LINK:main", "meter:OTHER:main") == [1_000_200, 999_800]
    assert_books_agree()


def test_half_of_a_transfer_is_not_committed(pair: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is its first half where the second one fails."""
    asked = ask("meter:LINK:main", "meter:OTHER:main")
    written, whole = [], journal.write

    def write(**batch: Any) -> Any:
        written.append(batch["lane"].jackpot.code)
        return whole(**batch) if len(written) == 1 else None

    monkeypatch.setattr(journal, "write", write)

    def committed() -> None:
        """Approved, and looked at as a commit does."""
        with transaction.atomic():
            approve(asked)
            connection.check_constraints()

    with pytest.raises(IntegrityError, match="came into pots"):
        committed()
    assert written == ["LINK", "OTHER"]
    assert StatementRow.objects.filter(kind__startswith="transfer").count() == 0
    monkeypatch.undo()
    assert_books_agree()
