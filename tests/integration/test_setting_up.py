"""Setting up by two people: what is asked is checked, one person alone changes nothing, and what was refused leaves
nothing behind.
"""

from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot
from jackpot.services.changes import change_requests, openings
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet
from tables.models.tables import Table
from tables.services import houses, rule_sets, table_setups
from tests.factories import (
    NOW,
    assert_books_agree,
    caller,
    jackpot_with,
    low,
    person,
    receive,
    reported,
    settle_all,
)
from tests.factories.set_up import (
    ask_jackpot,
    ask_rules,
    ask_setup,
    change_rules,
)
from tests.integration.setting_up import one_who_may, refused, written
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LATER = NOW + HOUR


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with()


APPROVE = {
    "opening": openings.approve_opening, "table": table_setups.approve_table, "rule_set": rule_sets.approve_version,
}  # fmt: skip


def ask(kind: str, link: Jackpot) -> Any:
    if kind == "opening":
        return ask_jackpot(site=link.home_site)
    if kind == "table":
        return ask_setup(link.tables.get(), link=None)
    return ask_rules(RuleSet.objects.get(code="casino-progressive"), betting_seconds=30)


@pytest.mark.parametrize("kind", APPROVE)
class TestOnePersonAlone:
    def test_who_asked_does_not_approve(self, kind: str, link: Jackpot) -> None:
        request_id = ask(kind, link)
        with refused("second_person_required"):
            APPROVE[kind](caller=person("ann"), request_id=request_id, now=NOW)

    def test_a_key_and_who_may_not_approve_nothing(self, kind: str, link: Jackpot) -> None:
        request_id = ask(kind, link)
        before = written()
        with refused("person_required"):
            APPROVE[kind](caller=caller(), request_id=request_id, now=NOW)
        with refused("forbidden"):
            APPROVE[kind](caller=one_who_may("dee", f"ask_{kind}"), request_id=request_id, now=NOW)
        assert written() == before

    def test_a_decided_request_is_not_approved(self, kind: str, link: Jackpot) -> None:
        request_id = ask(kind, link)
        change_requests.refuse_change(caller=person("ben"), request_id=request_id, note="no", now=NOW)
        with refused("illegal_move"):
            APPROVE[kind](caller=person("cid"), request_id=request_id, now=NOW)
        assert_books_agree()

    def test_there_is_no_such_request(self, kind: str, link: Jackpot) -> None:
        with refused("not_found"):
            APPROVE[kind](caller=person("ben"), request_id=uuid4(), now=NOW)

    def test_approved_it_is_there_once(self, kind: str, link: Jackpot) -> None:
        request_id = ask(kind, link)
        APPROVE[kind](caller=person("ben"), request_id=request_id, now=NOW)
        with refused("illegal_move"):
            APPROVE[kind](caller=person("cid"), request_id=request_id, now=NOW)
        entry = ChangeDecision.objects.get().entry
        assert (entry.kind, entry.leg_count, entry.lane_id) == (kind, 0, link.home_site.lane.pk)
        assert_books_agree()


class TestJackpots:
    def test_it_opens_as_asked_funded_at_the_approval(self, link: Jackpot) -> None:
        request_id = ask_jackpot("NEW", site=link.home_site, base="500.00")
        made = openings.approve_opening(caller=person("ben"), request_id=request_id, now=LATER)
        assert (made.code, made.name, made.home_site, made.opened_at) == ("NEW", "Jackpot NEW", link.home_site, LATER)
        policy = made.policies.get()
        assert (policy.version, policy.in_force_at, policy.change) == (1, LATER, ChangeDecision.objects.get())
        assert made.levels.get().meter == usd("500.00")
        assert ChangeDecision.objects.get().after == {"version": 1, "base:main": "500.00"}
        assert_books_agree()

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            ({"code": "LINK"}, "a jackpot LINK already"),
            ({"code": "no code"}, "/code"),
            ({"currency": "XXX"}, "/currency"),
            ({"base": "-1"}, "/policy"),
            ({"progressive_table": [{"hand": "royal_flsh", "odds": 10}], "envy_table": {}}, "no hand of this game"),
            ({"reason": "because"}, "/reason"),
        ],
    )
    def test_what_is_refused_leaves_nothing(self, asked: dict[str, Any], says: str, link: Jackpot) -> None:
        with refused(says):
            ask_jackpot(site=link.home_site, **asked)

    def test_of_two_openings_of_one_code_the_second_is_refused(self, link: Jackpot) -> None:
        first, second = ask_jackpot(site=link.home_site), ask_jackpot(site=link.home_site)
        openings.approve_opening(caller=person("ben"), request_id=first, now=NOW)
        with refused("opened meanwhile"):
            openings.approve_opening(caller=person("ben"), request_id=second, now=NOW)


