"""Base, rates and limit that wait for a level's next reset. Source: domain.md §5, decision 0018."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain import meter as meters
from jackpot.domain import postings
from jackpot.domain.accounts import Pot
from jackpot.domain.meter import Kind, Meter
from jackpot.domain.policy import LevelTerms, OverflowTo, Policy
from jackpot.domain.policy_changes import check_change
from jackpot.domain.postings import Books, EntryKind, LockOut, Settlement, Source, Wager
from jackpot.money import UNITS_PER_MINOR
from tests.unit.builders import usd
from tests.unit.meters import NOON, claims, exact, level, plain, policy, stands


def terms(
    base: str = "10000.00", increment: int = 200_000, reserve: int = 20_000, limit: str | None = None
) -> LevelTerms:
    return LevelTerms("main", exact(base), increment, reserve, None if limit is None else exact(limit))


def waiting(wanted: LevelTerms, **settings: Any) -> Meter:
    meter = level(**settings)
    meter.expect(wanted)
    return meter


def test_terms_wait_until_the_reset() -> None:
    meter = waiting(terms("500.00", 100_000, 0), meter="10000.00")
    meters.contribute(meter, usd("1.00"), OverflowTo.NEXT_RESET)
    assert stands(meter) == ("10000.20", "0.02", "0.00")
    meters.award(meter, 100_000, NOON)  # no smaller share than the whole resets
    meters.contribute(meter, usd("1.00"), OverflowTo.NEXT_RESET)
    assert stands(meter) == ("9000.38", "0.04", "0.00")
    meters.award(meter, 1_000_000, NOON)
    funding = meters.reset(meter, NOON)
    assert (meter.terms, meter.next_terms, funding.terms) == (terms("500.00", 100_000, 0), None, meter.terms)
    assert plain(funding.house) == "499.96"  # the new base, less 0.04 out of the reserve
    meters.contribute(meter, usd("1.00"), OverflowTo.NEXT_RESET)
    assert stands(meter) == ("500.10", "0.00", "0.00")


def test_a_reset_without_terms_that_wait_brings_none() -> None:
    meter = level(meter="0")
    assert meters.reset(meter, NOON).terms is None


@pytest.mark.parametrize(
    ("limit", "after"),
    [
        (None, ("30.00", "0.00", "0.00")),  # no limit any more: all that waited comes in
        ("25.00", ("25.00", "0.00", "5.00")),
        ("20.01", ("20.01", "0.00", "9.99")),
    ],
)
def test_the_new_limit_is_what_waiting_overflow_fills(limit: str | None, after: tuple[str, str, str]) -> None:
    meter = waiting(terms("20.00", limit=limit), meter="0", overflow="10.00", base="10.00", limit="12.00")
    meters.reset(meter, NOON)
    assert stands(meter) == after


def test_terms_like_the_present_ones_leave_nothing_to_wait_for() -> None:
    meter = waiting(terms("500.00"))
    meter.expect(terms("700.00"))  # the latest wins
    assert meter.next_terms == terms("700.00")
    meter.expect(meter.terms)  # and may take everything back
    assert meter.next_terms is None


def test_a_restored_base_is_the_present_one() -> None:
    meter = waiting(terms("500.00"), meter="9000.00")
    meters.after_share(meter, policy(after_share="restore_base").after_share)
    assert stands(meter)[0] == "10000.00"


def test_between_two_hits_of_a_round_the_reset_brings_the_new_base() -> None:
    """High first: the royal takes the whole meter, the straight flush its tenth of what the reset put there."""
    meter = waiting(terms("500.00"), meter="10000.00")
    books = Books("J", {"main": meter}, {1: policy(hit_order="high_first")})
    posting = Settlement(
        Source("r", "T", None, NOON), 1, 1, 0, 0, tuple(claims((1, "royal_flush"), (2, "straight_flush")))
    )
    entries, outcome = postings.settle(posting, books, lambda _: {})
    assert [plain(hit.amount) for hit in outcome.hits] == ["10000.00", "50.00"]
    brought = [entry for entry in entries if entry.terms is not None]
    assert [(entry.kind, entry.source_ref, entry.terms) for entry in brought] == [
        (EntryKind.RESET, "round:r:v1:hit1", terms("500.00"))
    ]
    assert brought[0].facts == (
        b'{"base":50000000000,"code":"main","increment_ppm":200000,"limit":null,"reserve_ppm":20000}'
    )


def test_a_reset_to_nothing_has_an_entry_where_it_brings_terms() -> None:
    meter = waiting(terms("0"), meter="0", base="0.01")
    books = Books("J", {"main": meter}, {1: policy()})
    posting = Settlement(Source("r", "T", None, NOON), 1, 1, 0, 0, tuple(claims((1, "royal_flush"))))
    entries, _ = postings.settle(posting, books, lambda _: {})
    assert [(entry.kind, entry.legs, entry.rows) for entry in entries[1:]] == [(EntryKind.RESET, {}, [])]


def test_a_void_is_reckoned_by_the_terms_of_its_lock_out() -> None:
    """A round locked out at 20% and 2% is void after a reset brought 10% and 0: what was won since, the house bears."""
    meter = waiting(terms("10000.00", 100_000, 0), meter="10000.00")
    reverse = policy(void_contributions="reverse")
    books = Books("J", {"main": meter}, {1: reverse})
    source = Source("r", "T", None, NOON)
    _, accrued = postings.lock_out(LockOut(source, 1, (Wager(1, "P", usd("1.00")),)), books)
    meters.award(meter, 1_000_000, NOON)
    meters.reset(meter, NOON)  # the base out of the reserve, as far as it goes
    meters.contribute(meter, usd("5.00"), OverflowTo.NEXT_RESET)
    void = Settlement(source, 1, 1, 0, 0, staked=usd("1.00"), refunded=usd("1.00"), void=True)
    (entry,), _ = postings.settle(void, books, lambda _: accrued)
    assert plain(entry.legs["house:J"]) == "0.22"
    assert stands(meter)[0] == "10000.50"


AMOUNTS = st.integers(0, 10**6).map(lambda minor: minor * UNITS_PER_MINOR)
LIMITS = st.none() | st.integers(1, 10**6)


@st.composite
def any_terms(draw: st.DrawFn) -> LevelTerms:
    base, room = draw(AMOUNTS), draw(LIMITS)
    limit = None if room is None else base + room * UNITS_PER_MINOR
    return LevelTerms("main", base, draw(st.integers(0, 700_000)), draw(st.integers(0, 300_000)), limit)


@given(
    first=any_terms(),
    story=st.lists(st.one_of(any_terms(), st.just("hit"), st.integers(1, 10**5)), max_size=20),
    to=st.sampled_from(OverflowTo),
)
def test_at_every_reset_the_terms_approved_last_come_into_force_and_never_else(
    first: LevelTerms, story: list[LevelTerms | str | int], to: OverflowTo
) -> None:
    meter = Meter(first, dict.fromkeys(Pot, 0), dict.fromkeys(Pot, 0))
    meters.reset(meter, None)
    present = approved = first
    for step in story:
        before = dict(meter.balances)
        if isinstance(step, LevelTerms):
            approved = step
            meter.expect(step)
            assert meter.balances == before
        elif step == "hit":
            left = before[Pot.METER] % UNITS_PER_MINOR
            meters.award(meter, 1_000_000, NOON)
            funding = meters.reset(meter, NOON)
            assert funding.terms == (approved if approved != present else None)
            present = approved
            (put,) = [row.amount for row in funding.rows if (row.pot, row.kind) == (Pot.METER, Kind.RESET)] or [0]
            assert put == present.base
            assert (
                meter.balances[Pot.METER] == left + present.base + before[Pot.OVERFLOW] - meter.balances[Pot.OVERFLOW]
            )
            if meter.balances[Pot.OVERFLOW]:
                assert meter.balances[Pot.METER] == present.limit
        else:
            staked = int(step) * UNITS_PER_MINOR
            came = meters.contribute(meter, staked, to)
            assert came.terms == present
            assert came.reserve == staked * present.reserve_ppm // 1_000_000
            assert came.meter <= staked * present.increment_ppm // 1_000_000
        assert meter.terms == present
        assert present.limit is None or meter.balances[Pot.METER] <= present.limit


MAIN: dict[str, object] = {
    "code": "main", "base": "100.00", "increment_ppm": 200_000, "reserve_ppm": 20_000, "limit": None,
}  # fmt: skip


def one_level(**changes: object) -> Policy:
    return fixed_prizes(MAIN | changes)


def fixed_prizes(*levels: dict[str, object]) -> Policy:
    return policy(levels=list(levels), progressive_table=[{"hand": "flush", "odds": 40}], envy_table={})


REFUSED = [
    ("a level by another name", one_level(code="other"), "keeps the levels"),
    (
        "one level more",
        fixed_prizes(*(MAIN | {"code": code, "increment_ppm": 1} for code in ("main", "mini"))),
        "keeps the levels",
    ),
    ("a limit below the meter", one_level(limit="149.99"), "limit of level main lies below its meter"),
    ("nothing", one_level(), "changes nothing"),
    ("nothing, said otherwise", one_level(base="100.0"), "changes nothing"),
]


@pytest.mark.parametrize(("label", "wanted", "says"), REFUSED, ids=[label for label, *_ in REFUSED])
def test_a_policy_does_not_follow(label: str, wanted: Policy, says: str) -> None:
    with pytest.raises(Exception, match=f"invalid_value.*{says}"):
        check_change(one_level(), wanted, {"main": exact("149.995")})


@pytest.mark.parametrize(
    "wanted", [one_level(base="200.00"), one_level(limit="150.00"), one_level(increment_ppm=0)], ids=repr
)
def test_a_policy_follows(wanted: Policy) -> None:
    check_change(one_level(), wanted, {"main": exact("150.00")})
