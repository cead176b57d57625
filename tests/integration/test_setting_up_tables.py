"""Tables that two people open, link and give other rules: what they play from when on, and what is refused."""

from datetime import timedelta
from typing import Any

import pytest

from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.jackpots import Jackpot
from tables.models.rounds import Round
from tables.services import ingest, rounds, table_setups
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
    ask_setup,
    ask_table,
    open_jackpot,
    set_up,
)
from tests.integration.setting_up import one_who_may, refused

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LATER = NOW + HOUR


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with()


def test_a_table_opens_as_asked_and_plays(link: Jackpot) -> None:
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
def test_what_is_refused_leaves_nothing(asked: dict[str, Any], says: str, link: Jackpot) -> None:
    with refused(says):
        ask_table(site=link.home_site, link=link, **asked)


def test_a_sandbox_table_is_linked_to_no_live_jackpot(link: Jackpot) -> None:
    sandbox = SiteFactory.create(sandbox=True)
    with refused("sandbox"):
        ask_table(site=sandbox, link=link)


def test_rules_that_do_not_go_with_the_currency_are_refused(link: Jackpot) -> None:
    with refused(r"/rule_set.*does not go with JPY"):
        ask_table(site=link.home_site, currency="JPY")


def test_nothing_to_change_is_refused(link: Jackpot) -> None:
    with refused("set up so already"):
        ask_setup(link.tables.get(), link=link)


def test_a_table_that_moved_plays_for_the_other_jackpot_from_then_on(link: Jackpot) -> None:
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


def test_unlinked_it_takes_no_progressive_bets_and_its_old_rounds_still_do(link: Jackpot) -> None:
    set_up(link.tables.get(), link=None, at=NOW)
    me = caller()
    (refused,) = ingest.receive(caller=me, reports=[reported(low(1), table="T-01", at=LATER)], now=LATER)
    assert isinstance(refused, Refused) and refused.code == "no_progressive"
    play(reported(royal(1), table="T-01", at=NOW - HOUR), by=me)
    assert link.awards.get().hand == "royal_flush"
    assert_books_agree()


def test_a_round_that_is_open_or_waits_keeps_the_table_as_it_is(link: Jackpot) -> None:
    request_id, me = ask_setup(link.tables.get(), link=None), caller()
    live = rounds.open_round(caller=me, table_code="T-01", external_id=None, now=NOW).round_id
    number = Round.objects.get(pk=live).game_number
    with refused(f"not settled: {number}"):
        table_setups.approve_table(caller=person("ben"), request_id=request_id, now=NOW)
    receive(reported(low(1), table="T-01"), by=me)
    assert len(table_setups.unsettled(link.tables.get())) == 2


def test_of_two_changes_the_second_does_not_undo_the_first_unseen(link: Jackpot) -> None:
    first, second = (
        ask_setup(link.tables.get(), link=None),
        ask_setup(link.tables.get(), link=link, rules="practice"),
    )
    table_setups.approve_table(caller=person("ben"), request_id=first, now=NOW)
    with refused("changed meanwhile"):
        table_setups.approve_table(caller=person("ben"), request_id=second, now=NOW)


def test_one_person_suspends_and_resumes_it(link: Jackpot) -> None:
    table = link.tables.get()
    with refused("forbidden"):
        table_setups.suspend_table(caller=one_who_may("dee"), table_id=table.pk, now=NOW)
    sue = one_who_may("sue", "suspend_table")
    with refused("illegal_move"):
        table_setups.resume_table(caller=sue, table_id=table.pk, now=NOW)
    table_setups.suspend_table(caller=sue, table_id=table.pk, now=NOW)
    with refused("table_suspended"):
        rounds.open_round(caller=caller(), table_code="T-01", external_id=None, now=NOW)
    with refused("illegal_move"):
        table_setups.suspend_table(caller=sue, table_id=table.pk, now=NOW)
    table_setups.resume_table(caller=sue, table_id=table.pk, now=NOW)
    rounds.open_round(caller=caller(), table_code="T-01", external_id=None, now=NOW)
