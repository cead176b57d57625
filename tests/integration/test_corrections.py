"""Corrections worked out by hand: a settled round's facts were wrong, and it is settled a second time."""

from dataclasses import replace
from decimal import Decimal

import pytest

from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot
from jackpot.models.ledger import Entry, Leg, StatementRow
from jackpot.selectors import corrections
from tables.domain.facts import VoidReason
from tables.models.rounds import BoxResult, Round
from tests.factories import (
    SiteFactory,
    assert_books_agree,
    jackpot_with,
    low,
    play,
    reported,
    royal,
    straight_flush,
    table_with,
)
from tests.factories.corrections import correct
from tests.integration.corrected import awards, balance, money, pots
from tests.unit.builders import FOLD, box, usd

pytestmark = pytest.mark.django_db


@pytest.fixture
def link() -> Jackpot:
    return jackpot_with(code="LINK", tables=("T-01", "T-02"), approvals=1)


def test_a_royal_that_was_none_is_taken_back(link: Jackpot) -> None:
    """10,000.00 + two stakes of 1.00 at 20%: the sign shows 10,000.40, and 0.04 lies in the reserve."""
    was = reported(royal(1), low(2), table="T-01")
    (round_id,) = play(was)
    assert pots(link) == {"meter": "10000.0000", "reserve": "0.0000", "overflow": "0.0000"}
    correct(round_id, reported(low(1, pair="9h 8h"), low(2), table="T-01"))
    rnd = Round.objects.get(pk=round_id)
    assert (rnd.version, rnd.phase) == (2, "settled")
    assert pots(link) == {"meter": "10000.4000", "reserve": "0.0400", "overflow": "0.0000"}
    assert awards(round_id) == [
        ("hit", 1, "royal_flush", "10000.4000", "withdrawn"), ("envy", 2, "royal_flush", "1000.0000", "withdrawn"),
    ]  # fmt: skip
    assert balance("awards:LINK") == "0.0000"
    assert balance("house:LINK") == "10000.0000"
    assert_books_agree()


def test_a_straight_flush_that_was_missed_is_priced_on_what_the_sign_showed(link: Jackpot) -> None:
    """10% of 10,000.40 is 1,000.04, whatever came in since; it is taken from today's meter."""
    (round_id,) = play(reported(low(1, pair="9h 8h"), low(2), table="T-01"))
    play(reported(low(1), low(2, pair="2d 7s"), low(3, pair="3d 8c"), table="T-02", dealer="4d 4h"))
    assert pots(link)["meter"] == "10001.0000"
    correct(round_id, reported(straight_flush(1), low(2), table="T-01"))
    assert pots(link)["meter"] == "9000.9600"
    hit = Award.objects.get(source_ref=round_id, kind="hit")
    assert (money(hit.amount), money(hit.meter_before), money(hit.meter_after)) == (
        "1000.0400", "10000.4000", "9000.3600",
    )  # fmt: skip
    assert awards(round_id)[1] == ("envy", 2, "straight_flush", "300.0000", "pending")
    assert balance("awards:LINK") == "-1300.0400"
    assert_books_agree()


def test_what_other_rounds_won_since_is_never_reckoned_again(link: Jackpot) -> None:
    """A missed royal, after another one took the meter: today's meter has 10,000.00 + 0.20, the sign showed 10,000.20.

    The other award stands. The reset puts the base in again: 0.04 from the reserve, 9,999.96 from the house.
    """
    (missed,) = play(reported(low(1, pair="9h 8h"), table="T-01"))
    (other,) = play(reported(royal(1), table="T-02"))
    play(reported(low(1), table="T-02"))
    assert awards(other) == [("hit", 1, "royal_flush", "10000.4000", "pending")]
    assert pots(link) == {"meter": "10000.2000", "reserve": "0.0200", "overflow": "0.0000"}
    correct(missed, reported(royal(1), table="T-01"))
    assert awards(missed) == [("hit", 1, "royal_flush", "10000.2000", "pending")]
    assert awards(other) == [("hit", 1, "royal_flush", "10000.4000", "pending")]
    assert pots(link) == {"meter": "10000.0000", "reserve": "0.0000", "overflow": "0.0000"}
    assert_books_agree()


def test_a_meter_that_has_less_pays_what_it_has_and_the_house_the_rest() -> None:
    """The base is 1.00. The sign showed 1.20 before a missed royal; another royal took 1.40; today there are 1.00."""
    link = jackpot_with(code="LINK", tables=("T-01",), approvals=1, base="1.00")
    (missed,) = play(reported(low(1, pair="9h 8h"), table="T-01"))
    play(reported(royal(1), table="T-01"))
    assert pots(link)["meter"] == "1.0000"
    before = balance("house:LINK")
    correct(missed, reported(royal(1), table="T-01"))
    assert awards(missed) == [("hit", 1, "royal_flush", "1.2000", "pending")]
    assert pots(link) == {"meter": "1.0000", "reserve": "0.0000", "overflow": "0.0000"}
    assert Decimal(balance("house:LINK")) - Decimal(before) == Decimal("1.20")  # 0.20 short, 1.00 for the base
    assert Entry.objects.get(source_ref=f"round:{missed}:v2").reason.startswith("the meter has less")
    assert_books_agree()


