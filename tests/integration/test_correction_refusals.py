"""What a correction must not do; what it tells; and what an audit says of one that was tampered with."""

from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError

from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.events import Event
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry
from jackpot.services.changes import change_requests
from tables.models.rounds import BoxResult, Round, RoundEvent, Superseded
from tables.services import writing
from tables.services.audit import audit
from tests.factories import NOW, caller, jackpot_with, low, person, play, receive, reported, royal, straight_flush
from tests.factories.corrections import approve_correction, ask_correction, correct
from tests.owner import as_owner

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_id() -> UUID:
    jackpot_with(code="LINK", tables=("T-01",), approvals=1)
    (settled,) = play(reported(royal(1), low(2), table="T-01"))
    return settled


def other(**settings: Any) -> Any:
    return reported(straight_flush(1, **settings), low(2), table="T-01")


def written() -> tuple[int, ...]:
    models = (ChangeRequest, ChangeDecision, Entry, Superseded, BoxResult, RoundEvent, Event)
    return tuple(model.objects.count() for model in models)


def test_facts_are_checked_as_those_of_a_reported_round(round_id: UUID) -> None:
    before = written()
    for facts, code in (
        (other(progressive="2.00"), "wrong_progressive_stake"),
        (reported(royal(1), royal(2), table="T-01"), "duplicate_card"),
        (reported(royal(1), low(2), table="T-01", dealer=None), "wrong_card_count"),
        (reported(royal(1), low(2), table="T-01"), "invalid_value"),
    ):
        with pytest.raises(Refused, match=code):
            ask_correction(round_id, facts)
    with pytest.raises(Refused, match="invalid_value"):
        ask_correction(round_id, other(), reason="because")
    with pytest.raises(Refused, match="person_required"):
        ask_correction(round_id, other(), by=caller())
    assert written() == before


def test_only_what_is_settled_is_corrected(round_id: UUID) -> None:
    (waiting,) = receive(reported(low(1), table="T-01"))
    with pytest.raises(Refused, match="wrong_phase"):
        ask_correction(waiting, other())


def test_who_asked_does_not_approve_and_nothing_is_written(round_id: UUID) -> None:
    asked = ask_correction(round_id, other())
    before = written()
    with pytest.raises(Refused, match="second_person_required"):
        approve_correction(asked, by=person("ann"))
    assert (written(), Round.objects.get(pk=round_id).version) == (before, 1)


def test_what_was_asked_of_an_earlier_version_is_not_carried_out(round_id: UUID) -> None:
    stale = ask_correction(round_id, reported(low(1, pair="9h 8h"), low(2), table="T-01"))
    correct(round_id, other())
    before = written()
    with pytest.raises(Refused, match="illegal_move"):
        approve_correction(stale)
    assert (written(), Round.objects.get(pk=round_id).version) == (before, 2)


def test_the_same_approval_twice_is_one_correction(round_id: UUID) -> None:
    """Known failures 51, 94."""
    asked = ask_correction(round_id, other())
    approve_correction(asked)
    before = written()
    with pytest.raises(Refused, match="illegal_move"):
        approve_correction(asked)
    assert written() == before


def test_a_correction_that_fails_at_its_end_leaves_nothing(round_id: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known failures 95, 100: the last statement fails."""
    asked = ask_correction(round_id, other())
    before = written()

    def fail(*_: Any) -> None:
        raise IntegrityError("the last statement failed")

    monkeypatch.setattr(writing, "store_events", fail)
    with pytest.raises(IntegrityError):
        approve_correction(asked)
    assert (written(), Round.objects.get(pk=round_id).version) == (before, 1)
    assert audit(Lane.objects.all()).proved


def test_a_refused_request_changes_nothing(round_id: UUID) -> None:
    asked = ask_correction(round_id, other())
    change_requests.refuse_change(caller=person("ben"), request_id=asked, note="the tape says otherwise", now=NOW)
    assert (Round.objects.get(pk=round_id).version, Superseded.objects.count()) == (1, 0)
    assert audit(Lane.objects.all()).proved


def test_it_is_told(round_id: UUID) -> None:
    correct(round_id, other())
    told = list(Event.objects.order_by("seq").values_list("type", flat=True))
    assert told[-3:] == ["round.corrected", "jackpot.hit", "envy.awarded"]
    data = Event.objects.get(type="round.corrected").data
    assert (data["round"], data["version"], data["phase"]) == (str(round_id), 2, "settled")
    assert RoundEvent.objects.filter(round_id=round_id, kind="corrected").get().data["version"] == 2


TAMPERED = {
    "the replaced facts": (
        "UPDATE tables_superseded SET document = jsonb_set(document, '{turn}', '\"3d\"')", "entry facts_digest",
    ),
    "the facts in force": ("UPDATE tables_box SET ante = 2 * ante WHERE box = 2", "facts"),
    "a result of version 2": ("UPDATE tables_boxresult SET ante = 1 WHERE version = 2 AND box = 1", "result ante"),
    "a reversal that names nothing": ("UPDATE jackpot_entry SET reverses_id = NULL", "entry reverses"),
    "a withdrawal that was not": ("UPDATE jackpot_award SET state = 'pending'", "award state"),
}  # fmt: skip


@pytest.mark.parametrize("label", TAMPERED)
def test_what_somebody_changed_is_named(round_id: UUID, label: str) -> None:
    correct(round_id, other())
    assert audit(Lane.objects.all()).findings.differences == []
    sql, named = TAMPERED[label]
    with as_owner(past_guards=True) as cursor:
        cursor.execute(sql)
    assert named in {difference.what for difference in audit(Lane.objects.all()).findings.differences}
