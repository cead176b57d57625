"""Asking, from a jackpot's page, for what another person decides on: each form, what it refuses, that it acts once."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from jackpot.domain.change_requests import ChangeKind
from jackpot.domain.changes import changed
from jackpot.models.change_requests import ChangeRequest
from jackpot.models.events import Event
from jackpot.models.jackpot_states import JackpotStateChange
from jackpot.models.jackpots import Jackpot
from tests.admin.people import page, staff, step, take, text
from tests.factories import House, change_policy, jackpot_with

ALL = (*(f"ask_{kind}" for kind in ChangeKind), "suspend_jackpot")
ADJUSTMENT = {"pot": "meter:MAIN:main", "amount": "-0.25", "reason": "meter_fault"}
STEPS = {
    "adjust": "ask_adjustment", "transfer": "ask_transfer", "retire": "ask_retirement", "policy": "ask_policy",
    "suspend": "suspend_jackpot",
}  # fmt: skip


@pytest.fixture
def main(demo: House) -> Jackpot:
    return demo.jackpot


@pytest.fixture
def ann(demo: House) -> Client:
    return staff("ann", *ALL)


def asked() -> ChangeRequest:
    return ChangeRequest.objects.get()


def counts() -> tuple[int, ...]:
    return tuple(one.objects.count() for one in (ChangeRequest, JackpotStateChange, Event, LogEntry))


def policy(client: Client, jackpot: Jackpot, **changes: Any) -> dict[str, Any]:
    """What stands in the policy's form when it is opened, with some fields changed."""
    form = client.get(step(jackpot, "policy")).context["form"]
    standing = {name: form[name].value() for name in form.fields}
    filled = {name: "" if value is None else value for name, value in standing.items()}
    return filled | {"reason": "rates"} | changes


def test_an_adjustment_leads_to_its_request_with_before_and_after(ann: Client, main: Jackpot) -> None:
    shown = text(ann.get(step(main, "adjust")))
    assert "MAIN main, meter: 10000.00000000 USD" in shown
    answer = ann.post(step(main, "adjust"), ADJUSTMENT, follow=True)
    assert answer.redirect_chain == [(page(asked()), 302)]
    for seen in ("meter:MAIN:main", "10000.00000000", "9999.75000000", "meter fault", "You asked for this"):
        assert seen in text(answer), seen
    assert "Adjust" not in LogEntry.objects.get().object_repr


def test_a_transfer_and_a_retirement_to_another_jackpot(ann: Client, main: Jackpot) -> None:
    jackpot_with(code="NEW", site=main.home_site, tables=())
    jackpot_with(code="EURO", currency="EUR", site=main.home_site, tables=())
    shown = text(ann.get(step(main, "transfer")))
    assert "reserve:NEW:main" in shown and "EURO" not in shown
    said = {"source": "meter:MAIN:main", "to": "reserve:NEW:main", "amount": "300.00", "reason": "merge"}
    answer = ann.post(step(main, "transfer"), said, follow=True)
    assert "9700.00000000" in text(answer) and "300.00000000 USD" in text(answer)
    ann.post(step(main, "retire"), {"level_main": "NEW:main", "reason": "replaced"})
    retiring = ChangeRequest.objects.get(kind="retirement")
    assert (retiring.document["to"], retiring.document["levels"]) == ("NEW", {"main": "main"})
    assert "suspend jackpot MAIN first" in text(ann.get(page(retiring)))


def test_a_policy_changes_what_was_changed_and_nothing_else(ann: Client, main: Jackpot) -> None:
    take(ann, main, "policy", **policy(
        ann, main, level_0_base="12000.00", level_0_increment_ppm="17.5%", flush_value="45", straight_basis="",
        straight_value="", straight_envy="", straight_flush_envy="250.00", equal_rank="split", approvals="3",
    ))  # fmt: skip
    was, wanted = main.policies.get().document, asked().document
    found = {one.key: (one.before, one.after) for one in changed(was, wanted)}
    assert found == {
        "levels.main.base": ("10000.00", "12000.00"), "levels.main.increment_ppm": ("200000", "175000"),
        "progressive_table.flush.odds": ("40", "45"), "progressive_table.straight.basis": ("for_one", None),
        "progressive_table.straight.hand": ("straight", None), "progressive_table.straight.odds": ("30", None),
        "envy_table.straight_flush": ("300.00", "250.00"), "equal_rank": (None, "split"), "approvals": (None, "3"),
    }  # fmt: skip
    shown = text(ann.get(page(asked())))
    for seen in ("Level main: increment rate", "200000 ppm (20%)", "175000 ppm (17.5%)", "Envy straight flush"):
        assert seen in shown, seen


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("level_0_base", "12,000", "an amount is a string of digits"),
        ("level_0_increment_ppm", "200%", "Parts of a million"),
        ("level_0_limit", "9000.00", "limit of level main: it must lie above the base"),
        ("level_0_limit", "", "this policy changes nothing"),
        ("level_0_reserve_ppm", "90%", "add up to more than the stake"),
        ("flush_value", "1.5", "A whole number"),
        ("flush_basis", "", "Choose by what it is paid"),
        ("flush_envy", "5.00", "Envy is due only for hands with a share"),
        ("royal_flush_level", "", "Choose of which meter"),
        ("pair_basis", "fixed", "an amount is a string of digits"),
        ("stake", "", "This field is required"),
        ("approvals", "0", "greater than or equal to 1"),
        ("reason", "", "This field is required"),
        ("version", "7", "The policy was changed meanwhile, to MAIN@1"),
    ],
)
def test_a_policy_that_can_not_be_is_refused_with_the_reason(
    ann: Client, main: Jackpot, field: str, value: str, why: str
) -> None:
    said, before = policy(ann, main, **{field: value}), counts()
    answer = take(ann, main, "policy", 400, **said)
    assert why in text(answer)
    assert counts() == before


