"""A house that has been open for weeks, by a clock of its own: rounds are settled, awards paid and days closed."""

import time
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpot.domain.awards import Move, State
from jackpot.models.awards import Award
from jackpot.models.sites import Site
from jackpot.services import award_moves
from jackpot.services.closing import days_over
from tables.services import closing, demo_data, telling
from tests.benchmarks import server, world
from tests.benchmarks.measuring import Progress
from tests.benchmarks.world import Dealer
from tests.factories import person
from tests.month.clock import Clock, simulated

SEED = 3
_SHARES = {"four_of_a_kind": 30_000}
"""Parts of a meter, in ppm, that hands take here in the place of fixed prizes of about the same worth: so that there
are many awards.
"""
_DAY = timedelta(days=1)
_LEFT_OPEN = timedelta(hours=2)
"""After its end a day is closed, once what was won in it is paid."""
_SENT_AFTER = timedelta(seconds=10)
_CALLS_A_SETTLING = 10
_STEPS_TOLD = 50


def external_id(number: int) -> str:
    """That of a round, counted from the oldest, 0."""
    return f"{SEED}-{number}"


def grow(*, rounds: int, days: int, told: Progress) -> None:
    """Open a house in the database that Django works on, and let so many rounds be played in so many days, which end
    yesterday at this time. The last day stays open.
    """
    first = timezone.now() - (days + 1) * _DAY
    with simulated(first - timedelta(hours=1), owner=server.present().as_owner) as clock:
        world.open_house(now=clock.now, policy=_policy())
        sender, office = world.caller(now=clock.now), _Office(clock)
        dealer = Dealer(SEED, world.every_table(), at=first, apart=days * _DAY / rounds)
        pace = _Pace(rounds, told)
        for number, bodies in enumerate(dealer.batches(rounds), start=1):
            clock.set(datetime.fromisoformat(bodies[-1]["completed_at"]) + _SENT_AFTER)
            world.report(bodies, by=sender, now=clock.now)
            if number % _CALLS_A_SETTLING == 0 or number * world.BATCH >= rounds:
                world.settle_all()
                office.work()
                pace.tell(min(rounds, number * world.BATCH))


def _policy() -> dict[str, Any]:
    document = demo_data.policy_document()
    lines = [
        {"hand": line["hand"], "basis": "meter_share", "level": "main", "ppm": _SHARES[line["hand"]]}
        if line["hand"] in _SHARES
        else line
        for line in document["progressive_table"]
    ]
    return document | {"progressive_table": lines}


class _Pace:
    """Tells of every fiftieth of the rounds, and how many a second came in and were settled since the last time."""

    def __init__(self, rounds: int, told: Progress) -> None:
        self._rounds, self._told = rounds, told
        self._played, self._at = 0, time.monotonic()

    def tell(self, played: int) -> None:
        since = played - self._played
        if since * _STEPS_TOLD < self._rounds:
            return
        now = time.monotonic()
        self._told(f"{played:,} rounds, {since / (now - self._at):,.0f} a second", played / self._rounds)
        self._played, self._at = played, now


class _Office:
    """Approves and pays what was won, and closes days that are over."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._site = clock, Site.objects.get(code=world.SITE)
        self._approve, self._pay = (person("ann"), person("ben")), person("cleo")

    def work(self) -> None:
        for day in days_over(self._site, now=self._clock.now - _LEFT_OPEN):
            self._move(Move.APPROVE, State.PENDING)
            self._move(Move.PAY, State.APPROVED)
            closing.close_day(site=self._site, day=day, by=None, now=self._clock.tick())

    def _move(self, move: Move, state: State) -> None:
        """Every award in a state; an Envy is approved with its hit."""
        awards = Award.objects.filter(state=state)
        if move is Move.APPROVE:
            awards = awards.filter(kind=Award.Kind.HIT)
        for award_id in list(awards.order_by("hit_at", "id").values_list("pk", flat=True)):
            for by in self._approve if move is Move.APPROVE else (self._pay,):
                with transaction.atomic():
                    telling.publish(
                        award_moves.move(
                            caller=by, award_id=award_id, move=move, note="by the house", now=self._clock.tick()
                        )
                    )
