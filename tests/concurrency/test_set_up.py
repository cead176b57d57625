"""A table is set up otherwise while rounds come in at it, and while others decide on it too."""

from collections import Counter
from datetime import time
from typing import Any
from uuid import UUID

import pytest

from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot
from jackpot.services import books
from jackpot.services.changes import openings
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet
from tables.models.tables import Table, TableSetup
from tables.services import rounds, rule_sets, table_setups
from tests.concurrency.actors import Actor, all_at_once
from tests.factories import (
    NOW,
    SiteFactory,
    assert_books_agree,
    caller,
    jackpot_with,
    low,
    person,
    receive,
    reported,
    settle_all,
)
from tests.factories.set_up import ask_jackpot, ask_rules, ask_setup, ask_table

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


def test_of_two_sites_that_open_the_same_code_one_does(link: Jackpot) -> None:
    """Each holds its own site's lane; the other is refused, and nothing of it is there."""
    sites = [link.home_site, SiteFactory.create()]
    jackpots, tables = (
        [ask_jackpot("TWICE", site=site) for site in sites],
        [ask_table("T-99", site=site) for site in sites],
    )
    stood = ChangeDecision.objects.count()

    def opening(request_id: UUID) -> str:
        try:
            openings.approve_opening(caller=person("ben"), request_id=request_id, now=NOW)
        except Refused as refused:
            return refused.code
        return "done"

    for approved in (
        [lambda one=one: opening(one) for one in jackpots],
        [lambda one=one: approve(one) for one in tables],
    ):
        assert Counter(all_at_once(approved)) == {"done": 1, "illegal_move": 1}
    assert ChangeDecision.objects.count() == stood + 2
    assert_books_agree()


def test_of_two_who_open_a_site_of_one_code_one_does(link: Jackpot) -> None:
    person("ben")

    def opened() -> str:
        try:
            books.open_site_as(
                caller=person("ben"), code="TWICE", name="Twice", timezone="UTC", day_starts_at=time(6), sandbox=False
            )
        except Refused as refused:
            return refused.code
        return "done"

    assert Counter(all_at_once([opened, opened])) == {"done": 1, "invalid_value": 1}
