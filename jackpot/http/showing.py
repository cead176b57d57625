"""What both apps' answers show alike: times in RFC 3339 with Z, days as dates, awards. Money: `jackpot.money`."""

from datetime import UTC, date, datetime
from typing import overload

from jackpot.models.awards import Award
from jackpot.money import Currency, displayed, show, show_stored


@overload
def shown_time(at: datetime) -> str: ...
@overload
def shown_time(at: datetime | None) -> str | None: ...
def shown_time(at: datetime | None) -> str | None:
    """An instant as "2026-11-29T14:22:33Z", with a fraction only where there is one; None stays None."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def shown_day(day: date | None) -> str | None:
    """A gaming day as "2026-11-29"."""
    return None if day is None else day.isoformat()


def show_award(award: Award) -> dict[str, object]:
    """A hit or an Envy. An Envy has no meter of its own: it names its hit, and the box that made it."""
    currency = award.jackpot.currency
    return {
        "id": str(award.id),
        "kind": award.kind,
        "jackpot": award.jackpot.code,
        "round": str(award.source_ref),
        "table": award.table_ref,
        "box": award.box,
        "player": award.player,
        "hand": award.hand,
        "level": award.level.code if award.level else None,
        "currency": currency.code,
        "amount": show_stored(award.amount, currency),
        "meter_before": _meter(award.meter_before, currency),
        "meter_after": _meter(award.meter_after, currency),
        "reset_to": _meter(award.reset_to, currency),
        "seq": award.seq,
        "hit": str(award.hit_id) if award.hit_id else None,
        "from_box": award.hit.box if award.hit else None,
        "difference_of": str(award.difference_of_id) if award.difference_of_id else None,
        "policy": str(award.policy),
        "late": award.late,
        "hit_at": shown_time(award.hit_at),
        "state": award.state,
    }


def _meter(units: int | None, currency: Currency) -> str | None:
    return None if units is None else show(displayed(units), currency)
