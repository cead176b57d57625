"""Corrections against each other and against what else moves the same books: one wins, the other finds what stands."""

from uuid import UUID

import pytest
from django.db import IntegrityError

from jackpot.domain.errors import Refused
from jackpot.models.awards import Award
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.lanes import Lane
from jackpot.models.ledger import Entry
from jackpot.services import lanes
from tables.models.rounds import Round
from tables.services import batch, settlement
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import assert_books_agree, house, low, person, play, receive, reported, royal, straight_flush
from tests.factories.corrections import approve_correction, ask_correction

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def round_id() -> UUID:
    house()
    (settled,) = play(reported(royal(1), low(2)))
    return settled


def ask(round_id: UUID) -> UUID:
    return ask_correction(round_id, reported(straight_flush(1), low(2)))


def tried(request_id: UUID, name: str) -> str:
    try:
        approve_correction(request_id, by=person(name))
    except Refused as refused:
        return refused.code
    return "approved"


def test_without_any_lock_only_the_database_stops_the_second_approval(
    round_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """The negative control: both find it undecided and version 1 in force, and the later one meets a guard instead of a
    refusal.
    """
    asked = ask(round_id)
    people = [person("ben"), person("cleo")]
    unlocked, load = Lane.objects.select_related("jackpot__home_site", "site"), batch.load
    monkeypatch.setattr(lanes, "hold", lambda jackpot_id: unlocked.get(jackpot_id=jackpot_id))
    monkeypatch.setattr(batch, "load", lambda round_ids, lock=False: load(round_ids, lock=False))
    late = Actor(lambda: approve_correction(asked, by=people[0]), pause_after='"tables_box"')
    approve_correction(asked, by=people[1])
    with pytest.raises(IntegrityError, match="entry_once"):
        late.commit()
    assert ChangeDecision.objects.count() == 1
    assert Round.objects.get(pk=round_id).version == 2
    assert_books_agree()


def test_without_the_lane_the_version_in_force_stops_it(round_id: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ask(round_id)
    people = [person("ben"), person("cleo")]
    unlocked = Lane.objects.select_related("jackpot__home_site", "site")
    monkeypatch.setattr(lanes, "hold", lambda jackpot_id: unlocked.get(jackpot_id=jackpot_id))
    late = Actor(lambda: approve_correction(asked, by=people[0]), pause_after="jackpot_changedecision")
    approve_correction(asked, by=people[1])
    with pytest.raises(Refused, match="the round was corrected since"):
        late.commit()
    assert ChangeDecision.objects.count() == 1
    assert_books_agree()


def test_two_approvals_at_once_are_one(round_id: UUID) -> None:
    """Known failures 51, 94: one reversal; the other is refused with nothing written."""
    asked = ask(round_id)
    names = ("ben", "cleo", "dora")
    for name in names:
        person(name)
    answers = all_at_once([lambda name=name: tried(asked, name) for name in names])  # type: ignore[misc]
    assert sorted(answers) == ["approved", "illegal_move", "illegal_move"]
    assert Entry.objects.filter(reverses__source_ref=f"round:{round_id}:v1").count() == 1
    assert Round.objects.get(pk=round_id).version == 2
    assert_books_agree()


def test_of_two_corrections_of_one_version_one_stands(round_id: UUID) -> None:
    first, second = ask(round_id), ask_correction(round_id, reported(low(1, pair="9h 8h"), low(2)))
    for name in ("ben", "cleo"):
        person(name)
    answers = all_at_once([lambda: tried(first, "ben"), lambda: tried(second, "cleo")])
    assert sorted(answers) == ["approved", "illegal_move"]
    assert Round.objects.get(pk=round_id).version == 2
    assert_books_agree()


def test_a_correction_waits_for_the_batch_that_is_being_posted(round_id: UUID) -> None:
    asked = ask(round_id)
    lane_id = Round.objects.get(pk=round_id).lane_id
    receive(reported(royal(1)))
    worker = Actor(lambda: settlement.drain(lane_id), hold=True)
    correction = Actor(lambda: approve_correction(asked))
    correction.wait_until_blocked()
    worker.commit()
    correction.result()
    assert Award.objects.filter(kind="hit", state="pending").count() == 2
    assert_books_agree()
