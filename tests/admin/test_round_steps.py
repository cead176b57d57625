"""What is done to a round in the console: each step by who may and who may not, and what it refuses writes nothing."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from jackpot.selectors import queue
from jackpot.services import ChangeRequest
from tables.domain.facts import VoidReason
from tables.models.rounds import Round, RoundEvent
from tables.models.voids import VoidDecision, WaitingVoid
from tests.factories import House, house, low, play, receive, reported, royal, settle_all
from tests.factories.copies import made_once
from tests.factories.corrections import approve_correction
from tests.integration.test_void_decisions import forget_who_asked
from tests.owner import as_owner

pytestmark = pytest.mark.django_db


def signed_in(name: str, *permissions: str) -> Client:
    """A member of staff who looks at rounds, and may do what is named."""
    user, _ = User.objects.get_or_create(username=name, defaults={"is_staff": True})
    for wanted in ("tables.view_round", *permissions):
        app, _, codename = wanted.partition(".")
        user.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
    client = Client()
    client.force_login(user)
    return client


def address(round_id: UUID, step: str) -> str:
    return reverse("admin:tables_round_step", args=[round_id, step])


def form_of(client: Client, round_id: UUID) -> dict[str, Any]:
    """The correction's form as it is first shown, to be changed and sent."""
    form = client.get(address(round_id, "correct")).context["form"]
    parts = [(form, "")] + [(box, f"{box.prefix}-") for box in form.boxes]
    return {
        prefix + name: "" if (value := part.get_initial_for_field(part.fields[name], name)) is None else value
        for part, prefix in parts
        for name in part.fields
    }


@pytest.fixture
def round_id(db: None) -> UUID:
    return _played()


@made_once
def _played() -> UUID:
    house()
    return play(reported(royal(1), low(2)))[0]


@pytest.fixture
def asking() -> Client:
    return signed_in("ann", "jackpot.ask_correction")


@pytest.fixture
def written(round_id: UUID) -> Iterator[None]:
    """That nothing is written until the test's end."""

    def count() -> tuple[int, ...]:
        counted = (ChangeRequest, VoidDecision, WaitingVoid, RoundEvent, LogEntry)
        return tuple(model.objects.count() for model in counted)

    before = count()
    yield
    assert count() == before


def test_a_correction_is_shown_then_asked_for(round_id: UUID, asking: Client) -> None:
    said = form_of(asking, round_id) | {"b0-cards": "Ah Kh", "reason": "wrong_cards", "note": "seen on tape"}
    shown = asking.post(address(round_id, "correct"), said)
    assert shown.status_code == 200 and ChangeRequest.objects.count() == 0
    page = shown.content.decode()
    for text in ("Nothing is asked for yet", "A♠ K♠", "A♥ K♥", "Box 1: progressive returned", "Box 2: Envy from box 1",
                 "All boxes: returned, Envy inside"):  # fmt: skip
        assert text in page, text
    assert {what: (was, becomes) for what, was, becomes in shown.context["form"].shown.figures.rows}[
        "Box 2: Envy from box 1"
    ] == ("1000.00", "–")
    asked = asking.post(address(round_id, "correct"), said | {"seen": shown.context["form"].shown.seen})
    assert asked.status_code == 302
    request = ChangeRequest.objects.get()
    assert (request.kind, request.reason, request.note) == ("correction", "wrong_cards", "seen on tape")
    assert request.asked_by.username == "ann" and request.document["boxes"][0]["cards"] == ["Ah", "Kh"]
    assert "Correct: The correction is asked for" in LogEntry.objects.get().change_message
    approve_correction(request.pk)
    assert Round.objects.get(pk=round_id).version == 2


def test_what_was_shown_is_what_is_asked_for(round_id: UUID, asking: Client) -> None:
    """Changed after it was shown, it is shown again."""
    said = form_of(asking, round_id) | {"b0-cards": "Ah Kh", "reason": "wrong_cards"}
    seen = asking.post(address(round_id, "correct"), said).context["form"].shown.seen
    again = asking.post(address(round_id, "correct"), said | {"b0-cards": "Ah Kd", "seen": seen})
    assert again.status_code == 200 and ChangeRequest.objects.count() == 0
    assert asking.post(address(round_id, "correct"), said | {"seen": "x"}).status_code == 200
    assert ChangeRequest.objects.count() == 0


