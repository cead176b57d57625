"""What holds whatever happens: random lock-outs, settlements and voids under random policies."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from jackpot.domain import postings
from jackpot.domain.accounts import Pot, awards_of, pot_of
from jackpot.domain.meter import Kind, Meter, Row
from jackpot.domain.policy import LevelTerms, Policy
from jackpot.domain.postings import Accrued, Books, Entry, LockOut, Settlement, Source, Wager
from jackpot.domain.progressive import Claim, Outcome
from jackpot.money import UNITS_PER_MINOR
from tests.unit.builders import usd
from tests.unit.meters import NOON, policy, shares

HANDS = ["royal_flush", "straight_flush", "four_of_a_kind", "flush", "high_card", None]
DOWN = {Kind.AWARD, Kind.VOID}
"""Why a meter may go down: an award, or a void."""
cents = st.integers(0, 50_000)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Two levels with any base, rates and limits that are allowed, and any of the settings."""
    rates = [draw(st.integers(0, 250_000)) for _ in range(4)]
    levels = []
    for code, increment, reserve in (("mega", *rates[:2]), ("straight_flush", *rates[2:])):
        base = draw(cents)
        limit = draw(st.none() | st.integers(base + 1, base + 300))
        levels.append({
            "code": code, "base": f"{base / 100:.2f}", "increment_ppm": increment, "reserve_ppm": reserve,
            "limit": None if limit is None else f"{limit / 100:.2f}",
        })  # fmt: skip
    ppm = draw(st.sampled_from([1, 33_333, 100_000, 1_000_000]))
    return policy(
        levels=levels,
        progressive_table=[*shares(straight_flush=ppm), {"hand": "flush", "odds": 40}],
        hit_order=draw(st.sampled_from(["low_first", "high_first"])),
        equal_rank=draw(st.sampled_from(["in_turn", "split"])),
        after_share=draw(st.sampled_from(["leave", "restore_base"])),
        overflow_to=draw(st.sampled_from(["next_reset", "house"])),
        void_contributions=draw(st.sampled_from(["keep", "reverse"])),
        envy_per=draw(st.sampled_from(["hit", "round"])),
    )


@dataclass
class Play:
    """A round: its boxes as (hand, void), and after how many other rounds' lock-outs it is settled."""

    boxes: list[tuple[str | None, bool]]
    void: bool
    shared: bool
    waits: int


plays = st.builds(
    Play,
    boxes=st.lists(st.tuples(st.sampled_from(HANDS), st.integers(0, 5).map(lambda n: n == 0)), min_size=1, max_size=4),
    void=st.integers(0, 5).map(lambda n: n == 0),
    shared=st.integers(0, 3).map(lambda n: n == 0),
    waits=st.integers(0, 3),
)


@dataclass
class Told:
    """Everything that was posted, in order."""

    books: Books
    entries: list[Entry] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def settle(self, ref: str, play: Play, accrued: Accrued) -> None:
        dead = [play.void or void for _, void in play.boxes]
        hands = [play.boxes[0][0]] * len(play.boxes) if play.shared else [hand for hand, _ in play.boxes]
        alive = [
            Claim(n, f"P-{n % 3}", usd("1.00"), hand)
            for n, (hand, gone) in enumerate(zip(hands, dead, strict=True), start=1)
            if not gone
        ]
        at = NOON + timedelta(minutes=len(self.entries))
        posting = Settlement(
            Source(ref, "T", None, at),
            policy_id=1,
            version=1,
            main_net=0,
            trips_net=0,
            claims=tuple(alive),
            staked=len(dead) * usd("1.00"),
            refunded=sum(dead) * usd("1.00"),
            shared=play.shared,
            void=play.void,
        )
        entries, outcome = postings.settle(posting, self.books, lambda _: accrued)
        self.entries += entries
        self.outcomes.append(outcome)


