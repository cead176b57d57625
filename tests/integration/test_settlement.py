"""Rounds in, settled by draining their lanes, everything posted: what each kind of round comes to."""

from datetime import timedelta
from typing import Any

import pytest

from jackpot.domain.errors import Refused
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level
from jackpot.models.ledger import Entry, Leg, StatementRow
from jackpot.money import show, show_exact
from tables.domain.facts import VoidReason
from tables.models.rounds import BoxResult, Round
from tables.services import settlement
from tests.factories import (
    NOW,
    House,
    SiteFactory,
    assert_books_agree,
    flush_hand,
    jackpot_with,
    low,
    play,
    receive,
    reported,
    royal,
    settle_all,
    straight_flush,
    table_with,
)  # fmt: skip
from tests.unit.builders import FOLD, USD, box

pytestmark = pytest.mark.django_db
T = "T-01"


def stands(link: Jackpot) -> tuple[str, ...]:
    """Meter, reserve and overflow of a jackpot's one level, exact."""
    level = Level.objects.get(jackpot=link)
    return tuple(show_exact(amount, USD) for amount in (level.meter, level.reserve, level.overflow))


def statement(link: Jackpot, pot: str = "meter") -> list[tuple[int, str, str]]:
    rows = StatementRow.objects.filter(level__jackpot=link, pot=pot).order_by("seq")
    return [(row.seq, row.kind, show_exact(row.amount, USD)) for row in rows]


def awards(**wanted: Any) -> list[tuple[str, int, str, str]]:
    found = Award.objects.filter(**wanted).order_by("entry_id", "position")
    return [(award.kind, award.box, show(award.amount, USD), award.state) for award in found]


def legs(kind: str, round_id: object) -> dict[str, str]:
    found = Leg.objects.filter(entry__kind=kind, entry__source_ref__startswith=f"round:{round_id}")
    return {leg.account.code: show_exact(leg.amount, USD) for leg in found.select_related("account")}


def test_the_example_of_the_contract(demo: House) -> None:
    """api.md, to the cent: two Progressives add 0.40, the royal takes 10,000.40, Envy 1,000.00, a reset to the base."""
    royal_box = royal(1, player="P-17", trips="5.00")
    folded = low(2, player="P-18", decision=FOLD)
    (round_id,) = play(reported(royal_box, folded))
    results = {result.box: result for result in BoxResult.objects.filter(round_id=round_id)}
    one, two = results[1], results[2]
    returned = [show(amount, USD) for amount in (one.ante, one.blind, one.play, one.trips, one.progressive)]
    assert returned == ["10.00", "2505.00", "40.00", "255.00", "10000.40"]
    assert (one.outcomes, one.hand, one.progressive_hand, one.basis) == (
        "wwwww", "royal_flush", "royal_flush", "meter_share",
    )  # fmt: skip
    assert (two.outcomes, two.hand, two.progressive_hand, two.progressive) == ("ll--l", "pair", "high_card", 0)
    hit = Award.objects.get(kind="hit")
    frozen = [show(amount, USD) for amount in (hit.amount, hit.meter_before, hit.meter_after, hit.reset_to)]  # type: ignore[arg-type]
    assert frozen == ["10000.40", "10000.40", "0.00", "10000.00"]
    assert (hit.seq, hit.state, hit.box, hit.player, hit.late) == (3, "pending", 1, "P-17", False)
    assert awards(kind="envy") == [("envy", 2, "1000.00", "pending")]
    assert statement(demo.jackpot) == [
        (1, "reset", "10000.00000000"),
        (2, "contribution", "0.40000000"),
        (3, "award", "-10000.40000000"),
        (4, "reset", "10000.00000000"),
    ]
    # the reserve's 0.04 pay the first of the base, the house the other 9,999.96
    assert statement(demo.jackpot, "reserve") == [(1, "contribution", "0.04000000"), (2, "reset", "-0.04000000")]
    assert Round.objects.get(pk=round_id).phase == "settled"
    assert_books_agree()


def test_the_ledger_of_the_example(demo: House) -> None:
    (round_id,) = play(reported(royal(1, trips="5.00"), low(2, decision=FOLD)))
    assert legs("lockout", round_id) == {
        "float:UTH-01": "2.00000000", "meter:MAIN:main": "-0.40000000", "reserve:MAIN:main": "-0.04000000",
        "win:UTH-01:progressive": "-1.56000000",
    }  # fmt: skip
    # box 1 wins 5 + 2,500 + 20 on the main bets and 250 on Trips, box 2 loses 10: the house is down 2,515 and 250
    assert legs("settlement", round_id) == {
        "float:UTH-01": "-2765.00000000", "win:UTH-01:main": "2515.00000000", "win:UTH-01:trips": "250.00000000",
        "meter:MAIN:main": "10000.40000000", "awards:MAIN": "-11000.40000000",
        "win:UTH-01:progressive": "1000.00000000",
    }  # fmt: skip
    assert legs("reset", round_id) == {
        "meter:MAIN:main": "-10000.00000000", "reserve:MAIN:main": "0.04000000", "house:MAIN": "9999.96000000",
    }  # fmt: skip