def test_boxes_are_added_moved_and_left_out(round_id: UUID, asking: Client) -> None:
    said = form_of(asking, round_id) | {"reason": "wrong_box", "b0-box": "", "b1-box": "5", "b2-box": "6"}
    said |= {"b2-player": "bea", "b2-ante": "10.00", "b2-cards": "10h 9♥", "b2-decision": "play:flop:2:"}
    seen = asking.post(address(round_id, "correct"), said).context["form"].shown.seen
    assert asking.post(address(round_id, "correct"), said | {"seen": seen}).status_code == 302
    boxes = ChangeRequest.objects.get().document["boxes"]
    assert [(box["box"], box["player"]) for box in boxes] == [(5, "P-2"), (6, "bea")]
    assert boxes[1]["cards"] == ["Th", "9h"] and boxes[1]["decision"]["multiplier"] == 2


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({}, None),
        ({"b0-cards": "As As"}, None),
        ({"b0-cards": "As"}, "b0-cards"),
        ({"b0-cards": "Аs Ks"}, "b0-cards"),
        ({"b0-cards": "As\0Ks"}, "b0-cards"),
        ({"b0-ante": "-5"}, "b0-ante"),
        ({"b0-ante": "5.001"}, "b0-ante"),
        ({"b0-ante": "1e3"}, "b0-ante"),
        ({"b0-ante": "9" * 15}, "b0-ante"),
        ({"b0-ante": ""}, "b0-ante"),
        ({"b0-progressive": "2.00"}, "b0-progressive"),
        ({"b0-player": ""}, "b0-player"),
        ({"b0-player": "P\u200b-1"}, "b0-player"),
        ({"b0-player": " P-1"}, "b0-player"),
        ({"b0-box": "0"}, "b0-box"),
        ({"b1-box": "1"}, "b1-box"),
        ({"b0-box": "99999999999999999999"}, "b0-box"),
        ({"b0-decision": "play:flop:9:"}, "b0-decision"),
        ({"b2-player": "bea"}, "b2-box"),
        ({"b0-void_note": "left over"}, None),
        ({"flop": "Qs Js"}, "flop"),
        ({"turn": "3c 4c"}, "turn"),
        ({"void": "bad weather"}, "void"),
        ({"reason": ""}, "reason"),
        ({"reason": "other", "note": " "}, "note"),
        ({"note": "x" * 501}, "note"),
        ({"b0-box": "", "b1-box": ""}, None),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_and_nothing_written(
    round_id: UUID, asking: Client, wrong: dict[str, str], field: str | None
) -> None:
    said = form_of(asking, round_id) | {"reason": "wrong_cards"} | wrong
    answer = asking.post(address(round_id, "correct"), said)
    assert answer.status_code == 400
    form = answer.context["form"]
    prefix, _, name = (field or "").partition("-")
    place = next((box for box in form.boxes if box.prefix == prefix), form)
    errors = place.errors if field else form.errors | {k: v for box in form.boxes for k, v in box.errors.items()}
    assert errors.get((name or prefix) if field else "__all__") or (not field and errors), errors
    assert form.shown is None


def test_a_settled_round_is_voided_by_two(round_id: UUID, asking: Client) -> None:
    assert "Staked, which goes back" in asking.get(address(round_id, "void")).content.decode()
    answer = asking.post(address(round_id, "void"), {"void": "malfunction", "note": "the shuffler repeated a card"})
    assert answer.status_code == 302
    request = ChangeRequest.objects.get()
    assert request.reason == "void_missed" and request.document["void"]["reason"] == "malfunction"
    assert Round.objects.get(pk=round_id).phase == "settled"
    approve_correction(request.pk)
    assert Round.objects.get(pk=round_id).phase == "void"
    assert asking.get(reverse("admin:tables_round_change", args=[round_id])).status_code == 200
    again = asking.post(address(round_id, "void"), {"void": "other", "note": "again"})
    assert again.status_code == 302 or "not in order" in again.content.decode()


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("said", [{}, {"void": "malfunction"}, {"void": "", "note": "x"}, {"void": "x", "note": "y"},
                                  {"void": "other", "note": "a\0b"}, {"void": "other", "note": "x" * 201}])  # fmt: skip