def test_another_player_at_the_box_changes_who_envies_whom(link: Jackpot) -> None:
    """Box 2 was not P-2's but the winner's own: he envies himself nothing. The hit carries over."""
    (round_id,) = play(reported(royal(1, player="P-1"), low(2, player="P-2"), table="T-01"))
    correct(round_id, reported(royal(1, player="P-1"), low(2, player="P-1"), table="T-01"), reason="wrong_box")
    assert awards(round_id) == [
        ("hit", 1, "royal_flush", "10000.4000", "pending"), ("envy", 2, "royal_flush", "1000.0000", "withdrawn"),
    ]  # fmt: skip
    assert pots(link) == {"meter": "10000.0000", "reserve": "0.0000", "overflow": "0.0000"}
    assert_books_agree()


def test_an_unpaid_award_of_a_wrong_player_is_opened_anew_for_the_right_one(link: Jackpot) -> None:
    (round_id,) = play(reported(royal(1, player="P-1"), table="T-01"))
    correct(round_id, reported(royal(1, player="P-9"), table="T-01"), reason="wrong_box")
    assert awards(round_id) == [
        ("hit", 1, "royal_flush", "10000.2000", "withdrawn"), ("hit", 1, "royal_flush", "10000.2000", "pending"),
    ]  # fmt: skip
    assert list(Award.objects.order_by("entry_id").values_list("player", flat=True)) == ["P-1", "P-9"]
    assert_books_agree()


def test_a_wrong_decision_moves_main_bets_and_carries_the_hit_over(link: Jackpot) -> None:
    """Box 2 had folded: it lost Ante and Blind of 5.00 and never won 5.00 on the Ante and 20.00 on a Play. The royal
    stays what it was, in the same award.
    """
    (round_id,) = play(reported(royal(1), low(2), table="T-01"))
    float_before, main_before = balance("float:T-01"), balance("win:T-01:main")
    (hit, envy) = awards(round_id)
    correct(round_id, reported(royal(1), low(2, decision=FOLD), table="T-01"), reason="wrong_decision")
    assert awards(round_id) == [hit, envy]
    moved = Decimal(balance("float:T-01")) - Decimal(float_before)
    assert moved == -(Decimal(balance("win:T-01:main")) - Decimal(main_before)) == Decimal("35.00")
    owed = corrections.owed_by([f"round:{round_id}:v2"])[f"round:{round_id}:v2"]
    assert [(one.position, one.award.kind, one.amount) for one in owed] == [
        (1, "hit", usd("10000.40")), (2, "envy", usd("1000.00")),
    ]  # fmt: skip
    assert pots(link) == {"meter": "10000.0000", "reserve": "0.0000", "overflow": "0.0000"}
    assert_books_agree()


def test_changed_stakes_post_the_difference_of_their_contributions_today(link: Jackpot) -> None:
    """Two Progressives of 1.00 were one: 0.20 leave the meter, 0.02 the reserve, 1.00 the float. And back again."""
    (round_id,) = play(reported(low(1), low(2, pair="2d 7s"), table="T-01", dealer="4d 4h"))
    correct(round_id, reported(low(1), low(2, pair="2d 7s", progressive="0"), table="T-01", dealer="4d 4h"),
            reason="wrong_bets")  # fmt: skip
    assert pots(link) == {"meter": "10000.2000", "reserve": "0.0200", "overflow": "0.0000"}
    assert balance("win:T-01:progressive") == "-0.7800"
    correct(round_id, reported(low(1), low(2, pair="2d 7s"), table="T-01", dealer="4d 4h"), reason="wrong_bets")
    assert pots(link) == {"meter": "10000.4000", "reserve": "0.0400", "overflow": "0.0000"}
    assert balance("win:T-01:progressive") == "-1.5600"
    assert Round.objects.get(pk=round_id).version == 3
    assert_books_agree()


def test_a_contribution_that_a_hit_took_is_not_taken_from_the_base(link: Jackpot) -> None:
    (round_id,) = play(reported(low(1), low(2, pair="2d 7s"), table="T-01", dealer="4d 4h"))
    play(reported(royal(1), table="T-02"))
    correct(round_id, reported(low(1), low(2, pair="2d 7s", progressive="0"), table="T-01", dealer="4d 4h"),
            reason="wrong_bets")  # fmt: skip
    assert pots(link)["meter"] == "10000.0000"
    stakes = Entry.objects.get(source_ref__endswith=":stakes")
    house = Leg.objects.get(entry=stakes, account__code="house:LINK")
    assert (money(house.amount), stakes.reason[:7]) == ("0.2200", "what no")