class TestRuleSets:
    @pytest.fixture
    def rules(self, link: Jackpot) -> RuleSet:
        return RuleSet.objects.get(code="casino-progressive")

    def test_a_version_is_in_force_from_its_instant_and_rounds_before_keep_the_old(self, rules: RuleSet) -> None:
        request_id = ask_rules(rules, since=LATER, odds_rounding="down")
        made = rule_sets.approve_version(caller=person("ben"), request_id=request_id, now=NOW)
        assert (made.version, made.in_force_at) == (2, LATER)
        at = LATER + timedelta(seconds=72)
        moments = [at - timedelta(microseconds=1), at]
        ids = receive(*(reported(low(1), table="T-01", at=one) for one in moments), by=caller(), now=LATER + HOUR)
        found = Round.objects.in_bulk(ids)
        assert [str(found[pk].rule_set) for pk in ids] == ["casino-progressive@1", "casino-progressive@2"]
        settle_all()
        assert_books_agree()

    def test_without_an_instant_it_is_in_force_from_the_approval(self, rules: RuleSet) -> None:
        assert change_rules(rules, at=LATER, betting_seconds=20).in_force_at == LATER
        decided = ChangeDecision.objects.get()
        assert decided.before == {"version": 1, "betting_seconds": "null"}
        assert decided.after == {"version": 2, "betting_seconds": "20"}

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            ({}, "as it stands"),
            ({"betting_seconds": 0}, "/rules/betting_seconds"),
            ({"blind_table": {"name": "b", "lines": {"flush": "1"}}}, "/rules/blind_table/lines/flush"),
            ({"surprise": 1}, "/rules/surprise"),
            ({"betting_seconds": 9, "since": NOW - timedelta(microseconds=1)}, "/in_force_at"),
            ({"betting_seconds": 9, "reason": "because"}, "/reason"),
        ],
    )
    def test_what_is_refused_leaves_nothing(self, asked: dict[str, Any], says: str, rules: RuleSet) -> None:
        with refused(says):
            ask_rules(rules, **asked)

    def test_an_instant_that_passed_before_the_approval_is_refused(self, rules: RuleSet) -> None:
        request_id = ask_rules(rules, since=NOW + HOUR, betting_seconds=20)
        with refused("has passed"):
            rule_sets.approve_version(caller=person("ben"), request_id=request_id, now=NOW + 2 * HOUR)

    def test_of_two_versions_the_second_does_not_undo_the_first_unseen(self, rules: RuleSet) -> None:
        first, second = ask_rules(rules, betting_seconds=20), ask_rules(rules, decision_seconds=20)
        rule_sets.approve_version(caller=person("ben"), request_id=first, now=NOW)
        with refused("changed meanwhile"):
            rule_sets.approve_version(caller=person("ben"), request_id=second, now=NOW)

    def test_none_is_in_force_before_the_one_it_follows(self, rules: RuleSet) -> None:
        change_rules(rules, since=LATER, betting_seconds=20)
        with refused("not before"):
            ask_rules(rules, since=NOW, betting_seconds=30)
        assert change_rules(rules, betting_seconds=30).in_force_at == LATER

    def test_without_a_site_nothing_is_asked(self, db: None) -> None:
        houses.publish_rule_sets()
        with refused("no site yet"):
            ask_rules(RuleSet.objects.get(code="practice"), betting_seconds=20)


def test_a_house_of_its_own_begins_with_the_rule_sets_alone(db: None) -> None:
    call_command("demo_data", "--rule-sets", stdout=StringIO())
    assert (RuleSet.objects.count(), Table.objects.count(), Jackpot.objects.count()) == (5, 0, 0)
