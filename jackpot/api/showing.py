"""Jackpots, statement rows and awards as the contract draws them."""

from datetime import datetime

from jackpot.http.showing import shown_day, shown_time
from jackpot.models.awards import Award
from jackpot.models.jackpots import Jackpot, Level
from jackpot.money import Currency, displayed, show, show_exact
from jackpot.selectors.jackpots import Versions
from jackpot.selectors.statements import StatementRow


def show_jackpot(jackpot: Jackpot, *, pending_hits: int, now: datetime) -> dict[str, object]:
    """A jackpot read by `selectors.jackpots`, and its levels in order."""
    return {
        "code": jackpot.code,
        "name": jackpot.name,
        "currency": jackpot.currency_code,
        "state": jackpot.state,
        "policy": f"{jackpot.code}@{Versions(jackpot.policies.all()).at(now).version}",
        "levels": [_show_level(level, jackpot.currency) for level in jackpot.levels.all()],
        "pending_hits": pending_hits,
    }


def _show_level(level: Level, currency: Currency) -> dict[str, object]:
    return {
        "level": level.code,
        "displayed": show(displayed(level.meter), currency),
        "exact": show_exact(level.meter, currency),
        "base": show(level.base, currency),
        "limit": None if level.limit is None else show(level.limit, currency),
        "reserve": show_exact(level.reserve, currency),
        "overflow": show_exact(level.overflow, currency),
        "seq": level.meter_seq,
        "as_of": shown_time(level.posted_at),
        "last_hit": shown_time(level.last_hit_at),
    }


def show_row(row: StatementRow, currency: Currency) -> dict[str, object]:
    """A statement row read by `selectors.statements.shown_to`; of what others caused neither source nor table."""
    own: bool = getattr(row, "own", False)
    return {
        "seq": row.seq,
        "level": row.level.code,
        "pot": row.pot,
        "kind": row.kind,
        "amount": show_exact(row.amount, currency),
        "before": show_exact(row.before, currency),
        "after": show_exact(row.after, currency),
        "reason": row.entry.reason or None,
        "source": row.entry.source_ref if own else None,
        "table": (row.entry.table_ref or None) if own else None,
        "event_at": shown_time(row.entry.event_at),
        "posted_at": shown_time(row.entry.posted_at),
        "gaming_day": shown_day(row.gaming_day),
    }


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
        "amount": show(award.amount, currency),
        "meter_before": _meter(award.meter_before, currency),
        "meter_after": _meter(award.meter_after, currency),
        "reset_to": _meter(award.reset_to, currency),
        "seq": award.seq,
        "hit": str(award.hit_id) if award.hit_id else None,
        "from_box": award.hit.box if award.hit else None,
        "policy": str(award.policy),
        "late": award.late,
        "hit_at": shown_time(award.hit_at),
        "state": award.state,
    }


def _meter(units: int | None, currency: Currency) -> str | None:
    return None if units is None else show(displayed(units), currency)