def test_a_void_without_its_reason_is_refused(round_id: UUID, asking: Client, said: dict[str, str]) -> None:
    assert asking.post(address(round_id, "void"), said).status_code == 400


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("step", ["correct", "void", "confirm", "decline", "take-up", "retry"])
def test_no_step_is_taken_by_who_may_not(round_id: UUID, step: str) -> None:
    clerk = signed_in("clerk")
    assert clerk.get(address(round_id, step)).status_code == 403
    assert clerk.post(address(round_id, step), {"note": "x"}).status_code == 403
    assert Client().post(address(round_id, step)).status_code == 302
    assert (
        address(round_id, step) not in clerk.get(reverse("admin:tables_round_change", args=[round_id])).content.decode()
    )


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("step", ["confirm", "decline", "take-up", "retry"])
def test_steps_that_are_out_of_order_are_refused(round_id: UUID, step: str) -> None:
    sue = signed_in("sue", "tables.decide_void", "tables.change_round")
    assert "not in order" in sue.get(address(round_id, step)).content.decode()
    assert sue.post(address(round_id, step), {"note": ""}).status_code == 409


@pytest.fixture
def waits(demo: House) -> UUID:
    """A reported round whose void would cancel a royal."""
    return receive(reported(royal(1), low(2), void=VoidReason.MALFUNCTION))[0]


def test_a_void_that_waits_is_confirmed_by_another(waits: UUID) -> None:
    sue = signed_in("sue", "tables.decide_void")
    page = sue.get(reverse("admin:tables_round_change", args=[waits])).content.decode()
    assert address(waits, "confirm") in page and address(waits, "decline") in page
    assert ("It cancels", "box 1: royal flush") in sue.get(address(waits, "confirm")).context["facts"]
    assert sue.post(address(waits, "confirm"), {"note": "seen"}).status_code == 302
    decided = VoidDecision.objects.get()
    assert (decided.decision, decided.by.username, decided.note) == ("confirmed", "sue", "seen")
    settle_all()
    assert Round.objects.get(pk=waits).phase == "void"


def test_a_void_that_waits_is_declined_and_the_round_settled(waits: UUID) -> None:
    sue = signed_in("sue", "tables.decide_void")
    assert sue.post(address(waits, "decline"), {"note": ""}).status_code == 302
    settle_all()
    assert Round.objects.get(pk=waits).phase == "settled"


def test_who_takes_a_void_up_does_not_decide(waits: UUID) -> None:
    forget_who_asked()
    sue, tom = (signed_in(name, "tables.decide_void") for name in ("sue", "tom"))
    assert sue.post(address(waits, "confirm"), {}).status_code == 403
    assert sue.post(address(waits, "take-up"), {}).status_code == 302
    assert sue.post(address(waits, "confirm"), {}).status_code == 403
    assert VoidDecision.objects.count() == 0
    assert tom.post(address(waits, "confirm"), {}).status_code == 302


def test_a_round_that_could_not_be_settled_is_retried(demo: House) -> None:
    round_id = receive(reported(low(1)))[0]
    with as_owner(past_guards=True) as cursor:
        cursor.execute("UPDATE tables_box SET cards = '' WHERE round_id = %s", [round_id])
    settle_all()
    assert Round.objects.get(pk=round_id).phase == "failed"
    with as_owner(past_guards=True) as cursor:
        cursor.execute("UPDATE tables_box SET cards = '2c7d' WHERE round_id = %s", [round_id])
    sue = signed_in("sue", "tables.change_round")
    assert "Why it failed" in sue.get(address(round_id, "retry")).content.decode()
    assert sue.post(address(round_id, "retry"), {}).status_code == 302
    assert queue.lanes_waiting()
    settle_all()
    assert Round.objects.get(pk=round_id).phase == "settled"