def test_a_refusal_stands_at_its_field(ann: Client, main: Jackpot) -> None:
    said = policy(ann, main, level_0_base="100.00", level_0_limit="5000.00")
    form = take(ann, main, "policy", 400, **said).context["form"]
    assert form.errors == {"level_0_limit": ["the limit of level main lies below its meter"]}


def test_a_form_of_an_older_version_undoes_nothing_unseen(ann: Client, main: Jackpot) -> None:
    said = policy(ann, main, approvals="3")
    change_policy(main, base="500.00")
    assert "changed meanwhile, to MAIN@2" in text(take(ann, main, "policy", 400, **said))
    assert ChangeRequest.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "said", "status", "why"),
    [
        ("adjust", ADJUSTMENT | {"amount": "0"}, 400, "an amount of zero changes nothing"),
        ("adjust", ADJUSTMENT | {"amount": "ten"}, 400, "an exact amount is a string"),
        ("adjust", ADJUSTMENT | {"amount": "-20000"}, 400, "no pot goes below zero"),
        ("adjust", ADJUSTMENT | {"reason": "other"}, 400, "needs a note"),
        ("adjust", ADJUSTMENT | {"reason": "because"}, 400, "Select a valid choice"),
        ("adjust", ADJUSTMENT | {"pot": "meter:ELSE:main"}, 400, "Select a valid choice"),
        ("transfer", {"source": "meter:MAIN:main", "to": "meter:MAIN:main", "amount": "1", "reason": "merge"}, 400,
         "from one pot to another"),
        ("retire", {"reason": "replaced"}, 400, "This field is required"),
        ("resume", {"note": "x"}, 409, "is active, not suspended"),
        ("suspend", {}, 400, "This field is required"),
    ],
)  # fmt: skip
def test_what_can_not_be_asked_is_refused_and_writes_nothing(
    ann: Client, main: Jackpot, name: str, said: dict[str, str], status: int, why: str
) -> None:
    before = counts()
    assert why in text(take(ann, main, name, status, form=said))
    assert counts() == before


def test_a_double_click_asks_once_and_shows_the_first(ann: Client, main: Jackpot) -> None:
    once = str(uuid4())
    answers = [take(ann, main, "adjust", form=ADJUSTMENT, once=once) for _ in range(2)]
    assert {answer["Location"] for answer in answers} == {page(asked())}
    assert LogEntry.objects.count() == 1
    again = take(ann, main, "adjust", 409, form=ADJUSTMENT | {"amount": "5"}, once=once)
    assert "was sent before with other content" in text(again)
    assert ChangeRequest.objects.count() == 1
    take(staff("ben", *ALL), main, "adjust", form=ADJUSTMENT, once=once)
    assert ChangeRequest.objects.count() == 2


def test_suspended_and_resumed_with_a_reason(ann: Client, main: Jackpot) -> None:
    take(ann, main, "suspend", note="the sign is dark")
    main.refresh_from_db()
    assert main.state == "suspended"
    take(ann, main, "resume", note="mended")
    notes = list(JackpotStateChange.objects.values_list("after", "note", "by__username"))
    assert notes == [("suspended", "the sign is dark", "ann"), ("active", "mended", "ann")]


@pytest.mark.parametrize("name", STEPS)
def test_each_step_needs_its_permission_and_get_changes_nothing(main: Jackpot, ann: Client, name: str) -> None:
    before = counts()
    others = staff("cleo", *(code for code in ALL if code != STEPS[name]))
    assert others.get(step(main, name)).status_code == 403
    assert others.post(step(main, name), ADJUSTMENT).status_code == 403
    assert step(main, name) not in text(others.get(page(main))) and step(main, name) in text(ann.get(page(main)))
    assert ann.get(step(main, name)).status_code == 200
    assert counts() == before