def test_a_table_without_a_jackpot_settles_in_its_sites_lane(demo: House) -> None:
    (round_id,) = play(reported(box("As Ks", trips="5.00"), table="ONL-01"))
    assert Round.objects.get(pk=round_id).phase == "settled"
    assert not Entry.objects.filter(kind="lockout").exists()
    # ante 5.00, blind 2,500.00, play 20.00; Trips 50 × 5.00
    assert legs("settlement", round_id) == {
        "float:ONL-01": "-2775.00000000", "win:ONL-01:main": "2525.00000000", "win:ONL-01:trips": "250.00000000",
    }  # fmt: skip
    assert_books_agree()


def test_what_was_locked_out_before_a_hit_is_in_it_and_later_ones_are_not() -> None:
    link = jackpot_with()
    play(reported(low(1), table=T), reported(royal(1), table=T), reported(low(1), table=T))
    # 10,000.00 + 0.20 + 0.20 are paid; the third round's 0.20 lie on the new base
    assert awards() == [("hit", 1, "10000.40", "pending")]
    assert stands(link)[0] == "10000.20000000"


def test_boxes_of_one_player_receive_no_envy_from_each_other() -> None:
    jackpot_with()
    boxes = [straight_flush(1, player="P"), low(2, player="P"), low(3, pair="4c 8d", player="Q"),
             low(4, pair="3d 4h", player="Q")]  # fmt: skip
    play(reported(*boxes, table=T))
    # 10% of 10,000.80; Q's two boxes receive 300.00 each
    assert awards() == [
        ("hit", 1, "1000.08", "pending"),
        ("envy", 3, "300.00", "pending"),
        ("envy", 4, "300.00", "pending"),
    ]
    assert_books_agree()


@pytest.mark.parametrize(
    ("order", "paid"),
    [
        # 10% of the displayed 10,000.40 is 1,000.04; the royal takes the 9,000.36 left
        ("low_first", [("hit", 2, "1000.04"), ("hit", 1, "9000.36")]),
        # the royal takes 10,000.40; 10% of the new 10,000.00
        ("high_first", [("hit", 1, "10000.40"), ("hit", 2, "1000.00")]),
    ],
)
def test_two_hits_of_one_round(order: str, paid: list[Any]) -> None:
    jackpot_with(hit_order=order)
    play(reported(royal(1), straight_flush(2), table=T))
    assert [award[:3] for award in awards(kind="hit")] == paid
    # each receives the other's Envy
    assert sorted(award[:3] for award in awards(kind="envy")) == [("envy", 1, "300.00"), ("envy", 2, "1000.00")]
    assert_books_agree()


@pytest.mark.parametrize(
    ("overflow_to", "after"), [("next_reset", ("10000.30", "0.10")), ("house", ("10000.30", "0.00"))]
)
def test_the_excess_over_the_limit_waits_or_is_the_houses(overflow_to: str, after: tuple[str, str]) -> None:
    link = jackpot_with(limit="10000.30", overflow_to=overflow_to)
    play(reported(low(1), table=T), reported(low(1), table=T))
    assert stands(link) == (f"{after[0]}000000", "0.04000000", f"{after[1]}000000")
    # the royal's own round adds another 0.20 to what waits; all of it comes in with the reset, as a row of its own
    play(reported(royal(1), table=T))
    comes_in = "10000.30000000" if overflow_to == "next_reset" else "10000.00000000"
    assert stands(link) == (comes_in, "0.00000000", "0.00000000")
    assert_books_agree()


@pytest.mark.parametrize(
    ("verify_from", "states"), [("0.00", ("pending", "pending")), ("2000.00", ("paid", "approved"))]
)
def test_a_small_hit_is_paid_at_its_table_at_once(verify_from: str, states: tuple[str, str]) -> None:
    jackpot_with(verify_from=verify_from)
    play(reported(straight_flush(1), low(2), table=T))
    assert tuple(award[3] for award in awards()) == states
    assert Entry.objects.filter(kind="award_paid").count() == (states[0] == "paid")
    assert_books_agree()


def test_a_late_hit_waits_whatever_its_size() -> None:
    jackpot_with(verify_from="2000.00")
    play(reported(royal(1), table=T))
    play(reported(straight_flush(1), table=T, at=NOW - timedelta(minutes=30)))
    late = Award.objects.get(hand="straight_flush")
    assert (late.late, late.state) == (True, "pending")


