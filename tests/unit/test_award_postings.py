"""What moves of awards post: payments, and returns that put everything back. Source: accounting.md §3."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain import award_postings, meter
from jackpot.domain.accounts import Pot, awards_of, pot_of
from jackpot.domain.award_postings import RETURNED, Call, Case, Setting
from jackpot.domain.awards import Move, Standing, State
from jackpot.domain.meter import Funded
from jackpot.domain.postings import Entry, EntryKind
from jackpot.domain.progressive import Outcome
from tests.unit.builders import usd
from tests.unit.meters import NOON, exact, level, plain, stands
from tests.unit.test_books_properties import Told, stories, tell
from tests.unit.test_postings import AWARDS, HOUSE, METER, OVERFLOW, RESERVE, RF, SF, WIN, books, legs, settled

CAGE = "cage:S"


def case(amount: str, state: State, level_code: str | None = "main", **settings) -> Case:
    return Case("A", "T", 7, usd(amount), level_code, Standing(state), **settings)


def moved(move: Move, award: Case, *envy: Case, at=None, funded: Funded | None = None) -> list[Entry]:
    setting = Setting(at or books(), approvals=1, cage=CAGE, funded=funded or Funded())
    done = award_postings.move(Call(move, "user:1", NOON), award, envy, setting)
    return [one.entry for one in done]


def test_a_payment_leaves_the_cage_of_the_site():
    (entry,) = moved(Move.PAY, case("100.00", State.APPROVED))
    assert legs(entry) == {AWARDS: "100.00", CAGE: "-100.00"}
    assert (entry.kind, entry.source_ref, entry.actor) == (EntryKind.AWARD_PAID, "award:A", "user:1")
    assert (entry.source.table_ref, entry.source.integrator_id, entry.source.at) == ("T", 7, NOON)


def test_a_payment_of_nothing_has_no_legs():
    (entry,) = moved(Move.PAY, case("0.00", State.APPROVED))
    assert legs(entry) == {}


@pytest.mark.parametrize(
    ("move", "state"), [(Move.APPROVE, State.PENDING), (Move.DISPUTE, State.APPROVED), (Move.UPHOLD, State.DISPUTED)]
)
def test_what_moves_no_money_is_recorded_by_one_entry(move, state):
    one, other = moved(move, case("100.00", state, moves=2), case("5.00", state, None))
    assert one is other
    assert (one.kind, one.source_ref, legs(one), one.rows) == (EntryKind.AWARD_MOVE, "award:A:3", {}, [])


def test_a_returned_share_takes_its_reset_back():
    # 10,000.40 was won; the reset took 0.04 from the reserve and 9,999.96 from the house
    at = books(level(meter="10000.40", reserve="0.04"))
    settled(at, (1, RF))
    assert stands(at.levels["main"]) == ("10000.00", "0.00", "0.00")
    funded = Funded(reserve=exact("0.04"), house=exact("9999.96"))
    (entry,) = moved(Move.REJECT, case("10000.40", State.DISPUTED), at=at, funded=funded)
    assert stands(at.levels["main"]) == ("10000.40", "0.04", "0.00")
    assert legs(entry) == {AWARDS: "10000.40", METER: "-0.40", RESERVE: "-0.04", HOUSE: "-9999.96"}
    assert (entry.kind, entry.source_ref, entry.reason) == (EntryKind.AWARD_RETURNED, "award:A", RETURNED)
    assert [(row.pot, row.kind) for row in entry.rows] == [
        (Pot.METER, meter.Kind.AWARD_RETURNED), (Pot.RESERVE, meter.Kind.AWARD_RETURNED),
    ]  # fmt: skip


def test_above_the_limit_it_waits_in_the_overflow():
    at = books(level(meter="10900.00", limit="11000.00"))
    (entry,) = moved(Move.REJECT, case("300.00", State.DISPUTED), at=at)
    assert stands(at.levels["main"]) == ("11000.00", "0.00", "200.00")
    assert legs(entry) == {AWARDS: "300.00", METER: "-100.00", OVERFLOW: "-200.00"}


def test_what_the_meter_no_longer_has_the_house_pays():
    # the base went out with a later hit: of 10,000.00 to be taken back 9,700.00 are not there
    at = books(level(meter="100.00"))
    funded = Funded(reserve=exact("50"), house=exact("9950"))
    (entry,) = moved(Move.REJECT, case("200.00", State.DISPUTED), at=at, funded=funded)
    assert stands(at.levels["main"]) == ("0.00", "50.00", "0.00")
    assert legs(entry) == {AWARDS: "200.00", METER: "100.00", RESERVE: "-50.00", HOUSE: "-250.00"}


def test_overflow_that_came_in_goes_back():
    at = books(level(meter="10000.00", overflow="70.00", limit="20000.00"))
    _, reset = settled(at, (1, RF))
    (entry,) = moved(Move.REJECT, case("10000.00", State.DISPUTED), at=at, funded=funded_by(reset))
    assert stands(at.levels["main"]) == ("10000.00", "0.00", "70.00")
    assert legs(entry) == {AWARDS: "10000.00", METER: "70.00", OVERFLOW: "-70.00", HOUSE: "-10000.00"}


def test_envy_is_returned_with_its_hit_to_the_tables_result():
    at = books(level(meter="9000.00"))
    hit, envy = moved(Move.REJECT, case("1000.00", State.DISPUTED), case("300.00", State.DISPUTED, None), at=at)
    assert legs(hit) == {AWARDS: "1000.00", METER: "-1000.00"}
    assert legs(envy) == {AWARDS: "300.00", WIN: "-300.00"}
    assert not envy.rows


def funded_by(entry: Entry) -> Funded:
    return Funded.by((row.pot, row.amount) for row in entry.rows)


@pytest.mark.parametrize("hand", [RF, SF])
@pytest.mark.parametrize("after_share", ["leave", "restore_base"])
@given(
    start=st.integers(0, 30_000 * 10**8), reserve=st.integers(0, 20_000 * 10**8), overflow=st.integers(0, 10**12),
    room=st.none() | st.integers(10**6, 10**12),
)  # fmt: skip
def test_where_nothing_happened_in_between_it_is_the_exact_inverse(hand, after_share, start, reserve, overflow, room):
    at = books(
        level(meter="0", limit=None if room is None else plain(exact("10000.00") + room)), after_share=after_share
    )
    one = at.levels["main"]
    start = start if one.terms.limit is None else min(start, one.terms.limit)
    before = {Pot.METER: start, Pot.RESERVE: reserve, Pot.OVERFLOW: overflow}
    one.balances.update(before)
    entry, *funding = settled(at, (1, hand))
    amount = -entry.legs.get(AWARDS, 0)
    funded = funded_by(funding[0]) if funding else Funded()
    award = Case("A", "T", None, amount, "main", Standing(State.DISPUTED))
    (back,) = moved(Move.REJECT, award, at=at, funded=funded)
    assert one.balances == before
    assert back.legs.get(HOUSE, 0) == -sum(entry.legs.get(HOUSE, 0) for entry in funding)


@dataclass
class Unpaid:
    """The awards of a story as they are moved: each hit with its Envy, and the share it is a part of."""

    told: Told
    parts: dict[object, set[str]] = field(default_factory=lambda: defaultdict(set))
    funded: dict[object, Funded] = field(default_factory=dict)

    def of(self, number: int, outcome: Outcome) -> Iterator[tuple[Case, list[Case], object]]:
        put = {n: Funded.by((row.pot, row.amount) for row in funding.rows) for n, _, funding in outcome.fundings}
        for n, hit in enumerate(outcome.hits):
            share = (number, hit.line.level, hit.seq, hit.line.hand)
            self.parts[share].add(f"{number}.{n}")
            self.funded[share] = put.get(n, self.funded.get(share, Funded()))
            envy = [
                Case(f"{number}.{n}.{m}", "T", None, envy.amount, None, Standing(State.DISPUTED))
                for m, envy in enumerate(outcome.envy)
                if envy.hit == n
            ]
            yield Case(f"{number}.{n}", "T", None, hit.amount, hit.line.level, Standing(State.DISPUTED)), envy, share

    def reject(self, hit: Case, envy: list[Case], share: object) -> None:
        last = self.parts[share] == {hit.ref}
        setting = Setting(self.told.books, approvals=1, funded=self.funded[share] if last else Funded())
        self.parts[share].discard(hit.ref)
        self.told.entries += [
            one.entry for one in award_postings.move(Call(Move.REJECT, "user:1", NOON), hit, envy, setting)
        ]


@given(stories, st.randoms(use_true_random=False))
def test_whatever_is_rejected_the_books_agree(story, chance):
    told = tell(*story)
    unpaid = Unpaid(told)
    cases = [found for n, outcome in enumerate(told.outcomes) for found in unpaid.of(n, outcome)]
    chance.shuffle(cases)
    returned = cases[: chance.randint(0, len(cases))]
    for found in returned:
        unpaid.reject(*found)
    balance: dict[str, int] = defaultdict(int)
    for entry in told.entries:
        assert sum(entry.legs.values()) == 0, entry
        for code, amount in entry.legs.items():
            balance[code] += amount
    last: dict[tuple[str, Pot], tuple[int, int]] = {}
    for row in sorted((row for entry in told.entries for row in entry.rows), key=lambda row: row.seq):
        assert last.get((row.level, row.pot), (0, 0)) == (row.seq - 1, row.before)
        assert row.amount and row.after == row.before + row.amount >= 0
        last[row.level, row.pot] = row.seq, row.after
    for code, one in told.books.levels.items():
        assert one.terms.limit is None or one.balances[Pot.METER] <= one.terms.limit
        for pot in Pot:
            assert last.get((code, pot), (0, 0)) == (one.seqs[pot], one.balances[pot])
            assert -balance[pot_of("J", code, pot)] == one.balances[pot]
    open_cases = [found for found in cases if found not in returned]
    assert -balance[awards_of("J")] == sum(hit.amount + sum(one.amount for one in envy) for hit, envy, _ in open_cases)


def test_where_everything_is_rejected_in_the_order_of_its_undoing_the_pots_are_as_before():
    # a straight flush and a royal in one round: the last one goes back first
    at = books(level(meter="10000.00"), hit_order="low_first")
    before = dict(at.levels["main"].balances)
    entry, *funding = settled(at, (1, RF), (2, SF))
    shares = [-row.amount for row in entry.rows if row.kind is meter.Kind.AWARD]
    for share, funded in zip(reversed(shares), [funded_by(funding[0]), Funded()], strict=True):
        award = Case("A", "T", None, share, "main", Standing(State.DISPUTED))
        moved(Move.REJECT, award, at=at, funded=funded)
    assert at.levels["main"].balances == before
