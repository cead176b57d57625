"""Versions of a policy: what is asked is checked, one person alone changes nothing, and which rounds play which."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from jackpot.domain.errors import Refused
from jackpot.models.change_requests import ChangeDecision, ChangeRequest
from jackpot.models.jackpots import Jackpot, PolicyVersion
from jackpot.models.ledger import Entry
from jackpot.services.changes import change_requests, policies
from tables.models.rounds import Round
from tests.factories import (
    NOW,
    ask_policy,
    assert_books_agree,
    caller,
    change_policy,
    jackpot_with,
    low,
    person,
    play,
    receive,
    reported,
    royal,
    settle_all,
)
from tests.factories.live import LiveRound
from tests.owner import as_owner
from tests.unit.builders import usd

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with()


def written() -> tuple[int, ...]:
    counted = (ChangeRequest, ChangeDecision, PolicyVersion, Entry)
    return tuple(model.objects.count() for model in counted)


def level(**changes: Any) -> list[dict[str, Any]]:
    return [
        {"code": "main", "base": "10000.00", "increment_ppm": 200_000, "reserve_ppm": 20_000, "limit": None} | changes
    ]


ASKED_IN_VAIN: list[tuple[str, dict[str, Any], str]] = [
    ("nothing changed", {}, r"/document: this policy changes nothing"),
    ("a level by another name", {"levels": level(code="mega"), "progressive_table": [{"hand": "flush", "odds": 40}],
                                 "envy_table": {}}, "levels: a policy keeps|keeps the levels"),
    ("a level more", {"levels": [*level(), *level(code="mini", increment_ppm=1)]}, "keeps the levels"),
    ("a limit below the base", {"limit": "9999.00"}, "limit of level main: it must lie above the base"),
    ("a limit below the meter", {"base": "1.00", "limit": "9999.99"}, "limit of level main lies below its meter"),
    ("rates above the stake", {"increment_ppm": 980_001}, "more than the stake"),
    ("stake times odds beyond the books", {"stake": "999999999.00", "progressive_table": [
        {"hand": "royal_flush", "basis": "meter_share", "level": "main", "ppm": 1_000_000},
        {"hand": "flush", "odds": 1_000_000}], "envy_table": {}}, "stake × odds"),
    ("a hand that is none", {"progressive_table": [{"hand": "royal", "odds": 9}], "envy_table": {}},
     "no hand of this game"),
    ("hands out of order", {"progressive_table": [{"hand": "flush", "odds": 9}, {"hand": "full_house", "odds": 8}],
                            "envy_table": {}}, "strongest to the weakest"),
    ("an unknown key", {"hit_orders": "low_first"}, "unknown key hit_orders"),
    ("a reason that is not listed", {"stake": "2.00", "reason": "because"}, "/reason"),
    ("another reason, unsaid", {"stake": "2.00", "reason": "other"}, "/note"),
]  # fmt: skip


@pytest.mark.parametrize(("label", "asked", "says"), ASKED_IN_VAIN, ids=[label for label, *_ in ASKED_IN_VAIN])
def test_what_may_not_be_is_not_even_asked_for(link: Jackpot, label: str, asked: dict[str, Any], says: str) -> None:
    before = written()
    with pytest.raises(Refused, match=f"invalid_value.*({says})"):
        ask_policy(link, **asked)
    assert written() == before


def test_a_machine_asks_for_no_policy(link: Jackpot) -> None:
    with pytest.raises(Refused, match="person_required"):
        policies.ask_for_policy(
            caller=caller(), jackpot=link, document=link.policies.get().document | {"stake": "2.00"},
            check_hands=lambda policy: None, reason="rates", now=NOW,
        )  # fmt: skip
    assert ChangeRequest.objects.count() == 0


def test_one_person_alone_changes_nothing(link: Jackpot) -> None:
    request_id = ask_policy(link, by="ann", stake="2.00")
    before = written()
    with pytest.raises(Refused, match="second_person_required"):
        policies.approve_policy(caller=person("ann"), request_id=request_id, now=NOW)
    assert written() == before
    assert link.policies.count() == 1


def test_what_was_asked_is_in_force_once_another_person_approved_it(link: Jackpot) -> None:
    request_id = ask_policy(link, stake="2.00", increment_ppm=100_000)
    assert link.policies.count() == 1
    made = policies.approve_policy(caller=person("ben"), request_id=request_id, note="as the board said", now=LATER)
    assert (made.version, made.in_force_at, made.document["stake"]) == (2, LATER, "2.00")
    assert made.terms["main"] == {
        "base": usd("10000.00"),
        "increment_ppm": 100_000,
        "reserve_ppm": 20_000,
        "limit": None,
    }
    decided = ChangeDecision.objects.get()
    assert decided.before == {"version": 1, "stake": "1.00", "levels.main.increment_ppm": "200000"}
    assert decided.after == {"version": 2, "stake": "2.00", "levels.main.increment_ppm": "100000"}
    assert (decided.entry.kind, decided.entry.leg_count, decided.entry.lane_id) == ("policy", 0, link.lane.pk)
    assert (made.change, decided.request.before) == (decided, link.policies.get(version=1).document)
    assert_books_agree()


def test_a_decided_request_is_not_approved(link: Jackpot) -> None:
    request_id = ask_policy(link, stake="2.00")
    change_requests.refuse_change(caller=person("ben"), request_id=request_id, note="no", now=NOW)
    before = written()
    with pytest.raises(Refused, match="illegal_move"):
        policies.approve_policy(caller=person("cid"), request_id=request_id, now=NOW)
    assert written() == before


def test_of_two_requests_the_second_does_not_undo_the_first_unseen(link: Jackpot) -> None:
    first, second = ask_policy(link, base="20000.00"), ask_policy(link, stake="2.00")
    policies.approve_policy(caller=person("ben"), request_id=first, now=NOW)
    before = written()
    with pytest.raises(Refused, match=r"illegal_move.*LINK@2: ask again"):
        policies.approve_policy(caller=person("ben"), request_id=second, now=NOW)
    assert written() == before


def test_a_limit_that_the_meter_has_passed_meanwhile_is_refused_at_the_approval(link: Jackpot) -> None:
    """Known failure 90. Asked for while it lay above the meter; contributions came in until the approval."""
    request_id = ask_policy(link, limit="10000.10", base="5000.00")
    play(reported(low(1), table="T-01"))
    before = written()
    with pytest.raises(Refused, match=r"invalid_value.*lies below its meter"):
        policies.approve_policy(caller=person("ben"), request_id=request_id, now=NOW)
    assert written() == before


def test_a_retired_jackpot_goes_on_under_no_other_policy(link: Jackpot) -> None:
    request_id = ask_policy(link, stake="2.00")
    connection.check_constraints()
    with as_owner(past_guards=True) as cursor:  # retiring waits for what is undecided
        cursor.execute("UPDATE jackpot_jackpot SET state = 'retired', state_since = now()")
    with pytest.raises(Refused, match="illegal_move"):
        policies.approve_policy(caller=person("ben"), request_id=request_id, now=NOW)
    with pytest.raises(Refused, match="illegal_move"):
        ask_policy(link, stake="3.00")
    assert link.policies.count() == 1


def played_under(round_ids: list[UUID]) -> list[int]:
    found = {
        rnd.pk: rnd.policy.version
        for rnd in Round.objects.filter(pk__in=round_ids).select_related("policy")
        if rnd.policy
    }
    return [found[round_id] for round_id in round_ids]


def test_rounds_locked_out_from_the_approval_on_play_it(link: Jackpot) -> None:
    """To the microsecond; those taken in before keep theirs, and old ones that come in later are of their time."""
    since = timedelta(seconds=72)  # from the lock-out to the completion
    before = receive(reported(low(1), table="T-01", at=NOW + since + timedelta(hours=1)), now=NOW + timedelta(hours=2))
    change_policy(link, at=NOW, stake="2.00")
    moments = [NOW - timedelta(microseconds=1), NOW, NOW + timedelta(microseconds=1)]
    after = receive(*(
        reported(low(1, progressive=stake), table="T-01", at=at + since)
        for at, stake in zip(moments, ("1.00", "2.00", "2.00"), strict=True)
    ))  # fmt: skip
    assert played_under([*before, *after]) == [1, 1, 2, 2]
    settle_all()
    assert_books_agree()


def test_a_policy_is_never_in_force_before_the_one_it_follows(link: Jackpot) -> None:
    """Whatever the clock of who approves says: the later approval wins, from the instant of the earlier one on."""
    change_policy(link, at=LATER, stake="2.00")
    assert change_policy(link, at=NOW, stake="3.00").in_force_at == LATER
    at = LATER + timedelta(minutes=5)
    assert played_under(receive(reported(low(1, progressive="3.00"), table="T-01", at=at), now=at)) == [3]


def test_live_rounds_locked_before_settle_under_theirs_after(link: Jackpot) -> None:
    me = caller()
    report = reported(royal(1), low(2), table="T-01", at=NOW)
    live = LiveRound(report, by=me, now=NOW)
    live.lock(now=NOW)
    settle_all()
    change_policy(link, at=NOW + timedelta(seconds=1), envy_table={"royal_flush": "5.00"}, stake="2.00")
    live.complete(now=NOW + timedelta(seconds=9))
    settle_all()
    assert list(link.awards.order_by("position").values_list("kind", "amount", "policy__version")) == [
        ("hit", usd("10000.40"), 1), ("envy", usd("1000.00"), 1),
    ]  # fmt: skip
    next_one = LiveRound(
        reported(royal(1, progressive="2.00"), low(2, progressive="2.00"), table="T-01"), by=me, now=LATER
    )
    next_one.lock(now=LATER)
    next_one.complete(now=LATER)
    settle_all()
    assert list(link.awards.filter(policy__version=2).order_by("position").values_list("kind", "amount")) == [
        ("hit", usd("10000.80")), ("envy", usd("5.00")),
    ]  # fmt: skip
    assert_books_agree()


def test_every_setting_of_the_house_counts_from_the_approval_on(link: Jackpot) -> None:
    """`verify_from`, `hit_order`, `after_share` and the pay table wait for no reset."""
    play(reported(royal(1), table="T-01"))
    change_policy(link, at=NOW, verify_from="20000.00")
    at = NOW + timedelta(minutes=5)
    play(reported(royal(1), table="T-01", at=at))
    assert list(link.awards.order_by("seq").values_list("state", flat=True)) == ["pending", "paid"]
    assert_books_agree()