class TestVoid:
    @pytest.mark.parametrize(
        ("setting", "meter", "reserve"), [("keep", "10000.20", "0.02"), ("reverse", "10000.00", "0.00")]
    )
    def test_a_locked_round_gives_its_stakes_back(self, setting: str, meter: str, reserve: str) -> None:
        link = jackpot_with(void_contributions=setting)
        (round_id,) = play(reported(low(1), table=T, void=VoidReason.MALFUNCTION))
        rnd, result = Round.objects.get(pk=round_id), BoxResult.objects.get(round_id=round_id)
        assert (rnd.phase, rnd.version) == ("void", 1)
        # ante, blind, play (4 × 5.00), no Trips, Progressive
        assert result.outcomes == "rrr-r"
        assert [show(a, USD) for a in (result.ante, result.blind, result.play, result.progressive)] == [
            "5.00", "5.00", "20.00", "1.00",
        ]  # fmt: skip
        assert stands(link)[:2] == (f"{meter}000000", f"{reserve}000000")
        assert legs("void", round_id)[f"float:{T}"] == "-1.00000000"
        assert_books_agree()

    def test_one_never_locked_contributed_nothing(self) -> None:
        link = jackpot_with()
        (round_id,) = play(reported(low(1), table=T, void=VoidReason.OTHER, locked=False))
        assert Round.objects.get(pk=round_id).phase == "void"
        assert not Entry.objects.filter(kind="lockout").exists()
        assert len(statement(link)) == 1
        assert_books_agree()

    def test_a_void_box_gives_and_gets_nothing(self) -> None:
        link = jackpot_with(void_contributions="reverse")
        play(reported(flush_hand(1), low(2, void=VoidReason.WRONG_BET), table=T))
        assert BoxResult.objects.get(box=2).outcomes == "rrr-r"
        assert stands(link)[0] == "10000.20000000"
        assert_books_agree()

    @pytest.mark.parametrize(("locked", "meter"), [(True, "10000.40000000"), (False, "10000.00000000")])
    def test_one_that_cancels_a_prize_waits_for_a_second_person(self, locked: bool, meter: str) -> None:
        link = jackpot_with()
        void = reported(straight_flush(1), low(2), table=T, void=VoidReason.MALFUNCTION, locked=locked)
        (round_id,) = play(void)
        rnd = Round.objects.get(pk=round_id)
        assert rnd.phase == "failed"
        assert (rnd.problem or {})["code"] == "second_person_required"
        assert stands(link)[0] == meter
        assert Entry.objects.filter(source_ref__contains=str(round_id)).count() == locked
        assert not BoxResult.objects.exists()
        assert not Award.objects.exists()
        with pytest.raises(Refused, match="wrong_phase"):
            settlement.retry(round_id)
        settle_all()
        assert not BoxResult.objects.exists()

    def test_one_that_cancels_an_envy_waits_too(self) -> None:
        jackpot_with()
        (round_id,) = play(reported(straight_flush(1), low(2, void=VoidReason.CARD_EXPOSED_HOLE), table=T))
        assert (Round.objects.get(pk=round_id).problem or {})["code"] == "second_person_required"


def test_a_round_of_a_day_that_is_closed_is_late_and_goes_to_the_open_one(demo: House) -> None:
    rounds = receive(reported(low(1), at=NOW - timedelta(days=3)), reported(low(1)))
    settle_all()
    old, today = (Round.objects.get(pk=pk) for pk in rounds)
    assert (old.late, today.late) == (True, False)
    assert old.gaming_day is not None and old.gaming_day > (NOW - timedelta(days=3)).date()
    assert demo.site.days.filter(day=old.gaming_day, closed_at=None).exists()
    assert_books_agree()


def test_a_sandbox_table_never_touches_a_live_jackpot() -> None:
    link = jackpot_with()
    practice = SiteFactory.create(sandbox=True)
    with pytest.raises(Refused, match="sandbox"):
        table_with("SAND-01", site=practice, link=link)
    own = jackpot_with(code="SAND", site=practice, tables=("SAND-02",))
    with pytest.raises(Refused, match="sandbox"):
        table_with("T-02", site=link.home_site, link=own)
    play(reported(royal(1), table="SAND-02"))
    assert statement(link) == [(1, "reset", "10000.00000000")]


def test_a_table_of_another_currency_is_not_linked() -> None:
    link = jackpot_with(currency="EUR", tables=())
    home = link.home_site
    with pytest.raises(Refused, match="EUR"):
        table_with("T-09", site=home, link=link, currency="USD")
