"""Changes that two people stand for, in the console: what waits, before and after, and the decision of each kind."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jackpot.admin.base import age, words
from jackpot.domain.accounts import Pot
from jackpot.domain.change_requests import ChangeKind
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.events import Event
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Entry
from jackpot.services.changes import adjustments, jackpot_states, retiring, transfers
from tables.models.rounds import Round
from tests.admin.people import page, staff, step, take, text
from tests.factories import (
    NOW,
    House,
    ask_policy,
    assert_books_agree,
    caller,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    straight_flush,
)
from tests.factories.corrections import ask_correction
from tests.factories.set_up import ask_jackpot, ask_rules, ask_setup
from tests.unit.builders import usd

ALL = tuple(f"{verb}_{kind}" for kind in ChangeKind for verb in ("ask", "decide"))
LIST = reverse("admin:jackpot_changerequest_changelist")
KINDS = list(ChangeKind)


def adjustment(main: Jackpot) -> UUID:
    return adjust(main, "-0.25")


def adjust(main: Jackpot, amount: str) -> UUID:
    level = Level.objects.select_related("jackpot").get(jackpot=main)
    return adjustments.ask_adjustment(
        caller=person("zoe"), level=level, pot=Pot.METER, amount=amount, reason="meter_fault", now=NOW
    ).pk  # fmt: skip


def transfer(main: Jackpot) -> UUID:
    jackpot_with(code="NEW", site=main.home_site, tables=())
    return transfers.ask_transfer(
        caller=person("zoe"), source="meter:MAIN:main", target="reserve:NEW:main", amount="1.00", reason="merge",
        now=NOW,
    ).pk  # fmt: skip


def retirement(main: Jackpot) -> UUID:
    jackpot_with(code="NEW", site=main.home_site, tables=())
    jackpot_states.suspend_jackpot(caller=person("zoe"), jackpot_id=main.pk, note="old", now=NOW)
    return retiring.ask_retirement(
        caller=person("zoe"), jackpot="MAIN", to="NEW", levels={"main": "main"}, reason="replaced", now=NOW
    ).pk  # fmt: skip


def policy(main: Jackpot) -> UUID:
    return ask_policy(main, by="zoe", base="500.00")


def correction(main: Jackpot) -> UUID:
    (round_id,) = play(reported(low(1)), by=caller())
    return ask_correction(round_id, reported(low(1, pair="8h 8d")), by=person("zoe"))


def opening(main: Jackpot) -> UUID:
    return ask_jackpot(site=main.home_site, by="zoe")


def table(main: Jackpot) -> UUID:
    return ask_setup(main.tables.get(code="UTH-01"), link=None, by="zoe")


def rule_set(main: Jackpot) -> UUID:
    return ask_rules(main.tables.get(code="UTH-01").rule_set, betting_seconds=30, by="zoe")


ASK: dict[str, Callable[[Jackpot], UUID]] = {
    "policy": policy, "adjustment": adjustment, "transfer": transfer, "retirement": retirement,
    "correction": correction, "opening": opening, "table": table, "rule_set": rule_set,
}  # fmt: skip


@pytest.fixture
def main(demo: House) -> Jackpot:
    return demo.jackpot


@pytest.fixture
def ben(demo: House) -> Client:
    return staff("ben", *ALL)


def ask(main: Jackpot, kind: str) -> ChangeRequest:
    return ChangeRequest.objects.get(pk=ASK[kind](main))


def counts() -> tuple[int, ...]:
    return tuple(one.objects.count() for one in (ChangeDecision, Entry, Event, LogEntry))


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_approved_by_another_person(main: Jackpot, ben: Client, kind: str) -> None:
    request = ask(main, kind)
    shown = text(ben.get(step(request, "approve")))
    before = {"correction": "Facts that change", "opening": "What is opened"}.get(kind, "Before, when asked")
    assert "zoe" in shown and before in shown
    assert kind != "correction" or Round.objects.get().game_number in shown
    take(ben, request, "approve", note="seen")
    decided = ChangeDecision.objects.get()
    assert (decided.decision, decided.by.get_username(), decided.note) == ("approved", "ben", "seen")
    shown = text(ben.get(page(request)))
    assert f"{decided.entry_id} ({words(kind)}" in shown
    assert {"correction": "Facts that change", "opening": "What is opened"}.get(kind, "Changed to") in shown
    assert step(request, "approve") not in shown
    assert LogEntry.objects.count() == 1
    if kind == "correction":
        assert Round.objects.get().version == 2
        assert Event.objects.filter(type="round.corrected").count() == 1
    assert_books_agree()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_refused_by_another_person(main: Jackpot, ben: Client, kind: str) -> None:
    request = ask(main, kind)
    take(ben, request, "refuse", note="not so")
    assert ChangeDecision.objects.get().decision == "refused"
    assert "refused by ben" in text(ben.get(LIST)) and "not so" in text(ben.get(page(request)))


@pytest.mark.parametrize("kind", KINDS)
def test_who_asked_withdraws_and_may_not_decide(main: Jackpot, kind: str) -> None:
    request, zoe = ask(main, kind), staff("zoe")
    shown = text(zoe.get(page(request)))
    assert "another person decides" in shown
    assert step(request, "withdraw") in shown and step(request, "approve") not in shown
    before = counts()
    for name in ("approve", "refuse"):
        answer = take(zoe, request, name, 403, note="mine")
        assert "another person must decide" in text(answer)
    assert counts() == before
    take(zoe, request, "withdraw")
    assert ChangeDecision.objects.get().decision == "withdrawn"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_permissions_of_its_own(main: Jackpot, kind: str) -> None:
    request, before = ask(main, kind), counts()
    other = staff("cleo", *(code for code in ALL if code not in (f"decide_{kind}", f"ask_{kind}")))
    for name in ("approve", "refuse", "withdraw"):
        assert other.get(step(request, name)).status_code == 403
        assert other.post(step(request, name), {"note": "x"}).status_code == 403
    assert counts() == before


def test_another_person_can_not_withdraw(main: Jackpot, ben: Client) -> None:
    before = counts()
    request = ask(main, "adjustment")
    assert "only who asked for a change withdraws it" in text(take(ben, request, "withdraw", 403))
    assert counts() == before


def test_a_decided_request_is_not_decided_again(main: Jackpot, ben: Client) -> None:
    request = ask(main, "adjustment")
    take(ben, request, "approve")
    before = counts()
    assert "was approved already" in text(take(staff("cleo", *ALL), request, "refuse", 409, note="late"))
    assert counts() == before


def test_what_it_would_be_now_is_shown_beside_what_was_asked(main: Jackpot, ben: Client) -> None:
    first, second = adjust(main, "-0.25"), adjust(main, "-9999.90")
    request = ChangeRequest.objects.get(pk=second)
    before = counts()
    for seen in ("10000.00000000", "0.10000000", "Would be now"):
        assert seen in text(ben.get(page(request)))
    assert counts() == before
    take(ben, ChangeRequest.objects.get(pk=first), "approve")
    shown = text(ben.get(page(request)))
    assert "It could not be approved now" in shown and "no pot goes below zero" in shown
    before = counts()
    assert "no pot goes below zero" in text(take(ben, request, "approve", 400))
    assert counts() == before
    assert Level.objects.get().meter == usd("9999.75")


def test_a_policy_on_an_older_version_is_told_before_it_is_approved(main: Jackpot, ben: Client) -> None:
    late, first = ask_policy(main, by="zoe", base="500.00"), ask_policy(main, by="zoe", limit="90000.00")
    take(ben, ChangeRequest.objects.get(pk=first), "approve")
    shown = text(ben.get(page(ChangeRequest.objects.get(pk=late))))
    assert "the policy was changed meanwhile, to MAIN@2" in shown


def test_a_correction_of_a_round_that_was_corrected_since_is_told(main: Jackpot, ben: Client) -> None:
    (round_id,) = play(reported(low(1)), by=caller())
    late = ask_correction(round_id, reported(low(1, pair="9h 8d")), by=person("zoe"))
    first = ask_correction(round_id, reported(low(1, pair="8h 8d")), by=person("zoe"))
    take(ben, ChangeRequest.objects.get(pk=first), "approve")
    shown = text(ben.get(page(ChangeRequest.objects.get(pk=late))))
    assert "the round was corrected since" in shown


def test_a_correction_shows_facts_and_figures_and_then_what_became_of_awards(main: Jackpot, ben: Client) -> None:
    (round_id,) = play(reported(royal(1), low(2)), by=caller())
    asked = ask_correction(round_id, reported(straight_flush(1), low(2)), by=person("zoe"))
    request = ChangeRequest.objects.get(pk=asked)
    before = counts()
    for seen in ("A♠ K♠", "9♠ 8♠", "Figures that change", "10000.40", "1000.04"):
        assert seen in text(ben.get(page(request))), seen
    assert counts() == before
    take(ben, request, "approve")
    shown = text(ben.get(page(request)))
    for seen in ("Awards that there were", "withdrawn", "New awards", "straight flush", "300.00"):
        assert seen in shown, seen


def test_the_list_shows_what_waits_first_with_its_age(main: Jackpot, ben: Client) -> None:
    decided, waits = ask(main, "adjustment"), ask(main, "policy")
    take(ben, decided, "approve")
    shown = text(ben.get(LIST))
    assert shown.index("waiting</td>") < shown.index("approved by ben")
    assert age(waits.asked_at, timezone.now()) in shown
    assert "approved by ben" not in text(ben.get(LIST + "?state=waiting"))
    assert ">waiting</td>" not in text(ben.get(LIST + "?state=approved"))