def test_a_box_that_was_void_gives_and_gets_nothing(link: Jackpot) -> None:
    (round_id,) = play(reported(royal(1), low(2), table="T-01"))
    void = VoidReason.CARD_EXPOSED_HOLE
    correct(round_id, reported(royal(1, void=void), low(2), table="T-01"), reason="void_missed")
    assert [award[-1] for award in awards(round_id)] == ["withdrawn", "withdrawn"]
    result = BoxResult.objects.get(round=round_id, version=2, box=1)
    assert (result.outcomes, result.progressive) == ("rrr-r", usd("1.00"))
    assert_books_agree()


def test_a_round_that_was_void_as_a_whole_and_then_was_not(link: Jackpot) -> None:
    played = reported(royal(1), low(2), table="T-01")
    (round_id,) = play(played)
    before = {code: balance(code) for code in ("float:T-01", "win:T-01:main", "awards:LINK")}
    correct(round_id, replace(played, facts=replace(played.facts, void=VoidReason.MALFUNCTION)), reason="void_missed")
    rnd = Round.objects.get(pk=round_id)
    assert (rnd.phase, rnd.version, rnd.void_reason) == ("void", 2, "malfunction")
    assert {code: balance(code) for code in before} == dict.fromkeys(before, "0.0000")
    correct(round_id, played)
    rnd.refresh_from_db()
    assert (rnd.phase, rnd.version, rnd.void_reason) == ("settled", 3, "")
    assert {code: balance(code) for code in before} == before
    assert [award[-1] for award in awards(round_id)] == ["withdrawn", "withdrawn", "pending", "pending"]
    assert_books_agree()


def test_under_a_limit_what_comes_back_waits_in_the_overflow() -> None:
    """Limit 10,000.50. The royal took 10,000.20; 0.40 came in since. 10,000.60 would be too much by 0.10."""
    link = jackpot_with(code="LINK", tables=("T-01",), approvals=1, limit="10000.50")
    (round_id,) = play(reported(royal(1), table="T-01"))
    play(reported(low(1), low(2, pair="2d 7s"), table="T-01", dealer="4d 4h"))
    correct(round_id, reported(low(1, pair="9h 8h"), table="T-01"))
    assert pots(link) == {"meter": "10000.5000", "reserve": "0.0600", "overflow": "0.1000"}
    assert StatementRow.objects.filter(pot="meter", after__gt=usd("10000.50")).count() == 0
    assert_books_agree()


def test_under_a_limit_with_the_excess_to_the_house_it_is_the_houses() -> None:
    link = jackpot_with(code="LINK", tables=("T-01",), approvals=1, limit="10000.50", overflow_to="house")
    (round_id,) = play(reported(royal(1), table="T-01"))
    play(reported(low(1), low(2, pair="2d 7s"), table="T-01", dealer="4d 4h"))
    correct(round_id, reported(low(1, pair="9h 8h"), table="T-01"))
    assert pots(link) == {"meter": "10000.5000", "reserve": "0.0600", "overflow": "0.0000"}
    assert_books_agree()


def test_a_restored_base_goes_back_too() -> None:
    """A straight flush took 1,000.02; 999.82 restored the base, 0.02 of them from the reserve."""
    link = jackpot_with(code="LINK", tables=("T-01",), approvals=1, after_share="restore_base")
    (round_id,) = play(reported(straight_flush(1), table="T-01"))
    assert pots(link)["meter"] == "10000.0000"
    correct(round_id, reported(low(1, pair="9h 8h"), table="T-01"))
    assert pots(link) == {"meter": "10000.2000", "reserve": "0.0200", "overflow": "0.0000"}
    kinds = Entry.objects.filter(reverses__isnull=False).values_list("reverses__kind", "kind")
    assert sorted(kinds) == [("restore", "correction"), ("settlement", "correction")]
    assert_books_agree()


def test_a_table_without_a_jackpot_has_main_bets_and_trips_only() -> None:
    site = SiteFactory.create()
    table_with("PLAIN", site=site)
    (round_id,) = play(reported(box("As Ks", trips="5.00"), table="PLAIN"))
    correct(round_id, reported(box("2c 7d", trips="5.00"), table="PLAIN"))
    results = {row.version: (row.trips, row.ante) for row in BoxResult.objects.filter(round=round_id)}
    assert results == {1: (usd("255.00"), usd("10.00")), 2: (0, usd("10.00"))}
    assert_books_agree()


def test_both_versions_stay(link: Jackpot) -> None:
    (round_id,) = play(reported(royal(1), low(2), table="T-01"))
    first = Round.objects.get(pk=round_id)
    correct(round_id, reported(low(1, pair="9h 8h"), table="T-01"), reason="wrong_box")
    rnd = Round.objects.get(pk=round_id)
    kept = rnd.superseded.get()
    assert kept.document["boxes"][0]["cards"] == ["As", "Ks"]
    assert [one["box"] for one in kept.document["boxes"]] == [1, 2]
    assert (kept.settled_at, kept.replaced_at, rnd.gaming_day) == (first.settled_at, rnd.settled_at, first.gaming_day)
    assert set(BoxResult.objects.filter(round=rnd).values_list("version", "box")) == {(1, 1), (1, 2), (2, 1)}
    assert Entry.objects.filter(source_ref=f"round:{round_id}:v1").get().reversed_by.get().kind == "correction"
