"""Changes that need two people: what is asked stays on record, one person alone moves nothing."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from jackpot.domain.callers import Caller
from jackpot.domain.change_requests import REASONS, ChangeKind
from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry
from jackpot.services.changes import change_requests
from tables.services.audit import audit
from tests.factories import NOW, caller, jackpot_with, person

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with()


def ask(link: Jackpot, by: Caller, **changes: object) -> ChangeRequest:
    asked: dict[str, object] = {
        "kind": ChangeKind.ADJUSTMENT, "site": link.home_site, "jackpot": link, "subject": f"{link.code}:main",
        "reason": "meter_fault", "note": "cabling", "document": {"amount": "5.00"}, "before": {"meter": "10000.00"},
    }  # fmt: skip
    return change_requests.ask(caller=by, now=NOW, **asked | changes)  # type: ignore[arg-type]


def nothing_decided() -> tuple[int, int]:
    return ChangeDecision.objects.count(), Entry.objects.filter(source_ref__startswith="change:").count()


def test_a_request_is_refused_by_another_person_and_sealed(link: Jackpot) -> None:
    ann, ben = person("ann"), person("ben")
    asked = ask(link, ann)
    decided = change_requests.refuse_change(caller=ben, request_id=asked.pk, note="no fault seen", now=LATER)
    entry = decided.entry
    assert (entry.kind, entry.source_ref, entry.actor, entry.leg_count) == (
        "declined", f"change:{asked.pk}", ben.actor, 0,
    )  # fmt: skip
    assert audit(Lane.objects.all()).proved


def test_who_asked_withdraws_and_nobody_else(link: Jackpot) -> None:
    ann, ben = person("ann"), person("ben")
    asked = ask(link, ann)
    with pytest.raises(Refused, match="forbidden"):
        change_requests.withdraw_change(caller=ben, request_id=asked.pk, note="", now=LATER)
    assert nothing_decided() == (0, 0)
    assert change_requests.withdraw_change(caller=ann, request_id=asked.pk, note="", now=LATER).decision == "withdrawn"


def test_who_asked_does_not_decide(link: Jackpot) -> None:
    ann = person("ann")
    asked = ask(link, ann)
    with pytest.raises(Refused, match="second_person_required"):
        change_requests.refuse_change(caller=ann, request_id=asked.pk, note="", now=LATER)
    assert nothing_decided() == (0, 0)


def test_a_request_is_decided_once(link: Jackpot) -> None:
    ann, ben = person("ann"), person("ben")
    asked = ask(link, ann)
    change_requests.refuse_change(caller=ben, request_id=asked.pk, note="", now=LATER)
    with pytest.raises(Refused, match=r"illegal_move.*refused already"):
        change_requests.withdraw_change(caller=ann, request_id=asked.pk, note="", now=LATER)
    assert nothing_decided() == (1, 1)


def test_there_must_be_such_a_request() -> None:
    with pytest.raises(Refused, match="not_found"):
        change_requests.refuse_change(caller=person("ann"), request_id=uuid4(), note="", now=LATER)


@pytest.mark.parametrize("changes", [{"reason": "because"}, {"reason": "other", "note": " "}], ids=("unlisted", "mute"))
def test_reasons_come_from_the_list(link: Jackpot, changes: dict[str, str]) -> None:
    with pytest.raises(Refused, match="invalid_value"):
        ask(link, person("ann"), **changes)
    assert ChangeRequest.objects.count() == 0


def test_a_machine_asks_for_nothing(link: Jackpot) -> None:
    with pytest.raises(Refused, match="person_required"):
        ask(link, caller())
    assert ChangeRequest.objects.count() == 0


@pytest.mark.parametrize("taken", ["is_superuser", "is_staff", "is_active"])
def test_who_may_not_neither_asks_nor_decides(link: Jackpot, taken: str) -> None:
    ann, ben = person("ann"), person("ben")
    asked = ask(link, ann)
    User.objects.update(**{taken: False})
    for call in (
        lambda: ask(link, ann),
        lambda: change_requests.refuse_change(caller=ben, request_id=asked.pk, note="", now=LATER),
        lambda: change_requests.withdraw_change(caller=ann, request_id=asked.pk, note="", now=LATER),
    ):
        with pytest.raises(Refused, match="forbidden"):
            call()
    assert (ChangeRequest.objects.count(), *nothing_decided()) == (1, 0, 0)


def test_every_kind_has_reasons() -> None:
    assert set(REASONS) == set(ChangeKind)
    assert all("other" in reasons for reasons in REASONS.values())
