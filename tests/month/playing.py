"""The month as it passes: rounds come in and are settled hour by hour."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from jackpot.domain.errors import Refused
from tables.services import ingest
from tests.factories import settle_all
from tests.month.clock import Clock
from tests.month.dealing import Sent
from tests.month.house import Floor

HOUR = timedelta(hours=1)


def hours(first: datetime, last: datetime, *, step: timedelta = HOUR) -> Iterator[datetime]:
    """The end of every step of hours between two instants."""
    at = first + step
    while at <= last:
        yield at
        at += step


class Play:
    """Sends what is due by an hour's end, and lets it be settled."""

    def __init__(self, floor: Floor, clock: Clock, rounds: Iterator[Sent]) -> None:
        self._floor, self._clock, self._rounds = floor, clock, rounds
        self._next = next(rounds, None)
        self.taken = 0
        self.refused: list[tuple[str, str]] = []

    def until(self, at: datetime) -> None:
        """Let it be `at`: everything sent before it comes in, and is settled."""
        self._clock.set(at)
        due: list[Sent] = []
        while self._next is not None and self._next.at < at:
            due.append(self._next)
            self._next = next(self._rounds, None)
        for site, sent in groupby(sorted(due, key=lambda one: one.site), key=lambda one: one.site):
            self._send(site, list(sent))
        settle_all()

    def _send(self, site: str, sent: Sequence[Sent]) -> None:
        reports = [one.report for one in sorted(sent, key=lambda one: one.at)]
        answers = ingest.receive(caller=self._floor.senders[site], reports=reports, now=self._clock.now)
        for report, answer in zip(reports, answers, strict=True):
            if isinstance(answer, Refused):
                self.refused.append((report.table_code, answer.code))
        self.taken += len(answers)
