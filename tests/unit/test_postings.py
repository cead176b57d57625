"""Postings: which accounts a lock-out, a settlement, a void and a payment move. Source: accounting.md §3."""

from datetime import timedelta

import pytest

from jackpot.domain import postings
from jackpot.domain.accounts import Pot, Side, side_of
from jackpot.domain.meter import Meter
from jackpot.domain.postings import Books, Entry, EntryKind, LockOut, Settlement, Source, Wager
from tests.unit.builders import usd
from tests.unit.meters import NOON, claims, level, plain, policy

FLOAT, WIN = "float:T", "win:T:progressive"
METER, RESERVE, OVERFLOW, AWARDS, HOUSE = "meter:J:main", "reserve:J:main", "overflow:J:main", "awards:J", "house:J"
RF, SF = "royal_flush", "straight_flush"
SOURCE = Source("R", "T", None, NOON)


def books(meter: Meter | None = None, **overrides) -> Books:
    return Books("J", {"main": meter or level()}, {1: policy(**overrides)})


def lock(at: Books, boxes: int = 1) -> tuple[list[Entry], postings.Accrued]:
    wagers = tuple(Wager(n, f"P-{n}", usd("1.00")) for n in range(1, boxes + 1))
    return postings.lock_out(LockOut(SOURCE, 1, wagers), at)


def settled(at: Books | None, *hands, accrued=None, main="0", trips="0", **facts) -> list[Entry]:
    posting = Settlement(
        SOURCE,
        1 if at else None,
        1,
        main_net=signed(main),
        trips_net=signed(trips),
        claims=tuple(claims(*hands)),
        **facts,
    )
    entries, _ = postings.settle(posting, at, lambda _: accrued or {})
    assert all(not sum(entry.legs.values()) for entry in entries)
    return entries


def signed(text: str) -> int:
    return -usd(text[1:]) if text.startswith("-") else usd(text)


def legs(entry: Entry) -> dict[str, str]:
    return {code: plain(amount) for code, amount in entry.legs.items() if amount}


@pytest.mark.parametrize(
    ("code", "side"),
    [
        (FLOAT, Side.ASSET), ("cage:S", Side.ASSET), (WIN, Side.REVENUE), (METER, Side.LIABILITY),
        (RESERVE, Side.LIABILITY), (OVERFLOW, Side.LIABILITY), (AWARDS, Side.LIABILITY), (HOUSE, Side.EXPENSE),
    ],
)  # fmt: skip
def test_each_account_has_its_side(code, side):
    assert side_of(code) is side


def test_a_lock_out_parts_the_stake():
    # 2 × 1.00: 20% to the meter, 2% to the reserve, the rest to the house
    (entry,), _ = lock(books(), boxes=2)
    assert (entry.kind, entry.source_ref) == (EntryKind.LOCKOUT, "round:R")
    assert legs(entry) == {FLOAT: "2.00", METER: "-0.40", RESERVE: "-0.04", WIN: "-1.56"}


@pytest.mark.parametrize(
    ("overflow_to", "parts"),
    [
        ("next_reset", {METER: "-0.05", OVERFLOW: "-0.15", RESERVE: "-0.02", WIN: "-0.78"}),
        ("house", {METER: "-0.05", RESERVE: "-0.02", WIN: "-0.93"}),
    ],
)
def test_what_does_not_fit_under_the_limit_waits_or_is_the_houses(overflow_to, parts):
    (entry,), _ = lock(books(level(limit="10000.05"), overflow_to=overflow_to))
    assert legs(entry) == {FLOAT: "1.00"} | parts


def test_without_stakes_there_is_no_lock_out():
    assert postings.lock_out(LockOut(SOURCE, 1, ()), books()) == ([], {})


def test_main_bets_move_between_float_and_win():
    # players won 12.50 on the main bets and lost 5.00 on Trips
    (entry,) = settled(None, main="12.50", trips="-5.00")
    assert legs(entry) == {FLOAT: "-7.50", "win:T:main": "12.50", "win:T:trips": "-5.00"}
    assert (entry.kind, entry.source_ref) == (EntryKind.SETTLEMENT, "round:R:v1")


def test_a_fixed_prize_leaves_the_float_at_once():
    (entry,) = settled(books(), (1, "flush"))
    assert legs(entry) == {FLOAT: "-40.00", WIN: "40.00"}


def test_a_share_and_its_envy_are_owed():
    # 10% of 10,000.00 out of the meter, 300.00 of Envy out of the house's result
    (entry,) = settled(books(), (1, SF), (2, None))
    assert legs(entry) == {METER: "1000.00", AWARDS: "-1300.00", WIN: "300.00"}


