"""What is asked of a report: a gaming day of one site or one jackpot, and for whom."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property

from jackpot.domain.callers import Caller
from jackpot.domain.reports import Column, Kind, Line, Report
from jackpot.models.jackpots import Jackpot
from jackpot.models.sites import Site
from jackpot.money import Currency
from jackpot.selectors import closings, days, jackpots

Linked = Callable[[Collection[int]], Collection[int]]


@dataclass(frozen=True)
class Asked:
    """A question: either `site` or `jackpot` is given, and exists for this caller.

    `linked` tells which jackpots the tables of some sites are linked to: whoever knows the tables gives it.
    """

    caller: Caller
    day: date
    made_at: datetime
    made_by: str
    linked: Linked
    site: Site | None = None
    jackpot: Jackpot | None = None

    @cached_property
    def jackpots(self) -> list[Jackpot]:
        """The jackpot asked for; of a site those that are at home there and that this caller sees."""
        if self.jackpot is not None:
            return [self.jackpot]
        return list(jackpots.seen_by(self.caller, linked=self.linked).filter(home_site=self.site).order_by("code"))

    @property
    def filters(self) -> Mapping[str, str]:
        """The question as it was put, and how the day stands: `closed` with when, and for staff by whom; `running`,
        whose figures are provisional until it is closed; or `not opened`.
        """
        place = {"site": self.site.code} if self.site else {"jackpot": self.jackpot.code if self.jackpot else ""}
        return {"day": self.day.isoformat(), **place, **self._standing()}

    def _standing(self) -> dict[str, str]:
        found = days.standing(self._clock, self.day)
        if found is None or found.closed_at is None:
            return {"state": "running" if found else "not opened"}
        told = {"state": "closed", "closed_at": found.closed_at.astimezone(UTC).isoformat().replace("+00:00", "Z")}
        return told | {"closed_by": found.closed_by or closings.COMMAND} if self.caller.is_person else told

    @property
    def _clock(self) -> Site:
        """The site whose day it is: the one asked for, or the jackpot's home."""
        site = self.site or (self.jackpot.home_site if self.jackpot else None)
        if site is None:
            raise ValueError("a report is asked of a site or a jackpot")
        return site

    @property
    def bounds(self) -> tuple[datetime, datetime]:
        """The day's first instant and that of the next, by the clock of the site, or of the jackpot's home site."""
        return days.bounds_of(self._clock, self.day)

    @property
    def currency(self) -> Currency | None:
        """The one currency that is known without a line: the jackpot's."""
        currencies = {jackpot.currency for jackpot in self.jackpots}
        return currencies.pop() if len(currencies) == 1 else None

    def report(
        self,
        name: str,
        columns: Sequence[Column],
        lines: Sequence[Line],
        *,
        checks: Mapping[str, int] | None = None,
        checks_kind: Kind = Kind.MONEY,
    ) -> Report:
        """The answer."""
        return Report(
            name, tuple(columns), lines, self.filters, self.made_at, self.made_by, self.currency, checks or {},
            checks_kind,
        )  # fmt: skip


Builder = Callable[[Asked], Report]
