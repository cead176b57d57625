"""What adjustments and shifts between pots do to meters, statement and ledger, whatever came before and in between."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain import change_postings, meter, postings
from jackpot.domain.accounts import Pot, house_of, pot_of
from jackpot.domain.change_postings import Adjustment, Place, Retirement, Shift
from jackpot.domain.errors import Refused
from jackpot.domain.meter import Row
from jackpot.domain.policy import OverflowTo
from jackpot.domain.postings import Books, Entry, EntryKind, LockOut, Source, Wager
from jackpot.money import UNITS_PER_MINOR, currency
from tests.unit.builders import USD, usd
from tests.unit.meters import NOON, exact, level, policy, stands

CODES = ("A", "B")


def books(code: str = "A", **settings: str) -> Books:
    return Books(code, {"main": level(**settings)}, {1: policy()})  # type: ignore[arg-type]


def entry(kind: EntryKind = EntryKind.ADJUSTMENT) -> Entry:
    return Entry(kind, "change:1", Source("1", "", None, NOON))


def place(code: str = "A", pot: Pot = Pot.METER, level_code: str = "main") -> Place:
    return Place(code, level_code, pot)


class TestAdjust:
    def test_the_house_bears_it(self) -> None:
        one, made = books(), entry()
        change_postings.adjust(Adjustment(place(), exact("-0.2")), one, made)
        assert made.legs == {"meter:A:main": exact("0.2"), "house:A": exact("-0.2")}
        (row,) = made.rows
        assert (row.kind, row.amount, row.seq) == ("adjustment", exact("-0.2"), 2)
        assert stands(one.levels["main"]) == ("9999.80", "0.00", "0.00")

    @pytest.mark.parametrize(
        ("pot", "amount"), [(Pot.METER, "-5.00000001"), (Pot.RESERVE, "-0.00000001"), (Pot.METER, "5.00000001")]
    )
    def test_never_below_zero_nor_above_the_limit(self, pot: Pot, amount: str) -> None:
        one, made = books(meter="5", base="0", limit="10"), entry()
        with pytest.raises(Refused, match="invalid_value"):
            change_postings.adjust(Adjustment(place(pot=pot), exact(amount)), one, made)
        assert (stands(one.levels["main"]), made.legs, made.rows) == (("5.00", "0.00", "0.00"), {}, [])

    def test_to_the_edge_on_both_sides(self) -> None:
        one = books(meter="5", base="0", limit="10")
        for amount, after in (("-5", "0.00"), ("10", "10.00")):
            change_postings.adjust(Adjustment(place(), exact(amount)), one, entry())
            assert stands(one.levels["main"])[0] == after

    def test_only_a_meter_has_a_limit(self) -> None:
        one = books(limit="10000.01")
        change_postings.adjust(Adjustment(place(pot=Pot.OVERFLOW), exact("20000")), one, entry())
        assert stands(one.levels["main"]) == ("10000.00", "0.00", "20000.00")

    @pytest.mark.parametrize("where", [place("B"), place(level_code="none")])
    def test_a_pot_that_is_none(self, where: Place) -> None:
        with pytest.raises(Refused, match="invalid_value"):
            change_postings.adjust(Adjustment(where, 1), books(), entry())


class TestDocuments:
    @pytest.mark.parametrize("amount", [1, -1, exact("-0.2"), usd("999999999.99")])
    def test_what_is_written_is_read(self, amount: int) -> None:
        adjustment = Adjustment(place(pot=Pot.RESERVE), amount)
        assert Adjustment.read(adjustment.document(USD), USD) == adjustment
        shift = Shift(place(), place("B", Pot.OVERFLOW), abs(amount))
        assert Shift.read(shift.document(USD), USD) == shift

    def test_a_retirement_moves_all_there_is(self) -> None:
        one = books(reserve="1.5")
        asked = Retirement.read(Retirement("A", "B", {"main": "mega"}).document())
        assert asked.shifts(change_postings.balances(one)) == [
            Shift(place(), place("B", level_code="mega"), exact("10000")),
            Shift(place(pot=Pot.RESERVE), place("B", Pot.RESERVE, "mega"), exact("1.5")),
        ]

    @pytest.mark.parametrize("name", [None, 5, "", "meter", "meter:A", "meter::main", "chips:A:main", "meter:A:"])
    def test_what_names_no_pot(self, name: object) -> None:
        with pytest.raises(Refused, match="invalid_value"):
            Place.named(name)

    def test_a_record_is_read_back(self) -> None:
        said = {"state:A": "suspended", "meter:A:main": "5.00000000", "reserve:B:main": "1.00000000"}
        assert change_postings.read_stands(said, "A", USD) == {("main", Pot.METER): exact("5")}

    @pytest.mark.parametrize(("code", "text", "units"), [("JPY", "-1.000001", -1_000_001), ("BHD", "0.001", 1_000_000)])
    def test_amounts_of_other_currencies(self, code: str, text: str, units: int) -> None:
        assert change_postings.amount_of(text, currency(code)) == units


Happening = tuple[str, int, int, int]
"""What happens: its name, of which jackpot, which pot, how much."""
happenings = st.lists(
    st.tuples(
        st.sampled_from(["lock out", "hit", "adjust", "shift", "shift between"]), st.integers(0, 1), st.integers(0, 8),
        st.integers(-20_000, 20_000).map(lambda n: n * UNITS_PER_MINOR // 7),
    ),
    max_size=25,
)  # fmt: skip


@dataclass
class Played:
    """Two jackpots with all that was posted in them, by jackpot; `refused` counts what was not."""

    pair: list[Books]
    entries: list[tuple[str, Entry]] = field(default_factory=list)
    refused: int = 0

    def held(self) -> int:
        return sum(level.balances[pot] for one in self.pair for level in one.levels.values() for pot in Pot)

    def do(self, what: str, n: int, pots: int, amount: int) -> None:
        one, other = self.pair[n], self.pair[1 - n]
        source, target = place(one.code, list(Pot)[pots % 3]), list(Pot)[pots // 3]
        match what:
            case "lock out":
                wager = Wager(1, "P-1", abs(amount) // UNITS_PER_MINOR * UNITS_PER_MINOR)
                made, _ = postings.lock_out(LockOut(Source("r", "T", None, NOON), 1, (wager,)), one)
                self.entries += [(one.code, lock_out) for lock_out in made]
            case "hit":
                self._hit(one)
            case "adjust":
                self._adjust(Adjustment(source, amount), one)
            case "shift":
                self._shift([Shift(source, place(one.code, target), abs(amount))], one, one)
            case _:
                self._shift([Shift(source, place(other.code, target), abs(amount))], one, other)

    def _hit(self, one: Books) -> None:
        level = one.levels["main"]
        made = entry(EntryKind.SETTLEMENT)
        share = meter.award(level, 1_000_000, NOON)
        one.change(made, share.rows)
        made.credit("awards", share.amount)
        funding = meter.reset(level, NOON)
        one.change(made, funding.rows)
        made.debit(house_of(one.code), funding.house)
        self.entries.append((one.code, made))

    def _shift(self, shifts: Sequence[Shift], one: Books, other: Books) -> None:
        held = self.held()
        # As the service does: both halves, or none of them, on books that are thrown away where one is refused.
        if self._fits(shifts[0], one, other):
            out, into = entry(EntryKind.TRANSFER), entry(EntryKind.TRANSFER)
            into = out if one is other else into
            change_postings.give(shifts, one, out)
            change_postings.receive(shifts, other, into)
            self.entries += [(one.code, out)] if into is out else [(one.code, out), (other.code, into)]
        else:
            self.refused += 1
        assert self.held() == held

    @staticmethod
    def _fits(shift: Shift, one: Books, other: Books) -> bool:
        giving, taking = one.levels["main"], other.levels["main"]
        stays = shift.amount if giving is taking and shift.source.pot is shift.target.pot else 0
        after = taking.balances[shift.target.pot] + shift.amount - stays
        limit = taking.terms.limit if shift.target.pot is Pot.METER else None
        return giving.balances[shift.source.pot] >= shift.amount and (limit is None or after <= limit)

    def _adjust(self, asked: Adjustment, one: Books) -> None:
        made = entry()
        try:
            change_postings.adjust(asked, one, made)
        except Refused:
            self.refused += 1
            assert not made.rows
        else:
            self.entries.append((one.code, made))


@given(happenings)
def test_meter_statement_and_ledger_are_one_whatever_happens(story: list[Happening]) -> None:
    """And no pot goes below zero, no meter above its limit; what leaves one jackpot comes into the other."""
    played = Played([books(code, limit="12000") for code in CODES])
    for happening in story:
        played.do(*happening)
    ledger: Counter[str] = Counter()
    rows: dict[tuple[str, Pot], list[Row]] = {}
    for code, made in played.entries:
        assert sum(made.legs.values()) == 0
        ledger.update(made.legs)
        for row in made.rows:
            rows.setdefault((code, row.pot), []).append(row)
    for one in played.pair:
        standing = one.levels["main"]
        assert standing.balances[Pot.METER] <= exact("12000")
        for pot in Pot:
            first = (1, exact("10000")) if pot is Pot.METER else (0, 0)
            seq, after = reduce(_follows, rows.get((one.code, pot), []), first)
            assert (seq, after) == (standing.seqs[pot], standing.balances[pot])
            assert after == first[1] - ledger[pot_of(one.code, "main", pot)] >= 0


def _follows(last: tuple[int, int], row: Row) -> tuple[int, int]:
    assert (row.seq, row.before, row.after) == (last[0] + 1, last[1], last[1] + row.amount)
    return row.seq, row.after


def test_the_overflow_of_a_limit_waits_as_ever() -> None:
    """An adjustment fills a meter to its limit: what comes in then goes to the overflow."""
    one = books(limit="10001")
    change_postings.adjust(Adjustment(place(), exact("1")), one, entry())
    meter.contribute(one.levels["main"], usd("1.00"), OverflowTo.NEXT_RESET)
    assert stands(one.levels["main"]) == ("10001.00", "0.02", "0.20")
