"""A month of three sites, proved to the unit. At full size: `MONTH_ROUNDS=50000 make test TESTS=tests/month JOBS=0`.

A small one has its hits, voids and late rounds among fewer plain ones, and daily packs of the days on which something
turns.
"""

import os
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest

from jackpot.models.awards import Award
from jackpot.models.change_requests import ChangeDecision
from jackpot.models.lanes import Lane
from jackpot.models.ledger import StatementRow
from tables.models.rounds import Box, Round
from tables.models.voids import VoidDecision
from tables.services.audit import audit
from tables.services.verify import verify
from tests.month import proving
from tests.month.cashing import Cashier
from tests.month.clock import Clock, simulated
from tests.month.dealing import deal
from tests.month.house import Floor, open_house
from tests.month.keeping import Office
from tests.month.mending import Mender
from tests.month.playing import Play, hours

ROUNDS = int(os.environ.get("MONTH_ROUNDS", "300"))
FULL = ROUNDS > 10_000
STEP = timedelta(hours=1 if FULL else 6)
FIRST = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LAST = datetime(2026, 4, 2, 0, 0, tzinfo=UTC)


def say(what: str, began: float) -> None:
    """Progress, for who plays it at full size with `-s`."""
    sys.stdout.write(f"{what}: {time.monotonic() - began:.1f} s\n")


def _play(floor: Floor, clock: Clock, began: float) -> Play:
    dealt = deal(floor, rounds=ROUNDS, first=FIRST, last=LAST - timedelta(hours=40), seed=2026)
    play, cashier = Play(floor, clock, dealt), Cashier(floor, clock, seed=2026)
    mender = Mender(floor, clock, seed=2027)
    office = Office(floor, clock, cashier, mender)
    for at in hours(FIRST, LAST, step=STEP):
        play.until(at)
        office.work()
    say(
        f"{play.taken} rounds, {cashier.moves} moves, {mender.corrected} corrections, {office.decided} voids decided,"
        f" {office.closed} days closed",
        began,
    )
    return play


@pytest.mark.django_db(transaction=True)
def test_a_month() -> None:
    began = time.monotonic()
    with simulated(FIRST - timedelta(hours=1)) as clock:
        floor = open_house(clock.now)
        play = _play(floor, clock, began)
        assert play.taken == ROUNDS
        assert {(table, code) for table, code in play.refused} <= {("LON-2", "no_progressive")}, "OLD was retired"
        _assert_everything_happened()
        assert proving.days_not_closed_once() == []
        assert proving.gaps() == []
        assert proving.totals_off() == []
        checked = 0
        for pack in proving.packs(floor.staff["dan"], clock, proving.days() if FULL else proving.TURNS):
            assert proving.differing(pack) == []
            checked += len(pack.checks)
        say(f"{checked} checks between reports", began)
        done = audit(Lane.objects.all())
        assert done.findings.differences == []
        say(f"{done.settlements} settlements, {done.entries} entries audited", began)
        verified = verify()
        assert verified.findings.differences == []
        say("verified", began)


def _assert_everything_happened() -> None:
    """A month without one of these would prove less than it says."""
    rounds = Round.objects.all()
    assert rounds.filter(late=True).exists()
    assert rounds.filter(phase="void").exists()
    assert Box.objects.exclude(void_reason="").exists()
    assert {"confirmed", "declined"} <= set(VoidDecision.objects.values_list("decision", flat=True))
    assert set(Award.objects.values_list("state", flat=True)) >= {"paid", "rejected", "withdrawn"}
    kinds = set(StatementRow.objects.values_list("kind", flat=True))
    assert kinds >= {
        "contribution", "award", "award_returned", "reset", "restore", "overflow_in", "void", "adjustment",
        "transfer_in", "transfer_out", "correction",
    }  # fmt: skip
    assert StatementRow.objects.filter(pot="overflow", kind="contribution").exists()
    decided = set(ChangeDecision.objects.values_list("request__kind", flat=True))
    assert decided >= {"policy", "adjustment", "correction", "transfer", "retirement"}
