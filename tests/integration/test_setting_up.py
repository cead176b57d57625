"""Setting up by two people: what is asked is checked, one person alone changes nothing, and what was refused leaves
nothing behind.
"""

from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command

from jackpot.domain.callers import STAFF_SCOPES, Caller
from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.ledger import Account, Entry
from jackpot.services.changes import change_requests, openings
from tables.models.rounds import Round
from tables.models.rulesets import RuleSet, RuleSetVersion
from tables.models.tables import Table, TableSetup
from tables.services import houses, ingest, rounds, rule_sets, table_setups
from tests.factories import (
    NOW,
    SiteFactory,
    assert_books_agree,
    caller,
    jackpot_with,
    low,
    person,
    play,
    receive,
    reported,
    royal,
    settle_all,
)
from tests.factories.set_up import (
    ask_jackpot,
    ask_rules,
    ask_setup,
    ask_table,
    change_rules,
    open_jackpot,
    set_up,
)
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LATER = NOW + HOUR


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with()


def written() -> tuple[int, ...]:
    models = ChangeRequest, ChangeDecision, Entry, Jackpot, PolicyVersion, Account, Table, TableSetup, RuleSetVersion
    return tuple(model.objects.count() for model in models)


def one_who_may(name: str, *codenames: str) -> Caller:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return Caller(STAFF_SCOPES, user_id=user.pk)


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
        before = written()
        with pytest.raises(Refused, match="second_person_required"):
            APPROVE[kind](caller=person("ann"), request_id=request_id, now=NOW)
        assert written() == before

    def test_a_key_and_who_may_not_approve_nothing(self, kind: str, link: Jackpot) -> None:
        request_id = ask(kind, link)
        before = written()
        with pytest.raises(Refused, match="person_required"):
            APPROVE[kind](caller=caller(), request_id=request_id, now=NOW)
        with pytest.raises(Refused, match="forbidden"):
            APPROVE[kind](caller=one_who_may("dee", f"ask_{kind}"), request_id=request_id, now=NOW)
        assert written() == before

    def test_a_decided_request_is_not_approved(self, kind: str, link: Jackpot) -> None:
        request_id = ask(kind, link)
        change_requests.refuse_change(caller=person("ben"), request_id=request_id, note="no", now=NOW)
        before = written()
        with pytest.raises(Refused, match="illegal_move"):
            APPROVE[kind](caller=person("cid"), request_id=request_id, now=NOW)
        assert written() == before
        assert_books_agree()

    def test_there_is_no_such_request(self, kind: str, link: Jackpot) -> None:
        with pytest.raises(Refused, match="not_found"):
            APPROVE[kind](caller=person("ben"), request_id=uuid4(), now=NOW)

    def test_approved_it_is_there_once(self, kind: str, link: Jackpot) -> None:
        request_id = ask(kind, link)
        APPROVE[kind](caller=person("ben"), request_id=request_id, now=NOW)
        before = written()
        with pytest.raises(Refused, match="illegal_move"):
            APPROVE[kind](caller=person("cid"), request_id=request_id, now=NOW)
        assert written() == before
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
        before = written()
        with pytest.raises(Refused, match=says):
            ask_jackpot(site=link.home_site, **asked)
        assert written() == before

    def test_of_two_openings_of_one_code_the_second_is_refused(self, link: Jackpot) -> None:
        first, second = ask_jackpot(site=link.home_site), ask_jackpot(site=link.home_site)
        openings.approve_opening(caller=person("ben"), request_id=first, now=NOW)
        before = written()
        with pytest.raises(Refused, match="opened meanwhile"):
            openings.approve_opening(caller=person("ben"), request_id=second, now=NOW)
        assert written() == before


