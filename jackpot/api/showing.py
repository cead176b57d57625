"""Jackpots, statement rows and the moves of awards as the contract draws them; awards: `jackpot.http.showing`."""

from datetime import datetime

from jackpot.domain.awards import Move
from jackpot.domain.callers import Caller
from jackpot.http.showing import show_award, shown_day, shown_time
from jackpot.models.awards import Award, AwardMove
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


def show_told(award: Award, caller: Caller) -> dict[str, object]:
    """An award with its moves, read by `selectors.award_moves.TOLD`, as this caller may see them."""
    return {**show_award(award), "moves": [_show_move(move, caller) for move in award.moves.all()]}


def _show_move(move: AwardMove, caller: Caller) -> dict[str, object]:
    """Who of the staff it was, and what they noted for themselves, staff alone may see."""
    private = move.user is not None and not caller.is_person
    person = "staff" if private or move.user is None else f"staff:{move.user.get_username()}"
    said = move.note or None
    return {
        "move": move.move,
        "state": move.state,
        "by": f"key:{move.key.prefix}" if move.key else person,
        "at": shown_time(move.at),
        "approvals": move.approvals,
        "reference": said if move.move == Move.PAY else None,
        "reason": said if move.move in (Move.DISPUTE, Move.REJECT) else None,
        "note": said if move.move in (Move.APPROVE, Move.UPHOLD) and not private else None,
    }
