"""A month of three sites, proved to the unit. `MONTH_ROUNDS=50000 make test TESTS=tests/month` plays it at full size."""

import os
import time
from datetime import UTC, datetime, timedelta

import pytest

from jackpot.models.lanes import Lane
from tables.models.rounds import Round
from tables.services.audit import audit
from tests.month.cashing import Cashier
from tests.month.clock import simulated
from tests.month.dealing import deal
from tests.month.house import open_house
from tests.month.playing import Play, hours

STEP = timedelta(hours=4)
ROUNDS = int(os.environ.get("MONTH_ROUNDS", "1500"))
FIRST = datetime(2026, 3, 1, 0, 30, tzinfo=UTC)
LAST = datetime(2026, 4, 1, 12, 30, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
def test_a_month() -> None:
    began = time.monotonic()
    with simulated(FIRST - timedelta(hours=1)) as clock:
        floor = open_house(clock.now)
        dealt = deal(floor, rounds=ROUNDS, first=FIRST, last=LAST - timedelta(days=1), seed=2026)
        play = Play(floor, clock, dealt)
        cashier = Cashier(floor, clock, seed=2026)
        for at in hours(FIRST, LAST, step=STEP):
            play.until(at)
            if at.hour // 4 == 3:
                cashier.work()
        print(f"played {play.taken} in {time.monotonic() - began:.1f} s", play.refused[:5])
        print(Round.objects.filter(late=True).count(), "late")
        done = audit(Lane.objects.all())
        print(done, time.monotonic() - began)
        assert done.proved