def test_a_reset_is_an_entry_of_its_own_paid_by_reserve_then_house():
    entry, reset = settled(books(level("12000.40", reserve="400.00")), (1, RF))
    assert legs(entry) == {METER: "12000.40", AWARDS: "-12000.40"}
    assert (reset.kind, reset.source_ref) == (EntryKind.RESET, "round:R:v1:hit1")
    assert legs(reset) == {METER: "-10000.00", RESERVE: "400.00", HOUSE: "9600.00"}


def test_waiting_overflow_comes_in_with_the_reset():
    _, reset = settled(books(level(overflow="7.00", limit="20000.00")), (1, RF))
    assert legs(reset) == {METER: "-10007.00", OVERFLOW: "7.00", HOUSE: "10000.00"}


def test_a_restore_is_an_entry_too():
    _, restore = settled(books(after_share="restore_base"), (1, SF))
    assert (restore.kind, legs(restore)) == (EntryKind.RESTORE, {METER: "-1000.00", HOUSE: "1000.00"})


def test_first_funding_is_paid_by_the_house():
    at = books(level("0", seq=0, reset_seq=0))
    (entry,) = postings.fund(at, NOON)
    assert (entry.kind, entry.source_ref) == (EntryKind.RESET, "fund:J:main")
    assert legs(entry) == {METER: "-10000.00", HOUSE: "10000.00"}


def test_a_level_with_no_base_needs_no_funding():
    assert postings.fund(books(level("0", base="0", seq=0, reset_seq=0)), NOON) == []


class TestVoid:
    def void(self, at: Books, boxes: int = 1, refunded: int = 1) -> Entry:
        _, accrued = lock(at, boxes)
        staked = boxes * usd("1.00")
        (entry,) = settled(at, accrued=accrued, staked=staked, refunded=refunded * usd("1.00"), void=True)
        assert entry.kind is EntryKind.VOID
        return entry

    def test_kept_contributions_are_the_houses_loss(self):
        # 1.00 goes back: 0.78 that was the table's result, 0.20 + 0.02 that the pots keep and the house bears
        at = books()
        assert legs(self.void(at)) == {FLOAT: "-1.00", WIN: "0.78", HOUSE: "0.22"}
        assert plain(at.levels["main"].displayed) == "10000.20"

    def test_reversed_ones_go_back_where_they_came_from(self):
        entry = self.void(books(void_contributions="reverse"))
        assert legs(entry) == {METER: "0.20", RESERVE: "0.02", WIN: "0.78", FLOAT: "-1.00"}
        assert entry.reason == ""

    def test_what_cannot_be_taken_back_is_charged_to_the_house_and_flagged(self):
        # the meter stands at 9,000.20 after a share: below its base nothing is taken
        entry = self.void(books(level("9000.00"), void_contributions="reverse"))
        assert legs(entry) == {RESERVE: "0.02", HOUSE: "0.20", WIN: "0.78", FLOAT: "-1.00"}
        assert "the house bears the rest" in entry.reason

    def test_after_a_reset_the_meter_part_was_won(self):
        at = books(void_contributions="reverse")
        _, accrued = lock(at)
        settled(at, (9, RF))
        at.levels["main"].balances[Pot.METER] += usd("5.00")
        # the reserve's 0.02 went into the reset too: all 0.22 are the house's
        (entry,) = settled(at, accrued=accrued, staked=usd("1.00"), refunded=usd("1.00"), void=True)
        assert legs(entry) == {HOUSE: "0.22", WIN: "0.78", FLOAT: "-1.00"}

    def test_one_void_box_of_two_takes_back_its_own_part(self):
        entry = self.void(books(void_contributions="reverse"), boxes=2)
        assert legs(entry) == {METER: "0.20", RESERVE: "0.02", WIN: "0.78", FLOAT: "-1.00"}


@pytest.mark.parametrize(
    ("verify_from", "late", "at_once"),
    [
        ("0.00", False, []),  # every hit waits for approval
        ("1000.00", False, []),  # a hit of the threshold itself waits
        ("1000.01", False, [0]),
        ("1000.01", True, []),  # a late hit waits whatever its size
    ],
)
def test_hits_below_the_threshold_are_paid_at_once(verify_from, late, at_once):
    at = books(verify_from=verify_from)
    meter = at.levels["main"]
    meter.reset_at = NOON + timedelta(seconds=1) if late else NOON
    posting = Settlement(SOURCE, 1, 1, 0, 0, claims=tuple(claims((1, SF))))
    _, outcome = postings.settle(posting, at, lambda _: {})
    assert postings.paid_at_once(outcome.hits, at.policies[1]) == at_once


def test_a_hit_paid_at_the_table_leaves_its_float():
    at = books()
    _, outcome = postings.settle(Settlement(SOURCE, 1, 1, 0, 0, claims=tuple(claims((1, SF)))), at, lambda _: {})
    entry = postings.payment(outcome.hits[0], "award:A", SOURCE, at)
    assert legs(entry) == {AWARDS: "1000.00", FLOAT: "-1000.00"}