class TestTables:
    def test_a_table_opens_as_asked_and_plays(self, link: Jackpot) -> None:
        other = open_jackpot(site=link.home_site)
        request_id = ask_table("T-10", site=link.home_site, link=other)
        made = table_setups.approve_table(caller=person("ben"), request_id=request_id, now=NOW)
        assert (made.jackpot, made.lane, made.rule_set.code) == (other, other.lane, "casino-progressive")
        setup = made.setups.get()
        assert (setup.number, setup.in_force_at, setup.change) == (1, NOW, ChangeDecision.objects.latest("pk"))
        play(reported(royal(1), table="T-10"), by=caller())
        assert other.awards.count() == 1
        assert_books_agree()

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            ({"code": "T-01"}, "a table T-01 already"),
            ({"code": ""}, "/code"),
            ({"currency": "XXX"}, "/currency"),
            ({"currency": "EUR"}, "kept in USD"),
            ({"reason": "because"}, "/reason"),
            ({"reason": "other"}, "/note"),
        ],
    )
    def test_what_is_refused_leaves_nothing(self, asked: dict[str, Any], says: str, link: Jackpot) -> None:
        before = written()
        with pytest.raises(Refused, match=says):
            ask_table(site=link.home_site, link=link, **asked)
        assert written() == before

    def test_a_sandbox_table_is_linked_to_no_live_jackpot(self, link: Jackpot) -> None:
        sandbox = SiteFactory.create(sandbox=True)
        with pytest.raises(Refused, match="sandbox"):
            ask_table(site=sandbox, link=link)

    def test_rules_that_do_not_go_with_the_currency_are_refused(self, link: Jackpot) -> None:
        with pytest.raises(Refused, match=r"/rule_set.*does not go with JPY"):
            ask_table(site=link.home_site, currency="JPY")

    def test_nothing_to_change_is_refused(self, link: Jackpot) -> None:
        with pytest.raises(Refused, match="set up so already"):
            ask_setup(link.tables.get(), link=link)

    def test_a_table_that_moved_plays_for_the_other_jackpot_from_then_on(self, link: Jackpot) -> None:
        """A whole round belongs to the setup in force at its lock-out, whenever it comes in."""
        other = jackpot_with(code="OTHER", site=link.home_site, tables=())
        me, since_lock = caller(), timedelta(seconds=72)
        table = set_up(link.tables.get(), link=other, rules="practice", at=NOW)
        table = set_up(table, link=other, rules="casino-progressive", at=NOW)
        moments = [NOW - timedelta(microseconds=1), NOW, LATER]
        ids = receive(*(reported(low(1), table="T-01", at=at + since_lock) for at in moments), by=me, now=LATER + HOUR)
        settle_all()
        found = Round.objects.in_bulk(ids)
        assert [found[pk].lane for pk in ids] == [link.lane, other.lane, other.lane]
        assert [str(found[pk].policy) for pk in ids] == ["LINK@1", "OTHER@1", "OTHER@1"]
        assert [str(found[pk].rule_set) for pk in ids] == ["casino-progressive@1"] * 3
        meters = [one.levels.get().contributed for one in (link, other)]
        assert meters[1] == 2 * meters[0] > 0
        assert table.setups.count() == 3
        assert_books_agree()

    def test_unlinked_it_takes_no_progressive_bets_and_its_old_rounds_still_do(self, link: Jackpot) -> None:
        set_up(link.tables.get(), link=None, at=NOW)
        me = caller()
        (refused,) = ingest.receive(caller=me, reports=[reported(low(1), table="T-01", at=LATER)], now=LATER)
        assert isinstance(refused, Refused) and refused.code == "no_progressive"
        play(reported(royal(1), table="T-01", at=NOW - HOUR), by=me)
        assert link.awards.get().hand == "royal_flush"
        assert_books_agree()

    def test_a_round_that_is_open_or_waits_keeps_the_table_as_it_is(self, link: Jackpot) -> None:
        request_id, me = ask_setup(link.tables.get(), link=None), caller()
        live = rounds.open_round(caller=me, table_code="T-01", external_id=None, now=NOW).round_id
        number = Round.objects.get(pk=live).game_number
        before = written()
        with pytest.raises(Refused, match=f"not settled: {number}"):
            table_setups.approve_table(caller=person("ben"), request_id=request_id, now=NOW)
        assert written() == before
        receive(reported(low(1), table="T-01"), by=me)
        assert len(table_setups.unsettled(link.tables.get())) == 2

    def test_of_two_changes_the_second_does_not_undo_the_first_unseen(self, link: Jackpot) -> None:
        first, second = (
            ask_setup(link.tables.get(), link=None),
            ask_setup(link.tables.get(), link=link, rules="practice"),
        )
        table_setups.approve_table(caller=person("ben"), request_id=first, now=NOW)
        before = written()
        with pytest.raises(Refused, match="changed meanwhile"):
            table_setups.approve_table(caller=person("ben"), request_id=second, now=NOW)
        assert written() == before

    def test_one_person_suspends_and_resumes_it(self, link: Jackpot) -> None:
        table = link.tables.get()
        with pytest.raises(Refused, match="forbidden"):
            table_setups.suspend_table(caller=one_who_may("dee"), table_id=table.pk, now=NOW)
        sue = one_who_may("sue", "suspend_table")
        with pytest.raises(Refused, match="illegal_move"):
            table_setups.resume_table(caller=sue, table_id=table.pk, now=NOW)
        table_setups.suspend_table(caller=sue, table_id=table.pk, now=NOW)
        with pytest.raises(Refused, match="table_suspended"):
            rounds.open_round(caller=caller(), table_code="T-01", external_id=None, now=NOW)
        with pytest.raises(Refused, match="illegal_move"):
            table_setups.suspend_table(caller=sue, table_id=table.pk, now=NOW)
        table_setups.resume_table(caller=sue, table_id=table.pk, now=NOW)
        rounds.open_round(caller=caller(), table_code="T-01", external_id=None, now=NOW)


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
        before = written()
        with pytest.raises(Refused, match=says):
            ask_rules(rules, **asked)
        assert written() == before

    def test_an_instant_that_passed_before_the_approval_is_refused(self, rules: RuleSet) -> None:
        request_id = ask_rules(rules, since=NOW + HOUR, betting_seconds=20)
        before = written()
        with pytest.raises(Refused, match="has passed"):
            rule_sets.approve_version(caller=person("ben"), request_id=request_id, now=NOW + 2 * HOUR)
        assert written() == before

    def test_of_two_versions_the_second_does_not_undo_the_first_unseen(self, rules: RuleSet) -> None:
        first, second = ask_rules(rules, betting_seconds=20), ask_rules(rules, decision_seconds=20)
        rule_sets.approve_version(caller=person("ben"), request_id=first, now=NOW)
        before = written()
        with pytest.raises(Refused, match="changed meanwhile"):
            rule_sets.approve_version(caller=person("ben"), request_id=second, now=NOW)
        assert written() == before

    def test_none_is_in_force_before_the_one_it_follows(self, rules: RuleSet) -> None:
        change_rules(rules, since=LATER, betting_seconds=20)
        with pytest.raises(Refused, match="not before"):
            ask_rules(rules, since=NOW, betting_seconds=30)
        assert change_rules(rules, betting_seconds=30).in_force_at == LATER

    def test_without_a_site_nothing_is_asked(self, db: None) -> None:
        houses.publish_rule_sets()
        with pytest.raises(Refused, match="no site yet"):
            ask_rules(RuleSet.objects.get(code="practice"), betting_seconds=20)


def test_a_house_of_its_own_begins_with_the_rule_sets_alone(db: None) -> None:
    call_command("demo_data", "--rule-sets", stdout=StringIO())
    assert (RuleSet.objects.count(), Table.objects.count(), Jackpot.objects.count()) == (5, 0, 0)
