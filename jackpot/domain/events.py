"""What integrators are told of: events, by webhook and under `/events/`. Pure; source: api.md, "Webhooks".

Data is thin: ids, references, numbers and money as strings; who wants more asks the API. Amounts are those posted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from jackpot.domain.accounts import Pot
from jackpot.domain.awards import State
from jackpot.domain.meter import Row
from jackpot.domain.postings import Source
from jackpot.domain.progressive import Envy, Hit
from jackpot.money import Currency, displayed, show


class EventType(StrEnum):
    """Everything there is to be told."""

    ROUND_SETTLED = "round.settled"
    ROUND_VOIDED = "round.voided"
    ROUND_FAILED = "round.failed"
    ROUND_CORRECTED = "round.corrected"
    ROUND_SUSPENDED = "round.suspended"
    ROUND_RESUMED = "round.resumed"
    JACKPOT_HIT = "jackpot.hit"
    JACKPOT_RESET = "jackpot.reset"
    ENVY_AWARDED = "envy.awarded"
    AWARD_APPROVED = "award.approved"
    AWARD_DISPUTED = "award.disputed"
    AWARD_PAID = "award.paid"
    AWARD_REJECTED = "award.rejected"
    DAY_CLOSED = "day.closed"

    @property
    def of_jackpot(self) -> bool:
        """Whether everybody who sees the jackpot hears of it, not only who caused it."""
        return self.startswith("jackpot.")

    @property
    def in_order(self) -> bool:
        """Whether receivers get it in the order of its jackpot."""
        return self.startswith(("jackpot.", "award."))


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, for the integrator whose round, award or site it is.

    None where it is nobody's own: then those who see the jackpot hear of it. `site_id` is where it happened; `at` is
    the posting time of what was posted.
    """

    integrator_id: int | None
    type: EventType
    at: datetime
    data: Mapping[str, object]
    site_id: int | None = None
    jackpot_id: int | None = None


OWN = ("award", "round", "table", "box", "player")
"""Of an event of a jackpot what only those see who caused it, as of a statement row."""


def without_cause(data: Mapping[str, object]) -> dict[str, object]:
    """An event's data as others see it."""
    return {name: None if name in OWN else value for name, value in data.items()}


def for_other(event: Event, integrator_id: int) -> Event:
    """An event of a jackpot, for an integrator who sees the jackpot and did not cause it."""
    return replace(event, integrator_id=integrator_id, site_id=None, data=without_cause(event.data))


@dataclass(frozen=True, slots=True)
class Happened:
    """Where and when something of a jackpot was posted."""

    source: Source
    site_id: int
    jackpot_id: int
    jackpot: str
    currency: Currency
    test: bool
    at: datetime

    def event(self, kind: EventType, /, **data: object) -> Event:
        same = {"jackpot": self.jackpot, "currency": self.currency.code, "mode": "test" if self.test else "live"}
        return Event(self.source.integrator_id, kind, self.at, same | data, self.site_id, self.jackpot_id)

    def money(self, units: int) -> str:
        return show(units, self.currency)


def hit(happened: Happened, award: UUID, hit: Hit, state: State) -> Event:
    """A wager took its part of a meter. Meter values are as displayed; `state` is where its award begins."""
    return happened.event(
        EventType.JACKPOT_HIT,
        level=hit.line.level,
        seq=hit.seq,
        hand=hit.line.hand,
        amount=happened.money(hit.amount),
        meter_before=happened.money(displayed(hit.meter_before)),
        meter_after=happened.money(displayed(hit.meter_after)),
        reset_to=None if hit.reset_to is None else happened.money(displayed(hit.reset_to)),
        state=state.value,
        **_cause(happened, award, hit.claim.box, hit.claim.player),
    )


def reset(happened: Happened, award: UUID, hit: Hit, rows: Sequence[Row]) -> Event | None:
    """A meter began anew after this hit; None where nothing was put into it. `seq` is that of its last row."""
    meter = [row for row in rows if row.pot is Pot.METER]
    if not meter:
        return None
    return happened.event(
        EventType.JACKPOT_RESET,
        level=meter[0].level,
        seq=meter[-1].seq,
        meter_before=happened.money(displayed(meter[0].before)),
        meter_after=happened.money(displayed(meter[-1].after)),
        **_cause(happened, award, hit.claim.box, hit.claim.player),
    )


def envy(happened: Happened, award: UUID, envy: Envy, hit_award: UUID, hit: Hit, state: State) -> Event:
    """A wager receives an Envy for another player's hit; `state` is where its award begins."""
    return happened.event(
        EventType.ENVY_AWARDED,
        hit=str(hit_award),
        hand=hit.line.hand,
        from_box=hit.claim.box,
        amount=happened.money(envy.amount),
        state=state.value,
        **_cause(happened, award, envy.claim.box, envy.claim.player),
    )


_OF_STATE = {
    State.APPROVED: EventType.AWARD_APPROVED,
    State.DISPUTED: EventType.AWARD_DISPUTED,
    State.PAID: EventType.AWARD_PAID,
    State.REJECTED: EventType.AWARD_REJECTED,
}


def award(
    happened: Happened, award: UUID, state: State, *, hit: UUID | None, hand: str, amount: int, box: int, player: str
) -> Event:
    """An award came to this state by a move; `hit` is that of an Envy."""
    return happened.event(
        _OF_STATE[state],
        kind="envy" if hit else "hit",
        hit=str(hit) if hit else None,
        hand=hand,
        amount=happened.money(amount),
        state=state.value,
        **_cause(happened, award, box, player),
    )


def day_closed(
    integrator_id: int, *, site: str, site_id: int, test: bool, day: date, at: datetime, rounds_open: int, late: int
) -> Event:
    """A gaming day of a site was closed, for an integrator that plays there, with how many rounds of its own were not
    settled then; `late` of them were complete and will be entered late.
    """
    data: dict[str, object] = {
        "site": site,
        "gaming_day": day.isoformat(),
        "mode": "test" if test else "live",
        "rounds_open": rounds_open,
        "rounds_late": late,
    }
    return Event(integrator_id, EventType.DAY_CLOSED, at, data, site_id)


def _cause(happened: Happened, award: UUID, box: int, player: str) -> dict[str, object]:
    source = happened.source
    return {"award": str(award), "round": source.ref, "table": source.table_ref, "box": box, "player": player}
