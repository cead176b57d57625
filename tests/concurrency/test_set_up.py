"""A table is set up otherwise while rounds come in at it, and while others decide on it too."""

from collections import Counter
from typing import Any
from uuid import UUID

import pytest

from jackpot.domain.errors import Refused
from jackpot.models.jackpots import Jackpot
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet
from tables.models.tables import Table, TableSetup
from tables.services import rounds, rule_sets, table_setups
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import NOW, assert_books_agree, caller, jackpot_with, low, person, receive, reported, settle_all
from tests.factories.set_up import ask_rules, ask_setup

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def link(transactional_db: None) -> Jackpot:
    return jackpot_with()


@pytest.fixture
def other(link: Jackpot) -> Jackpot:
    return jackpot_with(code="OTHER", site=link.home_site, tables=())


def approve(request_id: UUID, by: str = "ben") -> str:
    try:
        table_setups.approve_table(caller=person(by), request_id=request_id, now=NOW)
    except Refused as refused:
        return refused.code
    return "done"


def test_a_round_that_comes_in_is_waited_for_and_keeps_the_table(link: Jackpot, other: Jackpot) -> None:
    asked, me = ask_setup(link.tables.get(), link=other), caller()
    coming = Actor(lambda: receive(reported(low(1), table="T-01"), by=me), hold=True)
    approval = Actor(lambda: approve(asked))
    approval.wait_until_blocked()
    coming.commit()
    assert approval.result() == "illegal_move"
    settle_all()
    assert Round.objects.get().lane == link.lane
    assert approve(asked) == "done"
    assert_books_agree()


def test_without_the_table_it_would_be_changed_under_the_round(
    link: Jackpot, other: Jackpot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: nobody looks whether a round comes in. It has its lane, and the books still agree."""
    asked, me = ask_setup(link.tables.get(), link=other), caller()
    monkeypatch.setattr(table_setups, "_changes", table_setups.foresee)
    coming = Actor(lambda: receive(reported(low(1), table="T-01"), by=me), hold=True)
    deciding = Actor(lambda: approve(asked), pause_after='INSERT INTO "tables_tablesetup"')
    coming.commit()
    deciding.go_on()
    assert deciding.result() == "done"
    settle_all()
    assert (Round.objects.get().lane, Table.objects.get(code="T-01").lane) == (link.lane, other.lane)
    assert_books_agree()


def test_a_round_that_comes_in_later_waits_and_is_the_other_jackpots(link: Jackpot, other: Jackpot) -> None:
    asked, me = ask_setup(link.tables.get(), link=other), caller()
    approval = Actor(lambda: approve(asked), hold=True)
    coming = Actor(lambda: rounds.open_round(caller=me, table_code="T-01", external_id=None, now=NOW))
    coming.wait_until_blocked()
    assert approval.commit() == "done"
    assert Round.objects.get(pk=coming.result().round_id).lane == other.lane


def test_of_approvals_at_once_one_is_carried_out(link: Jackpot, other: Jackpot) -> None:
    table = link.tables.get()
    asked = [ask_setup(table, link=other), ask_setup(table, link=None)]
    calls: list[Any] = [lambda one=one, by=by: approve(one, by) for one in asked for by in ("ben", "cid")]
    assert Counter(all_at_once(calls)) == {"done": 1, "illegal_move": 3}
    assert TableSetup.objects.filter(table=table).count() == 2
    assert_books_agree()


def test_of_versions_at_once_one_is_carried_out(link: Jackpot) -> None:
    rules = RuleSet.objects.get(code="casino-progressive")
    asked = [ask_rules(rules, betting_seconds=seconds) for seconds in (10, 20, 30)]

    def version(request_id: UUID) -> str:
        try:
            rule_sets.approve_version(caller=person("ben"), request_id=request_id, now=NOW)
        except Refused as refused:
            return refused.code
        return "done"

    calls: list[Any] = [lambda one=one: version(one) for one in asked]
    assert Counter(all_at_once(calls)) == {"done": 1, "illegal_move": 2}
    assert rules.versions.count() == 2
    assert_books_agree()
