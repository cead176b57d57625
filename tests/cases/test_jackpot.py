"""The jackpot's meter: known failures 32, 33, 36, 37, 38, 40, 41 and, of limits, 90."""

from typing import Any

import pytest
from django.test import Client

from jackpot.domain.errors import Refused
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry, StatementRow
from jackpot.services.changes import policies
from tables.domain.facts import Reported
from tests.api.conftest import Clock
from tests.api.floor import ROUNDS, Json, key_client, send
from tests.cases.play import round_of, seat
from tests.factories import (
    NOW,
    SiteFactory,
    ask_policy,
    assert_books_agree,
    caller,
    change_policy,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    settle_all,
    straight_flush,
    table_with,
)
from tests.unit.builders import usd
from tests.unit.meters import exact


def link_at(meter: str, **policy: Any) -> Jackpot:
    """A jackpot that was funded to a figure, which is the base that its policy names."""
    return jackpot_with(base=meter, **{"reserve_ppm": 0} | policy)


def meter_of(link: Jackpot) -> int:
    found: int = link.levels.get().meter
    return found


def paid(link: Jackpot) -> list[int]:
    """What the hits took, in the order they were paid."""
    return list(link.awards.filter(kind="hit").order_by("entry_id", "position").values_list("amount", flat=True))


def bets(count: int, **settings: Any) -> list[Reported]:
    return [reported(low(1), table="T-01", **settings) for _ in range(count)]


def test_32_meter_and_reserve_grow_by_exactly_what_a_rate_below_a_cent_gives(db: None) -> None:
    """200 of the 1,000 bets; all of them at once: `test_a_thousand_small_contributions_add_up_exactly`."""
    link = jackpot_with(base="100.00", increment_ppm=5_500, reserve_ppm=2_000)
    play(*bets(200))
    level = link.levels.get()
    assert (level.meter - usd("100.00"), level.reserve) == (usd("1.10"), usd("0.40"))
    assert_books_agree()


@pytest.mark.parametrize(
    ("order", "first", "then", "left"),
    [("low_first", "10000.00", "90000.00", "10000.00"), ("high_first", "100000.00", "1000.00", "9000.00")],
)
@pytest.mark.parametrize("turned", [False, True], ids=["as dealt", "the other way round"])
def test_33_hits_of_one_round_are_paid_in_the_order_that_is_set_whoever_is_named_first(
    order: str, first: str, then: str, left: str, turned: bool, db: None
) -> None:
    link = link_at("99999.60", hit_order=order)
    change_policy(link, base="10000.00", reason="base")
    seats = [low(2, "Kh Ah"), low(5, "8h 9h")]
    play(reported(*(reversed(seats) if turned else seats), table="T-01", board="Th Jh Qh 2c 3d", dealer="2d 4s"))
    assert paid(link) == [usd(first), usd(then)]
    assert meter_of(link) == usd(left)
    assert_books_agree()


def test_36_a_message_that_comes_twice_contributes_once_and_one_hit_resets_once(acme: Client) -> None:
    body = round_of(seat("As Ks", progressive="1.00"), board="Qs Js Ts 3c 5h", dealer="6d 7h")
    for _ in range(2):
        assert send(acme, ROUNDS, body).status_code == 202
        settle_all()
        settle_all()
    kinds = StatementRow.objects.filter(pot="meter").order_by("seq").values_list("kind", flat=True)
    assert list(kinds) == ["reset", "contribution", "award", "reset"]
    assert_books_agree()


def test_37_a_second_hit_minutes_later_at_another_site_is_of_the_meter_that_was_reset(db: None, clock: Clock) -> None:
    link = link_at("85999.30", increment_ppm=700_000)
    change_policy(link, base="20000.00", reason="base")
    there = SiteFactory.create(code="FAR")
    table_with("T-FAR", site=there, link=link)
    me = caller()
    acme = key_client("Acme", sites=[link.home_site.code])
    play(reported(royal(1), table="T-01"), by=me)
    stale = _shown(acme)
    play(*bets(49), by=me)
    play(reported(royal(1), table="T-FAR"), by=me)
    assert paid(link) == [usd("86000.00"), usd("20035.00")]
    fresh = _shown(acme)
    assert [(told["seq"], told["displayed"]) for told in (stale, fresh)] == [(4, "20000.00"), (56, "20000.00")]
    assert stale["as_of"] <= fresh["as_of"]
    resets = Entry.objects.filter(kind="reset", source_ref__startswith="round:").order_by("id")
    posted = list(resets.values_list("posted_at", flat=True))
    assert len(set(posted)) == 2
    assert posted == sorted(posted)
    assert_books_agree()


def _shown(client: Client) -> Json:
    level: Json = client.get("/api/v1/jackpots/LINK/").json()["levels"][0]
    return level


@pytest.mark.parametrize("turned", [False, True], ids=["as dealt", "the other way round"])
def test_38_a_rounds_own_bets_are_in_the_meter_before_it_is_shared(turned: bool, db: None) -> None:
    link = link_at("10000.00", increment_ppm=500_000)
    boxes = [royal(1), low(2), low(3, "4c 8d")]
    play(reported(*(reversed(boxes) if turned else boxes), table="T-01"))
    assert (paid(link), meter_of(link)) == ([usd("10001.50")], usd("10000.00"))


def test_40_half_a_cent_of_a_share_goes_up_and_the_rest_stays_by_subtraction(db: None) -> None:
    link = link_at("1001.05")
    play(reported(straight_flush(1), table="T-01"))
    assert (paid(link), meter_of(link)) == ([usd("100.13")], usd("901.12"))
    assert_books_agree()


def test_41_seven_cents_again_and_again_are_exact(db: None) -> None:
    """100 of the 10,000; all of them: `test_ten_thousand_contributions_of_seven_cents_are_seven_hundred`."""
    link = link_at("0.00", increment_ppm=70_000)
    play(*bets(100))
    assert meter_of(link) == usd("7.00")


def test_90_no_limit_below_the_meter_neither_asked_for_nor_approved(db: None) -> None:
    """And nothing without a reason and a second person."""
    link = link_at("50000.00")
    with pytest.raises(Refused, match="limit of level main lies below its meter"):
        ask_policy(link, base="40000.00", limit="45000.00")
    with pytest.raises(Refused, match="/reason"):
        ask_policy(link, limit="50000.10", base="40000.00", reason="")
    request_id = ask_policy(link, limit="50000.10", base="40000.00", reason="limit")
    with pytest.raises(Refused, match="second_person_required"):
        policies.approve_policy(caller=person("ann"), request_id=request_id, now=NOW)
    play(*bets(1))  # 0.20: the limit lies below the meter by now
    with pytest.raises(Refused, match="lies below its meter"):
        policies.approve_policy(caller=person("ben"), request_id=request_id, now=NOW)
    assert (link.policies.count(), meter_of(link)) == (1, exact("50000.20"))
    assert not Entry.objects.filter(kind="policy").exists()
