"""Every setting of a jackpot policy and every value of it (domain.md §5), through the service and proved by the audit.

Each story starts from a level of base 100.00 that takes 20% of each wager and has no reserve, unless it says otherwise;
figures are reckoned by hand.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db.models import Sum

from jackpot.domain.awards import Move
from jackpot.domain.policy import AfterShare, Basis, EnvyPer, EqualRank, HitOrder, OverflowTo, VoidContributions
from jackpot.models.ledger import Entry, Leg
from jackpot.services import award_moves
from tables.domain.facts import Reported, VoidReason
from tables.models.rounds import BoxResult
from tests.factories import (
    NOW,
    assert_books_agree,
    flush_hand,
    jackpot_with,
    low,
    person,
    play,
    reported,
    royal,
    straight_flush,
    three_queens,
)
from tests.unit.meters import exact, plain

pytestmark = pytest.mark.django_db
Json = dict[str, Any]


@dataclass(frozen=True)
class Story:
    """Rounds under a setting: what they award as "hand or envy, box, amount, state", and how it stands then.

    `pots` are meter, reserve and overflow of each level; `house` is what the house bore, first funding included.
    """

    setting: str
    value: object
    policy: Json
    rounds: tuple[Reported, ...]
    awards: tuple[str, ...]
    pots: dict[str, tuple[str, str, str]]
    house: str
    prizes: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    label: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.setting}-{self.value}{self.label}"


def one(*boxes: Any, **settings: Any) -> Reported:
    return reported(*boxes, table="T-01", **settings)


def main(meter: str, reserve: str = "0.00", overflow: str = "0.00") -> dict[str, tuple[str, str, str]]:
    return {"main": (meter, reserve, overflow)}


def levels(**of: Json) -> Json:
    """A royal takes all of mega, a straight flush all of mini."""
    made = {"mega": {"base": "1000.00"}, "mini": {"base": "10.00"}}
    return {
        "levels": [{"code": code, "increment_ppm": 100_000} | made[code] | of.get(code, {}) for code in made],
        "progressive_table": [
            {"hand": "royal_flush", "basis": "meter_share", "level": "mega", "ppm": 1_000_000},
            {"hand": "straight_flush", "basis": "meter_share", "level": "mini", "ppm": 1_000_000},
        ],
        "envy_table": {},
    }  # fmt: skip


BOTH = (one(royal(1), straight_flush(2)),)
TWO_EQUAL = (one(low(1, "Qs Js"), low(2, "7s 6s"), board="Ts 9s 8s 3c 2h", dealer="2d 2c"),)
TENTH = (one(straight_flush(1)),)
TWO_BETS = tuple(one(low(1)) for _ in range(2))
WATCHED = (one(royal(1), straight_flush(2), low(3)),)
VOID = (one(low(1), void=VoidReason.MALFUNCTION),)
KEPT = "what voided stakes contributed stays in the pots; the house bears it"
NO_ENVY: Json = {"envy_table": {}}
LIMIT: Json = {"limit": "100.30", "reserve_ppm": 0}

STORIES = [
    Story("stake", "2.50", {"stake": "2.50", "reserve_ppm": 100_000, **NO_ENVY},
          (one(royal(1, progressive="2.50"), flush_hand(2, progressive="2.50")),),
          ("royal_flush 1 101.00 pending",), main("100.00", "0.00"), "199.50", prizes=("101.00", "100.00")),
    Story("progressive_table", Basis.FOR_ONE, {}, (one(three_queens(1)),), (), main("100.20"), "100.00", ("9.00",)),
    Story("progressive_table", Basis.FIXED,
          {"progressive_table": [{"hand": "flush", "basis": "fixed", "amount": "25.00"}], **NO_ENVY},
          (one(flush_hand(1)),), (), main("100.20"), "100.00", ("25.00",)),
    Story("progressive_table", Basis.METER_SHARE, {}, TENTH, ("straight_flush 1 10.02 pending",), main("90.18"),
          "100.00", ("10.02",)),
    Story("envy_table", "a royal's only", {"envy_table": {"royal_flush": "7.00"}},
          (one(royal(1), low(2), low(3, "4c 8d")),),
          ("royal_flush 1 100.60 pending", "envy 2 7.00 pending", "envy 3 7.00 pending"), main("100.00"), "200.00"),
    Story("envy_table", "none", NO_ENVY, (one(royal(1), low(2)),), ("royal_flush 1 100.40 pending",), main("100.00"),
          "200.00"),
    Story("levels", "several", levels(mega={"reserve_ppm": 50_000}), (one(royal(1), low(2)), one(straight_flush(1))),
          ("royal_flush 1 1000.20 pending", "straight_flush 1 10.30 pending"),
          {"mega": ("1000.10", "0.05", "0.00"), "mini": ("10.00", "0.00", "0.00")}, "2019.90"),
    Story("levels", "of different limits", levels(mega={"limit": "1000.15"}, mini={"limit": "10.25"}),
          (*TWO_BETS, one(low(1), low(2, "4c 8d")), one(straight_flush(1))),
          ("straight_flush 1 10.25 pending",),
          {"mega": ("1000.15", "0.00", "0.35"), "mini": ("10.25", "0.00", "0.00")}, "1020.00"),
    Story("hit_order", HitOrder.LOW_FIRST, {"hit_order": "low_first", **NO_ENVY}, BOTH,
          ("straight_flush 2 10.04 pending", "royal_flush 1 90.36 pending"), main("100.00"), "200.00"),
    Story("hit_order", HitOrder.HIGH_FIRST, {"hit_order": "high_first", **NO_ENVY}, BOTH,
          ("royal_flush 1 100.40 pending", "straight_flush 2 10.00 pending"), main("90.00"), "200.00"),
    Story("equal_rank", EqualRank.IN_TURN, {"equal_rank": "in_turn", **NO_ENVY}, TWO_EQUAL,
          ("straight_flush 1 10.04 pending", "straight_flush 2 9.04 pending"), main("81.32"), "100.00"),
    Story("equal_rank", EqualRank.SPLIT, {"equal_rank": "split", **NO_ENVY}, TWO_EQUAL,
          ("straight_flush 1 5.02 pending", "straight_flush 2 5.02 pending"), main("90.36"), "100.00"),
    Story("after_share", AfterShare.LEAVE, {"after_share": "leave"}, TENTH, ("straight_flush 1 10.02 pending",),
          main("90.18"), "100.00"),
    Story("after_share", AfterShare.RESTORE_BASE, {"after_share": "restore_base"}, TENTH,
          ("straight_flush 1 10.02 pending",), main("100.00"), "109.82", label=" by the house: no reserve"),
    Story("after_share", AfterShare.RESTORE_BASE, {"after_share": "restore_base", "reserve_ppm": 20_000}, TENTH,
          ("straight_flush 1 10.02 pending",), main("100.00"), "109.80", label=" by reserve and house"),
    Story("overflow_to", OverflowTo.NEXT_RESET, {"overflow_to": "next_reset", **LIMIT}, TWO_BETS, (),
          main("100.30", overflow="0.10"), "100.00", label=" waits"),
    Story("overflow_to", OverflowTo.NEXT_RESET, {"overflow_to": "next_reset", **LIMIT}, (*TWO_BETS, one(royal(1))),
          ("royal_flush 1 100.30 pending",), main("100.30"), "200.00", label=" comes in"),
    Story("overflow_to", OverflowTo.HOUSE, {"overflow_to": "house", **LIMIT}, (*TWO_BETS, one(royal(1))),
          ("royal_flush 1 100.30 pending",), main("100.00"), "200.00"),
    Story("void_contributions", VoidContributions.KEEP, {"void_contributions": "keep", "reserve_ppm": 20_000}, VOID, (),
          main("100.20", "0.02"), "100.22", reasons=(KEPT,)),
    Story("void_contributions", VoidContributions.REVERSE, {"void_contributions": "reverse", "reserve_ppm": 20_000},
          VOID, (), main("100.00"), "100.00"),
    Story("envy_per", EnvyPer.HIT, {"envy_per": "hit"}, WATCHED,
          ("straight_flush 2 10.06 pending", "royal_flush 1 90.54 pending", "envy 1 300.00 pending",
           "envy 2 1000.00 pending", "envy 3 300.00 pending", "envy 3 1000.00 pending"), main("100.00"), "200.00"),
    Story("envy_per", EnvyPer.ROUND, {"envy_per": "round"}, WATCHED,
          ("straight_flush 2 10.06 pending", "royal_flush 1 90.54 pending", "envy 1 300.00 pending",
           "envy 2 1000.00 pending", "envy 3 1000.00 pending"), main("100.00"), "200.00"),
    Story("verify_from", "0.00", {"verify_from": "0.00"}, TENTH, ("straight_flush 1 10.02 pending",), main("90.18"),
          "100.00"),
    Story("verify_from", "the amount itself", {"verify_from": "10.02"}, TENTH, ("straight_flush 1 10.02 pending",),
          main("90.18"), "100.00"),
    Story("verify_from", "a cent more", {"verify_from": "10.03"}, TENTH, ("straight_flush 1 10.02 paid",),
          main("90.18"), "100.00"),
]  # fmt: skip


@pytest.mark.parametrize("story", STORIES, ids=str)
def test_a_value_does_what_it_says(story: Story) -> None:
    defaults: Json = {"base": "100.00", "reserve_ppm": 0} if "levels" not in story.policy else {}
    link = jackpot_with(**defaults | story.policy)
    round_ids = play(*story.rounds)
    awards = link.awards.order_by("entry_id", "position")
    assert (
        tuple(
            f"{award.hand if award.kind == 'hit' else 'envy'} {award.box} {plain(award.amount)} {award.state}"
            for award in awards
        )
        == story.awards
    )
    assert {
        level.code: (plain(level.meter), plain(level.reserve), plain(level.overflow)) for level in link.levels.all()
    } == story.pots
    assert _borne() == exact(story.house)
    if story.prizes:
        assert _prizes(round_ids[-1]) == story.prizes
    assert tuple(Entry.objects.exclude(reason="").values_list("reason", flat=True)) == story.reasons
    assert_books_agree()


def _borne() -> int:
    return int(Leg.objects.filter(account__code="house:LINK").aggregate(sum=Sum("amount"))["sum"])


def _prizes(round_id: Any) -> tuple[str, ...]:
    results = BoxResult.objects.filter(round_id=round_id).order_by("box")
    return tuple(plain(prize) for prize in results.values_list("progressive", flat=True))


@pytest.mark.parametrize("approvals", [1, 2, 3])
def test_so_many_people_approve(approvals: int) -> None:
    link = jackpot_with(approvals=approvals)
    play(one(royal(1)))
    hit = link.awards.get()
    for n in range(1, approvals + 1):
        assert link.awards.get().state == "pending"
        award_moves.move(caller=person(f"p{n}"), award_id=hit.pk, move=Move.APPROVE, note="", now=NOW)
    assert link.awards.get().state == "approved"
    assert_books_agree()


def test_no_value_is_left_out() -> None:
    told = {(story.setting, story.value) for story in STORIES}
    choices = {
        "hit_order": HitOrder, "equal_rank": EqualRank, "after_share": AfterShare, "overflow_to": OverflowTo,
        "void_contributions": VoidContributions, "envy_per": EnvyPer, "progressive_table": Basis,
    }  # fmt: skip
    assert {(name, value) for name, values in choices.items() for value in values} <= told
    assert {"stake", "envy_table", "levels", "verify_from"} <= {setting for setting, _ in told}