def tell(terms: Policy, story: list[Play]) -> Told:
    """Fund, lock out in order, and settle each round when its time has come."""
    told = Told(Books("J", {level.code: _empty(level) for level in terms.levels}, {1: terms}))
    told.entries += postings.fund(told.books, NOON)
    waiting: list[tuple[int, str, Play, Accrued]] = []
    for n, play in enumerate(story):
        wagers = tuple(Wager(box, f"P-{box % 3}", usd("1.00")) for box in range(1, len(play.boxes) + 1))
        entries, accrued = postings.lock_out(LockOut(Source(str(n), "T", None, NOON), 1, wagers), told.books)
        told.entries += entries
        waiting.append((n + play.waits, str(n), play, accrued))
        for due in [item for item in waiting if item[0] <= n]:
            waiting.remove(due)
            told.settle(due[1], due[2], due[3])
    for _, ref, play, accrued in waiting:
        told.settle(ref, play, accrued)
    return told


def _empty(level: LevelTerms) -> Meter:
    return Meter(level, dict.fromkeys(Pot, 0), dict.fromkeys(Pot, 0))


stories = st.tuples(policies(), st.lists(plays, max_size=8))


@given(stories)
def test_every_entry_balances(story):
    for entry in tell(*story).entries:
        assert sum(entry.legs.values()) == 0, entry


@given(stories)
def test_every_statement_is_an_unbroken_chain_within_its_bounds(story):
    told = tell(*story)
    limits = {level.code: level.limit for level in story[0].levels}
    pots: dict[tuple[str, Pot], list[Row]] = defaultdict(list)
    for entry in told.entries:
        for row in entry.rows:
            pots[row.level, row.pot].append(row)
    for (level, pot), found in pots.items():
        rows = sorted(found, key=lambda row: row.seq)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert [row.before for row in rows] == [0, *(row.after for row in rows[:-1])]
        assert all(row.amount and row.after == row.before + row.amount >= 0 for row in rows)
        assert told.books.levels[level].balances[pot] == rows[-1].after
        if pot is Pot.METER:
            assert all(row.amount > 0 or row.kind in DOWN for row in rows)
            assert limits[level] is None or max(row.after for row in rows) <= limits[level]


@given(stories)
def test_the_ledger_says_what_the_pots_say_and_owes_what_was_won(story):
    told = tell(*story)
    balance: dict[str, int] = defaultdict(int)
    for entry in told.entries:
        for code, amount in entry.legs.items():
            balance[code] += amount
    for code, level in told.books.levels.items():
        for pot in Pot:
            assert -balance[pot_of("J", code, pot)] == level.balances[pot]
    owed = sum(hit.amount for outcome in told.outcomes for hit in outcome.hits)
    owed += sum(envy.amount for outcome in told.outcomes for envy in outcome.envy)
    assert -balance[awards_of("J")] == owed


@given(stories)
def test_totals_are_what_the_rows_add_up_to(story):
    told = tell(*story)
    kinds: dict[tuple[str, Kind], int] = defaultdict(int)
    for entry in told.entries:
        for row in entry.rows:
            kinds[row.level, row.kind] += row.amount
    staked = sum(len(play.boxes) for play in story[1]) * usd("1.00")
    for code, level in told.books.levels.items():
        assert level.wagered == staked
        assert level.contributed == kinds[code, Kind.CONTRIBUTION]
        assert level.awarded == -kinds[code, Kind.AWARD]


@given(stories)
def test_prizes_are_whole_cents_and_envy_is_never_ones_own(story):
    for outcome, play in zip(tell(*story).outcomes, _in_settling_order(story[1]), strict=True):
        assert all(prize.returned % UNITS_PER_MINOR == 0 for prize in outcome.prizes.values())
        for envy in outcome.envy:
            assert envy.claim.player != outcome.hits[envy.hit].claim.player
        assert not (play.shared and outcome.envy)


def _in_settling_order(story: list[Play]) -> list[Play]:
    last = len(story) - 1
    due = [(n + play.waits if n + play.waits <= last else last + 1, n, play) for n, play in enumerate(story)]
    return [play for _, _, play in sorted(due, key=lambda item: item[:2])]
